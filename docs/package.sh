#!/bin/sh
# Builds the Debian packages remindav and remindav-dbgsym, and a tarball for other systems.
#
#   sh docs/package.sh [FOLDER]
#
# FOLDER, by default .build/packages, gets the files. Equal commits give equal bytes, also in folders with other names.
# Needs the packages that `sh Tests/packages.sh package` installs.
set -eu
repository=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$repository/.build/packages}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$repository"

sh Tests/packages.sh package

# The time of each file in the packages is that of the commit.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
export LC_ALL=C.UTF-8
umask 022
commit=$(git rev-parse --short=12 HEAD)
maintainer=$(git log -1 --format='%an <%ae>')

# The committed sources are built at a fixed place, because the compiler writes hashes of paths into the program.
root=/tmp/remindav-package
mkdir -m 700 "$root" || {
    echo "The folder $root belongs to another build that runs or was stopped. Wait for its end, or remove the folder." >&2
    exit 1
}
trap 'rm -rf "$root"' EXIT
trap 'exit 130' INT TERM HUP
git archive --output="$root/sources.tar" HEAD
tar -x -f "$root/sources.tar" -C "$root"
rm "$root/sources.tar"
# Files of an earlier version would be found by the same patterns.
rm -f "$out"/remindav_*.deb "$out"/remindav-dbgsym_*.deb "$out"/remindav-*.tar.xz
cd "$root"

# The program and its debug information name the place of the sources of Debian's packages. Without references to
# compiled modules of C: their identifiers depend on the time of the build.
swift build --configuration release --product remindav --disable-local-rpath --scratch-path .build/package \
    -Xswiftc -g -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs -Xswiftc -file-prefix-map -Xswiftc "$root=/usr/src/remindav" \
    -Xcc "-ffile-prefix-map=$root=/usr/src/remindav" -Xcc "-DREMINDAV_COMMIT=\"$commit\""
built=.build/package/release/remindav
version=$("$built" --version)
version=${version#remindav }
version=${version%% *}
debian=$(printf %s "$version" | sed 's/-/~/')
# A build between two releases is newer than the release before it and older than the one after it, so that apt upgrades it.
released=$(git -C "$repository" tag --points-at HEAD --list "$version")
[ -n "$released" ] || debian="$debian+git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).$commit"
architecture=$(dpkg --print-architecture)

work=$root/.build/package/stage
tree=$work/remindav
symbols=$work/remindav-dbgsym

put() { # put MODE FILE DESTINATION
    install -D -m "$1" "$2" "$3"
}
page() { # page WORDS...: a manual page
    name=remindav$(printf -- '-%s' "$@")
    [ $# -gt 0 ] || name=remindav
    mkdir -p "$tree/usr/share/man/man1"
    "$built" help "$@" --man | gzip -9n > "$tree/usr/share/man/man1/$name.1.gz"
}

# The program, and its debug information in a package of its own.
mkdir -p "$tree/usr/bin"
build_id=$(readelf -n "$built" | sed -n 's/^ *Build ID: //p')
debug=$symbols/usr/lib/debug/.build-id/$(printf %s "$build_id" | cut -c1-2)/$(printf %s "$build_id" | cut -c3-).debug
mkdir -p "$(dirname "$debug")"
objcopy --only-keep-debug --compress-debug-sections "$built" "$debug"
objcopy --strip-unneeded --remove-section=.comment "$built" "$tree/usr/bin/remindav"
chmod 755 "$tree/usr/bin/remindav"
chmod 644 "$debug"

# Manual pages and completions are printed by the program.
page
"$built" help --all | sed -n -e '/^Other names/q' -e 's/^  \([a-z][a-z -]*[a-z]\)  .*/\1/p' > "$work/commands"
while read -r words; do
    # shellcheck disable=SC2086 # a name of two words is two arguments
    page $words
done < "$work/commands"
completion() { # completion SHELL PATH
    mkdir -p "$(dirname "$tree/$2")"
    "$built" completion "$1" > "$tree/$2"
}
completion bash usr/share/bash-completion/completions/remindav
completion zsh usr/share/zsh/vendor-completions/_remindav
completion fish usr/share/fish/vendor_completions.d/remindav.fish

# The units are those that `service install` writes, with the paths of the package.
home=$work/home
mkdir -p "$home"
# The light sandbox works on every system, and before there is a store; `service install` chooses the strictest one.
env -i HOME="$home" PATH=/usr/bin:/bin "$tree/usr/bin/remindav" service install --web --sandbox light > /dev/null 2>&1 || true
general() { # general FILE: replaces the paths, and removes the remarks about 'service install'
    [ -s "$1" ] || {
        echo "The program did not write $1." >&2
        exit 1
    }
    sed -e "s|$tree/usr/bin/remindav|/usr/bin/remindav|" -e "s|$home|%h|" -e '/^#/d' "$1" | sed '/./,$!d'
}
mkdir -p "$tree/usr/lib/systemd/user"
for unit in remindav.service remindav-web.service remindav-web.socket; do
    general "$home/.config/systemd/user/$unit" > "$tree/usr/lib/systemd/user/$unit"
done
mkdir -p "$tree/usr/share/applications"
# The handler of addresses has the name that `service install` gives it, so that the latter replaces no launcher.
general "$home/.local/share/applications/remindav.desktop" > "$tree/usr/share/applications/remindav.desktop"
put 644 docs/package/remindav.desktop "$tree/usr/share/applications/org.remindav.Remindav.desktop"
put 644 docs/package/org.remindav.Remindav.metainfo.xml "$tree/usr/share/metainfo/org.remindav.Remindav.metainfo.xml"
put 644 Sources/CAssets/icon.svg "$tree/usr/share/icons/hicolor/scalable/apps/remindav.svg"

# The documents of the package.
documents=$tree/usr/share/doc/remindav
mkdir -p "$documents" "$symbols/usr/share/doc"
ln -s remindav "$symbols/usr/share/doc/remindav-dbgsym"
{
    echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    echo "Upstream-Name: remindav"
    echo
    echo "Files: *"
    echo "Copyright: 2026 the authors of Remindav"
    echo "License: Apache-2.0"
    echo " On Debian systems, the license is in /usr/share/common-licenses/Apache-2.0."
    echo
    echo "Files: usr/share/metainfo/*"
    echo "Copyright: 2026 the authors of Remindav"
    echo "License: CC0-1.0"
    echo " On Debian systems, the license is in /usr/share/common-licenses/CC0-1.0."
    echo
    echo "Files: usr/bin/remindav"
    echo "Copyright: 2026 the authors of Remindav"
    echo "           2014-2026 Apple Inc. and the authors of the Swift project (the runtime, which is linked statically)"
    echo "License: Apache-2.0 with Swift exception"
    echo " On Debian systems, the license is in /usr/share/common-licenses/Apache-2.0. As an exception, if you use the"
    echo " Swift runtime to compile your source code and portions of it are embedded into the binary product, you may"
    echo " redistribute this product without providing attribution."
} > "$documents/copyright"
gzip -9n < docs/manual.md > "$documents/manual.md.gz"
{
    echo "remindav ($debian) unstable; urgency=medium"
    echo
    sed -n 's/^- //p' docs/CHANGELOG.md | while IFS= read -r line; do
        printf '%s\n' "$line" | fold -s -w 74 | sed -e '1s/^/  * /' -e '2,$s/^/    /' -e 's/ *$//'
    done
    echo
    echo " -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n > "$documents/changelog.gz"

control() { # control FOLDER: writes DEBIAN/control from standard input, and DEBIAN/md5sums
    mkdir -p "$1/DEBIAN"
    {
        cat
        echo "Installed-Size: $(du -k -s --apparent-size "$1" | cut -f1)"
    } > "$1/DEBIAN/control"
    (cd "$1" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
    chmod 644 "$1/DEBIAN/control" "$1/DEBIAN/md5sums"
    find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}

# dpkg-shlibdeps needs a source package's control file.
mkdir -p "$work/debian"
printf 'Source: remindav\n\nPackage: remindav\nArchitecture: any\n' > "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O remindav/usr/bin/remindav 2> /dev/null | sed 's/^shlibs:Depends=//')
control "$tree" << CONTROL
Package: remindav
Version: $debian
Architecture: $architecture
Maintainer: $maintainer
Section: utils
Priority: optional
Depends: $depends, libcurl4 (>= 7.85), libmicrohttpd12, libsystemd0, tzdata, ca-certificates
Recommends: default-dbus-session-bus | dbus-session-bus, xdg-utils
Suggests: libicu72 | libicu74 | libicu76 | libicu78, libpq5, libsodium23, libsecret-tools
Description: reminders that stay in step with CalDAV servers and phones
 Remindav keeps reminders in one file on this computer, and syncs them with
 Nextcloud, Radicale and any other CalDAV server. It shows alarms on time, has
 web pages and commands, and publishes feeds for calendar programs.
 .
 It imports and exports iCalendar and the files of other programs, and writes
 back each byte of another program that was not changed.
CONTROL
control "$symbols" << CONTROL
Package: remindav-dbgsym
Version: $debian
Architecture: $architecture
Maintainer: $maintainer
Section: debug
Priority: optional
Auto-Built-Package: debug-symbols
Build-Ids: $build_id
Depends: remindav (= $debian)
Description: debug symbols for remindav
CONTROL
for package in remindav remindav-dbgsym; do
    dpkg-deb --root-owner-group -Zxz --build "$work/$package" "$out/${package}_${debian}_$architecture.deb" > /dev/null
done

# The tarball has the same files, and a script that installs them below a prefix.
portable=$work/remindav-$version
mkdir -p "$portable"
cp -a "$tree/usr" "$portable/files"
put 755 docs/package/install.sh "$portable/install.sh"
put 644 LICENSE "$portable/LICENSE"
rm -rf "$portable/files/share/doc"
find "$portable" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "remindav-$version" |
    xz -6 > "$out/remindav-$version-$architecture.tar.xz"

cd "$out"
sha256sum -- "remindav_${debian}_$architecture.deb" "remindav-dbgsym_${debian}_$architecture.deb" \
    "remindav-$version-$architecture.tar.xz" > SHA256SUMS
cat SHA256SUMS

#!/bin/sh
# Tests the Debian packages and the tarball. Needs root, half an hour, and Debian's registry.
#
#   sh Tests/installation.sh [FOLDER]
#
# FOLDER keeps the packages, so that a further run does not build them again.
#
# It builds the packages of two clones in folders with other names and compares them, runs lintian, and installs, uses,
# upgrades and purges them in a bare Debian 12; it also installs and uses them in Debian 13 and Ubuntu 24.04. Nothing
# outside of temporary folders is changed, except that missing packages for the test are installed. The last line reads "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
here=$PWD
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

sh Tests/packages.sh installation || exit 1
work=$(mktemp -d)
root=$work/root
clean() {
    umount "$work"/*/proc 2> /dev/null
    rm -rf --one-file-system "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP
builds=${1:-$work/builds}
mkdir -p "$builds"
builds=$(cd "$builds" && pwd)

passed=0
failed=0
check() { # check NAME COMMAND...: the test passes if the command succeeds
    name=$1
    shift
    if "$@" > "$work/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok: $name"
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        sed 's/^/    /' "$work/log" | tail -n 30
    fi
}

# Two builds on two paths.
for place in one another-path; do
    [ ! -s "$builds/$place/packages/SHA256SUMS" ] || continue
    rm -rf "${builds:?}/$place"
    git clone -q "$here" "$builds/$place/remindav" || exit 1
    (cd "$builds/$place/remindav" && sh docs/package.sh "$builds/$place/packages") > "$builds/$place/log" 2>&1 || {
        tail -n 30 "$builds/$place/log"
        echo "The packages of $place could not be built." >&2
        exit 1
    }
done
packages=$builds/one/packages
check "two builds on two paths have equal bytes" cmp "$packages/SHA256SUMS" "$builds/another-path/packages/SHA256SUMS"

# Policy.
check "lintian has no errors and no warnings" sh -c "
    out=\$(lintian --fail-on error,warning --suppress-tags no-manual-page,initial-upload-closes-no-bugs '$packages'/remindav_*.deb '$packages'/remindav-dbgsym_*.deb) || { echo \"\$out\"; exit 1; }
    test -z \"\$out\" || { echo \"\$out\"; exit 1; }"
check "the desktop entries are valid" sh -c "
    dpkg-deb -x '$packages'/remindav_*.deb '$work/content' &&
    desktop-file-validate '$work'/content/usr/share/applications/*.desktop"
check "the debug symbols belong to the program" sh -c "
    dpkg-deb -x '$packages'/remindav-dbgsym_*.deb '$work/symbols' &&
    id=\$(readelf -n '$work/content/usr/bin/remindav' | sed -n 's/^ *Build ID: //p') &&
    test -s \"$work/symbols/usr/lib/debug/.build-id/\$(printf %.2s \"\$id\")/\${id#??}.debug\""

# A bare Debian 12.
mmdebstrap --quiet --variant=minbase --mode=root bookworm "$root" > "$work/log" 2>&1 || {
    cat "$work/log"
    echo "A bare Debian could not be created." >&2
    exit 1
}
within() { # within COMMAND: as root in the bare Debian
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive sh -ec "$1"
}
person() { # person COMMAND: as a person
    within "su -s /bin/sh ada -c '$1'"
}
# Swift reads the arguments of a program from /proc.
mount -t proc proc "$root/proc" || exit 1
within 'useradd -m ada'
(cd "$root" && find . -xdev -not -path './proc*' | sort) > "$work/before"
cp "$packages"/remindav_*.deb "$root/tmp/"

check "apt installs the package" within 'apt-get -qq update && apt-get -qq install -y --no-install-recommends /tmp/remindav_*.deb'
check "the program names its version and commit" sh -c "chroot '$root' remindav --version | grep -q '^remindav 1.*(commit [0-9a-f]*)'"
check "a reminder is added and listed" person 'remindav add Milk --due tomorrow && remindav list | grep Milk'
check "the pages answer" person 'remindav serve --port 18737 > /dev/null 2>&1 & server=$!; sleep 2; remindav web --port 18737 --no-open | grep 127.0.0.1:18737/in/; answered=$?; kill $server; exit $answered'
check "each command has a manual page" sh -c "
    ls '$root/usr/share/man/man1/remindav.1.gz' '$root/usr/share/man/man1/remindav-account-add.1.gz' &&
    zcat '$root/usr/share/man/man1/remindav.1.gz' | mandoc -T lint -W error"
check "the completions of three shells are installed" sh -c "
    test -s '$root/usr/share/bash-completion/completions/remindav' &&
    test -s '$root/usr/share/zsh/vendor-completions/_remindav' &&
    test -s '$root/usr/share/fish/vendor_completions.d/remindav.fish'"
check "the units are valid" sh -c "
    mkdir '$work/units' && for unit in '$work'/content/usr/lib/systemd/user/*; do
        sed 's|/usr/bin/remindav|$work/content/usr/bin/remindav|' \"\$unit\" > '$work/units/'\"\${unit##*/}\"
    done
    XDG_RUNTIME_DIR='$work' systemd-analyze verify --user --recursive-errors=no '$work'/units/*"
check "all linked libraries are installed" within 'libraries=$(ldd /usr/bin/remindav); case $libraries in *"not found"*) exit 1 ;; esac'
check "an upgrade keeps the reminders" sh -c "
    cp -r '$work/content' '$work/newer' && dpkg-deb -e '$packages'/remindav_*.deb '$work/newer/DEBIAN' &&
    sed -i 's/^Version: .*/&+1/' '$work/newer/DEBIAN/control' &&
    dpkg-deb --root-owner-group -b '$work/newer' '$root/tmp/newer.deb' > /dev/null &&
    chroot '$root' dpkg -i /tmp/newer.deb && chroot '$root' su -s /bin/sh ada -c 'remindav list' | grep Milk"
check "apt purges the package" within 'apt-get -qq purge -y remindav && apt-get -qq autoremove --purge -y'
check "nothing is left but the person's own data" sh -c "
    rm -f '$root'/tmp/*.deb
    (cd '$root' && find . -xdev -not -path './proc*' | sort) > '$work/after'
    left=\$(comm -13 '$work/before' '$work/after' | grep -v -e '^./home/ada/' -e '^./var/lib/apt/lists' -e '^./var/cache' -e '^./var/log' -e '^./var/lib/dpkg' -e '^./etc/ssl' -e '^./run' | grep remindav)
    test -z \"\$left\" || { echo \"\$left\"; exit 1; }
    test -s '$root/home/ada/.local/share/remindav/reminders.db'"

# Newer systems have other versions of the libraries.
newer() { # newer NAME SUITE [SOURCE]
    newer=$work/$2
    name=$1
    suite=$2
    shift 2
    mmdebstrap --quiet --variant=minbase --include=apt --mode=root "$suite" "$newer" "$@" > "$work/log" 2>&1 && mount -t proc proc "$newer/proc" || {
        cat "$work/log"
        failed=$((failed + 1))
        echo "FAILED: a bare $name"
        return
    }
    cp "$packages"/remindav_*.deb "$newer/tmp/"
    check "$name installs the package, adds a reminder, answers pages and purges" chroot "$newer" \
        /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive sh -ec '
        apt-get -qq update && apt-get -qq install -y --no-install-recommends /tmp/remindav_*.deb
        remindav add Milk --due tomorrow && remindav list | grep Milk
        remindav serve --port 18738 > /dev/null 2>&1 & server=$!
        trap "kill $server" EXIT
        sleep 2
        remindav web --port 18738 --no-open | grep 127.0.0.1:18738/in/
        # An address without a server: the library that connects is loaded, and the error names the address.
        remindav account add http://127.0.0.1:9/ --user ada --password-command "echo x" 2>&1 | grep "cannot be reached"
        apt-get -qq purge -y remindav'
    umount "$newer/proc"
    rm -rf --one-file-system "$newer"
}
newer "Debian 13" trixie
# Debian 12 has no package with Ubuntu's keys. The root is used for this test only.
newer "Ubuntu 24.04" noble "deb [trusted=yes] http://archive.ubuntu.com/ubuntu noble main universe"

# The tarball, for other systems.
mkdir "$work/tar"
check "the tarball installs below a prefix and removes itself" sh -c "
    tar -C '$work/tar' -xf '$packages'/remindav-*.tar.xz &&
    cd '$work/tar'/remindav-* && sh install.sh '$work/prefix' && '$work/prefix/bin/remindav' --version &&
    grep -q '$work/prefix/bin/remindav' '$work/prefix/lib/systemd/user/remindav.service' &&
    sh install.sh --uninstall '$work/prefix' && test -z \"\$(find '$work/prefix' -type f)\""

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

#!/bin/sh
# Installs Remindav below a prefix, or removes it. Reminders and settings stay where they are.
#
#   sh install.sh [PREFIX]             installs; PREFIX is by default /usr/local
#   sh install.sh --uninstall [PREFIX] removes the files that the installation wrote
set -eu
cd "$(dirname "$0")"
removes=
if [ "${1:-}" = --uninstall ]; then
    removes=1
    shift
fi
prefix=${1:-/usr/local}
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac

find files -type f -printf '%P\n' | sort | while read -r file; do
    if [ "$removes" ]; then
        rm -f "$prefix/$file"
        # Folders that are empty now go too, but never the prefix.
        folder=${file%/*}
        while [ "$folder" != "${folder%/*}" ] && rmdir "$prefix/$folder" 2> /dev/null; do folder=${folder%/*}; done
        continue
    fi
    mkdir -p "$prefix/${file%/*}"
    case $file in
    lib/systemd/user/* | share/applications/*)
        # These files name the program with its path.
        sed "s|/usr/bin/remindav|$prefix/bin/remindav|" "files/$file" > "$prefix/$file"
        chmod 644 "$prefix/$file"
        ;;
    bin/*) install -m 755 "files/$file" "$prefix/$file" ;;
    *) install -m 644 "files/$file" "$prefix/$file" ;;
    esac
done
if [ "$removes" ]; then
    echo "Removed Remindav from $prefix. Your reminders stay in ~/.local/share/remindav."
    exit 0
fi
echo "Installed $prefix/bin/remindav."
"$prefix/bin/remindav" --version > /dev/null || {
    echo "The program does not start. It needs these libraries: libsqlite3, libxml2, zlib, libstdc++." >&2
    exit 1
}

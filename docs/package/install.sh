#!/bin/sh
# Installs Remindav below a prefix, or removes it. Reminders and settings stay where they are.
#
#   sh install.sh [PREFIX]             installs; PREFIX is by default /usr/local
#   sh install.sh --uninstall [PREFIX] removes the files that the installation wrote
set -eu
here=$(cd "$(dirname "$0")" && pwd)
removes=
if [ "${1:-}" = --uninstall ]; then
    removes=1
    shift
fi
prefix=${1:-/usr/local}
[ $# -le 1 ] || {
    echo "There is one argument, the prefix." >&2
    exit 64
}
case $prefix in
-*)
    echo "The options are --uninstall and none else. See the first lines of this script." >&2
    exit 64
    ;;
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
# The prefix becomes a part of files with rules of their own for other characters.
case $prefix in
*[!A-Za-z0-9/._+-]*)
    echo "The prefix may contain only letters, digits and / . _ + -" >&2
    exit 64
    ;;
esac
cd "$here"

find files -type f -printf '%P\n' | sort | while read -r file; do
    target=$prefix/$file
    case $file in
    # Debian's zsh searches only this folder below /usr/local.
    share/zsh/vendor-completions/*) target=$prefix/share/zsh/site-functions/${file##*/} ;;
    # `remindav service install` writes this file into the home folder.
    share/applications/remindav.desktop) [ "$prefix" != "${HOME:-}/.local" ] || continue ;;
    esac
    folder=${target%/*}
    if [ "$removes" ]; then
        rm -f "$target"
        # Folders that are empty now go too, but never the prefix.
        while [ "$folder" != "$prefix" ] && rmdir "$folder" 2> /dev/null; do folder=${folder%/*}; done
        continue
    fi
    mkdir -p "$folder"
    case $file in
    lib/systemd/user/* | share/applications/*)
        # These files name the program with its path.
        sed -e "s|/usr/bin/remindav|$prefix/bin/remindav|" -e "s|^Exec=remindav |Exec=$prefix/bin/remindav |" "files/$file" > "$target"
        chmod 644 "$target"
        ;;
    bin/*) install -m 755 "files/$file" "$target" ;;
    *) install -m 644 "files/$file" "$target" ;;
    esac
done
if [ "$removes" ]; then
    echo "Removed Remindav from $prefix. Your reminders stay in ~/.local/share/remindav."
    echo "If you have used 'remindav service install', remove remindav*.service and remindav*.socket in ~/.config/systemd/user."
    exit 0
fi
echo "Installed $prefix/bin/remindav."
"$prefix/bin/remindav" --version > /dev/null || {
    echo "The program does not start. It needs these libraries: libsqlite3, libxml2, zlib, libstdc++, and for" >&2
    echo "servers, web pages and notifications: libcurl, libmicrohttpd, libsystemd." >&2
    exit 1
}

#!/bin/sh
# Demonstrates Remindav: builds it, starts a CalDAV server on this machine, and plays a day with three computers. It does
# not touch your data, and removes everything except the built program at the end.
#
#   sh docs/try.sh            one user with three computers
#   sh docs/try.sh --host     three users in one PostgreSQL database: two workers, a feed, and two faults
set -eu
mode=${1:-}
[ -z "$mode" ] || [ "$mode" = --host ] || {
    echo "Usage: sh docs/try.sh [--host]" >&2
    exit 2
}
cd "$(dirname "$0")/.."

servers=Tests/EndToEndTests/servers.py
stores=Tests/EndToEndTests/stores.py
binary=.build/release/remindav
password="correct horse" # the password of the demonstration server
work=$(mktemp -d)
started=$(date +%s)
radicale=
feed=

clean() {
    for process in $feed $radicale; do
        kill "$process" 2> /dev/null || true
        wait "$process" 2> /dev/null || true
    done
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

step() { printf '\n%s\n' "$*"; }
give_up() {
    printf '\n%s\n' "$*" >&2
    exit 1
}
# Each computer is a separate store with an empty home folder.
on() {
    computer=$1
    shift
    env HOME="$work/$computer" REMINDAV_STORE="$work/$computer/store" TZ=Europe/Berlin "$binary" "$@"
}
laptop() {
    printf '  laptop$ remindav %s\n' "$*"
    on laptop "$@"
}
desk() {
    printf '  desk$   remindav %s\n' "$*"
    on desk "$@"
}
id() { # id COMPUTER UID
    on "$1" list --all --json > "$work/list.json"
    python3 "$stores" id "$work/list.json" "$2"
}
quiet() { # until a sync sends and receives nothing
    for turn in 1 2 3 4 5; do
        on "$1" sync --json > "$work/sync.json"
        if python3 - "$work/sync.json" << 'PYTHON'; then return 0; fi
import json, sys
report = json.load(open(sys.argv[1]))
report = report.get("lists", [report]) if isinstance(report, dict) else report
number = lambda value: value if isinstance(value, int) else len(value)
keys = "pulled", "pushed", "merged", "deletedLocally", "deletedRemotely"
sys.exit(1 if sum(number(entry[key]) for entry in report for key in keys) else 0)
PYTHON
    done
    give_up "The sync of the $1 still changes something after $turn runs."
}

command -v swift > /dev/null 2>&1 ||
    give_up "No swift was found. Install the Swift 6.3 toolchain and put the folder with swift into PATH."
step "1. Installing the packages for the build"
if [ "$mode" = --host ]; then sh Tests/packages.sh host; else sh Tests/packages.sh demo; fi
echo "  All packages are installed."

step "2. Building Remindav (the longest step)"
# Without an rpath: libraries come from the system, never from the folder of the program.
swift build -c release --product remindav --disable-local-rpath
[ -x "$binary" ] || give_up "The build did not leave $binary."

if [ "$mode" = --host ]; then
    python3 "$servers" install radicale > "$work/python"
    REMINDAV_BINARY="$PWD/$binary" "$(cat "$work/python")" Tests/EndToEndTests/host_day.py
    seconds=$(($(date +%s) - started))
    echo
    echo "All three users and the server have the same reminders. This took $((seconds / 60)) minutes and $((seconds % 60)) seconds."
    echo "docs/hosting.md describes how to run a host."
    exit
fi

step "3. Starting Radicale, a CalDAV server, on this machine only"
python3 "$servers" install radicale > "$work/python"
"$(cat "$work/python")" "$servers" run radicale "$work/address" &
radicale=$!
tries=0
until [ -s "$work/address" ]; do
    tries=$((tries + 1))
    kill -0 "$radicale" 2> /dev/null && [ "$tries" -lt 300 ] || give_up "Radicale did not start."
    sleep 0.2
done
address=$(cat "$work/address")
mkdir -p "$work/laptop" "$work/desk" "$work/third"
echo "  It answers at $address"

step "4. The laptop imports a file of other programs"
laptop import docs/sample.ics
laptop list

step "5. The laptop connects to the server and publishes the list"
printf '%s\n' "$password" | laptop account add "$address" --user user --password-stdin
on laptop account list --json > "$work/accounts.json"
account=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[0]["name"])' "$work/accounts.json")
laptop lists add Reminders --account "$account"
laptop sync

step "6. The desk connects to the same account and downloads the list"
printf '%s\n' "$password" | desk account add "$address" --user user --password-stdin
desk sync

step "7. Both change different fields of the same reminder"
boiler=20261015T120000Z-1234-1000-1-0@workstation.example
laptop edit "$(id laptop "$boiler")" --title "Service the boiler and the radiators"
desk edit "$(id desk "$boiler")" --due 2035-03-22
passport=nextcloud-tasks-1730800000001
laptop edit "$(id laptop "$passport")" --priority high
desk edit "$(id desk "$passport")" --notes "Bring two photographs"

step "8. They complete, snooze, relabel and delete"
laptop done "$(id laptop 6f2cbd0c6a4a4f6ea9e6c3f1c2a90010@laptop)"
desk snooze "$(id desk 5820461973024681357)" 1h
laptop edit "$(id laptop planner-0023)" --label Car --label Winter
desk delete "$(id desk planner-0025)" --yes
laptop add "Buy stamps" --due 2035-12-01 --label Shopping

step "9. They sync until nothing changes"
laptop sync
desk sync
laptop sync
quiet laptop
quiet desk
echo "  A further sync sends and receives nothing."

step "10. A third computer starts with an empty store"
printf '%s\n' "$password" | on third account add "$address" --user user --password-stdin
on third sync

step "11. The laptop exports everything, and publishes a feed for calendar programs"
laptop export -o "$work/export.ics"
todos=$(grep -c '^BEGIN:VTODO' "$work/export.ics")
echo "  The file contains $todos to-dos."
laptop feed create > "$work/feed"
cat "$work/feed"
path=$(sed -n 's#^.*\(/feed/[A-Za-z0-9_-]*\.ics\).*$#\1#p' "$work/feed" | head -n 1)
[ -n "$path" ] || give_up "feed create did not print the address of the feed."
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
# Started directly, so that the process ID is that of the program.
env HOME="$work/laptop" REMINDAV_STORE="$work/laptop/store" TZ=Europe/Berlin \
    "$binary" serve --port "$port" > "$work/serve" 2>&1 &
feed=$!
tries=0
fetch() { # fetch ADDRESS FILE
    python3 -c 'import sys, urllib.request as web
open(sys.argv[2], "wb").write(web.build_opener(web.ProxyHandler({})).open(sys.argv[1]).read())' "$@" 2> /dev/null
}
until fetch "http://127.0.0.1:$port$path" "$work/feed.ics"; do
    tries=$((tries + 1))
    kill -0 "$feed" 2> /dev/null && [ "$tries" -lt 100 ] || give_up "The feed did not answer: $(cat "$work/serve")"
    sleep 0.1
done
events=$(grep -c '^BEGIN:VEVENT' "$work/feed.ics")
echo "  A calendar program receives $events events."

step "12. Comparing the three computers field by field"
for computer in laptop desk third; do
    on "$computer" list --all --json > "$work/$computer.json"
done
same=0
python3 "$stores" compare "laptop=$work/laptop.json" "desk=$work/desk.json" "third=$work/third.json" || same=1
[ "$events" -gt 0 ] || give_up "The feed contains no event."
[ "$todos" = "$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))))' "$work/laptop.json")" ] ||
    give_up "The export does not contain every reminder."
[ "$same" = 0 ] || give_up "They differ. This is a bug of Remindav; please report it."

seconds=$(($(date +%s) - started))
cat << SENTENCES

All three are equal. This took $((seconds / 60)) minutes and $((seconds % 60)) seconds. The program is $binary. To use it in the browser, with the page "Connect a server" for your own one:

  $binary web

Or in the terminal:

  $binary account add https://your.server.example --user YOU --password-command 'pass show your-server'
  $binary sync
  $binary list

docs/manual.md describes every command. Your reminders are stored in ~/.local/share/remindav.
SENTENCES

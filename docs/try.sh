#!/bin/sh
# Shows what Remindav does: builds it, starts a CalDAV server of its own on this machine, and plays a day with three
# computers. Nothing of yours is touched; everything but the built program is removed at the end.
#
#   sh docs/try.sh
set -eu
cd "$(dirname "$0")/.."

servers=Tests/EndToEndTests/servers.py
stores=Tests/EndToEndTests/stores.py
binary=.build/release/remindav
password="correct horse" # the one that the demonstration server is started with
work=$(mktemp -d)
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
# Each computer is a store of its own, with a home folder in which nothing is.
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
quiet() { # until nothing is sent and nothing comes
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
    give_up "The sync of the $1 does not come to rest after $turn turns."
}

command -v swift > /dev/null 2>&1 ||
    give_up "No swift was found. Install the Swift 6.3 toolchain and put the folder with swift into PATH."
step "1. What the build needs"
sh Tests/packages.sh demo
echo "  Everything is there."

step "2. Building Remindav (this is what takes the time)"
# Without a path of its own: libraries come from the system, and never from the folder of the program.
swift build -c release --product remindav --disable-local-rpath
[ -x "$binary" ] || give_up "The build did not leave $binary."

step "3. Starting Radicale, a CalDAV server, on this machine only"
python3 "$servers" install > "$work/python"
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

step "4. The laptop takes in a file that other programs wrote"
laptop import docs/sample.ics
laptop list

step "5. The laptop gets an account and shares the list"
printf '%s\n' "$password" | laptop account add "$address" --user user --password-stdin
on laptop account list --json > "$work/accounts.json"
account=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[0]["name"])' "$work/accounts.json")
laptop lists add Reminders --account "$account"
laptop sync

step "6. The desk gets the same account and everything that is in it"
printf '%s\n' "$password" | desk account add "$address" --user user --password-stdin
desk sync

step "7. Both change the same reminder, each another part of it"
boiler=20261015T120000Z-1234-1000-1-0@workstation.example
laptop edit "$(id laptop "$boiler")" --title "Service the boiler and the radiators"
desk edit "$(id desk "$boiler")" --due 2035-03-22
passport=nextcloud-tasks-1730800000001
laptop edit "$(id laptop "$passport")" --priority high
desk edit "$(id desk "$passport")" --notes "Bring two photographs"

step "8. They finish, put off, relabel and delete"
laptop done "$(id laptop 6f2cbd0c6a4a4f6ea9e6c3f1c2a90010@laptop)"
desk snooze "$(id desk 5820461973024681357)" 1h
laptop edit "$(id laptop planner-0023)" --label Car --label Winter
desk delete "$(id desk planner-0025)" --yes
laptop add "Buy stamps" --due 2035-12-01 --label Shopping

step "9. They sync until there is nothing more to say"
laptop sync
desk sync
laptop sync
quiet laptop
quiet desk
echo "  Both are quiet: nothing is sent and nothing comes."

step "10. A third computer starts from nothing"
printf '%s\n' "$password" | on third account add "$address" --user user --password-stdin
on third sync

step "11. The laptop exports everything, and publishes a feed for calendar programs"
laptop export -o "$work/export.ics"
todos=$(grep -c '^BEGIN:VTODO' "$work/export.ics")
echo "  The file holds $todos to-dos."
laptop feed create > "$work/feed"
cat "$work/feed"
path=$(sed -n 's#^.*\(/feed/[A-Za-z0-9_-]*\.ics\).*$#\1#p' "$work/feed" | head -n 1)
[ -n "$path" ] || give_up "feed create did not say where the feed is."
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
# Not through a function in the background: the process to end has to be the program itself.
env HOME="$work/laptop" REMINDAV_STORE="$work/laptop/store" TZ=Europe/Berlin \
    "$binary" serve --port "$port" > "$work/serve" 2>&1 &
feed=$!
tries=0
until curl -s -f --noproxy '*' -o "$work/feed.ics" "http://127.0.0.1:$port$path"; do
    tries=$((tries + 1))
    kill -0 "$feed" 2> /dev/null && [ "$tries" -lt 100 ] || give_up "The feed did not answer: $(cat "$work/serve")"
    sleep 0.1
done
events=$(grep -c '^BEGIN:VEVENT' "$work/feed.ics")
echo "  A calendar program that asks gets $events events."

step "12. Are the three the same, field by field?"
for computer in laptop desk third; do
    on "$computer" list --all --json > "$work/$computer.json"
done
same=0
python3 "$stores" compare "laptop=$work/laptop.json" "desk=$work/desk.json" "third=$work/third.json" || same=1
[ "$events" -gt 0 ] || give_up "The feed holds no event."
[ "$todos" = "$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))))' "$work/laptop.json")" ] ||
    give_up "The export does not hold every reminder."
[ "$same" = 0 ] || give_up "They differ. That is a defect of Remindav; please tell us."

cat << SENTENCES

They are. The program is $binary. With a server of your own:

  $binary account add https://your.server.example --user YOU --password-command 'pass show your-server'
  $binary sync
  $binary list

docs/manual.md has every command. Your reminders are then kept in ~/.local/share/remindav.
SENTENCES

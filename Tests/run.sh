#!/bin/sh
# Checks form, build with warnings as errors, the tests of every target, and the built program against real servers.
# The last line says "N passed, N failed"; those that failed are named above it.
#
#   sh Tests/run.sh                 everything, with numbers of random tests that suit each commit
#   sh Tests/run.sh --full          the same with the numbers for a release: some hours on a slow machine
#   sh Tests/run.sh --servers all   also the scenarios against all servers that Debian has (as root: it installs them and
#                                   runs each as a user of its own); or names with commas between. Without it: Radicale,
#                                   Xandikos and the transcript of Nextcloud.
#
# Each number is an environment variable; the table below has its values without and with --full.
set -u
cd "$(dirname "$0")/.." || exit 1

servers=
full=
while [ $# -gt 0 ]; do
    case $1 in
    --servers) servers=${2:?--servers wants names of servers, or all}; shift ;;
    --servers=*) servers=${1#*=} ;;
    --full) full=yes ;;
    *) echo "There is no option '$1' here. There are --full and --servers NAMES." >&2; exit 2 ;;
    esac
    shift
done
export REMINDAV_SERVERS="$servers"
number() { # number NAME DEFAULT FULL
    if [ -n "$full" ]; then value=$3; else value=$2; fi
    eval "export $1=\"\${$1:-$value}\""
}
number REMINDAV_HISTORIES 3000 20000     # random histories of a sync
number REMINDAV_RULES 2000 50000         # random recurrence rules, by three engines
number REMINDAV_MUTATIONS 30 3           # every so many-th change of each byte of each fixture
number REMINDAV_RING_REMINDERS 3 25      # reminders with alarms for twenty years in each of forty zones
number REMINDAV_FUZZ_SECONDS 4 20        # for each law that random inputs must keep
number REMINDAV_EDITS 10000 100000       # random edits of other programs' to-dos
number REMINDAV_OPERATIONS 200 1000           # random actions that are undone
number REMINDAV_KILLS 40 200             # syncs that are killed
number REMINDAV_PEER_ROUNDS 10 30        # rounds in which eight programs edit one list
number REMINDAV_STORM 20 300             # rounds of three programs and a proxy that fails requests in bursts
number REMINDAV_PUBLISHED 200 1000       # to-dos of a first publication
number REMINDAV_MOMENTS 3 20             # moments at which a publication is interrupted
number REMINDAV_INTERRUPTED 100 1000     # to-dos of an interrupted publication
# Nothing here asks anybody; without standard input, files must not get its number.
exec < /dev/null

passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

say() { printf '\n== %s\n' "$1"; }
: > "$work/failures"
finish() {
    sed 's/^/Failed: /' "$work/failures"
    printf '\n%s passed, %s failed\n' "$passed" "$failed"
    [ "$failed" = 0 ]
    exit
}
failure() { # failure WHAT
    failed=$((failed + 1))
    echo "$1" >> "$work/failures"
}
check() { # check WHAT COMMAND...: one thing that passes or fails
    what=$1
    say "$what"
    shift
    started=$(date +%s)
    if "$@"; then passed=$((passed + 1)); else failure "$what"; return 1; fi
    echo "($(($(date +%s) - started)) s)"
}
# tally WHAT: adds what the other program wrote to $work/counts: "PASSED FAILED", then a line for each that failed.
tally() {
    if [ -s "$work/counts" ]; then
        read -r good bad < "$work/counts"
        passed=$((passed + good))
        failed=$((failed + bad))
        sed "1d;s/^/$1: /" "$work/counts" >> "$work/failures"
        [ "$good" -gt 0 ] || failure "$1: nothing passed"
    else
        failure "$1: ended before its end"
    fi
    rm -f "$work/counts"
}

# Folders of Sources that docs/architecture.md has no room for.
rooms() {
    find Sources -mindepth 1 -type d | sed 's#^Sources/##' | sort | while read -r room; do
        grep -q "^|[^|]*\`$room\`" docs/architecture.md ||
            echo "docs/architecture.md has no room for Sources/$room."
    done
}

# No file, no socket and no clock below layer 2, nor in TaskFormats and Notifications; Foundation nowhere; no folder that nobody
# has explained. A comment may name them.
layers() {
    pure="Sources/ICalendar Sources/HTTP Sources/XML Sources/Recurrence Sources/Reminders Sources/WebDAV Sources/TaskFormats
        Sources/Notifications"
    found=$(
        rooms
        grep -rnE --include='*.swift' '^[^/]*import Foundation' Sources
        # shellcheck disable=SC2086 # folders are words
        grep -rnE --include='*.swift' '^[^/]*(\bDate\(\)|\b(fopen|socket|clock_gettime|gettimeofday|getenv)\()' $pure
        # shellcheck disable=SC2086
        grep -rnE --include='*.swift' '^[^/]*\basync\b' $pure | grep -v 'Sources/HTTP/Transport.swift'
    )
    [ -z "$found" ] || { echo "$found"; return 1; }
}

# Tests that talk to sockets, buses and terminals have clocks of their own; each kind runs by itself, so that the others' work
# does not make it late.
sockets='HTTPServerTests|CurlTransportTests'
buses='DesktopBusTests'
terminals='CLITests'

# The runner exits with 0 when it ran nothing, so its closing line is read.
unit_tests() {
    swift test --skip-build --disable-xctest "$@" > "$work/unit" 2>&1
    code=$?
    # Whole, for the list of requirements, which looks for tests by name.
    cat "$work/unit" >> "$work/unit-all"
    grep -vE '^(◇|↳|.*(Suite|Test case) .*(started|passed))|^✔ Test ' "$work/unit" | tail -400
    total=$(sed -n 's/^.*Test run with \([0-9][0-9]*\) test.*$/\1/p' "$work/unit" | awk '{ n += $1 } END { print n + 0 }')
    grep -E '^✘ Test ' "$work/unit" | grep -vE '^✘ Test (run|case) ' | grep ' failed after ' > "$work/bad"
    bad=$(wc -l < "$work/bad")
    echo "$total tests of targets, $bad failed"
    [ "$code" = 0 ] || [ "$bad" -gt 0 ] || bad=1
    [ "$total" -gt 0 ] || bad=1
    [ "$bad" -le "$total" ] || total=$bad
    {
        echo "$((total - bad)) $bad"
        if [ -s "$work/bad" ]; then cat "$work/bad"; elif [ "$bad" != 0 ]; then echo "ended with $code, $total run"; fi
    } > "$work/counts"
    tally "Tests of targets"
}

end_to_end() {
    python=$(python3 Tests/EndToEndTests/servers.py install) &&
        "$python" Tests/EndToEndTests/run.py --counts "$work/counts" "$@" | tee "$work/end-to-end"
    tally "End to end"
}

# Random recurrence rules against libical and python-dateutil: docs/recurrence.md.
rules() {
    python=$(python3 Tests/EndToEndTests/servers.py install) &&
        "$python" Tests/Differential/run.py --counts "$work/counts" --count "$REMINDAV_RULES"
    tally "Recurrence rules"
}

# Each byte of each fixture flipped, cut out, doubled, or the file cut off there: some of these
# (REMINDAV_MUTATIONS=1: all, about 330,000).
mutations() { "$(swift build -c release --show-bin-path)/Mutations" "$@"; }

# Random histories of two machines, a server and somebody else; every fault at every request and a kill at every write;
# what looks like a deletion of many. See docs/sync-model.md.
model() { "$(swift build -c release --show-bin-path)/SyncModel" "$@"; }

# Random lives of reminders on clocks that are set, in zones that change, with a program that is killed: see
# docs/ring-model.md.
ring_model() { "$(swift build -c release --show-bin-path)/AlarmModel" "$@"; }

# Two laws at a time: see Tests/Fuzz/run.py.
fuzz() {
    python3 Tests/Fuzz/run.py --counts "$work/counts" --seconds "$REMINDAV_FUZZ_SECONDS"
    tally "Fuzzing"
}

if ! command -v swift > /dev/null 2>&1; then
    echo "No swift was found. Install the Swift 6.3 toolchain and put the folder with swift into PATH." >&2
    failure "Packages: no swift"
    finish
fi
packages=test
case ,$servers, in
*,all,* | *,davical,* | *,cyrus,* | *,sogo,* | *,sabre,*) packages=servers ;;
esac
check "Packages" sh Tests/packages.sh "$packages" || finish
check "Form" swift format lint --recursive --strict Package.swift Sources Tests
check "Layers" layers
check "Limits are as docs/limits.md says" python3 Tests/limits.py
check "Requirements are listed, each with its tests" python3 Tests/requirements.py
check "Phrases are those that their script makes" python3 Tests/Phrases/table.py --check
check "Build, warnings are errors" \
    swift build --build-tests --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors || finish
say "Tests of targets"
unit_tests --skip "$sockets|$buses|$terminals"
unit_tests --filter "$sockets"
unit_tests --filter "$buses"
unit_tests --filter "$terminals"
check "Zones against ICU and zoneinfo" python3 Tests/Zones/compare.py .build/debug/ZoneComparison
check "Written zones as libical reads them" python3 Tests/Zones/written.py .build/debug/ZoneComparison
check "Build for release" swift build -c release --product remindav --disable-local-rpath || finish
check "Linked libraries" python3 Tests/libraries.py "$(swift build -c release --show-bin-path)/remindav"
check "Build the rule expander" swift build -c release --product RuleExpander || finish
say "Recurrence rules by three engines"
rules
check "Build the mutations for release" swift build -c release --product Mutations || finish
check "Mutations of every fixture" mutations --changes "$REMINDAV_MUTATIONS"
check "Time grows as the input does" mutations --growth
check "Build the model of a sync for release" swift build -c release --product SyncModel || finish
check "The faults of breaks.py have their places" python3 Tests/SyncModel/breaks.py --check
check "Random histories of a sync" model --count "$REMINDAV_HISTORIES"
check "Every fault at every request, a kill at every write" model --faults
check "The guard against deletions" model --guard
check "Build the model of what rings for release" swift build -c release --product AlarmModel || finish
check "The faults of AlarmModel/breaks.py have their places" python3 Tests/AlarmModel/breaks.py --check
check "Twenty years of alarms in forty zones" ring_model --reminders "$REMINDAV_RING_REMINDERS"
say "Fuzzing"
fuzz
say "End to end"
end_to_end
check "Each test of a requirement has run and passed" \
    python3 Tests/requirements.py --ran "$work/unit-all" "$work/end-to-end"
finish

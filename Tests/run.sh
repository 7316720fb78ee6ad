#!/bin/sh
# Checks the form, builds with warnings as errors, and runs the tests. The last line reads "N passed, N failed"; the
# failures are listed above it, and the time of each step above them.
#
#   sh Tests/run.sh              the default stage, for each commit: all checks of form, all Swift tests, short runs of the
#                                models and the end-to-end tests of the smoke set, all with the debug build
#   sh Tests/run.sh --full       everything except for fuzzing, with the release build: less than an hour on two cores
#                                (.ci/run); the laws run a third of their random cases
#   sh Tests/run.sh --night      the same with the numbers for a release: several hours
#   sh Tests/run.sh --servers all
#                                with --full or --night: also the scenarios against all servers of Debian (as root: it
#                                installs them and runs each as a user of its own); or names with commas between. Without
#                                it: Radicale, Xandikos and the transcript of Nextcloud.
#
# Each number is an environment variable; the table below has its value for each stage.
set -u
cd "$(dirname "$0")/.." || exit 1

servers=
stage=default
while [ $# -gt 0 ]; do
    case $1 in
    --servers) servers=${2:?--servers needs names of servers, or all}; shift ;;
    --servers=*) servers=${1#*=} ;;
    --full) stage=full ;;
    --night) stage=night ;;
    *) echo "There is no option '$1' here. The options are --full, --night and --servers NAMES." >&2; exit 2 ;;
    esac
    shift
done
if [ -n "$servers" ] && [ "$stage" = default ]; then
    echo "The option --servers needs --full or --night." >&2
    exit 2
fi
export REMINDAV_SERVERS="$servers"
number() { # number NAME DEFAULT FULL NIGHT
    case $stage in
    default) value=$2 ;;
    full) value=$3 ;;
    night) value=$4 ;;
    esac
    eval "export $1=\"\${$1:-$value}\""
}
number REMINDAV_HISTORIES 200 2000 20000     # random histories of a sync
number REMINDAV_SERVER_HISTORIES 0 150 5000  # the same with stores in PostgreSQL
number REMINDAV_WORKER_HISTORIES 100 800 20000 # the same with workers that are frozen
number REMINDAV_SERVER_WORKER_HISTORIES 0 80 1000 # the same with stores in PostgreSQL
number REMINDAV_RULES 0 2000 50000           # random recurrence rules, by three engines
number REMINDAV_TEXT_STEP 10 10 1             # every so many-th hostile text is opened in browsers
number REMINDAV_BROWSER_TURNS 1 1 0          # 1: the two browsers do each check of a screen in turns
number REMINDAV_MUTATIONS 0 90 3             # every so many-th change of each byte of each fixture
number REMINDAV_ALARM_REMINDERS 1 3 25        # reminders with alarms for twenty years in each of forty zones
number REMINDAV_FUZZ_SECONDS 0 0 20          # for each law that random inputs must keep; 0: no fuzzing
number REMINDAV_LAWS 20 30 100               # percent of the random cases of laws (Tests/TestSupport/Cases.swift)
number REMINDAV_SHARE 20 100 100             # percent of fixtures and zones
number REMINDAV_EDITS 500 5000 100000        # random edits of to-dos by other programs
number REMINDAV_ALARM_EDITS 600 3000 6000    # random edits of alarms
number REMINDAV_OPERATIONS 30 200 1000       # random operations that are undone
number REMINDAV_KILLS 5 15 200               # syncs that are killed
number REMINDAV_PEER_ROUNDS 0 10 30          # rounds in which eight programs edit one list
number REMINDAV_STORM 0 8 300                # rounds of three programs and a proxy that fails requests in bursts
number REMINDAV_ATTACKERS 1 1 2              # tenants that try each command and page against another tenant
number REMINDAV_PUBLISHED 0 100 1000         # to-dos of a first publication
number REMINDAV_MOMENTS 0 3 20               # moments at which a publication is interrupted
number REMINDAV_INTERRUPTED 0 60 1000        # to-dos of an interrupted publication
# No test reads from the terminal; without standard input, no file gets its descriptor.
exec < /dev/null

passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
began=$(date +%s)
: > "$work/failures"
: > "$work/times"

# The processor time of all ended steps, in whole seconds.
processor() {
    times > "$work/processor"
    sed '1d;s/[ms]/ /g' "$work/processor" | awk '{ print int($1 * 60 + $2 + $3 * 60 + $4) }'
}
begin() { # begin STEP
    step=$1
    printf '\n== %s\n' "$step"
    started=$(date +%s)
    processor > "$work/before"
}
end() {
    processor > "$work/after"
    took="$(($(date +%s) - started)) s, $(($(cat "$work/after") - $(cat "$work/before"))) s of processor"
    echo "($took)"
    echo "$step: $took" >> "$work/times"
}
finish() {
    printf '\n== Times\n'
    cat "$work/times"
    processor > "$work/after"
    echo "Total of the $stage stage: $(($(date +%s) - began)) s, $(cat "$work/after") s of processor"
    sed 's/^/Failed: /' "$work/failures"
    printf '\n%s passed, %s failed\n' "$passed" "$failed"
    [ "$failed" = 0 ]
    exit
}
failure() { # failure STEP
    failed=$((failed + 1))
    echo "$1" >> "$work/failures"
}
check() { # check STEP COMMAND...: one thing that passes or fails
    begin "$1"
    shift
    if "$@"; then passed=$((passed + 1)); else failure "$step"; end; return 1; fi
    end
}
# Adds the numbers that a test program wrote to $work/counts: "PASSED FAILED", then a line for each failure.
tally() {
    if [ -s "$work/counts" ]; then
        read -r good bad < "$work/counts"
        passed=$((passed + good))
        failed=$((failed + bad))
        sed "1d;s/^/$step: /" "$work/counts" >> "$work/failures"
        [ "$good" -gt 0 ] || failure "$step: nothing passed"
    else
        failure "$step: ended before its end"
    fi
    rm -f "$work/counts"
    end
}

# Prints the folders of Sources that docs/architecture.md does not list; those of articles have no code.
unlisted_folders() {
    find Sources -mindepth 1 -type d ! -name Documentation.docc | sed 's#^Sources/##' | sort | while read -r folder; do
        grep -q "^|[^|]*\`$folder\`" docs/architecture.md ||
            echo "docs/architecture.md does not list Sources/$folder."
    done
}

# The pure targets use no file, no socket and no clock; only one target uses Foundation; each folder is listed. Comments
# may contain the names.
layers() {
    pure="Sources/ICalendar Sources/HTML Sources/HTTP Sources/XML Sources/Recurrence Sources/Reminders Sources/WebDAV
        Sources/TaskFormats Sources/DatePhrases Sources/Notifications Sources/Hosting"
    found=$(
        unlisted_folders
        grep -rnE --include='*.swift' '^[^/]*import Foundation' Sources | grep -v '^Sources/Foundation/'
        # shellcheck disable=SC2086 # folders are words
        grep -rnE --include='*.swift' '^[^/]*(\bDate\(\)|\b(fopen|socket|clock_gettime|gettimeofday|getenv)\()' $pure
        # shellcheck disable=SC2086
        grep -rnE --include='*.swift' '^[^/]*\basync\b' $pure | grep -v 'Sources/HTTP/Transport.swift'
    )
    [ -z "$found" ] || { echo "$found"; return 1; }
}

# Tests of sockets and buses have time limits. Each kind runs alone, so that other tests do not delay it.
sockets='HTTPServerTests|CurlTransportTests'
buses='DesktopBusTests'
# These take about as long as all other targets. The time limits in tests of terminals are long enough for two
# processes on two cores.
largest='BridgeTests|CLITests|SyncTests'

# Three times the longest step on two cores. A test that hangs ends its step and not the whole run.
longest=900

# Prints the tests that have started and not ended.
unended() { # unended OUTPUT
    sed -nE 's/^◇ Test (".*"|[^ ]+\(\)) started\.$/\1/p' "$1" | sort > "$work/started"
    sed -nE 's/^[✔✘➜] Test (".*"|[^ ]+\(\)) (with [0-9]+ test cases )?(passed|failed|skipped).*$/\1/p' "$1" |
        sort > "$work/ended"
    comm -23 "$work/started" "$work/ended" | sed 's/^/Not ended: /'
}

# Runs the tests of one selection in a process of its own; the tests run one after another. $with is a command that runs
# the tests.
with=
selection() { # selection OUTPUT OPTION TARGETS
    timeout -k 10 "$longest" $with "$debug/remindavPackageTests.xctest" --testing-library swift-testing --no-parallel \
        "$2" "$3" > "$1" 2>&1
    echo $? > "$1-code"
}

# Runs Swift tests: each selection in a process of its own, all at the same time. In one process, tests that run at the
# same time wait for each other's reference counts and allocations: the same tests took twice as long. The runner exits
# with 0 even if it ran no test, so its closing line is read.
unit_tests() { # unit_tests STEP [--filter|--skip TARGETS]...
    begin "$1"
    shift
    code=0
    selections=
    processes=
    while [ $# -gt 0 ]; do
        unit=$work/unit$#
        selections="$selections $unit"
        selection "$unit" "$1" "$2" &
        processes="$processes $!"
        shift 2
    done
    # shellcheck disable=SC2086 # numbers are words
    wait $processes
    : > "$work/unit"
    for unit in $selections; do
        ended=$(cat "$unit-code")
        # timeout(1) exits with 124, and with 137 if the program did not end by itself.
        case $ended in
        0) ;;
        124 | 137) code=$ended; echo "The tests did not end in $longest s."; unended "$unit" ;;
        *) code=$ended ;;
        esac
        grep -q '^[✔✘] Test run with [1-9]' "$unit" || { code=1; echo "A selection ran no test."; }
        cat "$unit" >> "$work/unit"
    done
    # The whole output is kept for the list of requirements, which searches it for the names of tests.
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
    tally
}

# Runs end-to-end tests with the program in the given folder.
end_to_end() { # end_to_end STEP FOLDER ARGUMENT...
    begin "$1"
    program=$2/remindav
    shift 2
    python=$(python3 Tests/EndToEndTests/servers.py install) &&
        REMINDAV_BINARY=$program "$python" Tests/EndToEndTests/run.py --counts "$work/counts" "$@" | tee "$work/end-to-end"
    tally
}

# Random recurrence rules against libical and python-dateutil: docs/recurrence.md.
rules() {
    begin "Recurrence rules by three engines"
    python=$(python3 Tests/EndToEndTests/servers.py install) &&
        "$python" Tests/Differential/run.py --counts "$work/counts" --count "$REMINDAV_RULES"
    tally
}

# Two laws at a time: see Tests/Fuzz/run.py.
fuzz() {
    begin "Fuzzing"
    python3 Tests/Fuzz/run.py --counts "$work/counts" --seconds "$REMINDAV_FUZZ_SECONDS"
    tally
}

if ! command -v swift > /dev/null 2>&1; then
    echo "No swift was found. Install the Swift 6.3 toolchain and put the folder with swift into PATH." >&2
    failure "Packages: no swift"
    finish
fi
packages=test
[ "$stage" = default ] || packages=browsers
case ,$servers, in
*,all,* | *,davical,* | *,cyrus,* | *,sogo,* | *,sabre,*) packages=servers ;;
esac
check "Packages" sh Tests/packages.sh "$packages" || finish

# Scripts that read the sources: each takes seconds and needs no build.
check "Form" swift format lint --parallel --recursive --strict Package.swift Sources Tests
check "Layers" layers
check "Cycles of files" python3 Tests/cycles.py
check "Requirements are listed, each with its tests" python3 Tests/requirements.py
check "Code of documents is code of the examples" python3 Tests/documentation.py
check "Phrases are those that their script makes" python3 Tests/Phrases/table.py --check
check "The faults of breaks.py have their places" python3 Tests/SyncModel/breaks.py --check
check "The faults of AlarmModel/breaks.py have their places" python3 Tests/AlarmModel/breaks.py --check

# A full build takes less time without debug information, and with an index of the package's modules only.
lean=
[ "$stage" = default ] || lean="-Xswiftc -gnone"
# shellcheck disable=SC2086 # options are words
check "Build, warnings are errors" swift build --build-tests $lean ${lean:+-Xswiftc -index-ignore-system-modules} \
    --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors || finish
debug=$(swift build --show-bin-path)

# Scripts that use the debug build.
check "Generated parts of docs are those of the code" python3 Tests/pages.py --check --program "$debug/remindav"
check "Zones against ICU and zoneinfo" python3 Tests/Zones/compare.py "$debug/ZoneComparison"
# Written zones are read on one processor, beside the tests of sockets and buses.
python3 Tests/Zones/written.py "$debug/ZoneComparison" > "$work/written" 2>&1 &
written=$!
written() {
    wait "$written"
    code=$?
    cat "$work/written"
    return "$code"
}

# The debug build records the statements of the store in this file.
export REMINDAV_STATEMENTS="$work/statements"
unit_tests "Tests of sockets" --filter "$sockets"
unit_tests "Tests of buses" --filter "$buses"
check "Written zones as libical reads them" written
unit_tests "Tests of targets" --filter "$largest" --skip "$largest|$sockets|$buses"
unset REMINDAV_STATEMENTS
check "Statements on SQLite and PostgreSQL" python3 Tests/statements.py "$work/statements"
if [ "$stage" = full ]; then
    # The tests of the records and the use cases, on the second database engine, with fewer random cases and fixtures.
    with="env REMINDAV_LAWS=20 REMINDAV_SHARE=20 python3 Tests/postgres.py"
    unit_tests "Tests on PostgreSQL" --filter '^(Store|PostgresStore|Host|Sync)Tests' --filter '^BridgeTests'
    with=
fi

# The models: docs/sync-model.md (random histories of two machines, a server and another program; every fault at every
# request and a kill at every write; the guard against deletions of many) and docs/alarm-model.md (reminders on clocks that
# are set, in zones that change, with a program that is killed).
if [ "$stage" = default ]; then
    check "Random histories of a sync" "$debug/SyncModel" --count "$REMINDAV_HISTORIES"
    check "Random histories of workers" "$debug/SyncModel" --workers --count "$REMINDAV_WORKER_HISTORIES"
    check "The guard against deletions" "$debug/SyncModel" --guard
    check "Twenty years of alarms in forty zones" "$debug/AlarmModel" --reminders "$REMINDAV_ALARM_REMINDERS"
    end_to_end "End to end, smoke set" "$debug" --smoke
    finish
fi

# One build for all programs. Without the local rpath, no library beside the program is loaded.
# shellcheck disable=SC2086
check "Build for release" swift build -c release --disable-local-rpath $lean || finish
release=$(swift build -c release --show-bin-path)
check "Linked libraries" python3 Tests/libraries.py "$release/remindav"
check "Documentation of the libraries" python3 Tests/documentation.py --docc
check "A package that depends on the libraries" sh Tests/embedding.sh
rules
# Each byte of each fixture flipped, cut out, doubled, or the file cut off there: some of these (1: all, about 330,000).
check "Mutations of every fixture" "$release/Mutations" --changes "$REMINDAV_MUTATIONS"
check "Time grows as the input does" "$release/Mutations" --growth
check "Random histories of a sync" "$release/SyncModel" --count "$REMINDAV_HISTORIES"
check "Random histories of a sync on PostgreSQL" \
    python3 Tests/postgres.py "$release/SyncModel" --count "$REMINDAV_SERVER_HISTORIES"
check "Random histories of workers" "$release/SyncModel" --workers --count "$REMINDAV_WORKER_HISTORIES"
check "Random histories of workers on PostgreSQL" \
    python3 Tests/postgres.py "$release/SyncModel" --workers --count "$REMINDAV_SERVER_WORKER_HISTORIES"
check "Every fault at every request, a kill at every write" "$release/SyncModel" --faults
check "The guard against deletions" "$release/SyncModel" --guard
check "Twenty years of alarms in forty zones" "$release/AlarmModel" --reminders "$REMINDAV_ALARM_REMINDERS"
[ "$REMINDAV_FUZZ_SECONDS" = 0 ] || fuzz
end_to_end "End to end" "$release"
check "Each test of a requirement has run and passed" \
    python3 Tests/requirements.py --ran "$work/unit-all" "$work/end-to-end"
finish

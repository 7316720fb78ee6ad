#!/bin/sh
# Builds a package that depends on this one by URL and version, as an embedder's package does.
#
#   sh Tests/embedding.sh
#
# The package has modules with common names, such as HTTP and Store: a module of Remindav with the same name would make
# the build fail. It has the code of docs/examples/ICalendarExample, and the code of the article about a reminders app,
# which then syncs two stores with Radicale.
set -eu
cd "$(dirname "$0")/.."
here=$PWD
work=$(mktemp -d)
server=
clean() {
    [ -z "$server" ] || kill "$server" 2> /dev/null || true
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

# The tag of the version is in a copy of the repository, with the commit that is checked out.
git clone -q --no-local "$here" "$work/remindav"
git -C "$work/remindav" tag -f 1.0.0-beta

app=$work/app
mkdir -p "$app/Sources"
for name in HTTP JSON Store Platform XML CSQLite CCurl TestSupport; do
    mkdir "$app/Sources/$name"
    echo "public let value = 1" > "$app/Sources/$name/$name.swift"
done
cp -r "$here/docs/examples/ICalendarExample" "$app/Sources/ICalendarExample"
mkdir "$app/Sources/Reminders"
sed -n '/^```swift$/,/^```$/p' "$here/Sources/Kit/Documentation.docc/RemindersApp.md" | sed '/^```/d' > "$app/Sources/Reminders/main.swift"
cat > "$app/Package.swift" << PACKAGE
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [.package(url: "file://$work/remindav", exact: "1.0.0-beta")],
    targets: ["HTTP", "JSON", "Store", "Platform", "XML", "CSQLite", "CCurl", "TestSupport"].map { .target(name: \$0) } + [
        .executableTarget(
            name: "ICalendarExample",
            dependencies: [.product(name: "RemindavICalendar", package: "remindav")]
        ),
        .executableTarget(
            name: "Reminders",
            dependencies: [
                .product(name: "RemindavKit", package: "remindav"),
                .product(name: "RemindavFoundation", package: "remindav"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
PACKAGE
cd "$app"
swift build --disable-index-store -Xswiftc -gnone > "$work/log" 2>&1 || {
    grep error: "$work/log" || tail -n 20 "$work/log"
    exit 1
}
.build/debug/ICalendarExample

servers=$here/Tests/EndToEndTests/servers.py
python=$(python3 "$servers" install | tail -n 1)
"$python" "$servers" run radicale "$work/address" > /dev/null &
server=$!
tries=0
until [ -s "$work/address" ]; do
    tries=$((tries + 1))
    kill -0 "$server" && [ "$tries" -lt 300 ] || {
        echo "Radicale did not start." >&2
        exit 1
    }
    sleep 0.2
done
on() { # on STORE ARGUMENT...
    folder=$work/$1
    shift
    env REMINDERS_FOLDER="$folder" PASSWORD="correct horse" TZ=Europe/Berlin .build/debug/Reminders "$@"
}
on one connect "$(cat "$work/address")" user
on one add "Water the plants" 2035-12-01T18:00:00Z
on one sync
on two connect "$(cat "$work/address")" user
on two sync
on two list | tee "$work/list"
grep -q "Water the plants" "$work/list"
on two done 1
on two sync
on one sync
on one list > "$work/list"
if grep "Water the plants" "$work/list"; then
    echo "The reminder that the other store has completed is still open." >&2
    exit 1
fi
echo "Both stores are in step."

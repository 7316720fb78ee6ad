#!/bin/sh
# Builds a package that depends on this one by URL and version, as an embedder's package does.
#
#   sh Tests/embedding.sh
#
# The package has modules with common names, such as HTTP and Store: a module of Remindav with the same name would make
# the build fail. It runs each example of docs/examples that needs no server.
set -eu
cd "$(dirname "$0")/.."
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# The tag of the version is in a copy of the repository, with the commit that is checked out.
git clone -q --no-local "$here" "$work/remindav"
git -C "$work/remindav" tag 1.0.0-beta

app=$work/app
mkdir -p "$app/Sources"
for name in HTTP JSON Store Platform XML CSQLite CCurl TestSupport; do
    mkdir "$app/Sources/$name"
    echo "public let value = 1" > "$app/Sources/$name/$name.swift"
done
for name in ICalendarExample RemindersExample; do
    cp -r "$here/docs/examples/$name" "$app/Sources/$name"
done
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
            name: "RemindersExample",
            dependencies: [.product(name: "RemindavReminders", package: "remindav")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
PACKAGE
cd "$app"
swift build > "$work/log" 2>&1 || {
    grep error: "$work/log" || tail -n 20 "$work/log"
    exit 1
}
.build/debug/ICalendarExample
.build/debug/RemindersExample

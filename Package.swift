// swift-tools-version: 6.2

import PackageDescription

// The house: who may import whom. Imports go down; a target that is not in its row does not build
// (`--explicit-target-dependency-import-check error`). docs/architecture.md says what each room is for.
let layers: [(name: String, imports: [String])] = [
    // 0  syntax and plain values: no clock, no files, no sockets
    ("JSON", []),
    ("ICalendar", ["JSON"]),
    ("HTTP", []),
    ("XML", ["CLibXML2"]),
    // 0  the operating system: processes, files, threads, folder watching; no pure target imports it
    ("Platform", ["CLinuxEvents"]),
    // 1  meaning: still pure
    ("Recurrence", ["ICalendar"]),
    ("Reminders", ["ICalendar", "Recurrence"]),
    ("WebDAV", ["HTTP", "XML"]),
    // 2  the outside world, one piece each
    ("Store", ["CSQLite", "ICalendar", "Recurrence", "Reminders"]),
    ("TaskFormats", ["ICalendar", "JSON", "Recurrence", "Reminders"]),
    ("Notifications", ["ICalendar", "Recurrence", "Reminders"]),
    ("CalDAV", ["HTTP", "JSON", "WebDAV"]),
    ("CurlTransport", ["CCurl", "HTTP", "Platform"]),
    ("HTTPServer", ["CMicroHTTPD", "HTTP"]),
    ("DesktopBus", ["CSystemd", "Platform"]),
    // 3  what the program does
    ("Sync", ["ICalendar", "Reminders", "Store"]),
    ("Web", ["HTTP", "ICalendar", "Recurrence", "Reminders", "Store"]),
    // 4  the wiring
    (
        "Bridge",
        [
            "CResolv", "CalDAV", "CurlTransport", "DesktopBus", "HTTP", "HTTPServer", "ICalendar", "JSON",
            "Notifications", "Platform", "Recurrence", "Reminders", "Store", "Sync", "TaskFormats", "Web", "WebDAV",
        ]
    ),
    // 5  the person's side
    (
        "CLI",
        [
            "Bridge", "CAttributes", "ICalendar", "JSON", "Notifications", "Platform", "Recurrence", "Reminders",
            "TaskFormats",
        ]
    ),
]

/// The targets that call C.
///
/// Everything else is built with strict memory safety: libraries, the program and the examples; not the tests.
let unsafeTargets: Set = ["XML", "Store", "CurlTransport", "HTTPServer", "DesktopBus"]

let house: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func settings(for name: String) -> [SwiftSetting] {
    unsafeTargets.contains(name) ? house : house + [.strictMemorySafety()]
}

let libraries: [Target] = layers.map { layer in
    .target(
        name: layer.name,
        dependencies: layer.imports.map { .byName(name: $0) },
        swiftSettings: settings(for: layer.name)
    )
}

let systemLibraries: [Target] = [
    .systemLibrary(name: "CAttributes"),
    // Headers only: pkg-config would link what is loaded when it is needed (docs/decisions/0028).
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CResolv"),
    .systemLibrary(name: "CLinuxEvents"),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
    // Headers only: pkg-config would link the library, which is loaded when it is needed (docs/decisions/0027).
    .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
]

let systemNames = Set(systemLibraries.map(\.name))

let tests: [Target] = layers.map { layer in
    .testTarget(
        name: "\(layer.name)Tests",
        dependencies: [.byName(name: layer.name), "TestSupport"]
            + layer.imports.filter { !systemNames.contains($0) }.map { .byName(name: $0) },
        swiftSettings: house
    )
}

/// The runtime of Swift goes into the program, whose own names nobody else looks up.
///
/// So each start has eleven libraries less to load, and where it runs nothing of a toolchain is needed. See
/// docs/decisions/0028.
let quickStart: [LinkerSetting] = [
    .unsafeFlags(
        // All addresses are looked up at the start and are read-only from then on (full RELRO).
        ["-static-stdlib", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "now"],
        .when(platforms: [.linux], configuration: .release)
    )
]

/// A program that helps with the tests.
func tool(_ name: String, _ dependencies: [String], in path: String, exclude: [String] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies.map { .byName(name: $0) },
        path: path,
        exclude: exclude,
        swiftSettings: house
    )
}

func example(_ name: String, _ dependencies: [String]) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies.map { .byName(name: $0) },
        path: "docs/examples/\(name)",
        swiftSettings: settings(for: name)
    )
}

let package = Package(
    name: "remindav",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ICalendar", targets: ["ICalendar", "Recurrence"]),
        .library(name: "CalDAV", targets: ["CalDAV", "HTTP", "XML", "WebDAV", "CurlTransport"]),
        .library(name: "Reminders", targets: ["Reminders", "Store", "TaskFormats", "Sync", "Bridge"]),
        .executable(name: "remindav", targets: ["remindav"]),
    ],
    targets: systemLibraries + libraries + [
        .executableTarget(
            name: "remindav",
            dependencies: ["CLI"],
            swiftSettings: settings(for: "remindav"),
            linkerSettings: quickStart
        ),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
        tool("EngineBenchmark", ["ICalendar", "Recurrence"], in: "Tests/Benchmarks/Engine"),
        .target(
            name: "Laws",
            dependencies: ["ICalendar", "Recurrence", "TestSupport"],
            path: "Tests/Fuzz/Laws",
            swiftSettings: house
        ),
        tool("Mutations", ["ICalendar", "Laws", "TestSupport"], in: "Tests/Fuzz/Mutations"),
        .testTarget(
            name: "LawsTests",
            dependencies: ["Laws", "TestSupport"],
            path: "Tests/Fuzz/LawsTests",
            swiftSettings: house
        ),
        tool("RuleExpander", ["ICalendar", "Recurrence", "TestSupport"], in: "Tests/Differential/RuleExpander"),
        tool(
            "SyncModel",
            ["Bridge", "CalDAV", "HTTP", "ICalendar", "Recurrence", "Reminders", "Store"],
            in: "Tests/SyncModel",
            exclude: ["breaks.py"]
        ),
        // Imports Foundation, for ICU's zones: a peer, not a part. The next one too.
        tool(
            "AlarmModel",
            ["ICalendar", "Notifications", "Recurrence", "Reminders", "TestSupport"],
            in: "Tests/AlarmModel",
            exclude: ["breaks.py"]
        ),
        tool(
            "ZoneComparison",
            ["ICalendar", "Recurrence"],
            in: "Tests/Zones",
            exclude: ["clocks.py", "compare.py", "written.py"]
        ),
        example("ICalendarExample", ["ICalendar", "Recurrence"]),
        example("CalDAVExample", ["CalDAV", "CurlTransport"]),
        example("RemindersExample", ["Bridge", "ICalendar", "Recurrence", "Reminders", "Store"]),
    ] + tests,
    swiftLanguageModes: [.v6]
)

// The fuzzer, for Tests/Fuzz/run.py: the libraries that it looks into are built with libFuzzer's counters and ASan, which
// no other build may have.
if Context.environment["REMINDAV_FUZZ"] != nil {
    let instruments: SwiftSetting = .unsafeFlags(["-sanitize=fuzzer,address"])
    for target in package.targets where ["ICalendar", "Recurrence", "Laws", "TestSupport"].contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + [instruments]
    }
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: ["Laws"],
            path: "Tests/Fuzz/Fuzz",
            swiftSettings: house + [instruments, .unsafeFlags(["-parse-as-library"])],
            // gold, the toolchain's linker, dies of an internal error on the counters.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        )
    )
}

// swift-tools-version: 6.2

import PackageDescription

// The targets with the imports that they may have: an import that is not in the row does not build
// (`--explicit-target-dependency-import-check error`). The comment above a row is its responsibility in
// docs/architecture.md, which Tests/pages.py generates.
let layers: [(name: String, imports: [String])] = [
    // 0  syntax and plain values: no clock, no files, no sockets
    // JSON values, a reader with positions and limits, a writer. Without: the keys of any format.
    ("JSON", []),
    // RFC 5545 text to lines, components and typed values, and back. A component is a view of an immutable byte
    // buffer, so unedited bytes cannot change. Without: files, clocks, the meaning of a reminder.
    ("ICalendar", ["JSON"]),
    // Requests, responses, headers, URLs, Digest; the protocol `Transport`. Without: sockets.
    ("HTTP", []),
    // Bytes to elements with libxml2, without DTDs, entities or network, with limits (decision 0041). Without:
    // WebDAV.
    ("XML", ["CLibXML2"]),
    // gzip with libz. Without: HTTP.
    ("Compression", ["CZLib"]),
    // 0  the operating system; no pure target imports it
    // Operating-system services: processes, files, locks, threads, folder watching, timers. Without: reminders,
    // servers.
    ("Platform", ["CLinuxEvents"]),
    // 1  meaning: still pure
    // Rules, dates and exceptions to occurrences; zone names to offsets. A closure reads the zone files.
    // Without: locations of files.
    ("Recurrence", ["ICalendar"]),
    // The meaning of a VTODO for a user: title, due time, alarms, labels, state; the operations complete,
    // snooze and reschedule; the order of a list; the domain rules. Without: storage, servers.
    ("Reminders", ["ICalendar", "Recurrence"]),
    // Request bodies and multistatus responses of RFC 4918, 4791 and 6578 as values. Without: connections.
    ("WebDAV", ["HTTP", "XML"]),
    // 2  the outside world, one piece each
    // The records of the database, their SQL and the schema's data: lists, calendar objects, index columns,
    // sync state, journal. Without: SQLite, HTTP.
    ("Store", ["CSQLite", "ICalendar", "Recurrence", "Reminders"]),
    // Files of Todoist, Microsoft To Do, Outlook and Taskwarrior to to-dos; reminders as JSON, tables and
    // checklists. Pure. Without: files, clocks, the store.
    ("TaskFormats", ["ICalendar", "JSON", "Recurrence", "Reminders"]),
    // Decides which alarms fire and which notifications are shown (`AlarmScheduler`, a value: event in, effects
    // out, decision 0025). Pure. Without: clocks, the bus, the store.
    ("Notifications", ["ICalendar", "Recurrence", "Reminders"]),
    // The client of a server: find lists, request changes, fetch, put, delete. `RequestPacing` decides on
    // concurrency and retries (decision 0035). Without: reminders.
    ("CalDAV", ["HTTP", "JSON", "WebDAV"]),
    // A `Transport` with libcurl: reused connections, limits, verified TLS, redirect rules. Loads libcurl on
    // first use (decision 0028). Without: the content of requests.
    ("CurlTransport", ["CCurl", "HTTP", "Platform"]),
    // Requests and responses with GNU libmicrohttpd, loaded on first use. Without: feeds.
    ("HTTPServer", ["CMicroHTTPD", "HTTP"]),
    // The desktop's notification service and the number on the icon, with sd-bus. `Conversation`, a pure value,
    // interprets the messages. Without: reminders.
    ("DesktopBus", ["CSystemd", "Platform"]),
    // 3  what the program does
    // Plans a sync and executes it; merges; undo. Without: HTTP, XML.
    ("Sync", ["ICalendar", "Reminders", "Store"]),
    // Feeds as functions from `Request` to `Response`. Without: sockets.
    ("Web", ["Compression", "HTTP", "ICalendar", "Recurrence", "Reminders", "Store"]),
    // 4  the wiring
    // The use cases; the CalDAV collection as the remote side of a sync. Without: text for a terminal.
    (
        "Bridge",
        [
            "CResolv", "CalDAV", "CurlTransport", "DesktopBus", "HTTP", "HTTPServer", "ICalendar", "JSON",
            "Notifications", "Platform", "Recurrence", "Reminders", "Store", "Sync", "TaskFormats", "Web", "WebDAV",
        ]
    ),
    // 5  the person's side
    // Arguments in, text and exit status out. Without: domain rules.
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
let unsafeTargets: Set = ["XML", "Compression", "Store", "CurlTransport", "HTTPServer", "DesktopBus"]

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
    // libxml2 loads libz in any case.
    .systemLibrary(name: "CZLib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
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

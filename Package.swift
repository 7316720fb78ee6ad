// swift-tools-version: 6.2

import PackageDescription

// The targets with the imports that they may have: an import that is not in the row does not build
// (`--explicit-target-dependency-import-check error`). The comment above a row is its responsibility in
// docs/architecture.md, which Tests/pages.py generates.
let layers: [(name: String, imports: [String])] = [
    // 0  syntax and plain values: no clock, no files, no sockets
    // JSON values, a parser with positions and limits, and a writer. Without: the keys of any format.
    ("JSON", []),
    // Converts iCalendar text (RFC 5545) to lines, components and typed values, and back. A component is a view of an
    // immutable byte buffer, so unedited bytes cannot change. Without: files, clocks, the meaning of a reminder.
    ("ICalendar", ["JSON"]),
    // `Href`, `EntityTag`, `SyncToken` and the text of a resource, for the store and for the client of a server.
    // Without: requests, storage.
    ("Resources", []),
    // Requests, responses, headers, URLs and Digest authentication as values; the protocol `Transport`. Without:
    // sockets.
    ("HTTP", []),
    // Parses XML to elements with libxml2, without DTDs, entities and network access, with limits (decision 0041).
    // Without: WebDAV.
    ("XML", ["CLibXML2"]),
    // Elements, attributes, addresses and the escaping of text for web pages. Without: reminders, requests.
    ("HTML", ["HTTP"]),
    // Compresses with gzip and reads ZIP archives, by libz. Without: HTTP, files.
    ("Compression", ["CZLib"]),
    // 0  the operating system; no pure target imports it
    // Services of the operating system: processes, files, locks, threads, folder watching, timers. Without: reminders,
    // servers.
    ("Platform", ["CLinuxEvents"]),
    // 1  meaning: still pure
    // Expands repeat rules, dates and exceptions to occurrences, and finds the offsets of a time zone. The caller
    // passes a closure that reads the zone files. Without: locations of files.
    ("Recurrence", ["ICalendar"]),
    // The meaning of a VTODO for a user: title, due time, alarms, labels, state; the operations complete,
    // snooze and reschedule; the order of a list; the domain rules. Without: storage, servers.
    ("Reminders", ["ICalendar", "Recurrence", "Resources"]),
    // Writes request bodies and parses multistatus responses (RFC 4918, 4791 and 6578). Without: connections.
    ("WebDAV", ["HTTP", "Resources", "XML"]),
    // Decides which alarms fire and which notifications are shown: the value `AlarmScheduler` takes an event and
    // returns effects (decision 0025). The protocol `NotificationPresenter`. Without: clocks, the bus, the store.
    ("Notifications", ["ICalendar", "Recurrence", "Reminders"]),
    // Decides about the tenants of a host: the limits of their stores, when their accounts are synced, when servers
    // rest, and how long leases last. Without: clocks, SQL, requests.
    ("Hosting", []),
    // 2  the outside world, one piece each
    // Computes the calendar systems of RSCALE (RFC 7529) with ICU, which is loaded on first use (decision 0079).
    // Without: the parts of a rule.
    ("CalendarSystems", ["CICU", "ICalendar", "Recurrence"]),
    // The records of the database and their SQL: lists, calendar objects, index columns, sync state, journal.
    // Without: SQLite, HTTP.
    ("Store", ["ICalendar", "Recurrence", "Reminders", "Resources"]),
    // Calls SQLite; opens, migrates and locks the files of the store; stores the delivery state, also in databases of
    // other engines. Without: the records.
    ("SQLiteStore", ["CSQLite", "ICalendar", "Notifications", "Platform", "Reminders", "Resources", "Store"]),
    // Calls libpq, which is loaded on first use (decision 0080): the stores of many users in a PostgreSQL database, and
    // the directory of these users. Without: the records.
    ("PostgresStore", ["CPostgres", "Hosting", "Platform", "Store"]),
    // Converts English phrases to dates, times and repeat rules, and rules to phrases; finds phrases in titles.
    // Without: the store.
    ("DatePhrases", ["ICalendar", "Recurrence", "Reminders"]),
    // Converts files of other programs (Todoist, Microsoft To Do, Google Tasks, Outlook, Taskwarrior, todo.txt, tables)
    // to to-dos, and reminders to JSON, tables, checklists and todo.txt. Without: files, clocks, the store.
    ("TaskFormats", ["ICalendar", "JSON", "Recurrence", "Reminders"]),
    // The client of a CalDAV server: finds lists, requests changes, fetches, puts and deletes objects. `RequestPacing`
    // decides on concurrency and retries (decision 0035). Without: reminders.
    ("CalDAV", ["HTTP", "JSON", "Resources", "WebDAV"]),
    // Implements `Transport` with libcurl: reused connections, limits, verified TLS, redirect rules. Loads libcurl on
    // first use (decision 0028). Without: the content of requests.
    ("CurlTransport", ["CCurl", "HTTP", "Platform"]),
    // Seals and opens bytes with a key, by libsodium, which is loaded on first use (decision 0081). Without: the origin of
    // the keys.
    ("Sealing", ["CSodium"]),
    // Receives requests and sends responses with GNU libmicrohttpd, which is loaded on first use. Without: feeds.
    ("HTTPServer", ["CMicroHTTPD", "CSocketDiagnostics", "HTTP", "Platform"]),
    // Sends notifications and the number on the icon to the desktop, with sd-bus. The value `NotificationProtocol`
    // interprets the answers and has no access to the bus. Without: reminders.
    ("DesktopBus", ["CSystemd", "Notifications", "Platform"]),
    // 3  what the program does
    // Plans and executes a sync, merges two versions of an object, and computes an undo. Without: HTTP, XML.
    ("Sync", ["ICalendar", "Reminders", "Resources", "Store"]),
    // Answers requests for feeds, by functions from `Request` to `Response`. Without: sockets.
    ("Web", ["Compression", "HTTP", "ICalendar", "Recurrence", "Reminders", "Store"]),
    // 4  the wiring
    // The use cases, and the adapter between `Sync` and a CalDAV collection. Without: text for a terminal.
    (
        "Bridge",
        [
            "CResolv", "CalDAV", "CalendarSystems", "Compression", "CurlTransport", "DatePhrases", "HTTP", "HTTPServer",
            "ICalendar",
            "JSON",
            "Notifications", "Platform", "Recurrence", "Reminders", "Resources", "SQLiteStore", "Store", "Sync",
            "TaskFormats", "Web", "WebDAV",
        ]
    ),
    // The process that waits for events, runs `AlarmScheduler`, carries out its effects, and starts syncs.
    // Without: decisions about alarms.
    (
        "Daemon",
        [
            "Bridge", "DatePhrases", "DesktopBus", "ICalendar", "JSON", "Notifications", "Platform", "Recurrence",
            "Reminders", "SQLiteStore", "Store",
        ]
    ),
    // The interface for programs that embed Remindav: the actor `Remindav` and its values. Without: decisions.
    (
        "Kit",
        [
            "Bridge", "CalDAV", "Daemon", "HTTP", "ICalendar", "Notifications", "Platform", "Reminders", "SQLiteStore",
            "Store", "Sync", "TaskFormats",
        ]
    ),
    // A host: tenants and their stores in a PostgreSQL database, and the processes that sync their accounts, serve
    // their feeds and pages, and send messages about their alarms. Without: SQL.
    (
        "Host",
        [
            "Bridge", "CurlTransport", "Daemon", "HTTP", "HTTPServer", "Hosting", "ICalendar", "Notifications",
            "Platform",
            "PostgresStore", "Reminders", "SQLiteStore", "Sealing", "Store", "Web",
        ]
    ),
    // Conversions between the values of Remindav and those of Foundation. Without: anything else; no other target imports
    // Foundation.
    ("Foundation", ["HTTP", "ICalendar"]),
    // 5  the web pages
    // Answers requests for web pages: forms to use cases, and results to pages. Without: sockets, domain rules.
    (
        "Pages",
        [
            "Bridge", "CAssets", "DatePhrases", "HTML", "HTTP", "ICalendar", "Reminders", "SQLiteStore", "Store",
            "Sync",
            "TaskFormats",
        ]
    ),
    // 5  the command line
    // Parses the arguments of a command, and prints its results. Without: domain rules.
    (
        "CLI",
        [
            "Bridge", "CAttributes", "CurlTransport", "Daemon", "DatePhrases", "DesktopBus", "Host", "Hosting",
            "ICalendar", "JSON",
            "Notifications", "Pages", "Platform", "PostgresStore", "Recurrence", "Reminders", "Sync", "TaskFormats",
        ]
    ),
]

/// The module of a folder of Sources.
///
/// Modules are global names: a program cannot have two modules with the name `HTTP`.
func module(_ name: String) -> String { "Remindav\(name)" }

func dependency(_ name: String) -> Target.Dependency { .byName(name: module(name)) }

/// The targets that wrap a C library; they are built without strict memory safety, and so are the tests.
let unsafeTargets: Set = [
    "XML", "Compression", "SQLiteStore", "PostgresStore", "CurlTransport", "Sealing", "HTTPServer", "DesktopBus",
    "CalendarSystems",
]

let commonSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func settings(for name: String) -> [SwiftSetting] {
    unsafeTargets.contains(name) ? commonSettings : commonSettings + [.strictMemorySafety()]
}

let libraries: [Target] = layers.map { layer in
    .target(
        name: module(layer.name),
        dependencies: layer.imports.map(dependency),
        path: "Sources/\(layer.name)",
        swiftSettings: settings(for: layer.name)
    )
}

func systemLibrary(_ name: String, pkgConfig: String? = nil, package: String? = nil) -> Target {
    .systemLibrary(
        name: module(name),
        path: "Sources/\(name)",
        pkgConfig: pkgConfig,
        providers: package.map { [.apt([$0])] }
    )
}

let systemLibraries: [Target] = [
    systemLibrary("CAttributes"),
    // Headers only: the library is loaded on first use (docs/decisions/0028), and pkg-config would link it.
    systemLibrary("CCurl", package: "libcurl4-openssl-dev"),
    // The library is loaded on first use (docs/decisions/0079), and its headers are not needed.
    systemLibrary("CICU"),
    // The library is loaded on first use (docs/decisions/0080), and its headers are not needed.
    systemLibrary("CPostgres"),
    // The library is loaded on first use (docs/decisions/0081), and its headers are not needed.
    systemLibrary("CSodium"),
    systemLibrary("CResolv"),
    systemLibrary("CLinuxEvents"),
    systemLibrary("CLibXML2", pkgConfig: "libxml-2.0", package: "libxml2-dev"),
    // libxml2 loads libz in any case.
    systemLibrary("CZLib", pkgConfig: "zlib", package: "zlib1g-dev"),
    systemLibrary("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    systemLibrary("CSocketDiagnostics"),
    systemLibrary("CMicroHTTPD", package: "libmicrohttpd-dev"),
    // Headers only: the library is loaded on first use (docs/decisions/0027), and pkg-config would link it.
    systemLibrary("CSystemd", package: "libsystemd-dev"),
]

let layerNames = Set(layers.map(\.name))

// The tests of `Store` and `SQLiteStore` are one target: the records are tested on a database.
let tests: [Target] = layers.filter { $0.name != "SQLiteStore" }.map { layer in
    .testTarget(
        name: "\(layer.name)Tests",
        dependencies: ([layer.name, "TestSupport"] + layer.imports.filter(layerNames.contains)
            + (["Store", "PostgresStore", "Sync", "Web"].contains(layer.name) ? ["SQLiteStore"] : [])
            + (["Store", "PostgresStore", "Host", "Sync", "Bridge"].contains(layer.name) ? ["StoreSupport"] : [])
            + (layer.name == "Store" ? ["Notifications"] : [])
            + (layer.name == "CalendarSystems" ? ["CICU"] : [])
            + (layer.name == "DesktopBus" ? ["CSystemd"] : [])).map(dependency),
        // These tests import what an embedding program imports, with the settings of a new package.
        swiftSettings: layer.name == "Kit" ? [] : commonSettings
    )
}

/// Links Swift's runtime statically and exports no names of the program.
///
/// Each start loads eleven libraries less, and a machine without a toolchain can run the program. See
/// docs/decisions/0028.
let quickStart: [LinkerSetting] = [
    .unsafeFlags(
        // All addresses are resolved at the start and are read-only afterwards (full RELRO).
        ["-static-stdlib", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "now"],
        .when(platforms: [.linux], configuration: .release)
    )
]

/// A program for the tests.
func tool(_ name: String, _ dependencies: [String], in path: String, exclude: [String] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies.map(dependency),
        path: path,
        exclude: exclude,
        swiftSettings: commonSettings
    )
}

func example(_ name: String, _ dependencies: [String]) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies.map(dependency),
        path: "docs/examples/\(name)"
    )
}

func library(_ name: String, of targets: [String]) -> Product {
    .library(name: module(name), targets: targets.map(module))
}

let package = Package(
    name: "remindav",
    products: [
        library("ICalendar", of: ["ICalendar", "Recurrence", "CalendarSystems"]),
        library("CalDAV", of: ["CalDAV", "HTTP", "XML", "WebDAV", "Resources", "CurlTransport"]),
        library("Kit", of: ["Kit"]),
        library("Foundation", of: ["Foundation"]),
        .executable(name: "remindav", targets: ["remindav"]),
    ],
    targets: systemLibraries + libraries + [
        .target(name: module("CAssets"), path: "Sources/CAssets", exclude: ["page.css", "page.js", "icon.svg"]),
        .executableTarget(
            name: "remindav",
            dependencies: [dependency("CLI")],
            swiftSettings: settings(for: "remindav"),
            linkerSettings: quickStart
        ),
        .target(
            name: module("TestSupport"),
            dependencies: [dependency("ICalendar")],
            path: "Tests/TestSupport",
            swiftSettings: commonSettings
        ),
        // Stores for tests that run with both database engines.
        .target(
            name: module("StoreSupport"),
            dependencies: ["PostgresStore", "SQLiteStore", "Store"].map(dependency),
            path: "Tests/StoreSupport",
            swiftSettings: commonSettings
        ),
        tool("HostBenchmark", ["Hosting", "PostgresStore", "Store"], in: "Tests/Benchmarks/Host"),
        tool("EngineBenchmark", ["ICalendar", "Recurrence"], in: "Tests/Benchmarks/Engine"),
        .target(
            name: module("Laws"),
            dependencies: ["ICalendar", "Recurrence", "TestSupport"].map(dependency),
            path: "Tests/Fuzz/Laws",
            swiftSettings: commonSettings
        ),
        tool("Mutations", ["ICalendar", "Laws", "TestSupport"], in: "Tests/Fuzz/Mutations"),
        .testTarget(
            name: "LawsTests",
            dependencies: ["Laws", "TestSupport"].map(dependency),
            path: "Tests/Fuzz/LawsTests",
            swiftSettings: commonSettings
        ),
        tool("RuleExpander", ["ICalendar", "Recurrence", "TestSupport"], in: "Tests/Differential/RuleExpander"),
        tool(
            "SyncModel",
            [
                "Bridge", "CalDAV", "HTTP", "Host", "Hosting", "ICalendar", "PostgresStore", "Recurrence", "Reminders",
                "Resources", "SQLiteStore", "Store", "StoreSupport", "Sync",
            ],
            in: "Tests/SyncModel",
            exclude: ["breaks.py"]
        ),
        // Imports Foundation for the time zones of ICU, as an independent reference; so does the next one.
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
        example("CalDAVExample", ["CalDAV", "CurlTransport", "Resources"]),
        example("RemindersExample", ["Foundation", "Kit"]),
    ] + tests,
    swiftLanguageModes: [.v6]
)

// The fuzzer of Tests/Fuzz/run.py. The tested libraries are built with libFuzzer's counters and ASan, which no other build
// has.
if Context.environment["REMINDAV_FUZZ"] != nil {
    let instruments: SwiftSetting = .unsafeFlags(["-sanitize=fuzzer,address"])
    for target in package.targets
    where ["ICalendar", "Recurrence", "Laws", "TestSupport"].map(module).contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + [instruments]
    }
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [dependency("Laws")],
            path: "Tests/Fuzz/Fuzz",
            swiftSettings: commonSettings + [instruments, .unsafeFlags(["-parse-as-library"])],
            // gold, the linker of the toolchain, fails with an internal error on the counters.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        )
    )
}

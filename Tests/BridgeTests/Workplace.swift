import RemindavBridge
import RemindavHTTP
import RemindavICalendar
import RemindavRecurrence
import RemindavSQLiteStore
import RemindavStore
import RemindavStoreSupport
import RemindavTaskFormats
import Testing

/// Use cases on a store in memory, with a constant clock.
enum Workplace {
    /// Friday, 20 November 2026, 20:00 UTC.
    static let now = Instant(secondsSince1970: 1_795_204_800)

    static func open(localZone: String = "UTC") throws -> UseCases {
        UseCases(
            configuration: Configuration(
                storeFolder: "/nonexistent",
                localZone: localZone,
                zones: Configuration.systemZones(environment: [:]),
                now: { self.now }
            ),
            store: try TestStores.make()
        )
    }

    /// Returns use cases with an account on the server of `transport`, without a request so far.
    static func connected(
        to transport: some Transport,
        now: @escaping @Sendable () -> Instant = { Workplace.now }
    ) throws -> UseCases {
        let useCases = UseCases(
            configuration: Configuration(
                storeFolder: "/nonexistent",
                localZone: "UTC",
                zones: ZoneDatabase { _ in nil },
                now: now,
                transport: { _ in transport }
            ),
            store: try TestStores.make()
        )
        try useCases.store.write { transaction in
            _ = try transaction.insertAccount(
                named: "a",
                url: "http://localhost/u/",
                user: "u",
                homeSets: ["http://localhost/u/"],
                secret: SecretReference(kind: "command", reference: "echo secret"),
                at: 0
            )
        }
        return useCases
    }

    /// Returns a source that supplies the bytes in pieces.
    static func source(_ bytes: [UInt8], pieces: Int = 1 << 16) -> ByteSource {
        let rest = Rest(bytes[...])
        return ByteSource(name: "test.ics") { limit in rest.take(min(limit, pieces)) }
    }

    @discardableResult
    static func load(_ text: String, into useCases: UseCases, list: String? = nil) throws -> ImportReport {
        try useCases.importCalendar(self.source(Array(text.utf8)), list: list, dryRun: false, progress: { _ in })
    }

    /// Imports a file of any program, in pieces of a thousand bytes.
    static func take(
        _ text: String,
        into useCases: UseCases,
        _ options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        let source = self.source(Array(text.utf8), pieces: 1000)
        return try useCases.importCalendar(source, list: nil, dryRun: false, options: options, progress: { _ in })
    }

    /// Returns the first reminder.
    static func only(_ useCases: UseCases) throws -> ReminderView {
        try #require(try useCases.reminders(matching: ReminderFilter(includesCompleted: true)).first)
    }

    /// Exports all reminders, also completed ones, in one of our own formats.
    static func export(_ useCases: UseCases, _ form: ExportForm) throws -> String {
        var bytes: [UInt8] = []
        _ = try useCases.exportReminders(as: form, words: { $0 }) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the output of an iCalendar export.
    static func export(_ useCases: UseCases, style: ExportStyle = .todo) throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try useCases.exportCalendar(style: style) { bytes += $0 }
        return bytes
    }
}

/// The unread rest of a source.
///
/// Used from one thread only.
private final class Rest: @unchecked Sendable {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    func take(_ count: Int) -> [UInt8] {
        defer { self.bytes = self.bytes.dropFirst(count) }
        return Array(self.bytes.prefix(count))
    }
}

extension CalendarDateOrDateTime {
    /// An instant in UTC.
    static func exact(_ instant: Instant) -> Self { .dateTime(CalendarDateTime(utc: instant)) }
}

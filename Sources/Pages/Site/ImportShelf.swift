import Bridge
import ICalendar
import Synchronization

/// The uploads that wait between the preview and the import, and the reports of recent imports.
///
/// The files have no name on the disk, so a stopped server leaves nothing behind.
final class ImportShelf: Sendable {
    enum State: Sendable {
        /// The import waits for the confirmation.
        case waiting([ImportSource])
        case done(run: Int64?)
    }

    struct Entry: Sendable {
        let fields: ImportFields
        /// The report of the preview or of the import, in sentences.
        var report: [String]
        var state: State
        let created: Instant
    }

    /// The maximum number of entries; each may have a file of 32 MiB, and a person previews one at a time.
    private static let maximumCount = 4
    /// Seconds after which an upload is removed; a preview takes some minutes to read.
    private static let seconds: Int64 = 3600
    private let entries = Mutex<[String: Entry]>([:])

    func entry(_ key: String, at now: Instant) -> Entry? {
        self.entries.withLock { entries in
            Self.removeOld(&entries, at: now)
            return entries[key]
        }
    }

    func add(_ entry: Entry, key: String) {
        self.entries.withLock { entries in
            Self.removeOld(&entries, at: entry.created)
            while entries.count >= Self.maximumCount,
                let oldest = entries.min(by: { $0.value.created < $1.value.created })
            {
                entries[oldest.key] = nil
            }
            entries[key] = entry
        }
    }

    /// Passes the sources of a waiting entry to `work`, and stores the result; an entry is imported only once.
    ///
    /// - Returns: `false` if there is no such entry.
    func finish(_ key: String, at now: Instant, _ work: ([ImportSource], ImportFields) throws -> (Int64?, [String]))
        rethrows
        -> Bool
    {
        // The lock is held during the import, so that a second click waits for the result of the first.
        try self.entries.withLock { entries in
            Self.removeOld(&entries, at: now)
            guard var entry = entries[key] else { return false }
            guard case .waiting(let sources) = entry.state else { return true }
            let (run, report) = try work(sources, entry.fields)
            entry.report = report
            entry.state = .done(run: run)
            entries[key] = entry
            return true
        }
    }

    private static func removeOld(_ entries: inout [String: Entry], at now: Instant) {
        entries = entries.filter { now.secondsSince1970 - $0.value.created.secondsSince1970 < Self.seconds }
    }
}

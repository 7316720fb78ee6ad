import RemindavBridge
import RemindavICalendar
import Synchronization

/// The uploads that wait between the preview and the import, and the reports of recent imports.
///
/// The files have no name on the disk, so a stopped server leaves nothing behind.
final class RecentImports: Sendable {
    enum State: Sendable {
        /// The import waits for the confirmation.
        case waiting([ImportSource])
        case done(run: Int64?)
    }

    final class Entry: Sendable {
        struct Content: Sendable {
            /// The report of the preview or of the import, in sentences.
            var report: [String]
            var state: State
        }

        let fields: ImportFields
        let created: Instant
        private let content: Mutex<Content>

        init(_ sources: [ImportSource], _ fields: ImportFields, report: [String], created: Instant) {
            self.fields = fields
            self.created = created
            self.content = Mutex(Content(report: report, state: .waiting(sources)))
        }

        /// The content; during an import, the caller waits for its end.
        var current: Content { self.content.withLock { $0 } }

        /// Passes the sources to `work`, and keeps the result; an entry is imported only once.
        func finish(_ work: ([ImportSource], ImportFields) throws -> (Int64?, [String])) rethrows {
            // The lock is held during the import, so that a second click waits for the result of the first.
            try self.content.withLock { content in
                guard case .waiting(let sources) = content.state else { return }
                let (run, report) = try work(sources, self.fields)
                content = Content(report: report, state: .done(run: run))
            }
        }
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

    private static func removeOld(_ entries: inout [String: Entry], at now: Instant) {
        entries = entries.filter { now.secondsSince1970 - $0.value.created.secondsSince1970 < Self.seconds }
    }
}

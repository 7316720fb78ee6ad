public import ICalendar
package import JSON
public import Reminders
import Store

/// What came of clearing alarms.
public struct AlarmClearing: Hashable, Sendable {
    /// A reminder that had rung.
    public struct Cleared: Hashable, Sendable {
        /// Its number.
        public let id: Int64
        /// What it is called.
        public let title: String
    }

    /// A list whose reminders nobody can change.
    public struct Kept: Hashable, Sendable {
        /// What the list is called.
        public let list: String
        /// How many of its reminders have rung.
        public let count: Int
    }

    /// Those that have been seen to now, by number.
    public internal(set) var cleared: [Cleared] = []
    /// Those that stay as they are, by the name of their list.
    public internal(set) var kept: [Kept] = []
    /// The run in the journal by which it can be undone; `nil` when nothing was changed.
    public internal(set) var run: Int64?
}

extension UseCases {
    /// Says of each open reminder that has rung, and that nobody has seen to, that somebody has, on all of a person's devices;
    /// what is to come goes on ringing, and nothing is completed.
    ///
    /// All of it is one run in the journal, and one transaction.
    ///
    /// - Parameters:
    ///   - moment: up to which it has rung, that moment included; `nil` for now. Who was asked before was
    ///     asked about what had rung at that moment, and has not seen what rang meanwhile.
    ///   - settings: by which they rang.
    ///   - silent: what does not ring, and is left alone.
    ///   - isDryRun: only tells what would be done.
    public func clearAlarms(
        upTo moment: Instant? = nil,
        settings: AlarmSettings = AlarmSettings(),
        silent: MuteRules = MuteRules(),
        isDryRun: Bool = false
    ) throws -> AlarmClearing {
        let editing = self.editing
        let moment = moment ?? editing.now
        if isDryRun {
            return try self.store.read { snapshot throws(DatabaseError) in
                try self.unacknowledged(snapshot, moment, settings, silent).clearing
            }
        }
        return try self.store.write { transaction throws(DatabaseError) in
            let found = try self.unacknowledged(transaction, moment, settings, silent)
            var clearing = found.clearing
            var run = OperationScope()
            var entry = JournalEntry(.acknowledge, in: run, at: editing.now.secondsSince1970)
            for record in found.records {
                try self.acknowledge(record, moment, settings, editing, &entry, transaction)
            }
            entry.kept(&run)
            clearing.run = run.id?.rawValue
            return clearing
        }
    }

    /// What has rung by a moment and nobody has seen to.
    private func unacknowledged(
        _ snapshot: StoreSnapshot,
        _ moment: Instant,
        _ settings: AlarmSettings,
        _ silent: MuteRules
    ) throws(DatabaseError) -> (clearing: AlarmClearing, records: [ObjectRecord]) {
        let reader = self.reader
        let lists = Dictionary(uniqueKeysWithValues: try snapshot.lists().map { ($0.id, $0) })
        let silence = MuteFilter(silent, lists.mapValues(\.name))
        var records: [ObjectRecord] = []
        var kept: [String: Int] = [:]
        try snapshot.forEachOpenObject { record in
            guard !silence.holds(record), reader.plan(record, settings)?.unacknowledged(at: moment) != nil,
                let list = lists[record.list]
            else { return }
            if list.isReadOnly { kept[list.name, default: 0] += 1 } else { records.append(record) }
        }
        var clearing = AlarmClearing()
        clearing.cleared = records.map { AlarmClearing.Cleared(id: $0.id.rawValue, title: $0.index.title) }
        clearing.kept = kept.sorted { $0.key < $1.key }.map { AlarmClearing.Kept(list: $0.key, count: $0.value) }
        return (clearing, records)
    }

    private func acknowledge(
        _ record: ObjectRecord,
        _ moment: Instant,
        _ settings: AlarmSettings,
        _ context: EditingContext,
        _ entry: inout JournalEntry,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard let reminder = Reminder(ICalendarDocument(record.source)) else { return }
        let seen = reminder.acknowledgingAll(
            upTo: moment,
            in: context,
            zones: self.reader.resolver(for: reminder.object),
            settings: settings
        )
        let source = seen.object.document.bytes
        guard source != record.source else { return }
        try transaction.update(record.id, source: source, index: self.reader.index(seen.object))
        try entry.changed(record, to: source, transaction)
    }
}

extension AlarmClearing: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("cleared") { $0.cleared },
        JSONMember("kept") { $0.kept },
        JSONMember("run") { $0.run },
    ]
}

extension AlarmClearing.Cleared: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id },
        JSONMember("title") { $0.title },
    ]
}

extension AlarmClearing.Kept: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("list") { $0.list },
        JSONMember("count") { $0.count },
    ]
}

public import ICalendar
package import JSON
public import Reminders
import Store

/// The result of clearing alarms.
public struct AlarmClearing: Hashable, Sendable {
    /// A reminder with alarms that were acknowledged.
    public struct Cleared: Hashable, Sendable {
        /// The reminder's number.
        public let id: Int64
        /// The reminder's title.
        public let title: String
    }

    /// A read-only list with unacknowledged reminders.
    public struct Kept: Hashable, Sendable {
        /// The list's name.
        public let list: String
        /// The number of its unacknowledged reminders.
        public let count: Int
    }

    /// The acknowledged reminders, by number.
    public internal(set) var cleared: [Cleared] = []
    /// The reminders that could not be changed, by the name of their list.
    public internal(set) var kept: [Kept] = []
    /// The run in the journal for undo; `nil` when nothing was changed.
    public internal(set) var run: Int64?
}

extension UseCases {
    /// Acknowledges the fired alarms of all open reminders, in one run of the journal; later alarms still fire.
    ///
    /// - Parameters:
    ///   - moment: the last time of an alarm to acknowledge, inclusive, such as that of a question; `nil` for now.
    ///   - settings: the settings by which the alarms fired.
    ///   - muted: the lists and labels to leave out.
    public func clearAlarms(
        upTo moment: Instant? = nil,
        settings: AlarmSettings = AlarmSettings(),
        muted: MuteRules = MuteRules(),
        isDryRun: Bool = false
    ) throws -> AlarmClearing {
        let editing = self.editing
        let moment = moment ?? editing.now
        if isDryRun {
            return try self.store.read { snapshot throws(DatabaseError) in
                try self.unacknowledged(snapshot, moment, settings, muted).clearing
            }
        }
        return try self.store.write { transaction throws(DatabaseError) in
            let found = try self.unacknowledged(transaction, moment, settings, muted)
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

    private func unacknowledged(
        _ snapshot: StoreSnapshot,
        _ moment: Instant,
        _ settings: AlarmSettings,
        _ muted: MuteRules
    ) throws(DatabaseError) -> (clearing: AlarmClearing, records: [ObjectRecord]) {
        let reader = self.reader
        let lists = Dictionary(uniqueKeysWithValues: try snapshot.lists().map { ($0.id, $0) })
        let filter = MuteFilter(muted, lists.mapValues(\.name))
        var records: [ObjectRecord] = []
        var kept: [String: Int] = [:]
        try snapshot.forEachOpenObject { record in
            guard !filter.isMuted(record), reader.plan(record, settings)?.unacknowledged(at: moment) != nil,
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
        try transaction.update(record.id, self.reader.stored(seen.object))
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

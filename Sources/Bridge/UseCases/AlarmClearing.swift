package import RemindavICalendar
package import RemindavJSON
package import RemindavReminders
import RemindavStore

/// The result of acknowledging all fired alarms.
package struct AlarmClearing: Hashable, Sendable {
    /// A reminder with acknowledged alarms.
    package struct Cleared: Hashable, Sendable {
        /// The number of the reminder.
        package let id: Int64
        /// The title of the reminder.
        package let title: String
    }

    /// A read-only list with fired alarms that could not be acknowledged.
    package struct Kept: Hashable, Sendable {
        /// The name of the list.
        package let list: String
        /// The number of reminders in the list with unacknowledged alarms.
        package let count: Int
    }

    /// The reminders with acknowledged alarms, in the order of their numbers.
    package internal(set) var cleared: [Cleared] = []
    /// The read-only lists with unacknowledged alarms, in the order of their names.
    package internal(set) var kept: [Kept] = []
    /// The number of the journal run, for undo; `nil` when no reminder was changed.
    package internal(set) var run: Int64?
}

extension UseCases {
    /// Acknowledges the fired alarms of open reminders in one run of the journal; later alarms still fire.
    ///
    /// - Parameters:
    ///   - id: the number of the only reminder whose alarms are acknowledged; `nil` for all reminders.
    ///   - moment: alarms that fired at or before this time are acknowledged; `nil` means now.
    ///   - settings: the settings with which the alarms fired.
    ///   - muted: the lists and labels to leave out.
    package func clearAlarms(
        of id: Int64? = nil,
        upTo moment: Instant? = nil,
        settings: AlarmSettings = AlarmSettings(),
        muted: MuteRules = MuteRules(),
        isDryRun: Bool = false
    ) throws -> AlarmClearing {
        let editing = self.editing
        let moment = moment ?? editing.now
        if isDryRun {
            return try self.store.read { snapshot throws(DatabaseError) in
                try self.unacknowledged(snapshot, of: id, moment, settings, muted).clearing
            }
        }
        return try self.store.write { transaction throws(DatabaseError) in
            let found = try self.unacknowledged(transaction, of: id, moment, settings, muted)
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
        of id: Int64?,
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
            guard id.map({ $0 == record.id.rawValue }) ?? true, !filter.isMuted(record),
                reader.plan(record, settings)?.unacknowledged(at: moment) != nil, let list = lists[record.list]
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

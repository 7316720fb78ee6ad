import ICalendar
package import Reminders
import Store
import Synchronization

/// An alarm that fired and is not acknowledged.
package struct FiredAlarm: Hashable, Sendable {
    /// The first unacknowledged alarm of the reminder.
    package let view: AlarmView
    /// Whether the list is read-only, so that the alarm cannot be acknowledged.
    package let isReadOnly: Bool
}

extension UseCases {
    /// The first unacknowledged alarm of each open reminder that has one, the latest first.
    package func firedAlarms(
        settings: AlarmSettings = AlarmSettings(),
        muted: MuteRules = MuteRules()
    ) throws -> [FiredAlarm] {
        let reader = self.reader
        let now = self.configuration.now()
        let alarms = try self.store.read { snapshot throws(DatabaseError) -> [FiredAlarm] in
            let names = try snapshot.listNames()
            let readOnly = Set(try snapshot.lists().filter(\.isReadOnly).map(\.id))
            let filter = MuteFilter(muted, names)
            var alarms: [FiredAlarm] = []
            try snapshot.forEachOpenObject { record in
                guard !filter.isMuted(record), let alarm = reader.plan(record, settings)?.unacknowledged(at: now) else {
                    return
                }
                let view = AlarmView(alarm, of: record, in: names)
                alarms.append(FiredAlarm(view: view, isReadOnly: readOnly.contains(record.list)))
            }
            return alarms
        }
        return alarms.sorted { ReminderAlarm.inOrder($1.view.alarm, $0.view.alarm) }
    }
}

/// Counts the reminders that have an unacknowledged alarm.
///
/// A plan of all alarms of a large store takes a tenth of a second, and each page shows the count. So the first
/// unacknowledged alarm of each reminder is kept, and after a change only changed reminders are planned again.
package final class FiredAlarmCounter: Sendable {
    private struct Entry {
        let revision: Int64
        let list: ListID
        /// The time of the first unacknowledged alarm; `nil` for none, or for a muted label.
        let fires: Instant?
    }

    private struct State {
        /// The version of the store with which `entries` were made.
        var version: ContentVersion?
        var entries: [ObjectID: Entry] = [:]
        var filter = MuteFilter(MuteRules(), [:])
    }

    private let useCases: UseCases
    private let settings: AlarmSettings
    private let muted: MuteRules
    private let state = Mutex(State())
    /// The number of changed reminders above which reading all reminders at once is faster.
    private static let fewChanges = 100

    package init(_ useCases: UseCases, settings: AlarmSettings, muted: MuteRules) {
        self.useCases = useCases
        self.settings = settings
        self.muted = muted
    }

    /// The number of open reminders with an unacknowledged alarm at or before this moment.
    package func count() throws -> Int {
        let now = self.useCases.now
        return try self.state.withLock { state in
            try self.useCases.store.read { snapshot throws(DatabaseError) in try self.update(&state, snapshot) }
            let filter = state.filter
            return state.entries.values.count { entry in
                entry.fires.map { $0 <= now } == true && !filter.isMuted(entry.list)
            }
        }
    }

    private func update(_ state: inout State, _ snapshot: StoreSnapshot) throws(DatabaseError) {
        let version = try snapshot.contentVersion()
        if version == state.version { return }
        state.filter = MuteFilter(self.muted, try snapshot.listNames())
        var entries: [ObjectID: Entry] = [:]
        var changed: [ObjectID] = []
        for object in try snapshot.versions() where !object.status.isClosed {
            if let entry = state.entries[object.id], entry.revision == object.revision, entry.list == object.list {
                entries[object.id] = entry
            } else {
                changed.append(object.id)
            }
        }
        if changed.count > Self.fewChanges {
            entries = [:]
            try snapshot.forEachOpenObject { entries[$0.id] = self.entry($0) }
        } else {
            for id in changed {
                if let record = try snapshot.object(id) { entries[id] = self.entry(record) }
            }
        }
        state.entries = entries
        state.version = version
    }

    private func entry(_ record: ObjectRecord) -> Entry {
        let isMuted = MuteFilter(MuteRules(labels: self.muted.labels), [:]).isMuted(record)
        let first = isMuted ? nil : self.useCases.reader.plan(record, self.settings)?.firstUnacknowledged
        return Entry(revision: record.revision, list: record.list, fires: first?.fires)
    }
}

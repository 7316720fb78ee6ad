import RemindavICalendar
package import RemindavReminders
import RemindavStore

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

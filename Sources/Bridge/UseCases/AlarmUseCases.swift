package import RemindavICalendar
package import RemindavReminders
import RemindavStore

extension UseCases {
    /// The next alarm of each open reminder that has a pending alarm, in the order of time.
    ///
    /// - Parameters:
    ///   - until: the end of the time range, inclusive; `nil` for no end.
    ///   - list: selects only the list with this name; `nil` selects all lists.
    ///   - muted: the lists and labels to leave out.
    package func pendingAlarms(
        until: Instant? = nil,
        in list: String? = nil,
        settings: AlarmSettings = AlarmSettings(),
        muted: MuteRules = MuteRules()
    ) throws -> [AlarmView] {
        let reader = self.reader
        let now = self.configuration.now()
        let alarms = try self.store.read { snapshot -> [AlarmView] in
            let names = try snapshot.listNames()
            let filter = MuteFilter(muted, names)
            var alarms: [AlarmView] = []
            try snapshot.forEachOpenObject(in: try list.map { try snapshot.list(named: $0).id }) { record in
                guard !filter.isMuted(record), let alarm = reader.plan(record, settings)?.next(after: now),
                    until.map({ alarm.fires <= $0 }) ?? true
                else { return }
                alarms.append(AlarmView(alarm, of: record, in: names))
            }
            return alarms
        }
        return alarms.sorted { ReminderAlarm.inOrder($0.alarm, $1.alarm) }
    }

    /// The alarms of all open reminders after `from` and not after `to`, in the order of time.
    package func alarms(
        after from: Instant,
        upTo to: Instant,
        settings: AlarmSettings = AlarmSettings()
    ) throws -> [ReminderAlarm] {
        let reader = self.reader
        let alarms = try self.store.read { snapshot throws(DatabaseError) -> [ReminderAlarm] in
            var alarms: [ReminderAlarm] = []
            try snapshot.forEachOpenObject { record in
                alarms += reader.plan(record, settings)?.alarms(after: from, upTo: to) ?? []
            }
            return alarms
        }
        return alarms.sorted(by: ReminderAlarm.inOrder)
    }

    func pendingAlarm(of id: Int64, _ settings: AlarmSettings) throws -> ReminderAlarm? {
        let record = try self.store.read { snapshot throws(DatabaseError) in try snapshot.object(ObjectID(id)) }
        return record.flatMap { self.reader.plan($0, settings) }?.next(after: self.configuration.now())
    }

    package func willFire(_ id: Int64) throws -> Bool { try self.pendingAlarm(of: id, AlarmSettings()) != nil }
}

extension ReminderReader {
    /// The plan of the reminder's alarms; `nil` when the reminder's text cannot be read.
    func plan(_ record: ObjectRecord, _ settings: AlarmSettings) -> AlarmPlan? {
        guard let reminder = Reminder(ICalendarDocument(record.source)) else { return nil }
        let zones = self.resolver(for: reminder.object)
        return AlarmPlan(reminder, id: String(record.id.rawValue), zones: zones, settings: settings)
    }
}

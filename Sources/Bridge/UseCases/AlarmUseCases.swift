public import ICalendar
public import Reminders
import Store

extension UseCases {
    /// The pending alarm of each reminder that has one, in the order in which they ring.
    ///
    /// Only what is open is read.
    ///
    /// - Parameters:
    ///   - until: the last moment that is wanted, itself included; `nil` for all.
    ///   - list: the name of a list; `nil` for all.
    ///   - silent: what a person wants to hear nothing of.
    public func pendingAlarms(
        until: Instant? = nil,
        in list: String? = nil,
        settings: AlarmSettings = AlarmSettings(),
        silent: MuteRules = MuteRules()
    ) throws -> [AlarmView] {
        let reader = self.reader
        let now = self.configuration.now()
        let alarms = try self.store.read { snapshot -> [AlarmView] in
            let names = try snapshot.listNames()
            let silence = MuteFilter(silent, names)
            var alarms: [AlarmView] = []
            try snapshot.forEachOpenObject(in: try list.map { try snapshot.list(named: $0).id }) { record in
                guard !silence.holds(record), let alarm = reader.plan(record, settings)?.next(after: now),
                    until.map({ alarm.fires <= $0 }) ?? true
                else { return }
                alarms.append(AlarmView(alarm, of: record, in: names))
            }
            return alarms
        }
        return alarms.sorted { ReminderAlarm.inOrder($0.alarm, $1.alarm) }
    }

    /// The alarms of all reminders that ring after `from` and not after `to`, in order: what a daemon has to show that
    /// looked the last time at `from`.
    public func alarms(
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

    /// The pending alarm of one reminder; `nil` when it has none, or is not there.
    func pendingAlarm(of id: Int64, _ settings: AlarmSettings) throws -> ReminderAlarm? {
        let record = try self.store.read { snapshot throws(DatabaseError) in try snapshot.object(ObjectID(id)) }
        return record.flatMap { self.reader.plan($0, settings) }?.next(after: self.configuration.now())
    }

    /// Whether an alarm of the reminder is still to ring.
    package func willRing(_ id: Int64) throws -> Bool { try self.pendingAlarm(of: id, AlarmSettings()) != nil }

    /// What to tell a sink that was told of `known` alarms: what is to be taken back, then what is to be scheduled.
    func alarmSteps(from known: [ReminderAlarm], _ settings: AlarmSettings) throws -> [AlarmStep] {
        let reader = self.reader
        let now = self.configuration.now()
        return try self.store.read { snapshot throws(DatabaseError) -> [AlarmStep] in
            var rest = Dictionary(grouping: known, by: \.id.reminder)
            var cancelled: [AlarmStep] = []
            var scheduled: [AlarmStep] = []
            try snapshot.forEachOpenObject { record in
                let known = rest.removeValue(forKey: String(record.id.rawValue)) ?? []
                for step in reader.plan(record, settings)?.steps(from: known, now: now) ?? [] {
                    if case .cancel = step { cancelled.append(step) } else { scheduled.append(step) }
                }
            }
            // Completed, or gone.
            let over = rest.keys.sorted().map { AlarmStep.cancel(AlarmID(reminder: $0)) }
            return over + cancelled + scheduled
        }
    }
}

extension ReminderReader {
    /// The plan of a stored reminder, which is named by its number; `nil` when its text cannot be read.
    func plan(_ record: ObjectRecord, _ settings: AlarmSettings) -> AlarmPlan? {
        guard let reminder = Reminder(ICalendarDocument(record.source)) else { return nil }
        let zones = self.resolver(for: reminder.object)
        return AlarmPlan(reminder, id: String(record.id.rawValue), zones: zones, settings: settings)
    }
}

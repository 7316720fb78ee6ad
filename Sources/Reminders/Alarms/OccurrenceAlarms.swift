package import RemindavICalendar
package import RemindavRecurrence

/// The alarms of one open occurrence, or of a reminder that does not repeat.
struct OccurrenceAlarms {
    /// The reminder with the fields of the occurrence.
    let reminder: Reminder
    /// The alarms that this machine shows, from ``Component/notifyingAlarms(atMost:)`` of the occurrence's component.
    let alarms: [Alarm]
    let snooze: Snooze?
    /// X-MOZ-LASTACK: all alarms up to and including this moment are acknowledged.
    let acknowledged: Instant?
    let clock: AlarmClock

    /// The largest number of alarms that fire for one occurrence; further alarms stay in the text but never fire.
    ///
    /// Users set one or two alarms, but a hostile file may contain ten thousand.
    static let maximumAlarms = 20

    /// The cause of an alarm and its index; see ``ReminderAlarm/index``.
    struct Origin: Hashable {
        let cause: ReminderAlarm.Cause
        let number: Int
    }

    /// All unacknowledged alarms by moment; a snooze replaces the alarms up to its end by one alarm at its end.
    var all: [Instant: Origin] {
        var origins: [Instant: Origin] = [:]
        func add(_ instant: Instant, _ origin: Origin, acknowledged: Instant?) {
            let seen = [acknowledged, self.acknowledged].compactMap { $0 }
            if seen.allSatisfy({ instant > $0 }), origins[instant] == nil { origins[instant] = origin }
        }
        if let snooze { add(snooze.until, Origin(cause: .snooze, number: 0), acknowledged: snooze.acknowledged) }
        func addUnlessSnoozed(_ instant: Instant, _ origin: Origin, acknowledged: Instant?) {
            if let snooze, instant <= snooze.until { return }
            add(instant, origin, acknowledged: acknowledged)
        }
        let due = self.reminder.due
        let start = self.reminder.start
        let shift = self.reminder.focus?.shift ?? 0
        let own = shift == 0 ? self.alarms : self.alarms.map { $0.moved(bySeconds: shift) }
        let alarms = own.map { ($0, self.clock.times(of: $0, start: start, due: due)) }.filter { !$0.1.isEmpty }
        for (place, (alarm, instants)) in alarms.enumerated() {
            for (count, instant) in instants.enumerated() {
                let origin = Origin(cause: .alarm, number: place * (Alarm.maximumRepeats + 1) + count)
                addUnlessSnoozed(instant, origin, acknowledged: alarm.acknowledged)
            }
        }
        if alarms.isEmpty, self.clock.settings.notifiesWhenDue, let due {
            addUnlessSnoozed(self.clock.instant(of: due), Origin(cause: .due, number: 0), acknowledged: nil)
        }
        return origins
    }
}

extension Alarm {
    /// Whether this machine fires the alarm: servers send EMAIL, and PROCEDURE would start a program (RFC 5545 §7).
    var isAudible: Bool { self.trigger != nil && !self.isLocation && ["DISPLAY", "AUDIO"].contains(self.action) }
}

extension Reminder {
    /// The alarms that the user set and that this machine fires, without snoozes; empty if it fires when it is due.
    package var notifyingAlarms: [Alarm] { self.todo.notifyingAlarms }
}

extension Reminder {
    /// Whether an alarm of the user had its time at or before `now`, acknowledged or not; a snooze does not count.
    ///
    /// For a series, only the current occurrence counts.
    package func hasFiredAlarm(by now: Instant, dayTime: ClockTime, zones: TimeZoneResolver) -> Bool {
        let current = self.current(zones: zones)
        let clock = AlarmClock(zones: zones, settings: AlarmSettings(dayTime: dayTime))
        return current.notifyingAlarms.contains { alarm in
            let alarm = alarm.moved(bySeconds: current.focus?.shift ?? 0)
            return clock.times(of: alarm, start: current.start, due: current.due).contains { $0 <= now }
        }
    }
}

extension Component {
    var notifyingAlarms: [Alarm] { self.notifyingAlarms(atMost: OccurrenceAlarms.maximumAlarms) }

    /// X-MOZ-LASTACK: the last acknowledgement in Thunderbird or Tasks.org.
    var lastAcknowledged: Instant? { self.first(.mozLastAck)?.stamp }
}

extension AlarmChoice {
    /// The largest number of alarms of one reminder, because no more alarms fire (`OccurrenceAlarms/maximumAlarms`).
    public static let maximumCount = OccurrenceAlarms.maximumAlarms
}

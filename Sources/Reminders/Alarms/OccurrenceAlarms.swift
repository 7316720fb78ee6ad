import ICalendar

/// The alarms of one open occurrence, or of a reminder that does not repeat.
struct OccurrenceAlarms {
    /// As read at the occurrence.
    let reminder: Reminder
    /// ``Component/audibleAlarms(atMost:)`` of its component.
    let alarms: [Alarm]
    let snooze: Snooze?
    /// X-MOZ-LASTACK: all alarms up to this time are acknowledged.
    let acknowledged: Instant?
    let clock: AlarmClock

    /// The most alarms of one occurrence that fire; further ones are kept in the text only.
    ///
    /// People set one or two. A hostile file has ten thousand.
    static let maximumAlarms = 20

    /// The cause of an alarm, and its index (``ReminderAlarm/index``).
    struct Origin: Hashable {
        let cause: ReminderAlarm.Cause
        let number: Int
    }

    /// All unacknowledged alarms by their times.
    ///
    /// A snooze moves alarms up to its end to its end; later alarms fire at their own times.
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
    /// Whether it notifies the user here: a server sends a mail, and programs that a file names never run (RFC 5545
    /// §3.8.6.1, §7).
    var isAudible: Bool { self.trigger != nil && !self.isLocation && ["DISPLAY", "AUDIO"].contains(self.action) }
}

extension Component {
    var notifyingAlarms: [Alarm] { self.audibleAlarms(atMost: OccurrenceAlarms.maximumAlarms) }

    /// The last acknowledgement in Thunderbird or Tasks.org.
    var lastAcknowledged: Instant? { self.first(.mozLastAck)?.stamp }
}

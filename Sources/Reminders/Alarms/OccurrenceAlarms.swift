import ICalendar

/// The alarms of one open occurrence, or of a reminder that does not repeat.
struct OccurrenceAlarms {
    /// Read at the occurrence.
    let reminder: Reminder
    /// ``Component/audibleAlarms(atMost:)`` of the component that describes it, at the times of that.
    let alarms: [Alarm]
    let snooze: Snooze?
    /// X-MOZ-LASTACK: everything up to then has been seen to.
    let acknowledged: Instant?
    let clock: AlarmClock

    /// The most alarms of one occurrence that fire; further ones are kept in the text only.
    ///
    /// People set one or two. A hostile file has ten thousand.
    static let maximumAlarms = 20

    /// The cause of an alarm, and its index (``ReminderAlarm/ring``).
    struct Ring: Hashable {
        let cause: ReminderAlarm.Cause
        let number: Int
    }

    /// All unacknowledged alarms by their times.
    ///
    /// A snooze moves alarms up to its end to its end; later alarms fire at their own times.
    var all: [Instant: Ring] {
        var rings: [Instant: Ring] = [:]
        func add(_ instant: Instant, _ ring: Ring, acknowledged: Instant?) {
            let seen = [acknowledged, self.acknowledged].compactMap { $0 }
            if seen.allSatisfy({ instant > $0 }), rings[instant] == nil { rings[instant] = ring }
        }
        if let snooze { add(snooze.until, Ring(cause: .snooze, number: 0), acknowledged: snooze.acknowledged) }
        func addUnlessPutOff(_ instant: Instant, _ ring: Ring, acknowledged: Instant?) {
            if let snooze, instant <= snooze.until { return }
            add(instant, ring, acknowledged: acknowledged)
        }
        let due = self.reminder.due
        let start = self.reminder.start
        let shift = self.reminder.focus?.shift ?? 0
        let own = shift == 0 ? self.alarms : self.alarms.map { $0.moved(bySeconds: shift) }
        let alarms = own.map { ($0, self.clock.rings(of: $0, start: start, due: due)) }.filter { !$0.1.isEmpty }
        for (place, (alarm, instants)) in alarms.enumerated() {
            for (count, instant) in instants.enumerated() {
                let ring = Ring(cause: .alarm, number: place * (Alarm.maximumRepeats + 1) + count)
                addUnlessPutOff(instant, ring, acknowledged: alarm.acknowledged)
            }
        }
        if alarms.isEmpty, self.clock.settings.ringsWhenDue, let due {
            addUnlessPutOff(self.clock.instant(of: due), Ring(cause: .due, number: 0), acknowledged: nil)
        }
        return rings
    }
}

extension Alarm {
    /// Whether it can be heard here: at a time, and by its own nature.
    ///
    /// A mail is sent by a server; nothing that a file names is ever run (RFC 5545 §3.8.6.1, §7).
    var isAudible: Bool { self.trigger != nil && !self.isLocation && ["DISPLAY", "AUDIO"].contains(self.action) }
}

extension Component {
    /// Its alarms that notify.
    var ringingAlarms: [Alarm] { self.audibleAlarms(atMost: OccurrenceAlarms.maximumAlarms) }

    /// The last acknowledgement in Thunderbird or Tasks.org.
    var lastAcknowledged: Instant? { self.first(.mozLastAck)?.stamp }
}

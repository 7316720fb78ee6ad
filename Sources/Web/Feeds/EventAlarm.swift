import RemindavICalendar
import RemindavReminders

/// An alarm of an event (RFC 5545 §3.6.6); the event starts when the reminder is due.
struct EventAlarm {
    let trigger: Trigger
    var description: String?
    var repeats = 0
    var interval: CalendarDuration?

    /// The alarm of a reminder without alarms; that of an all-day event is at 09:00, as in this program.
    static func whenDue(isDate: Bool) -> Self {
        Self(trigger: .relative(isDate ? self.timeOfDay : .zero, to: .start))
    }

    private static let timeOfDay = CalendarDuration(seconds: 9 * 3600)

    /// The alarms that the user set; empty for none.
    ///
    /// A trigger relative to DTSTART of the to-do becomes relative to its due time, which is DTSTART of the event.
    static func all(of reminder: Reminder) -> [Self] {
        guard let due = reminder.due else { return [] }
        return reminder.notifyingAlarms.compactMap { alarm in
            guard let trigger = alarm.trigger.map({ self.moved($0, from: reminder.start ?? due, to: due) }) else {
                return nil
            }
            return Self(
                trigger: trigger,
                description: alarm.description,
                repeats: alarm.repeats,
                interval: alarm.interval
            )
        }
    }

    private static func moved(
        _ trigger: Trigger,
        from start: CalendarDateOrDateTime,
        to due: CalendarDateOrDateTime
    ) -> Trigger {
        guard case .relative(var duration, let anchor) = trigger else { return trigger }
        let distance =
            start.isDate || due.isDate
            ? (due.day.dayNumber - start.day.dayNumber) * ClockTime.secondsPerDay
            : Int(due.localSeconds - start.localSeconds)
        if anchor == .start, distance != 0 {
            duration = CalendarDuration(
                seconds: duration.days * ClockTime.secondsPerDay + duration.seconds - distance
            )
        }
        // A trigger of whole days from a date means the usual time of day, here and in the programs that write it.
        if due.isDate, duration.seconds % ClockTime.secondsPerDay == 0 {
            duration = CalendarDuration(
                seconds: duration.days * ClockTime.secondsPerDay + duration.seconds + self.timeOfDay.seconds
            )
        }
        return .relative(duration, to: .start)
    }

    /// - Parameter title: SUMMARY of the event, as written; it replaces a missing or hidden description.
    func lines(title: String, isHidden: Bool) -> [ContentLine] {
        let own = isHidden ? nil : self.description.map { ContentLine(.description, text: $0) }
        var lines = [
            ContentLine(.begin, value: "VALARM"), ContentLine(.action, value: "DISPLAY"),
            own ?? ContentLine(.description, value: title),
        ]
        switch self.trigger {
        case .relative(let duration, _): lines.append(ContentLine(.trigger, value: duration.wire))
        case .absolute: lines.append(ContentLine(.trigger, [Parameter(.value, "DATE-TIME")], value: self.trigger.wire))
        }
        if self.repeats > 0, let interval {
            lines.append(ContentLine(.repeatCount, value: String(self.repeats)))
            lines.append(ContentLine(.duration, value: interval.wire))
        }
        return lines + [ContentLine(.end, value: "VALARM")]
    }
}

import RemindavICalendar
import RemindavRecurrence

/// Writes alarms as VALARM (RFC 5545 §3.6.6), and finds the choice that an alarm corresponds to.
struct AlarmWriter {
    /// The UID of the to-do; alarm UIDs are derived from it, so two machines that add the same alarm use the same UID.
    let uid: String
    let due: CalendarDateOrDateTime?
    let dayTime: ClockTime
    let zones: TimeZoneResolver

    /// The moment of ``due``, or ``dayTime`` of a due date; `nil` without a due time or in an unknown zone.
    var dueInstant: Instant? {
        guard let due = self.due else { return nil }
        switch due {
        case .dateTime(let time): return self.zones.instant(of: time)
        case .date(let date):
            return self.zones.instant(of: CalendarDateTime(date: date, time: self.dayTime, zone: .floating))
        }
    }

    /// The lines of a VALARM; `nil` when the alarm requires a due time and the reminder has none.
    func lines(_ choice: AlarmChoice) -> [ContentLine]? {
        guard let (key, trigger) = self.trigger(choice) else { return nil }
        return [
            ContentLine(.begin, value: "VALARM"),
            ContentLine(.uid, text: self.uid(of: key)),
            ContentLine(.action, value: "DISPLAY"),
            // RFC 5545 §3.6.6 requires a DESCRIPTION. Programs show the reminder's title instead of this text. Apple's
            // programs write the same word.
            ContentLine(.description, text: "Reminder"),
            trigger,
            ContentLine(.end, value: "VALARM"),
        ]
    }

    /// The UID of an alarm; `key` is `due` or the value of TRIGGER.
    func uid(of key: String) -> String { NameUUID.make("\(self.uid)\nalarm\n\(key)") }

    static func absolute(_ instant: Instant) -> ContentLine {
        ContentLine(.trigger, [Parameter(.value, "DATE-TIME")], value: CalendarDateTime(utc: instant).wire)
    }

    private func trigger(_ choice: AlarmChoice) -> (key: String, line: ContentLine)? {
        switch choice {
        case .atDue: return self.dueInstant.map { ("due", Self.absolute($0)) }
        case .existing: return nil
        case .at(let instant): return (CalendarDateTime(utc: instant).wire, Self.absolute(instant))
        case .beforeDue(let lead):
            guard let duration = self.relative(lead) else { return nil }
            let line = ContentLine(.trigger, [Parameter(.related, "END")], value: duration.wire)
            return (duration.wire, line)
        }
    }

    /// The choice that corresponds to the trigger of an alarm of the reminder.
    ///
    /// - Parameter start: the start of the reminder; without one, a trigger from the start counts from the due time.
    func choice(of trigger: Trigger, start: CalendarDateOrDateTime?) -> AlarmChoice {
        switch trigger {
        case .absolute(let instant): return instant == self.dueInstant ? .atDue : .at(instant)
        case .relative(let duration, let anchor):
            guard anchor == .end || start == nil, let lead = self.lead(of: duration),
                AlarmFormatter.choices(AlarmFormatter.text([.beforeDue(lead)])) == [.beforeDue(lead)]
                    || lead == .zero
            else { return .existing(trigger) }
            return lead == .zero ? .atDue : .beforeDue(lead)
        }
    }

    /// The time before the due time, the inverse of ``relative(_:)``; `nil` for a time after it or without a due time.
    ///
    /// A duration of whole days from a date fires at ``dayTime`` (``AlarmClock``).
    private func lead(of duration: CalendarDuration) -> CalendarDuration? {
        guard duration.days == 0 || duration.seconds == 0 else { return nil }
        switch self.due {
        case nil: return nil
        case .dateTime:
            guard duration.days <= 0, duration.seconds <= 0 else { return nil }
            return CalendarDuration(days: -duration.days, seconds: -duration.seconds)
        case .date:
            if duration.seconds == 0 { return duration.days <= 0 ? CalendarDuration(days: -duration.days) : nil }
            let seconds = self.dayTime.secondsOfDay - duration.seconds
            let (days, rest) = seconds.quotientAndRemainder(dividingBy: ClockTime.secondsPerDay)
            if seconds < 0 { return nil }
            return rest == 0 ? CalendarDuration(days: days) : CalendarDuration(seconds: seconds)
        }
    }

    /// The TRIGGER value for a time before the due time; `nil` without a due time.
    ///
    /// For a date, the value is in hours from midnight: all programs read `-PT15H` as nine in the morning of the day
    /// before, while some read `-P1D` as midnight.
    func relative(_ lead: CalendarDuration) -> CalendarDuration? {
        switch self.due {
        case nil: return nil
        case .dateTime: return CalendarDuration(days: -lead.days, seconds: -lead.seconds)
        case .date:
            let seconds = lead.days * ClockTime.secondsPerDay + lead.seconds
            return CalendarDuration(seconds: self.dayTime.secondsOfDay - seconds)
        }
    }
}

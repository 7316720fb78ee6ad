public import ICalendar
import Recurrence

/// An alarm of a reminder, as a user chooses it.
public enum AlarmChoice: Hashable, Sendable {
    /// When the reminder is due; on a whole day at ``EditingContext/dayTime``.
    case atDue
    /// This positive duration before the due time; before a whole day, counted from the same time of day.
    case beforeDue(CalendarDuration)
    /// At that time, even if the due time changes.
    case at(Instant)

    /// As many alarms as fire for one reminder (``OccurrenceAlarms/maximumAlarms``).
    public static let maximumCount = OccurrenceAlarms.maximumAlarms

    /// The longest time before the due time: a year, the reach of the search for alarms of a series.
    public static let longestLead = CalendarDuration(days: 366)

    /// Whether it has no meaning without a due time.
    public var needsDue: Bool { if case .at = self { false } else { true } }
}

extension Name {
    /// The time that the alarm at the due time was written for, in UTC.
    ///
    /// Such an alarm has an absolute TRIGGER, the only form that Apple Reminders is known to use. A program that
    /// changes only DUE (Tasks.org) would separate the two, so an alarm at exactly this moment still means the due
    /// time. See docs/decisions/0042-one-alarm-at-the-due-time.md.
    static let dueAlarm = Name("X-REMINDAV-DUE-ALARM") ?? .trigger
}

extension Component {
    /// An alarm of this to-do: one that was written for the due time counts from DUE.
    func alarm(_ component: Component) -> Alarm {
        let alarm = Alarm(component)
        return self.isForDue(alarm) ? alarm.atDue : alarm
    }

    func isForDue(_ alarm: Alarm) -> Bool {
        guard case .absolute(let instant)? = alarm.trigger else { return false }
        return self.first(.dueAlarm)?.stamp == instant
    }
}

extension Alarm {
    fileprivate var atDue: Alarm { self.with(.relative(.zero, to: .end)) }

    func with(_ trigger: Trigger) -> Alarm {
        Alarm(
            uid: self.uid,
            action: self.action,
            trigger: trigger,
            description: self.description,
            acknowledged: self.acknowledged,
            isLocation: self.isLocation,
            repeats: self.repeats,
            interval: self.interval
        )
    }
}

struct AlarmWriter {
    /// The UID of the to-do, from which the UIDs of its alarms follow: two machines that add the same alarm make one.
    let uid: String
    let due: CalendarDateOrDateTime?
    let dayTime: ClockTime
    let zones: TimeZoneResolver

    /// The moment of ``due``, a whole day at ``dayTime``; `nil` without a date, or for an unknown zone.
    var dueInstant: Instant? {
        guard let due = self.due else { return nil }
        switch due {
        case .dateTime(let time): return self.zones.instant(of: time)
        case .date(let date):
            return self.zones.instant(of: CalendarDateTime(date: date, time: self.dayTime, zone: .floating))
        }
    }

    /// `nil` for an alarm that counts from a missing due time.
    func lines(_ choice: AlarmChoice) -> [ContentLine]? {
        guard let (key, trigger) = self.trigger(choice) else { return nil }
        return [
            ContentLine(.begin, value: "VALARM"),
            ContentLine(.uid, text: self.uid(of: key)),
            ContentLine(.action, value: "DISPLAY"),
            // Required by RFC 5545 §3.6.6. Programs show the title of the to-do; Apple writes the same word.
            ContentLine(.description, text: "Reminder"),
            trigger,
            ContentLine(.end, value: "VALARM"),
        ]
    }

    /// The UID of an alarm: `due`, or the value of its trigger.
    func uid(of key: String) -> String { NameUUID.make("\(self.uid)\nalarm\n\(key)") }

    static func absolute(_ instant: Instant) -> ContentLine {
        ContentLine(.trigger, [Parameter(.value, "DATE-TIME")], value: CalendarDateTime(utc: instant).wire)
    }

    private func trigger(_ choice: AlarmChoice) -> (key: String, line: ContentLine)? {
        switch choice {
        case .atDue: return self.dueInstant.map { ("due", Self.absolute($0)) }
        case .at(let instant): return (CalendarDateTime(utc: instant).wire, Self.absolute(instant))
        case .beforeDue(let lead):
            guard let duration = self.relative(lead) else { return nil }
            let line = ContentLine(.trigger, [Parameter(.related, "END")], value: duration.wire)
            return (duration.wire, line)
        }
    }

    /// The trigger for a time before the due time; `nil` without a date.
    ///
    /// Of a whole day it counts from midnight, in hours: all programs read `-PT15H` as nine in the morning of the day
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

public import ICalendar
import Recurrence

/// An alarm that a person asks for; a reminder may have several.
public enum AlarmChoice: Hashable, Sendable {
    /// When the reminder is due; on a whole day at ``EditingContext/dayTime``.
    case atDue
    /// That long before the reminder is due, a positive duration; before a whole day, counted from the same time of day.
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
    /// Such an alarm has an absolute TRIGGER, the one form that Apple Reminders is known to act on. A program that changes
    /// DUE and leaves the alarm alone (Tasks.org) would separate the two: an alarm at exactly this moment still means the
    /// due time. One at any other moment was changed on purpose. See docs/decisions/0042-one-alarm-at-the-due-time.md.
    static let dueAlarm = Name("X-REMINDAV-DUE-ALARM") ?? .trigger
}

extension Component {
    /// An alarm of this to-do, as it is meant: one that was written for the due time counts from DUE.
    func alarm(_ component: Component) -> Alarm {
        let alarm = Alarm(component)
        return self.isForDue(alarm) ? alarm.atDue : alarm
    }

    /// Whether an alarm was written for the due time (``Name/dueAlarm``).
    func isForDue(_ alarm: Alarm) -> Bool {
        guard case .absolute(let instant)? = alarm.trigger else { return false }
        return self.first(.dueAlarm)?.stamp == instant
    }
}

extension Alarm {
    /// The same alarm when the reminder is due.
    fileprivate var atDue: Alarm { self.with(.relative(.zero, to: .end)) }

    /// The same alarm with another trigger.
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

/// How the alarms that a person asks for are written.
struct AlarmWriter {
    /// The UID of the to-do, from which the UIDs of its alarms follow: two machines that add the same alarm make one.
    let uid: String
    /// When the to-do is due; `nil` for no date.
    let due: CalendarDateOrDateTime?
    let dayTime: ClockTime
    let zones: TimeZoneResolver

    /// The moment of ``due``, a whole day at ``dayTime``; `nil` without a date, or where the zone is not known.
    var dueInstant: Instant? {
        guard let due = self.due else { return nil }
        switch due {
        case .dateTime(let time): return self.zones.instant(of: time)
        case .date(let date):
            return self.zones.instant(of: CalendarDateTime(date: date, time: self.dayTime, zone: .floating))
        }
    }

    /// The lines of an alarm; `nil` for one that counts from a due time where there is none.
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
    /// Of a whole day it counts from midnight, in hours: `-PT15H` is nine in the morning of the day before for all
    /// programs, while `-P1D` is midnight for some.
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

public import RemindavICalendar

/// The due time that a user chooses for a reminder.
public enum DueChoice: Hashable, Sendable {
    /// A whole day.
    case date(CalendarDate)
    /// A date and a time of day in the local time zone.
    case local(CalendarDate, ClockTime)
    /// A moment.
    case exact(Instant)

    /// Whether the due time is not after `now`; a date is past when it is before `today`, the local date of `now`.
    package func isPast(now: Instant, today: CalendarDate, instant: (CalendarDate, ClockTime) -> Instant) -> Bool {
        switch self {
        case .date(let date): date < today
        case .local(let date, let time): instant(date, time) <= now
        case .exact(let moment): moment <= now
        }
    }

    /// The value of DUE: a local time gets the TZID of the local zone, and an instant is in UTC.
    package func moment(localZone: String) -> CalendarDateOrDateTime {
        switch self {
        case .date(let date): .date(date)
        case .local(let date, let time):
            .dateTime(CalendarDateTime(date: date, time: time, zone: localZone == "UTC" ? .utc : .named(localZone)))
        case .exact(let instant): .dateTime(CalendarDateTime(utc: instant))
        }
    }
}

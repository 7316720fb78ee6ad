public import ICalendar

/// The due time that a user chooses for a reminder.
public enum DueChoice: Hashable, Sendable {
    case date(CalendarDate)
    /// By the wall clock in the local zone.
    case local(CalendarDate, ClockTime)
    case exact(Instant)

    /// Whether it is not after `now`; a whole day is past when it ended before `today`, the local day of `now`.
    package func isPast(now: Instant, today: CalendarDate, instant: (CalendarDate, ClockTime) -> Instant) -> Bool {
        switch self {
        case .date(let date): date < today
        case .local(let date, let time): instant(date, time) <= now
        case .exact(let moment): moment <= now
        }
    }

    /// The value of DUE: a local time gets the name of the local zone, an instant is in UTC.
    package func moment(localZone: String) -> CalendarDateOrDateTime {
        switch self {
        case .date(let date): .date(date)
        case .local(let date, let time):
            .dateTime(CalendarDateTime(date: date, time: time, zone: localZone == "UTC" ? .utc : .named(localZone)))
        case .exact(let instant): .dateTime(CalendarDateTime(utc: instant))
        }
    }
}

import ICalendar

/// An end of a stretch of time, as `--from` and `--to` take it.
///
/// Everything that WHEN may be but `none`, and the forms of RFC 5545: `20261201`, `20261201T090000`,
/// `20261201T080000Z`.
enum TimeBound: Hashable, Sendable {
    case when(When)
    case moment(CalendarMoment)

    /// - Throws: when `text` is none of the forms.
    init(_ text: String, option: String) throws(UsageError) {
        if let moment = CalendarMoment(wire: Fields.trimmed(text), tzid: nil) {
            self = .moment(moment)
            return
        }
        guard let when = try? When(text), when != .absent else {
            throw UsageError(
                .badWhen,
                "'\(option)' is a time such as 2026-12-01, '2026-12-01 09:00', today, 20261201T090000 "
                    + "or 2026-12-01T09:00:00Z, not '\(text)'."
            )
        }
        self = .when(when)
    }

    /// The time that is meant; without an offset it is floating.
    func moment(now: Instant, zone: LocalZone) -> CalendarMoment {
        switch self {
        case .moment(let moment): moment
        case .when(let when): Self.moment(when, today: zone.wallClock(at: now).date)
        }
    }

    private static func moment(_ when: When, today: CalendarDate) -> CalendarMoment {
        switch when {
        case .absent: self.moment(today, nil)
        case .day(let date, let time): self.moment(date, time)
        case .relative(let days, let time): self.moment(today.adding(days: days), time)
        case .exact(let instant): .dateTime(CalendarDateTime(utc: instant))
        }
    }

    private static func moment(_ date: CalendarDate, _ time: ClockTime?) -> CalendarMoment {
        time.map { .dateTime(CalendarDateTime(date: date, time: $0, zone: .floating)) } ?? .date(date)
    }
}

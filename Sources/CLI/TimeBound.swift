import ICalendar

/// An end of a stretch of time, as `--from` and `--to` take it.
///
/// Everything that WHEN may be but `none`, and the forms of RFC 5545: `20261201`, `20261201T090000`,
/// `20261201T080000Z`.
enum TimeBound: Hashable, Sendable {
    case when(When)
    case moment(CalendarDateOrDateTime)

    /// - Throws: when `text` is none of the forms; the sentence names the word that was not understood.
    init(_ text: String, option: String) throws(UsageError) {
        if let moment = CalendarDateOrDateTime(wire: ArgumentValues.trimmed(text), tzid: nil) {
            self = .moment(moment)
            return
        }
        let when: When
        do throws(UsageError) { when = try When(text) } catch {
            throw UsageError(.badWhen, "'\(option)': \(error.sentence)")
        }
        guard when != .absent else {
            throw UsageError(
                .badWhen,
                "'\(option)' is a time such as 2026-12-01, '2026-12-01 09:00', today, 20261201T090000 "
                    + "or 2026-12-01T09:00:00Z, not '\(text)'."
            )
        }
        self = .when(when)
    }

    /// Whether it depends on which day it is at this place.
    var needsToday: Bool {
        switch self {
        case .moment, .when(.day(.date, _)), .when(.exact), .when(.later), .when(.absent): false
        case .when(.day): true
        }
    }

    /// The time that is meant; without an offset it is floating.
    func moment(now: Instant, zone: LocalZone) -> CalendarDateOrDateTime {
        switch self {
        case .moment(let moment): moment
        case .when(let when): Self.moment(when, now: now, zone)
        }
    }

    /// A day without a time is its beginning.
    private static func moment(_ when: When, now: Instant, _ zone: LocalZone) -> CalendarDateOrDateTime {
        let wall = zone.wallClock(at: now)
        switch when {
        case .absent: return .date(wall.date)
        case .day(let day, .clock(let clock)):
            let date = day.date(from: wall.date) { ($0, clock) <= (wall.date, wall.time) }
            return .dateTime(CalendarDateTime(date: date, time: clock, zone: .floating))
        case .day(let day, .whole): return .date(day.date(from: wall.date) { $0 < wall.date })
        case .later(let seconds): return .dateTime(CalendarDateTime(utc: now.adding(seconds: seconds)))
        case .exact(let instant): return .dateTime(CalendarDateTime(utc: instant))
        }
    }
}

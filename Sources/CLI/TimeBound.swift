import DatePhrases
import ICalendar
import Reminders

/// A bound of a time range, as in `--from` and `--to`.
///
/// Everything that WHEN may be but `none`, and the forms of RFC 5545: `20261201`, `20261201T090000`,
/// `20261201T080000Z`.
enum TimeBound: Hashable, Sendable {
    case when(When)
    case moment(CalendarDateOrDateTime)

    /// - Throws: if `text` has none of the forms; the sentence names the word that cannot be parsed.
    init(_ text: String, option: String) throws(UsageError) {
        if let moment = CalendarDateOrDateTime(wire: text.trimmingWhiteSpace, tzid: nil) {
            self = .moment(moment)
            return
        }
        let when: When
        do throws(PhraseError) { when = try When(text) } catch {
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

    /// Whether it depends on the local date.
    var needsToday: Bool {
        switch self {
        case .moment, .when(.day(.date, _)), .when(.exact), .when(.later), .when(.absent): false
        case .when(.day): true
        }
    }

    func moment(now: Instant, zone: LocalZone) -> CalendarDateOrDateTime {
        switch self {
        case .moment(let moment): moment
        case .when(let when): Self.moment(when, now: now, zone)
        }
    }

    /// A day without a time means its start.
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

import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

/// The value of `--from` or `--to`: a date phrase, or a value of RFC 5545 such as `20261201T080000Z`.
enum TimeBound: Hashable, Sendable {
    case when(When)
    case moment(CalendarDateOrDateTime)

    /// - Throws: an error that names the word that is not understood.
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
                "'\(option)' must be a time such as 2026-12-01, '2026-12-01 09:00', today, 20261201T090000 "
                    + "or 2026-12-01T09:00:00Z, not '\(text)'."
            )
        }
        self = .when(when)
    }

    var needsToday: Bool {
        switch self {
        case .moment, .when(.day(.date, _)), .when(.exact), .when(.later), .when(.absent): false
        case .when(.day): true
        }
    }

    /// Whether the bound is a day without a time.
    var isDay: Bool {
        switch self {
        case .moment(.date), .when(.day(_, .whole)), .when(.day(_, .allDay)): true
        case .moment, .when: false
        }
    }

    /// The moment of the bound; a day without a time means the beginning of the day.
    func moment(now: Instant, zone: LocalZone) -> CalendarDateOrDateTime {
        let wall = zone.wallClock(at: now)
        switch self {
        case .moment(let moment): return moment
        case .when(.absent): return .date(wall.date)
        case .when(.day(let day, .evening(let start))):
            let clock = When.TimeOfDay.evening(start).clock(at: wall.time) ?? start
            return .dateTime(
                CalendarDateTime(date: day.date(from: wall.date) { _ in false }, time: clock, zone: .floating)
            )
        case .when(.day(let day, .clock(let clock))):
            let date = day.date(from: wall.date) { ($0, clock) <= (wall.date, wall.time) }
            return .dateTime(CalendarDateTime(date: date, time: clock, zone: .floating))
        case .when(.day(let day, .whole)), .when(.day(let day, .allDay)):
            return .date(day.date(from: wall.date) { $0 < wall.date })
        case .when(.later(let seconds)): return .dateTime(CalendarDateTime(utc: now.adding(seconds: seconds)))
        case .when(.exact(let instant)): return .dateTime(CalendarDateTime(utc: instant))
        }
    }
}

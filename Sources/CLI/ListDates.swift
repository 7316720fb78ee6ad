import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar

/// The date column of a listing.
///
/// The usual form is `Fri 20 Nov 18:30`, and ` 1 Jul 2027 18:30` for another year. The short form is `Fri 18:30` for
/// today and the next six days, `20 Nov` for other days of this year, and ` 1 Jul '27` for other years.
struct ListDates: Sendable {
    private let zone: LocalZone
    private let today: CalendarDate
    /// The moments of the present year, in the local zone.
    private let year: Range<Instant>
    let isShort: Bool

    init(_ text: LocalText, isShort: Bool) {
        self.zone = text.zone
        self.today = text.zone.wallClock(at: text.now).date
        self.year =
            Self.beginning(ofYear: self.today.year, text.zone)..<Self.beginning(ofYear: self.today.year + 1, text.zone)
        self.isShort = isShort
    }

    private static func beginning(ofYear year: Int, _ zone: LocalZone) -> Instant {
        let date = CalendarDate(year: year, month: 1, day: 1)
        return date.map { zone.instant($0, ClockTime(secondsOfDay: 0)) } ?? Instant(secondsSince1970: .max)
    }

    /// The kinds of the moments in a column, which decide about its width.
    struct Kinds {
        fileprivate var (hasAny, hasTime, hasOtherYear) = (false, false, false)
    }

    /// - Parameter isDay: whether the moment is shown as a date without a time.
    func note(_ instant: Instant, isDay: Bool, in kinds: inout Kinds) {
        kinds.hasAny = true
        kinds.hasTime = kinds.hasTime || !isDay
        kinds.hasOtherYear = kinds.hasOtherYear || !self.year.contains(instant)
    }

    /// The columns that moments of these kinds need; 0 without a moment.
    func columns(_ kinds: Kinds) -> Int {
        if !kinds.hasAny { return 0 }
        if self.isShort { return kinds.hasOtherYear ? 10 : kinds.hasTime ? 9 : 6 }
        return (kinds.hasOtherYear ? 11 : 10) + (kinds.hasTime ? 6 : 0)
    }

    /// Adds the date in at most ``columns(_:)`` columns, which are ASCII characters.
    ///
    /// - Parameters:
    ///   - day: the date of an all-day reminder; `nil` for a moment with a time.
    ///   - isAligned: whether a day of one digit has a space before it.
    func add(_ instant: Instant, day: CalendarDate?, isAligned: Bool = true, to text: inout StyledText) {
        let date: CalendarDate
        var time: ClockTime?
        if let day {
            date = day
        } else {
            let wall = self.zone.wallClock(at: instant)
            (date, time) = (wall.date, wall.time)
        }
        if self.isShort {
            self.addShort(date, time, isAligned, to: &text)
        } else {
            self.addLong(date, time, isAligned, to: &text)
        }
    }

    private func addLong(_ date: CalendarDate, _ time: ClockTime?, _ isAligned: Bool, to text: inout StyledText) {
        if date.year == self.today.year {
            text.append(Vocabulary.weekdayNames[date.weekday.rawValue])
            text.append(spaces: 1)
            Self.addDayAndMonth(date, isAligned, to: &text)
        } else {
            Self.addDayAndMonth(date, isAligned, to: &text)
            text.append(spaces: 1)
            text.append(date.year, digits: 4)
        }
        if let time {
            text.append(spaces: 1)
            Self.add(time, to: &text)
        }
    }

    private func addShort(_ date: CalendarDate, _ time: ClockTime?, _ isAligned: Bool, to text: inout StyledText) {
        if (0..<7).contains(date.dayNumber - self.today.dayNumber) {
            text.append(Vocabulary.weekdayNames[date.weekday.rawValue])
            if let time {
                text.append(spaces: 1)
                Self.add(time, to: &text)
            }
        } else if date.year == self.today.year {
            Self.addDayAndMonth(date, isAligned, to: &text)
        } else {
            Self.addDayAndMonth(date, isAligned, to: &text)
            text.append(" '")
            text.append(date.year % 100, digits: 2)
        }
    }

    private static func addDayAndMonth(_ date: CalendarDate, _ isAligned: Bool, to text: inout StyledText) {
        text.append(spaces: isAligned && date.day < 10 ? 1 : 0)
        text.append(date.day, digits: date.day < 10 ? 1 : 2)
        text.append(spaces: 1)
        text.append(Vocabulary.monthNames[date.month - 1])
    }

    private static func add(_ time: ClockTime, to text: inout StyledText) {
        text.append(time.hour, digits: 2)
        text.append(":")
        text.append(time.minute, digits: 2)
    }
}

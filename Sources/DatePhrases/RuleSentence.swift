package import RemindavICalendar
import RemindavReminders

/// Formats a repeat rule in English: `every 2 weeks on Mon and Thu until 1 Jun 2027`.
///
/// Law: ``RepeatParser`` parses the words to the same rule. If a rule has no such words, the result is its RRULE value.
package struct RuleSentence {
    private let zone: LocalZone
    /// The note behind the RRULE value of a rule that English words cannot express.
    package static let withoutWords = " (remindav cannot describe this rule in words)"

    package init(zone: LocalZone) { self.zone = zone }

    package func text(_ wire: String, fromCompletion: Bool = false) -> String {
        guard var rule = try? RecurrenceRule(wire: wire) else { return wire }
        rule.countsFromCompletion = fromCompletion
        return self.words(rule) ?? wire
    }

    /// The rule in English, or its RRULE value with the note ``withoutWords``.
    package func note(_ wire: String, fromCompletion: Bool = false) -> String {
        let text = self.text(wire, fromCompletion: fromCompletion)
        return text == wire ? wire + Self.withoutWords : text
    }

    /// - Returns: `nil` if English words cannot express the rule.
    package func words(_ rule: RecurrenceRule) -> String? {
        guard rule.isGregorian, let base = self.base(rule), let end = self.end(rule) else { return nil }
        let weeks = rule.weekStart == .monday ? "" : ", weeks from \(rule.weekStart.shortName)"
        let words = base + Self.times(rule) + (rule.countsFromCompletion ? " after completion" : "") + weeks + end
        guard var parsed = RepeatParser.rule(words) else { return nil }
        parsed.until = self.moment(parsed.until, like: rule.until)
        return parsed == rule ? words : nil
    }

    private func base(_ rule: RecurrenceRule) -> String? {
        if rule.frequency == .weekly, rule.interval == 1, Set(rule.byDay.map(\.weekday)) == Set(Weekday.workdays) {
            return "every weekday"
        }
        // The grammar has no word for seconds.
        guard rule.frequency > .secondly else { return nil }
        let unit = ["minute", "hour", "day", "week", "month", "year"][rule.frequency.rawValue - 1]
        let start = rule.interval == 1 ? "every \(unit)" : "every \(rule.interval) \(unit)s"
        return start + self.days(rule)
    }

    /// The times of day of a rule with several ones: ` at 08:00 and 20:00`; otherwise empty.
    private static func times(_ rule: RecurrenceRule) -> String {
        guard rule.byHour.count > 1, rule.byMinute.count == 1 else { return "" }
        let times = rule.byHour.compactMap { ClockTime(hour: $0, minute: rule.byMinute[0], second: 0) }
        return " at " + times.map(\.hoursAndMinutes).listed("and")
    }

    /// The end of the rule: ` until 1 Jun 2027`, `, 10 times`, or empty; `nil` if English words cannot express the end.
    private func end(_ rule: RecurrenceRule) -> String? {
        if let count = rule.count { return count == 1 ? ", once" : ", \(count) times" }
        guard let until = rule.until else { return "" }
        let date: CalendarDate
        let time: ClockTime
        switch until {
        case .date(let day): return " until \(self.day(day))"
        case .dateTime(let moment) where moment.zone == .utc:
            (date, time) = self.zone.wallClock(at: Instant(secondsSince1970: moment.localSeconds))
        case .dateTime(let moment): (date, time) = (moment.date, moment.time)
        }
        if time == Self.endOfDay { return " until \(self.day(date))" }
        return time.second == 0 ? " until \(self.day(date)) \(time.hoursAndMinutes)" : nil
    }

    /// Converts a parsed UNTIL to UTC if the rule's UNTIL is in UTC; a date then means the last second of that day.
    private func moment(_ parsed: CalendarDateOrDateTime?, like own: CalendarDateOrDateTime?)
        -> CalendarDateOrDateTime?
    {
        guard let parsed, case .dateTime(let moment)? = own, moment.zone == .utc else { return parsed }
        let time = if case .dateTime(let parsed) = parsed { parsed.time } else { Self.endOfDay }
        return .dateTime(CalendarDateTime(utc: self.zone.instant(parsed.day, time)))
    }

    private static let endOfDay = ClockTime(secondsOfDay: ClockTime.secondsPerDay - 1)

    private func day(_ date: CalendarDate) -> String {
        // The parser requires a year of four digits.
        let year = String(date.description.prefix(4))
        return "\(date.day) \(Vocabulary.monthNames[date.month - 1]) \(year)"
    }
}

extension Weekday {
    var shortName: String { Vocabulary.weekdayNames[self.rawValue] }
}

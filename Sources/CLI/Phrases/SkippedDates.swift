import ICalendar

/// The months and years that a rule leaves out because they have no such day (RFC 5545 §3.3.10: a date that does not exist
/// is ignored), which people do not expect.
enum SkippedDates {
    /// Which months or years are left out, and what to write for each month's end.
    ///
    /// - Parameter start: the first date.
    /// - Returns: `nil` for a rule that leaves nothing out.
    static func sentence(_ rule: RecurrenceRule, from start: CalendarDate) -> String? {
        let isPlain = rule.byDay.isEmpty && rule.bySetPosition.isEmpty && rule.byYearDay.isEmpty
        guard [.monthly, .yearly].contains(rule.frequency), rule.isGregorian, rule.skip == .omit, isPlain,
            rule.byWeekNumber.isEmpty
        else { return nil }
        let days = rule.byMonthDay.isEmpty ? [start.day] : Set(rule.byMonthDay)
        let months = Self.months(rule, from: start)
        // The first year of the calendar that is no leap year stands for all.
        guard let shortest = months.map({ CalendarDate.daysInMonth($0, year: 1) }).min() else { return nil }
        let missing = days.filter { $0 > shortest }.sorted()
        guard let day = missing.last else { return nil }
        if days.count > 1 { return Self.sentence(missing, months) }
        if months == [2] {
            // From one leap year to another, which is what was meant; the year 2100 is far.
            let isOfLeapYears = day == 29 && rule.frequency == .yearly && rule.interval % 4 == 0
            return isOfLeapYears ? nil : "Years without a \(day)th of February are left out."
        }
        let left =
            switch day {
            case 31: "Months without a 31st are left out"
            case 30: "February is left out, which has no 30th"
            default: "February is left out but in leap years"
            }
        return left + Self.advice
    }

    private static let advice = "; 'every month on the last day' takes each month's end."

    /// Of several days each month has some.
    private static func sentence(_ missing: [Int], _ months: Set<Int>) -> String {
        let days = missing.map { "the \($0 == 31 ? "31st" : "\($0)th")" }.joined(separator: " and ")
        let left = "T\(days.dropFirst()) \(missing.count == 1 ? "is" : "are") left out where"
        return months == [2] ? "\(left) February has none." : "\(left) a month has none\(Self.advice)"
    }

    /// The months that the rule comes to, 1 to 12.
    private static func months(_ rule: RecurrenceRule, from start: CalendarDate) -> Set<Int> {
        let named = rule.byMonth.isEmpty ? Set(1...12) : Set(rule.byMonth)
        if rule.frequency == .monthly {
            return named.intersection((0..<12).map { (start.month - 1 + $0 * (rule.interval % 12)) % 12 + 1 })
        }
        return rule.byMonth.isEmpty && rule.byMonthDay.isEmpty ? [start.month] : named
    }
}

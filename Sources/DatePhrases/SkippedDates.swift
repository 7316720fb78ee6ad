package import RemindavICalendar

/// The months and years that a rule skips because they lack its day (RFC 5545 §3.3.10: a rule ignores invalid dates).
package enum SkippedDates {
    /// A sentence about the skipped months or years, which may suggest a better rule; `nil` if the rule skips none.
    package static func sentence(_ rule: RecurrenceRule, from start: CalendarDate) -> String? {
        guard rule.frequency >= .monthly, rule.isGregorian, !rule.countsFromCompletion,
            rule.uses(only: ["RSCALE", "BYMONTH", "BYMONTHDAY", "BYHOUR", "BYMINUTE", "BYSECOND"])
        else { return nil }
        let days = rule.byMonthDay.isEmpty ? [start.day] : Set(rule.byMonthDay)
        let months = Self.months(rule, from: start)
        // Year 1 is not a leap year, so February has 28 days.
        guard let shortest = months.map({ CalendarDate.daysInMonth($0, year: 1) }).min() else { return nil }
        let missing = days.filter { $0 > shortest }.sorted()
        guard let day = missing.last else { return nil }
        if days.count > 1 { return Self.sentence(missing, months) }
        if months == [2] {
            // A rule for 29 February every four years skips other years on purpose, and its exception 2100 is distant.
            let isOfLeapYears = day == 29 && rule.frequency == .yearly && rule.interval % 4 == 0
            return isOfLeapYears ? nil : "Years without \(day) February are skipped."
        }
        let left =
            switch day {
            case 31: "Months without a 31st are skipped"
            case 30: "February is skipped: it has no 30th"
            default: "February is skipped except in leap years"
            }
        return left + Self.advice
    }

    private static let advice = "; 'every month on the last day' means the end of each month."

    /// The sentence for a rule with several days of the month; `missing` are the days that some months lack.
    private static func sentence(_ missing: [Int], _ months: Set<Int>) -> String {
        let days = missing.map { "the \($0 == 31 ? "31st" : "\($0)th")" }.joined(separator: " and ")
        let left = "T\(days.dropFirst()) \(missing.count == 1 ? "is" : "are") skipped in"
        return months == [2] ? "\(left) February when it has fewer days." : "\(left) shorter months\(Self.advice)"
    }

    private static func months(_ rule: RecurrenceRule, from start: CalendarDate) -> Set<Int> {
        let named = rule.byMonth.isEmpty ? Set(1...12) : Set(rule.byMonth)
        if rule.frequency == .monthly {
            return named.intersection((0..<12).map { (start.month - 1 + $0 * (rule.interval % 12)) % 12 + 1 })
        }
        return rule.byMonth.isEmpty && rule.byMonthDay.isEmpty ? [start.month] : named
    }
}

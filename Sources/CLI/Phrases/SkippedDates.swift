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
        guard rule.isGregorian, rule.skip == .omit, isPlain, rule.byWeekNumber.isEmpty else { return nil }
        let day = rule.byMonthDay.max() ?? start.day
        let months = Self.months(rule, from: start)
        // The first year of the calendar that is no leap year stands for all.
        let shortest = months.map { CalendarDate.daysInMonth($0, year: 1) }.min()
        guard let shortest, day > shortest else { return nil }
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
        return "\(left); 'every month on the last day' takes each month's end."
    }

    /// The months that the rule comes to, 1 to 12.
    private static func months(_ rule: RecurrenceRule, from start: CalendarDate) -> Set<Int> {
        if !rule.byMonth.isEmpty { return Set(rule.byMonth) }
        switch rule.frequency {
        case .yearly: return [start.month]
        case .monthly: return Set((0..<12).map { (start.month - 1 + $0 * (rule.interval % 12)) % 12 + 1 })
        case .secondly, .minutely, .hourly, .daily, .weekly: return []
        }
    }
}

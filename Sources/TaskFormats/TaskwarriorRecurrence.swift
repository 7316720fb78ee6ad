import RemindavICalendar
import RemindavReminders

/// Converts the recurrence periods of Taskwarrior: taskwarrior.org/docs/durations.
enum TaskwarriorRecurrence {
    /// The rule of a text such as `weekly` or `P2W`; `nil` for an unknown text.
    static func rule(_ text: String) -> RecurrenceRule? {
        let text = text.trimmingWhiteSpace.lowercased()
        if text == "weekdays" {
            var rule = RecurrenceRule(frequency: .weekly)
            rule.byDay = Weekday.workdays.map { .init(weekday: $0) }
            return rule
        }
        if let (frequency, interval) = self.words[text] {
            return RecurrenceRule(frequency: frequency, interval: interval)
        }
        if text.hasPrefix("p") { return self.iso(text.uppercased()) }
        let digits = text.prefix { ("0"..."9").contains($0) }
        let unit = String(text.dropFirst(digits.count)).trimmingWhiteSpace
        guard let (frequency, interval) = self.units[unit] else { return nil }
        let count = digits.isEmpty ? 1 : NumberText.digits(digits) ?? 0
        guard (1...self.maximumCount).contains(count) else { return nil }
        return RecurrenceRule(frequency: frequency, interval: count * interval)
    }

    /// The maximum interval in any unit.
    private static let maximumCount = 10_000

    private static let words: [String: (RecurrenceRule.Frequency, Int)] = [
        "hourly": (.hourly, 1), "daily": (.daily, 1), "weekly": (.weekly, 1), "biweekly": (.weekly, 2),
        "fortnight": (.weekly, 2), "monthly": (.monthly, 1), "bimonthly": (.monthly, 2), "quarterly": (.monthly, 3),
        "semiannual": (.monthly, 6), "annual": (.yearly, 1), "yearly": (.yearly, 1), "biannual": (.yearly, 2),
        "biyearly": (.yearly, 2),
    ]

    private static let units: [String: (RecurrenceRule.Frequency, Int)] = {
        let rows: [(RecurrenceRule.Frequency, Int, String)] = [
            (.minutely, 1, "minutes minute mins min"), (.hourly, 1, "hours hour hrs hr h"),
            (.daily, 1, "days day d"), (.weekly, 1, "weeks week wks wk w"),
            (.weekly, 2, "fortnights fortnight"), (.monthly, 1, "months month mnths mths mth mos mo m"),
            (.monthly, 3, "quarters quarter qrtrs qtrs qtr q"), (.yearly, 1, "years year yrs yr y"),
        ]
        return Dictionary(
            uniqueKeysWithValues: rows.flatMap { row in
                row.2.split(separator: " ").map { (String($0), (row.0, row.1)) }
            }
        )
    }()

    /// The text of a rule without its end; `nil` if Taskwarrior cannot express the rule.
    static func text(_ rule: RecurrenceRule) -> String? {
        func isLike(_ other: RecurrenceRule) -> Bool {
            var other = other
            other.until = rule.until
            return other.wire == rule.wire
        }
        if let weekdays = self.rule("weekdays"), isLike(weekdays) { return "weekdays" }
        guard isLike(RecurrenceRule(frequency: rule.frequency, interval: rule.interval)) else { return nil }
        // Taskwarrior counts `2m` in months of the calendar, but `2months` in days; with `P2M`, it drops the time.
        let count = rule.interval
        return switch rule.frequency {
        case .secondly: nil
        case .minutely: "PT\(count)M"
        case .hourly: "PT\(count)H"
        case .daily: count == 1 ? "daily" : "\(count)days"
        case .weekly: count == 1 ? "weekly" : "\(count)weeks"
        case .monthly: count == 1 ? "monthly" : "\(count)m"
        case .yearly: count == 1 ? "yearly" : "P\(count)Y"
        }
    }

    /// Converts `P2W`, `P3M` or `PT12H`, which have one number and one unit.
    private static func iso(_ text: String) -> RecurrenceRule? {
        let isTime = text.hasPrefix("PT")
        let body = text.dropFirst(isTime ? 2 : 1)
        guard let unit = body.last, let count = NumberText.digits(body.dropLast()),
            (1...self.maximumCount).contains(count)
        else { return nil }
        let frequency: RecurrenceRule.Frequency? =
            switch (unit, isTime) {
            case ("D", false): .daily
            case ("W", false): .weekly
            case ("M", false): .monthly
            case ("Y", false): .yearly
            case ("H", true): .hourly
            case ("M", true): .minutely
            default: nil
            }
        return frequency.map { RecurrenceRule(frequency: $0, interval: count) }
    }
}

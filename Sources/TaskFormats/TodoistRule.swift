import RemindavICalendar
import RemindavReminders

/// The words of Todoist for a repeat rule: todoist.com/help, "Introduction to recurring dates".
///
/// Only documented forms are used, because Todoist drops the date of a task whose phrase it cannot read.
struct TodoistRule {
    /// The rule without its end, and without the parts that the due date implies.
    private let rule: RecurrenceRule
    /// The rule without its end, with these parts, such as the weekday of `every 3rd fri`.
    private let full: RecurrenceRule

    init(_ rule: RecurrenceRule, due: CalendarDate) {
        var full = rule
        full.until = nil
        full.count = nil
        // Without several weekdays in one interval, the first day of the week has no meaning.
        if full.interval == 1 || full.byDay.count < 2 { full.weekStart = .monday }
        if full.frequency == .daily, full.interval == 1, full.uses(only: ["BYDAY"]), !full.byDay.isEmpty {
            full.frequency = .weekly
        }
        self.full = full
        if Self.isImplied(full, by: due) {
            (full.byDay, full.byMonth, full.byMonthDay) = ([], [], [])
        }
        self.rule = full
    }

    /// Whether both rules have the same dates from the due date on, apart from their ends.
    func isLike(_ other: Self) -> Bool { self.rule == other.rule }

    /// The phrase, such as `every 3rd Fri`; `nil` if Todoist has no words for the rule.
    var words: String? {
        let days = self.rule.interval == 1 ? self.days : self.units
        return days.map { "every\(self.full.countsFromCompletion ? "!" : "") \($0)" }
    }

    private static let unitNames: [RecurrenceRule.Frequency: String] = [
        .hourly: "hour", .daily: "day", .weekly: "week", .monthly: "month", .yearly: "year",
    ]
    private static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let workdays = Set(Weekday.workdays)

    /// Whether a rule from the due date on has the same dates without its parts.
    private static func isImplied(_ rule: RecurrenceRule, by due: CalendarDate) -> Bool {
        switch rule.frequency {
        case .secondly, .minutely, .hourly, .daily: false
        case .weekly:
            rule.uses(only: ["BYDAY"]) && rule.byDay.count == 1 && rule.byDay[0].weekday == due.weekday
        case .monthly: rule.uses(only: ["BYMONTHDAY"]) && rule.byMonthDay == [due.day]
        case .yearly:
            rule.uses(only: ["BYMONTH", "BYMONTHDAY"]) && rule.byMonth == [due.month] && rule.byMonthDay == [due.day]
        }
    }

    /// The words of a rule with an interval: `3 weeks`.
    private var units: String? {
        guard self.rule.uses(only: []), let unit = Self.unitNames[self.rule.frequency] else { return nil }
        return "\(self.rule.interval) \(unit)s"
    }

    /// The words of a rule without an interval: `week`, `Mon, Thu`, `last day`.
    private var days: String? {
        if self.full.uses(only: []) { return Self.unitNames[self.full.frequency] }
        let parts: [String]? =
            switch self.full.frequency {
            case .secondly, .minutely, .hourly, .daily: nil
            case .weekly: self.weekdays
            case .monthly: self.daysOfMonth
            case .yearly: self.daysOfYear
            }
        return parts?.joined(separator: ", ")
    }

    private var weekdays: [String]? {
        guard self.full.uses(only: ["BYDAY"]) else { return nil }
        let days = self.full.byDay.map(\.weekday)
        if days.count == Self.workdays.count, Set(days) == Self.workdays { return ["weekday"] }
        return days.sorted { $0.days(after: .monday) < $1.days(after: .monday) }.map { Self.weekdayNames[$0.rawValue] }
    }

    private var daysOfMonth: [String]? {
        if self.full.uses(only: ["BYMONTHDAY"]) {
            let days = self.full.byMonthDay
            if days == [-1] { return ["last day"] }
            return days.allSatisfy { $0 > 0 } ? days.map(Self.ordinal) : nil
        }
        if self.full.uses(only: ["BYDAY"]) { return self.ordinalWeekdays }
        guard self.full.uses(only: ["BYDAY", "BYSETPOS"]),
            Set(self.full.byDay) == Set(Self.workdays.map { .init(weekday: $0) })
        else { return nil }
        let positions = self.full.bySetPosition
        return positions.allSatisfy { $0 >= -1 }
            ? positions.map { "\($0 == 1 ? "first" : Self.ordinal($0)) workday" } : nil
    }

    private var daysOfYear: [String]? {
        let months = self.full.byMonth.map { Self.monthNames[$0 - 1] }
        if self.full.uses(only: ["BYMONTH", "BYMONTHDAY"]), self.full.byMonthDay.allSatisfy({ $0 > 0 }), !months.isEmpty
        {
            return self.full.byMonthDay.isEmpty
                ? nil : months.flatMap { month in self.full.byMonthDay.map { "\($0) \(month)" } }
        }
        guard self.full.uses(only: ["BYMONTH", "BYDAY"]), !months.isEmpty else { return nil }
        return self.ordinalWeekdays.map { days in months.flatMap { month in days.map { "\($0) \(month)" } } }
    }

    private var ordinalWeekdays: [String]? {
        let days = self.full.byDay.compactMap { day in
            day.ordinal.flatMap {
                $0 >= -1 && $0 <= 5 ? "\(Self.ordinal($0)) \(Self.weekdayNames[day.weekday.rawValue])" : nil
            }
        }
        return days.count == self.full.byDay.count ? days : nil
    }

    /// `last` for -1, and `1st`, `22nd` or `13th` for a positive number.
    private static func ordinal(_ number: Int) -> String {
        guard number > 0 else { return "last" }
        let letters = number / 10 % 10 == 1 ? nil : [1: "st", 2: "nd", 3: "rd"][number % 10]
        return "\(number)\(letters ?? "th")"
    }
}

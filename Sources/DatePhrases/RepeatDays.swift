import RemindavICalendar
import RemindavReminders

/// The grammar of days in a week, month or year; the ABNF rule of each method stands above the method.
extension RepeatParser {
    private static let daySets: [String: [Weekday]] =
        ["weekday": Weekday.workdays, "workday": Weekday.workdays, "weekend": [.saturday, .sunday]]
    /// The words for sets of days in ``Vocabulary/repeatWords``.
    static let dayWords = Self.daySets.keys.sorted()

    // week-days = [ "other" ] ( weekday-list / "weekday" / "workday" / "weekend" )
    mutating func weekDays() -> RecurrenceRule? {
        self.words.attempt { words in
            let interval = words.skip("other") ? 2 : 1
            let days = words.next { Self.daySets[$0] } ?? words.weekdays()
            return days.isEmpty ? nil : .weekly(on: days, interval: interval)
        }
    }

    // on = [ "on" weekday-list / "on" month-items / "on" year-day / "in" month-list ]
    // The first alternative is for weeks, the second for months, and the last two are for years.
    mutating func on(_ rule: RecurrenceRule) -> RecurrenceRule? {
        var rule = rule
        if rule.frequency == .yearly, self.words.skip("in") {
            rule.byMonth = self.words.list { $0.next(Vocabulary.months) }
            return rule.byMonth.isEmpty ? nil : rule
        }
        guard rule.frequency >= .weekly, self.words.skip("on") else { return rule }
        switch rule.frequency {
        case .weekly:
            rule.byDay = self.words.list { $0.next(Vocabulary.weekdays) }.map { .init(weekday: $0) }
            return rule.byDay.isEmpty ? nil : rule
        case .yearly: return self.yearDay(rule)
        default: return self.monthItems(rule)
        }
    }

    // month-items = month-item *( ( [","] "and" / "," ) month-item ) [ "of" "the" "month" ]
    private mutating func monthItems(_ rule: RecurrenceRule) -> RecurrenceRule? {
        let items = self.words.list { $0.monthItem() }
        self.words.skipOfMonth()
        return items.isEmpty ? nil : self.applying(items, to: rule)
    }

    // every-item = 1*2DIGIT-ordinals weekday / ordinal-item [ "of" "the" "month" / [ "of" ] month ]
    //            / number-day *( ( [","] "and" / "," ) number-day )
    // Without "of the month", an ordinal weekday is unambiguous if it is the first or last one, or if it has digits:
    // `every last friday`, `every 3rd friday`. `every second friday` may mean every other Friday.
    mutating func everyItem() -> RecurrenceRule? {
        let weekdays = self.words.ordinalsWithWeekday()
        if !weekdays.isEmpty {
            self.words.skipOfMonth()
            return self.applying(weekdays, to: RecurrenceRule(frequency: .monthly))
        }
        let days = self.words.list { $0.numberDay() }
        if !days.isEmpty {
            self.words.skipOfMonth()
            return self.applying(days, to: RecurrenceRule(frequency: .monthly))
        }
        let start = self.words.position
        let hasWord = self.words.next(Vocabulary.ordinals) != nil
        self.words.rewind(to: start)
        guard let item = self.words.ordinalItem() else { return nil }
        if case .weekday = item, let month = self.words.attempt({ $0.monthOfWeekday() }) {
            var rule = RecurrenceRule(frequency: .yearly)
            rule.byMonth = [month]
            return self.applying([item], to: rule)
        }
        if !self.words.skipOfMonth() {
            switch item {
            case .weekday where !hasWord: break
            case .weekday(let day) where abs(day.ordinal ?? 0) == 1: break
            case .workday(1), .workday(-1), .day(-1): break
            case .weekday, .workday, .day:
                self.refusal = "can mean several things. One of them is 'every month on \(item.words)'."
            }
        }
        return self.applying([item], to: RecurrenceRule(frequency: .monthly))
    }

    // year-day = day-month / [ "the" ] ordinal weekday "of" month
    private mutating func yearDay(_ rule: RecurrenceRule) -> RecurrenceRule? {
        let weekdayOfMonth = self.words.attempt { words -> (MonthItem, Int)? in
            guard let item = words.monthItem(), case .weekday = item, words.skip("of") else { return nil }
            return words.next(Vocabulary.months).map { (item, $0) }
        }
        if let (item, month) = weekdayOfMonth {
            var rule = rule
            rule.byMonth = [month]
            return self.applying([item], to: rule)
        }
        return self.yearlyDays(rule)
    }

    // A rule combines each month with each day: `15 jan and 15 apr` has a rule, `15 jan and 1 apr` has none.
    mutating func yearlyDays(_ rule: RecurrenceRule) -> RecurrenceRule? {
        let days = self.words.yearlyDays()
        guard !days.isEmpty else { return nil }
        if days.contains(where: { $0.year != nil }) {
            self.refusal = "contains a year, but it repeats every year. Set the first date with '--due'."
        }
        if days.contains(where: { CalendarDate(year: 2000, month: $0.month, day: $0.day) == nil }) {
            self.refusal = "contains a day that does not exist in any year."
        }
        var rule = rule
        for day in days {
            if !rule.byMonth.contains(day.month) { rule.byMonth.append(day.month) }
            if !rule.byMonthDay.contains(day.day) { rule.byMonthDay.append(day.day) }
        }
        if rule.byMonth.count * rule.byMonthDay.count != Set(days).count {
            self.refusal = "has different days in its months. Add one reminder for each day."
        }
        return rule
    }

    private mutating func applying(_ items: [MonthItem], to rule: RecurrenceRule) -> RecurrenceRule {
        var rule = rule
        for item in items {
            switch item {
            case .day(let day): rule.byMonthDay.append(day)
            case .weekday(let weekday): rule.byDay.append(weekday)
            case .workday(let position): rule.bySetPosition.append(position)
            }
            if !item.isPossible { self.refusal = "contains a day that does not exist in any month." }
        }
        if [rule.byMonthDay.isEmpty, rule.byDay.isEmpty, rule.bySetPosition.isEmpty].count(where: { !$0 }) > 1 {
            self.refusal = "contains days of the month and weekdays. A rule cannot contain both."
        }
        if !rule.bySetPosition.isEmpty { rule.byDay = Weekday.workdays.map { .init(weekday: $0) } }
        return rule
    }
}

extension RuleSentence {
    /// The days or months of the rule, with a blank before them: ` on the 15th`, ` in Mar and Sep`.
    func days(_ rule: RecurrenceRule) -> String {
        let months = rule.byMonth.map { Vocabulary.monthNames[$0 - 1] }
        if !rule.bySetPosition.isEmpty {
            return " on " + rule.bySetPosition.map { MonthItem.workday($0).words }.listed("and")
        }
        if !months.isEmpty, let day = rule.byMonthDay.first {
            return " on " + months.map { "\(day) \($0)" }.listed("and")
        }
        if !rule.byMonthDay.isEmpty { return " on " + rule.byMonthDay.map { MonthItem.day($0).words }.listed("and") }
        if !rule.byDay.isEmpty {
            let inOrder = rule.byDay.sorted { $0.weekday.days(after: .monday) < $1.weekday.days(after: .monday) }
            let days = inOrder.map { $0.ordinal == nil ? $0.weekday.shortName : MonthItem.weekday($0).words }
            return " on " + days.listed("and") + (months.first.map { " of \($0)" } ?? "")
        }
        return months.isEmpty ? "" : " in " + months.listed("and")
    }
}

enum MonthItem: Hashable {
    /// A day number of the month; -1 is the last day.
    case day(Int)
    /// A weekday with its ordinal: `the 2nd Tue`.
    case weekday(RecurrenceRule.WeekdayItem)
    /// The ordinal of a day among the month's days from Monday to Friday; -1 is the last one.
    case workday(Int)

    var isPossible: Bool {
        switch self {
        case .day(let day): 1...31 ~= day || day == -1
        case .weekday(let item): item.ordinal.map { 1...5 ~= $0 || $0 == -1 } ?? false
        case .workday(let position): 1...23 ~= position || position == -1
        }
    }

    /// The English words: `the 15th`, `the last day`, `the 2nd Tue`, `the last weekday`.
    var words: String {
        let ordinal = { (number: Int) in number == -1 ? "last" : "\(number)\(number.ordinalLetters)" }
        return switch self {
        case .day(let day): day == -1 ? "the last day" : "the \(ordinal(day))"
        case .weekday(let item): "the \(ordinal(item.ordinal ?? 0)) \(item.weekday.shortName)"
        case .workday(let position): "the \(ordinal(position)) weekday"
        }
    }
}

extension PhraseTokens {
    // of-month = "of" [ "the" / "each" / "every" ] "month"
    @discardableResult
    fileprivate mutating func skipOfMonth() -> Bool {
        self.attempt { words in
            guard words.skip("of") else { return nil }
            _ = words.skip("the") || words.skip("each") || words.skip("every")
            return words.skip("month") ? true : nil
        } ?? false
    }

    // ordinals-with-weekday = ordinal 1*( ( [","] "and" / "," ) ordinal ) weekday
    fileprivate mutating func ordinalsWithWeekday() -> [MonthItem] {
        self.attempt { words in
            words.skip("the")
            let ordinals = words.list { $0.ordinal() }
            guard ordinals.count > 1, let day = words.next(Vocabulary.weekdays) else { return nil }
            return ordinals.map { .weekday(.init(ordinal: $0, weekday: day)) }
        } ?? []
    }

    // month-item = [ "the" ] ( ordinal-item / 1*2DIGIT )
    fileprivate mutating func monthItem() -> MonthItem? {
        self.attempt { words in
            words.skip("the")
            if let item = words.ordinalItem() { return item }
            let day = words.next { Vocabulary.positive($0, digits: 2) }
            return words.isFollowed(by: "times") || words.isFollowed(by: "time") ? nil : day.map { .day($0) }
        }
    }

    // number-day = 1*2DIGIT ( "st" / "nd" / "rd" / "th" ), and not `2nd` in `2nd friday`
    fileprivate mutating func numberDay() -> MonthItem? {
        self.attempt { words in
            words.skip("the")
            guard let day = words.next({ Vocabulary.positive($0, digits: 2) }), words.skip(day.ordinalLetters) else {
                return nil
            }
            let goesOn = ["weekday", "workday", "day"].contains { words.isFollowed(by: $0) }
            return goesOn || words.attempt({ $0.next(Vocabulary.weekdays) }) != nil ? nil : .day(day)
        }
    }

    /// Parses `jan` or `of jan`.
    fileprivate mutating func monthOfWeekday() -> Int? {
        self.skip("of")
        return self.next(Vocabulary.months)
    }

    // ordinal-item = ordinal [ weekday / "weekday" / "day" ];  "last" needs one of these words
    fileprivate mutating func ordinalItem() -> MonthItem? {
        self.attempt { words in
            guard let ordinal = words.ordinal() else { return nil }
            if let day = words.next(Vocabulary.weekdays) { return .weekday(.init(ordinal: ordinal, weekday: day)) }
            if words.skip("weekday") || words.skip("workday") { return .workday(ordinal) }
            return words.skip("day") || ordinal > 0 ? .day(ordinal) : nil
        }
    }
}

import RemindavICalendar
import RemindavReminders

/// The order of the numbers in dates such as `3/4/2027`.
package struct DateOrder: Hashable, Sendable {
    /// Whether the day precedes the month.
    let isDayFirst: Bool

    /// The words of the option `--date-order`.
    package static let words = ["dmy", "mdy"]

    /// - Parameter word: one of ``words``.
    package init?(word: String) {
        guard Self.words.contains(word) else { return nil }
        self.isDayFirst = word == "dmy"
    }

    private init(isDayFirst: Bool) { self.isDayFirst = isDayFirst }

    /// The order that all dates of a file show.
    enum Finding: Hashable {
        case order(DateOrder)
        /// The dates have two meanings, or contradict each other; `line` is the line of the first such date.
        case ambiguous(line: Int)
    }

    /// Finds the order from all dates: some are valid in one order only, and dates with dots have the day first.
    static func finding(_ dates: [(line: Int, text: String)]) -> Finding {
        var dayFirstLine: Int?
        var monthFirstLine: Int?
        var openLine: Int?
        var isDotted = false
        for (line, text) in dates {
            guard let numbers = Self.numbers(text), numbers[0] <= 31 else { continue }
            switch (Self.date(numbers, isDayFirst: true), Self.date(numbers, isDayFirst: false)) {
            case (nil, nil): continue
            case (_, nil): dayFirstLine = dayFirstLine ?? line
            case (nil, _): monthFirstLine = monthFirstLine ?? line
            case (let one, let other): if one != other, openLine == nil { openLine = line }
            }
            isDotted = isDotted || text.contains(".")
        }
        switch (dayFirstLine, monthFirstLine, openLine) {
        case (let one?, let other?, _): return .ambiguous(line: max(one, other))
        case (nil, nil, let line?) where !isDotted: return .ambiguous(line: line)
        default: return .order(Self(isDayFirst: monthFirstLine == nil && (dayFirstLine != nil || isDotted)))
        }
    }

    func date(_ text: String) -> CalendarDate? {
        guard let numbers = Self.numbers(text) else { return nil }
        if numbers[0] > 31 { return CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]) }
        return Self.date(numbers, isDayFirst: self.isDayFirst)
    }

    private static func date(_ numbers: [Int], isDayFirst: Bool) -> CalendarDate? {
        let year = numbers[2] < 100 ? 2000 + numbers[2] : numbers[2]
        let (month, day) = isDayFirst ? (numbers[1], numbers[0]) : (numbers[0], numbers[1])
        return CalendarDate(year: year, month: month, day: day)
    }

    /// The three numbers of a date with slashes, dots or hyphens; a time after the date is ignored.
    private static func numbers(_ text: String) -> [Int]? {
        let day = text.trimmingWhiteSpace.prefix { $0 != " " && $0 != "T" }
        let parts = day.split { $0 == "/" || $0 == "." || $0 == "-" }
        let numbers = parts.compactMap { NumberText.digits($0) }
        return numbers.count == 3 && parts.count == 3 ? numbers : nil
    }
}

extension ImportedTaskBuilder {
    /// The order that the user stated or that the dates show; `nil`, with a refusal of the file, if there is none.
    mutating func dateOrder(of dates: [(line: Int, text: String)]) -> DateOrder? {
        if let order = self.context.dateOrder { return order }
        switch DateOrder.finding(dates) {
        case .order(let order):
            if order.isDayFirst, let first = dates.first { self.findings.add(.datesDayFirst, line: first.line) }
            return order
        case .ambiguous(let line):
            self.refusal = TaskFormatError(.datesAmbiguous, line: line)
            return nil
        }
    }
}

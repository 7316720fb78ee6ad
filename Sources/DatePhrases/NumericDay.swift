import RemindavICalendar

/// A day in digits in another form than `2026-12-24`, such as `03/04/2027`, `24.12.` or `2026/12/24`.
///
/// Countries order the numbers differently. With dots, the day is before the month. Otherwise a day with one possible
/// meaning is accepted, and the message about any other one lists every possible day.
struct NumericDay {
    private let numbers: [Int]
    private let digits: [Int]
    private let hasHyphens: Bool
    private let hasOnlyDots: Bool

    /// - Returns: `nil` if the word is not two or three numbers.
    ///   Two numbers need `/` or a final dot, because `9.30` is a time.
    init?(_ word: String) {
        let parts = word.split(omittingEmptySubsequences: false) { "/.-".contains($0) }.map(String.init)
        let isDotted = parts.count > 2 && parts.last?.isEmpty == true
        let texts = isDotted ? parts.dropLast() : parts
        let numbers = texts.compactMap { Vocabulary.number($0, digits: 4) }
        let isDay = numbers.count == 3 || (numbers.count == 2 && (isDotted || word.contains("/")))
        guard isDay, numbers.count == texts.count else { return nil }
        self.numbers = numbers
        self.digits = texts.map(\.count)
        self.hasHyphens = word.contains("-")
        self.hasOnlyDots = !word.contains("-") && !word.contains("/")
    }

    /// The largest usual denominator that is also the number of a day.
    private static let denominator = 16

    static func refusal(_ word: String) -> String? {
        guard let readings = Self(word)?.readings, readings != [word] else { return nil }
        return switch readings.count {
        case 0: "There is no day '\(word)'."
        case 1: "Write '\(word)' as \(readings[0])."
        default: "'\(word)' can mean different days: write \(readings.joined(separator: " or "))."
        }
    }

    static func isDay(_ word: String) -> Bool { Self(word).map { !$0.days.isEmpty } ?? false }

    /// The day of `24.12.2026`, `24/12` or `2026/12/24`; `nil` if the digits can mean several days.
    static func onlyDay(_ word: String) -> DayPhrase? {
        guard let days = Self(word)?.days, days.count == 1 else { return nil }
        return days[0]
    }

    /// The day of `24.12.2026`, `24.12.`, `24/12` or `2026/12/24` in a title; `nil` if the digits can mean several days.
    ///
    /// `24/7` means always, and `5/16` is a fraction, so two numbers with `/` have two digits each.
    static func onlyDayOfTitle(_ word: String) -> DayPhrase? {
        guard let day = Self(word) else { return nil }
        let isShort = day.numbers.count == 2 && !day.hasOnlyDots
        if isShort, day.digits != [2, 2] || day.numbers[1] == Self.denominator { return nil }
        // `13.1.2` is a version number, not a day.
        guard day.digits[0] > 2 || day.digits.count == 2 || day.digits[2] > 1 else { return nil }
        let days = day.days
        return days.count == 1 ? days[0] : nil
    }

    /// The possible days as text for the message, in a form that is valid as a due time.
    private var readings: [String] {
        self.days.map { day in
            switch day {
            case .yearly(let month, let day): "'\(day) \(Vocabulary.monthNames[month - 1].lowercased())'"
            case .date(let date): "\(date)"
            default: ""
            }
        }
    }

    /// Every day that the digits can mean, without duplicates.
    private var days: [DayPhrase] {
        let orders: [(year: Int?, month: Int, day: Int)]
        switch (self.numbers.count, self.digits[0]) {
        case (2, _):
            orders = [(nil, self.numbers[1], self.numbers[0]), (nil, self.numbers[0], self.numbers[1])]
        case (_, 3...):
            orders = [(self.numbers[0], self.numbers[1], self.numbers[2])]
        default:
            let year = self.digits[2] > 2 ? self.numbers[2] : 2000 + self.numbers[2]
            let short = self.hasHyphens && self.digits[2] <= 2
            orders =
                [(year, self.numbers[1], self.numbers[0]), (year, self.numbers[0], self.numbers[1])]
                // Digits with hyphens may be a date such as `2026-12-24` with the year shortened to two digits.
                + (short ? [(2000 + self.numbers[0], self.numbers[1], self.numbers[2])] : [])
        }
        var days: [DayPhrase] = []
        for order in orders {
            let date = CalendarDate(year: order.year ?? 2000, month: order.month, day: order.day)
            guard let date else { continue }
            let day: DayPhrase = order.year == nil ? .yearly(month: date.month, day: date.day) : .date(date)
            if !days.contains(day) { days.append(day) }
            // No country writes the month before the day with dots.
            if self.hasOnlyDots { break }
        }
        return days
    }
}

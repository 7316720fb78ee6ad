/// A year of a calendar system: its months in their order, each of which begins on the day after the one before.
public struct CalendarYear: Hashable, Sendable {
    /// A month of a ``CalendarYear``.
    public struct Month: Hashable, Sendable {
        /// The number of the month as in BYMONTH, from 1; a leap month has the number of the month before it.
        public let number: Int
        /// Whether the month is a leap month, which BYMONTH writes with an `L` (RFC 7529 §4.2).
        public let isLeap: Bool
        /// The days from 1970-01-01 to the first day of the month.
        public let firstDay: Int
        /// The number of days.
        public let length: Int

        /// Creates a month.
        public init(number: Int, isLeap: Bool = false, firstDay: Int, length: Int) {
            self.number = number
            self.isLeap = isLeap
            self.firstDay = firstDay
            self.length = length
        }

        var end: Int { self.firstDay + self.length }
        func contains(_ day: Int) -> Bool { day >= self.firstDay && day < self.end }
    }

    /// The number of the year; the following year has the next number.
    public let number: Int
    /// The months, at least one.
    public let months: [Month]

    /// Creates a year; `nil` for an impossible year, such as after an astronomical error of ICU.
    public init?(number: Int, months: [Month]) {
        guard months.count == 12 || months.count == 13, months.allSatisfy({ (5...32).contains($0.length) }),
            zip(months, months.dropFirst()).allSatisfy({ $0.end == $1.firstDay }),
            (353...385).contains(months.reduce(0) { $0 + $1.length })
        else { return nil }
        self.number = number
        self.months = months
    }

    var firstDay: Int { self.months[0].firstDay }
    var end: Int { self.months[self.months.count - 1].end }
    var length: Int { self.end - self.firstDay }

    /// The index of the month with `day`; `nil` for a day of another year.
    func monthIndex(of day: Int) -> Int? { self.months.firstIndex { $0.contains(day) } }
}

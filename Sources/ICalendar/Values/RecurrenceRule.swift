/// A recurrence rule (RFC 5545 §3.3.10).
///
/// Comparison ignores order, repeated list elements, and parts with their default value (`INTERVAL=1`, `WKST=MO`).
public struct RecurrenceRule: Sendable {
    /// The largest number of elements in a list; a list of all days of a year, from both ends, has 732.
    public static let maximumListLength = 1000
    /// The largest number of bytes in a rule; a rule with all possible list elements is shorter.
    public static let maximumLength = 16_384

    /// The unit that INTERVAL counts; the shortest unit comes first.
    public enum Frequency: Int, CaseIterable, Hashable, Comparable, Sendable {
        case secondly = 0
        case minutely, hourly, daily, weekly, monthly, yearly
        private static let wires = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]

        /// The wire form: `SECONDLY` to `YEARLY`.
        public var wire: String { Self.wires[self.rawValue] }

        init?(wire: String) {
            guard let number = Self.wires.firstIndex(of: wire) else { return nil }
            self.init(rawValue: number)
        }

        /// Orders by length: the shortest unit comes first.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// One element of BYDAY: `FR`, `2MO`, `-1SU`.
    public struct WeekdayItem: Hashable, Sendable {
        /// The number of the weekday in its month or year: 1 to 53, or -1 to -53 from the end; `nil` for every one.
        public var ordinal: Int?
        /// The day of the week.
        public var weekday: Weekday

        /// Creates an element; without an `ordinal`, it means every such weekday.
        public init(ordinal: Int? = nil, weekday: Weekday) {
            self.ordinal = ordinal
            self.weekday = weekday
        }

        /// The wire form: `-1FR`.
        public var wire: String { (self.ordinal.map(String.init) ?? "") + self.weekday.wire }
    }

    /// The replacement for a date that does not exist in its month or year, such as 30 February (RFC 7529 §4.1).
    public enum Skip: String, CaseIterable, Hashable, Sendable {
        case omit = "OMIT"
        /// The day or month before the missing date.
        case backward = "BACKWARD"
        /// The day or month after the missing date.
        case forward = "FORWARD"
    }

    /// A rule part that no supported standard defines, such as `X-…`.
    public struct UnknownPart: Hashable, Sendable {
        /// The name of the part, in capitals.
        public let name: String
        /// The value of the part, as it was written.
        public let value: String
    }

    /// RSCALE in capitals: the calendar system of the rule; `nil` means the Gregorian calendar (RFC 7529 §4).
    public var rscale: String?
    /// FREQ.
    public var frequency: Frequency
    /// INTERVAL, at least 1.
    public var interval = 1
    /// COUNT, the number of occurrences, at least 1; `nil` if the rule has no COUNT.
    public var count: Int?
    /// UNTIL, the last moment that may be an occurrence, in its original form: a date, a UTC time or a local time.
    public var until: CalendarDateOrDateTime?
    /// BYSECOND, 0 to 60.
    public var bySecond: [Int] = []
    /// BYMINUTE, 0 to 59.
    public var byMinute: [Int] = []
    /// BYHOUR, 0 to 23.
    public var byHour: [Int] = []
    /// BYDAY.
    public var byDay: [WeekdayItem] = []
    /// BYMONTHDAY, 1 to 31, or -1 to -31 from the end of the month.
    public var byMonthDay: [Int] = []
    /// BYYEARDAY, 1 to 366, or -1 to -366 from the end of the year.
    public var byYearDay: [Int] = []
    /// BYWEEKNO, 1 to 53, or -1 to -53 from the end of the year.
    public var byWeekNumber: [Int] = []
    /// BYMONTH, 1 to 12.
    public var byMonth: [Int] = []
    /// The months of BYMONTH with an `L`, 1 to 13, which mean the leap month after that month (RFC 7529 §4.2).
    public var byLeapMonth: [Int] = []
    /// BYSETPOS, 1 to 366, or -1 to -366 from the end of the set.
    public var bySetPosition: [Int] = []
    /// WKST, the first day of the week.
    public var weekStart = Weekday.monday
    /// SKIP.
    public var skip = Skip.omit
    /// The unknown parts, in the order in which they were written.
    public var unknownParts: [UnknownPart] = []

    /// Creates a rule that repeats every `interval` units; an `interval` below 1 becomes 1.
    public init(frequency: Frequency, interval: Int = 1) {
        self.frequency = frequency
        self.interval = max(interval, 1)
    }

    /// Whether the rule uses the Gregorian calendar; occurrences are computed only for this calendar.
    public var isGregorian: Bool {
        (self.rscale == nil || self.rscale == "GREGORIAN") && self.byLeapMonth.isEmpty
    }
}

extension RecurrenceRule: Hashable {
    /// Whether both rules have the same canonical text, which leaves out defaults.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire == rhs.wire }
    /// Hashes the canonical text.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire) }
}

extension RecurrenceRule: CustomStringConvertible {
    /// The canonical wire form.
    public var description: String { self.wire }

    /// The canonical wire form: parts in the order of RFC 5545 §3.3.10, defaults left out, lists sorted.
    public var wire: String {
        var parts: [String] = []
        // SKIP is not allowed without RSCALE (RFC 7529 §4.1).
        if let rscale = self.rscale ?? (self.skip == .omit ? nil : "GREGORIAN") { parts.append("RSCALE=\(rscale)") }
        parts.append("FREQ=\(self.frequency.wire)")
        if let until = self.until { parts.append("UNTIL=\(until.wire)") }
        if let count = self.count { parts.append("COUNT=\(count)") }
        if self.interval != 1 { parts.append("INTERVAL=\(self.interval)") }
        func append(_ name: String, _ list: [Int]) {
            guard !list.isEmpty else { return }
            parts.append("\(name)=\(Set(list).sorted(by: Self.precedes).map(String.init).joined(separator: ","))")
        }
        append("BYSECOND", self.bySecond)
        append("BYMINUTE", self.byMinute)
        append("BYHOUR", self.byHour)
        if !self.byDay.isEmpty {
            let days = Set(self.byDay).sorted {
                ($0.weekday.days(after: .monday), $0.ordinal ?? 0) < ($1.weekday.days(after: .monday), $1.ordinal ?? 0)
            }
            parts.append("BYDAY=\(days.map(\.wire).joined(separator: ","))")
        }
        append("BYMONTHDAY", self.byMonthDay)
        append("BYYEARDAY", self.byYearDay)
        append("BYWEEKNO", self.byWeekNumber)
        let months = Set(self.byMonth).sorted().map(String.init) + Set(self.byLeapMonth).sorted().map { "\($0)L" }
        if !months.isEmpty { parts.append("BYMONTH=\(months.joined(separator: ","))") }
        append("BYSETPOS", self.bySetPosition)
        if self.weekStart != .monday { parts.append("WKST=\(self.weekStart.wire)") }
        if self.skip != .omit { parts.append("SKIP=\(self.skip.rawValue)") }
        parts += self.unknownParts.map { "\($0.name)=\($0.value)" }
        return parts.joined(separator: ";")
    }

    // The order of a list: 1, 2, 31, -1. Numbers from the end, which are negative, come last.
    private static func precedes(_ lhs: Int, _ rhs: Int) -> Bool {
        (lhs < 0) == (rhs < 0) ? lhs < rhs : rhs < 0
    }
}

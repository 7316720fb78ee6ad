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
        /// The shortest unit.
        case secondly = 0
        /// A longer unit.
        case minutely, hourly, daily, weekly, monthly, yearly
        private static let wires = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
        private static let keys = Self.wires.map { WordKey.of(Array($0.utf8)[...]) }

        /// The wire form: `SECONDLY` to `YEARLY`.
        public var wire: String { Self.wires[self.rawValue] }

        init?(_ wire: ArraySlice<UInt8>) {
            guard let key = WordKey.of(wire), let number = Self.keys.firstIndex(of: key) else { return nil }
            self.init(rawValue: number)
        }

        /// Orders by length: the shortest unit comes first.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// One element of BYDAY: `FR`, `2MO`, `-1SU`.
    public struct WeekdayItem: Hashable, Sendable {
        /// The number of the weekday in its month or year: 1 to 53, or -1 to -53 from the end; `nil` for all.
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
        /// No replacement: the missing date is left out.
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
    /// Whether the next date counts from the completion of a to-do, instead of from its due date.
    ///
    /// RFC 5545 has no such rule. So ``wire`` leaves this out, and a property of its own stores it.
    public var countsFromCompletion = false

    /// Creates a rule that repeats every `interval` units; an `interval` below 1 becomes 1.
    public init(frequency: Frequency, interval: Int = 1) {
        self.frequency = frequency
        self.interval = max(interval, 1)
    }

    /// The values of RSCALE that mean the Gregorian calendar, or a calendar that only numbers its years differently.
    package static let gregorianCalendars: Set = ["GREGORIAN", "GREGORY", "ISO8601", "BUDDHIST", "JAPANESE", "ROC"]

    /// Whether the months and days of the rule are those of the Gregorian calendar.
    public var isGregorian: Bool {
        guard let rscale = self.rscale else { return self.byLeapMonth.isEmpty }
        return self.byLeapMonth.isEmpty && Self.gregorianCalendars.contains(rscale)
    }
}

extension RecurrenceRule: Hashable {
    /// Whether both rules have the same canonical text, which leaves out defaults, and count from the same moment.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.countsFromCompletion == rhs.countsFromCompletion && lhs.wire == rhs.wire
    }
    /// Hashes the canonical text.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire) }
}

extension RecurrenceRule: CustomStringConvertible {
    /// The canonical wire form.
    public var description: String { self.wire }

    /// The canonical wire form: parts in the order of RFC 5545 §3.3.10, defaults left out, lists sorted.
    public var wire: String {
        let known = Self.parts.compactMap { part in part.text(self).map { "\(part.name)=\($0)" } }
        return (known + self.unknownParts.map { "\($0.name)=\($0.value)" }).joined(separator: ";")
    }
}

/// The table of the parts (RFC 5545 §3.3.10, RFC 7529 §4). The reader, the wire form, the checks and jCal use it.
extension RecurrenceRule {
    struct Part: Sendable {
        // A call of a closure takes less time than a key path.
        typealias Getter = @Sendable (RecurrenceRule) -> [Int]
        typealias Setter = @Sendable (inout RecurrenceRule, [Int]) -> Void

        /// The type of the values, which selects the method that parses them.
        enum Values: Sendable {
            case frequency, until, count, interval, weekdays, months, weekStart, calendar, skip
            /// A list of numbers; with `fromEnd`, negative numbers count from the end.
            case numbers(ClosedRange<Int>, fromEnd: Bool, get: Getter, set: Setter)
        }

        let name: String
        let values: Values
        /// Returns the value in the wire form; `nil` for the default value.
        let text: @Sendable (RecurrenceRule) -> String?
    }

    /// The parts in the order of the wire form.
    static let parts = [
        // SKIP is not allowed without RSCALE (RFC 7529 §4.1).
        Part(name: "RSCALE", values: .calendar) { $0.rscale ?? ($0.skip == .omit ? nil : "GREGORIAN") },
        Part(name: "FREQ", values: .frequency) { $0.frequency.wire },
        Part(name: "UNTIL", values: .until) { $0.until?.wire },
        Part(name: "COUNT", values: .count) { $0.count.map { String($0) } },
        Part(name: "INTERVAL", values: .interval) { $0.interval == 1 ? nil : String($0.interval) },
        list("BYSECOND", 0...60, { $0.bySecond }, { $0.bySecond = $1 }),
        list("BYMINUTE", 0...59, { $0.byMinute }, { $0.byMinute = $1 }),
        list("BYHOUR", 0...23, { $0.byHour }, { $0.byHour = $1 }),
        Part(name: "BYDAY", values: .weekdays) { rule in
            let days = Set(rule.byDay).sorted {
                ($0.weekday.days(after: .monday), $0.ordinal ?? 0) < ($1.weekday.days(after: .monday), $1.ordinal ?? 0)
            }
            return days.isEmpty ? nil : days.map(\.wire).joined(separator: ",")
        },
        list("BYMONTHDAY", 1...31, fromEnd: true, { $0.byMonthDay }, { $0.byMonthDay = $1 }),
        list("BYYEARDAY", 1...366, fromEnd: true, { $0.byYearDay }, { $0.byYearDay = $1 }),
        list("BYWEEKNO", 1...53, fromEnd: true, { $0.byWeekNumber }, { $0.byWeekNumber = $1 }),
        Part(name: "BYMONTH", values: .months) { rule in
            let leapMonths = Set(rule.byLeapMonth).sorted().map { "\($0)L" }
            let months = Set(rule.byMonth).sorted().map { String($0) } + leapMonths
            return months.isEmpty ? nil : months.joined(separator: ",")
        },
        list("BYSETPOS", 1...366, fromEnd: true, { $0.bySetPosition }, { $0.bySetPosition = $1 }),
        Part(name: "WKST", values: .weekStart) { $0.weekStart == .monday ? nil : $0.weekStart.wire },
        Part(name: "SKIP", values: .skip) { $0.skip == .omit ? nil : $0.skip.rawValue },
    ]

    private static let partKeys = Self.parts.map { WordKey.of(Array($0.name.utf8)[...]) }

    /// Returns the index in ``parts`` of the part with this name, in any case; `nil` for an unknown name.
    static func partNumber(_ name: ArraySlice<UInt8>) -> Int? {
        WordKey.of(name).flatMap { self.partKeys.firstIndex(of: $0) }
    }

    private static func list(
        _ name: String,
        _ range: ClosedRange<Int>,
        fromEnd: Bool = false,
        _ get: @escaping Part.Getter,
        _ set: @escaping Part.Setter
    ) -> Part {
        Part(name: name, values: .numbers(range, fromEnd: fromEnd, get: get, set: set)) { rule in
            let list = get(rule)
            // 1, 2, 31, -1: numbers from the end, which are negative, come last.
            let sorted = list.count < 2 ? list : Set(list).sorted { ($0 < 0) == ($1 < 0) ? $0 < $1 : $1 < 0 }
            return list.isEmpty ? nil : sorted.map { String($0) }.joined(separator: ",")
        }
    }

    /// Whether each part of the rule is FREQ, INTERVAL, COUNT, UNTIL, WKST or one of `names`, such as `BYMONTH`.
    package func uses(only names: Set<String>) -> Bool {
        let allowed = names.union(["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"])
        return self.unknownParts.isEmpty && Self.parts.allSatisfy { allowed.contains($0.name) || $0.text(self) == nil }
    }

    package var timeParts: [String] {
        let parts = [("BYHOUR", self.byHour), ("BYMINUTE", self.byMinute), ("BYSECOND", self.bySecond)]
        return parts.filter { !$0.1.isEmpty }.map(\.0)
    }
}

/// A short word as one number, because numbers are compared faster than texts.
enum WordKey {
    /// Returns the same number whatever the case of the letters; `nil` for more than 15 bytes.
    static func of(_ word: ArraySlice<UInt8>) -> UInt128? {
        // The first 1 distinguishes words that begin with NUL.
        word.count > 15 ? nil : word.reduce(1) { $0 << 8 | UInt128($1.capital) }
    }
}

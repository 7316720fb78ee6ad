extension RecurrenceRule {
    /// Reads the value of RRULE (RFC 5545 §3.3.10).
    ///
    /// Also taken: small letters, blanks (KOrganizer), an empty part between or after semicolons, UNTIL as a date on a
    /// timed start and in local time, COUNT beside UNTIL (whichever comes first ends the rule). Parts that are not
    /// known are kept.
    ///
    /// - Throws: ``ValueError`` for a rule that cannot be understood whole: half a rule would give wrong dates.
    public init(wire: String) throws(ValueError) {
        try self.init(Array(wire.utf8)[...])
    }

    init(_ bytes: ArraySlice<UInt8>) throws(ValueError) {
        let wire = TextDecoding.string(bytes)
        guard wire.utf8.count <= Self.maximumLength else { throw ValueError(.tooLong) }
        let parts = try RecurrenceRuleParts(wire)
        guard let word = parts["FREQ"] else { throw ValueError(.missingFrequency) }
        guard let frequency = Frequency(wire: word.uppercased()) else { throw ValueError(.unknownFrequency) }
        self.init(frequency: frequency)
        self.interval = try parts.number("INTERVAL") ?? 1
        self.count = try parts.number("COUNT")
        if let text = parts["UNTIL"] {
            guard let until = CalendarMoment(wire: text, tzid: nil) else {
                throw ValueError(.invalidDate, part: "UNTIL")
            }
            self.until = until
        }
        self.bySecond = try parts.list("BYSECOND", 0...60)
        self.byMinute = try parts.list("BYMINUTE", 0...59)
        self.byHour = try parts.list("BYHOUR", 0...23)
        self.byDay = try parts.weekdays()
        self.byMonthDay = try parts.list("BYMONTHDAY", 1...31, fromEnd: true)
        self.byYearDay = try parts.list("BYYEARDAY", 1...366, fromEnd: true)
        self.byWeekNumber = try parts.list("BYWEEKNO", 1...53, fromEnd: true)
        try self.readMonths(parts)
        self.bySetPosition = try parts.list("BYSETPOS", 1...366, fromEnd: true)
        if let text = parts["WKST"] {
            guard let weekday = Weekday(wire: text) else { throw ValueError(.invalidWeekday, part: "WKST") }
            self.weekStart = weekday
        }
        if let text = parts["SKIP"] {
            guard let skip = Skip(rawValue: text.uppercased()) else { throw ValueError(.unknownSkip, part: "SKIP") }
            self.skip = skip
        }
        self.unknownParts = parts.unknown
    }

    // RSCALE comes first: other calendars have a month 13 (RFC 7529 §4.2).
    private mutating func readMonths(_ parts: RecurrenceRuleParts) throws(ValueError) {
        if let text = parts["RSCALE"] {
            guard !text.isEmpty, text.utf8.allSatisfy(\.isNameCharacter) else {
                throw ValueError(.malformedPart, part: "RSCALE")
            }
            self.rscale = text.uppercased()
        }
        let range = self.isGregorian ? 1...12 : 1...13
        (self.byMonth, self.byLeapMonth) = try parts.months(range)
    }
}

/// The parts of a rule as text, each name once.
private struct RecurrenceRuleParts {
    /// `recur-rule-part` of RFC 5545 §3.3.10 and RFC 7529 §4.
    private static let known: Set = [
        "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY", "BYYEARDAY",
        "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST", "RSCALE", "SKIP",
    ]

    private var values: [String: String] = [:]
    private(set) var unknown: [RecurrenceRule.UnknownPart] = []

    subscript(name: String) -> String? { self.values[name] }

    // recur           = recur-rule-part *( ";" recur-rule-part )
    init(_ wire: String) throws(ValueError) {
        let text = String(decoding: wire.utf8.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
        for part in text.split(separator: ";") {
            guard let equals = part.firstIndex(of: "="), equals != part.startIndex else {
                throw ValueError(.malformedPart)
            }
            let name = part[..<equals].uppercased()
            let value = String(part[part.index(after: equals)...])
            if Self.known.contains(name) {
                guard self.values.updateValue(value, forKey: name) == nil else {
                    throw ValueError(.duplicatePart, part: name)
                }
            } else {
                self.unknown.append(RecurrenceRule.UnknownPart(name: name, value: value))
            }
        }
    }

    /// INTERVAL and COUNT: 1 and more.
    func number(_ name: String) throws(ValueError) -> Int? {
        guard let text = self.values[name] else { return nil }
        guard let number = IntegerValue.parse(text) else {
            let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
            throw ValueError(isNumber ? .numberOutOfRange : .invalidNumber, part: name)
        }
        guard number >= 1 else { throw ValueError(.numberOutOfRange, part: name) }
        return number
    }

    func list(_ name: String, _ range: ClosedRange<Int>, fromEnd: Bool = false) throws(ValueError) -> [Int] {
        var numbers: [Int] = []
        for item in try self.items(name) {
            guard let number = IntegerValue.parse(String(item)) else { throw ValueError(.invalidNumber, part: name) }
            guard range.contains(number) || (fromEnd && range.contains(-number)) else {
                throw ValueError(.numberOutOfRange, part: name)
            }
            numbers.append(number)
        }
        return numbers
    }

    // monthnum        = 1*2DIGIT ["L"]           (RFC 7529 §4.2)
    func months(_ range: ClosedRange<Int>) throws(ValueError) -> (months: [Int], leapMonths: [Int]) {
        var result: (months: [Int], leapMonths: [Int]) = ([], [])
        for item in try self.items("BYMONTH") {
            let isLeap = item.utf8.last.map { $0.asciiUppercased == UInt8(ascii: "L") } ?? false
            guard let number = IntegerValue.parse(String(isLeap ? item.dropLast() : item)) else {
                throw ValueError(.invalidNumber, part: "BYMONTH")
            }
            guard range.contains(number) else { throw ValueError(.numberOutOfRange, part: "BYMONTH") }
            if isLeap { result.leapMonths.append(number) } else { result.months.append(number) }
        }
        return result
    }

    // weekdaynum      = [[plus / minus] ordwk] weekday
    func weekdays() throws(ValueError) -> [RecurrenceRule.WeekdayItem] {
        var days: [RecurrenceRule.WeekdayItem] = []
        for item in try self.items("BYDAY") {
            guard let weekday = Weekday(wire: String(item.suffix(2))) else {
                throw ValueError(.invalidWeekday, part: "BYDAY")
            }
            let prefix = item.dropLast(2)
            var ordinal: Int?
            if !prefix.isEmpty {
                guard let number = IntegerValue.parse(String(prefix)) else {
                    throw ValueError(.invalidWeekday, part: "BYDAY")
                }
                guard (1...53).contains(abs(number)) else { throw ValueError(.numberOutOfRange, part: "BYDAY") }
                ordinal = number
            }
            days.append(RecurrenceRule.WeekdayItem(ordinal: ordinal, weekday: weekday))
        }
        return days
    }

    private func items(_ name: String) throws(ValueError) -> [Substring] {
        guard let text = self.values[name] else { return [] }
        let items = text.split(separator: ",", omittingEmptySubsequences: false)
        guard items.count <= RecurrenceRule.maximumListLength else { throw ValueError(.listTooLong, part: name) }
        return items
    }
}

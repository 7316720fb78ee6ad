extension RecurrenceRule {
    /// Parses the value of RRULE (RFC 5545 §3.3.10).
    ///
    /// Also accepted: small letters; spaces (KOrganizer); an empty part; an UNTIL that is a date or a local time beside
    /// a timed DTSTART; COUNT together with UNTIL, where the earlier limit ends the rule; unknown parts.
    ///
    /// - Throws: an error for a rule with a part that cannot be parsed.
    public init(wire: String) throws(ValueError) {
        try self.init(Array(wire.utf8)[...])
    }

    init(_ bytes: ArraySlice<UInt8>) throws(ValueError) {
        guard bytes.count <= Self.maximumLength else { throw ValueError(.tooLong) }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var reader = RecurrenceRuleReader(bytes.contains(where: isBlank) ? bytes.filter { !isBlank($0) }[...] : bytes)
        self = try reader.read()
    }
}

/// The parts of a rule (RFC 5545 §3.3.10, RFC 7529 §4).
private enum RecurrenceRulePart: String {
    case freq = "FREQ", until = "UNTIL", count = "COUNT", interval = "INTERVAL", bySecond = "BYSECOND"
    case byMinute = "BYMINUTE", byHour = "BYHOUR", byDay = "BYDAY", byMonthDay = "BYMONTHDAY", byYearDay = "BYYEARDAY"
    case byWeekNumber = "BYWEEKNO", byMonth = "BYMONTH", bySetPosition = "BYSETPOS", weekStart = "WKST"
    case rscale = "RSCALE", skip = "SKIP"
}

private struct RecurrenceRuleReader {
    private let bytes: ArraySlice<UInt8>
    private var rule = RecurrenceRule(frequency: .daily)
    private var seen: Set<RecurrenceRulePart> = []
    /// The value of BYMONTH; it is parsed after RSCALE, because other calendars have a month 13 (RFC 7529 §4.2).
    private var months: ArraySlice<UInt8>?

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    // recur           = recur-rule-part *( ";" recur-rule-part )
    mutating func read() throws(ValueError) -> RecurrenceRule {
        var rest = self.bytes
        while let first = rest.first {
            if first == UInt8(ascii: ";") {
                rest.removeFirst()
                continue
            }
            let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
            guard let equals = rest[..<end].firstIndex(of: UInt8(ascii: "=")), equals > rest.startIndex else {
                throw ValueError(.malformedPart)
            }
            let name = Self.text(rest[..<equals]).uppercased()
            let value = rest[(equals + 1)..<end]
            rest = rest[end...]
            guard let part = RecurrenceRulePart(rawValue: name) else {
                self.rule.unknownParts.append(RecurrenceRule.UnknownPart(name: name, value: Self.text(value)))
                continue
            }
            guard self.seen.insert(part).inserted else { throw ValueError(.duplicatePart, part: name) }
            try self.read(part, value)
        }
        guard self.seen.contains(.freq) else { throw ValueError(.missingFrequency) }
        if let months = self.months { try self.readMonths(months) }
        return self.rule
    }

    private mutating func read(_ part: RecurrenceRulePart, _ value: ArraySlice<UInt8>) throws(ValueError) {
        switch part {
        case .freq:
            guard let frequency = RecurrenceRule.Frequency(wire: Self.text(value).uppercased()) else {
                throw ValueError(.unknownFrequency)
            }
            self.rule.frequency = frequency
        case .until:
            guard let until = CalendarDateOrDateTime(wire: Self.text(value), tzid: nil) else {
                throw ValueError(.invalidDate, part: part.rawValue)
            }
            self.rule.until = until
        case .count: self.rule.count = try Self.number(value, part)
        case .interval: self.rule.interval = try Self.number(value, part)
        case .bySecond: self.rule.bySecond = try Self.list(value, part, 0...60)
        case .byMinute: self.rule.byMinute = try Self.list(value, part, 0...59)
        case .byHour: self.rule.byHour = try Self.list(value, part, 0...23)
        case .byDay: self.rule.byDay = try Self.weekdays(value, part)
        case .byMonthDay: self.rule.byMonthDay = try Self.list(value, part, 1...31, fromEnd: true)
        case .byYearDay: self.rule.byYearDay = try Self.list(value, part, 1...366, fromEnd: true)
        case .byWeekNumber: self.rule.byWeekNumber = try Self.list(value, part, 1...53, fromEnd: true)
        case .byMonth: self.months = value
        case .bySetPosition: self.rule.bySetPosition = try Self.list(value, part, 1...366, fromEnd: true)
        case .weekStart:
            guard let weekday = Weekday(wire: Self.text(value)) else {
                throw ValueError(.invalidWeekday, part: part.rawValue)
            }
            self.rule.weekStart = weekday
        case .rscale:
            guard !value.isEmpty, value.allSatisfy(\.isNameCharacter) else {
                throw ValueError(.malformedPart, part: part.rawValue)
            }
            self.rule.rscale = Self.text(value).uppercased()
        case .skip:
            guard let skip = RecurrenceRule.Skip(rawValue: Self.text(value).uppercased()) else {
                throw ValueError(.unknownSkip, part: part.rawValue)
            }
            self.rule.skip = skip
        }
    }

    // monthnum        = 1*2DIGIT ["L"]           (RFC 7529 §4.2)
    private mutating func readMonths(_ value: ArraySlice<UInt8>) throws(ValueError) {
        let range = self.rule.rscale == nil || self.rule.rscale == "GREGORIAN" ? 1...12 : 1...13
        let part = RecurrenceRulePart.byMonth
        for item in try Self.items(value, part) {
            let isLeap = item.last.map { $0.capital == UInt8(ascii: "L") } ?? false
            guard let number = Self.integer(isLeap ? item.dropLast() : item) else {
                throw ValueError(.invalidNumber, part: part.rawValue)
            }
            guard range.contains(number) else { throw ValueError(.numberOutOfRange, part: part.rawValue) }
            if isLeap { self.rule.byLeapMonth.append(number) } else { self.rule.byMonth.append(number) }
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { TextDecoding.string(bytes) }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
        IntegerValue.parse(bytes.span, 0..<bytes.count)
    }

    private static func number(
        _ value: ArraySlice<UInt8>,
        _ part: RecurrenceRulePart
    ) throws(ValueError) -> Int {
        guard let number = self.integer(value) else {
            let isNumber = !value.isEmpty && value.allSatisfy(\.isDigit)
            throw ValueError(isNumber ? .numberOutOfRange : .invalidNumber, part: part.rawValue)
        }
        guard number >= 1 else { throw ValueError(.numberOutOfRange, part: part.rawValue) }
        return number
    }

    private static func list(
        _ value: ArraySlice<UInt8>,
        _ part: RecurrenceRulePart,
        _ range: ClosedRange<Int>,
        fromEnd: Bool = false
    ) throws(ValueError) -> [Int] {
        var numbers: [Int] = []
        for item in try Self.items(value, part) {
            guard let number = self.integer(item) else { throw ValueError(.invalidNumber, part: part.rawValue) }
            guard range.contains(number) || (fromEnd && range.contains(-number)) else {
                throw ValueError(.numberOutOfRange, part: part.rawValue)
            }
            numbers.append(number)
        }
        return numbers
    }

    // weekdaynum      = [[plus / minus] ordwk] weekday
    private static func weekdays(
        _ value: ArraySlice<UInt8>,
        _ part: RecurrenceRulePart
    ) throws(ValueError) -> [RecurrenceRule.WeekdayItem] {
        var days: [RecurrenceRule.WeekdayItem] = []
        for item in try Self.items(value, part) {
            guard let weekday = Weekday(wire: Self.text(item.suffix(2))) else {
                throw ValueError(.invalidWeekday, part: part.rawValue)
            }
            var ordinal: Int?
            if item.count > 2 {
                guard let number = self.integer(item.dropLast(2)) else {
                    throw ValueError(.invalidWeekday, part: part.rawValue)
                }
                guard (1...53).contains(abs(number)) else { throw ValueError(.numberOutOfRange, part: part.rawValue) }
                ordinal = number
            }
            days.append(RecurrenceRule.WeekdayItem(ordinal: ordinal, weekday: weekday))
        }
        return days
    }

    private static func items(
        _ value: ArraySlice<UInt8>,
        _ part: RecurrenceRulePart
    ) throws(ValueError) -> [ArraySlice<UInt8>] {
        let limit = RecurrenceRule.maximumListLength
        let items = value.split(separator: UInt8(ascii: ","), maxSplits: limit, omittingEmptySubsequences: false)
        guard items.count <= limit else { throw ValueError(.listTooLong, part: part.rawValue) }
        return items
    }
}

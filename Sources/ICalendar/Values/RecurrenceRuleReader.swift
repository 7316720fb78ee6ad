extension RecurrenceRule {
    /// Parses the value of RRULE (RFC 5545 §3.3.10).
    ///
    /// Also accepted: small letters; spaces (KOrganizer); an empty part; UNTIL as a date or a local time although
    /// DTSTART requires a UTC time; COUNT together with UNTIL, where the earlier limit ends the rule; unknown parts.
    ///
    /// - Throws: an error for a rule with a part that cannot be parsed.
    public init(wire: String) throws(ValueError) {
        try self.init(Array(wire.utf8)[...])
    }

    init(_ bytes: ArraySlice<UInt8>) throws(ValueError) {
        guard bytes.count <= Self.maximumLength else { throw ValueError(.tooLong) }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var reader = RecurrenceRuleReader()
        self = try reader.read(bytes.contains(where: isBlank) ? bytes.filter { !isBlank($0) }[...] : bytes)
    }
}

private struct RecurrenceRuleReader {
    private var rule = RecurrenceRule(frequency: .daily)
    /// A bit for each index in ``RecurrenceRule/parts``; it is set after the part has occurred.
    private var seen: UInt32 = 0
    private var hasFrequency = false
    /// The value of BYMONTH; it is parsed after RSCALE, because other calendars have a month 13 (RFC 7529 §4.2).
    private var months: ArraySlice<UInt8>?

    // recur           = recur-rule-part *( ";" recur-rule-part )
    mutating func read(_ bytes: ArraySlice<UInt8>) throws(ValueError) -> RecurrenceRule {
        var rest = bytes
        while let first = rest.first {
            if first == UInt8(ascii: ";") {
                rest.removeFirst()
                continue
            }
            let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
            guard let equals = rest[..<end].firstIndex(of: UInt8(ascii: "=")), equals > rest.startIndex else {
                throw ValueError(.malformedPart)
            }
            let (name, value) = (rest[..<equals], rest[(equals + 1)..<end])
            rest = rest[end...]
            guard let index = RecurrenceRule.partNumber(name) else {
                self.rule.unknownParts.append(.init(name: Self.text(name).uppercased(), value: Self.text(value)))
                continue
            }
            let part = RecurrenceRule.parts[index]
            guard self.seen & 1 << index == 0 else { throw ValueError(.duplicatePart, part: part.name) }
            self.seen |= 1 << index
            try self.read(part, value)
        }
        guard self.hasFrequency else { throw ValueError(.missingFrequency) }
        if let months = self.months { try self.readMonths(months) }
        return self.rule
    }

    private mutating func read(_ part: RecurrenceRule.Part, _ value: ArraySlice<UInt8>) throws(ValueError) {
        let name = part.name
        switch part.values {
        case .numbers(let range, let fromEnd, _, let set):
            set(&self.rule, try Self.list(value, name, range, fromEnd: fromEnd))
        case .frequency:
            self.rule.frequency = try Self.known(.init(value), or: ValueError(.unknownFrequency))
            self.hasFrequency = true
        case .until:
            let until = CalendarDateOrDateTime(wire: Self.text(value), tzid: nil)
            self.rule.until = try Self.known(until, or: ValueError(.invalidDate, part: name))
        case .count: self.rule.count = try Self.number(value, name)
        case .interval: self.rule.interval = try Self.number(value, name)
        case .weekdays: try self.readWeekdays(value, name)
        case .months: self.months = value
        case .weekStart:
            self.rule.weekStart = try Self.known(Weekday(value), or: ValueError(.invalidWeekday, part: name))
        case .calendar:
            let isName = !value.isEmpty && value.allSatisfy(\.isNameCharacter)
            let scale = isName ? Self.text(value).uppercased() : nil
            self.rule.rscale = try Self.known(scale, or: ValueError(.malformedPart, part: name))
        case .skip:
            let skip = RecurrenceRule.Skip(rawValue: Self.text(value).uppercased())
            self.rule.skip = try Self.known(skip, or: ValueError(.unknownSkip, part: name))
        }
    }

    private static func known<Value>(
        _ value: Value?,
        or error: @autoclosure () -> ValueError
    ) throws(ValueError) -> Value {
        if let value { return value }
        throw error()
    }

    // monthnum        = 1*2DIGIT ["L"]           (RFC 7529 §4.2)
    private mutating func readMonths(_ value: ArraySlice<UInt8>) throws(ValueError) {
        let range = self.rule.rscale == nil || self.rule.rscale == "GREGORIAN" ? 1...12 : 1...13
        let part = "BYMONTH"
        for item in try Self.items(value, part) {
            let isLeap = item.last.map { $0.capital == UInt8(ascii: "L") } ?? false
            let digits = isLeap ? item.dropLast() : item
            let number = try Self.known(Self.integer(digits), or: ValueError(.invalidNumber, part: part))
            guard range.contains(number) else { throw ValueError(.numberOutOfRange, part: part) }
            if isLeap { self.rule.byLeapMonth.append(number) } else { self.rule.byMonth.append(number) }
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { TextDecoding.string(bytes) }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
        IntegerValue.parse(bytes.span, 0..<bytes.count)
    }

    private static func number(_ value: ArraySlice<UInt8>, _ part: String) throws(ValueError) -> Int {
        guard let number = self.integer(value) else {
            let isNumber = !value.isEmpty && value.allSatisfy(\.isDigit)
            throw ValueError(isNumber ? .numberOutOfRange : .invalidNumber, part: part)
        }
        guard number >= 1 else { throw ValueError(.numberOutOfRange, part: part) }
        return number
    }

    private static func list(
        _ value: ArraySlice<UInt8>,
        _ part: String,
        _ range: ClosedRange<Int>,
        fromEnd: Bool
    ) throws(ValueError) -> [Int] {
        var numbers: [Int] = []
        for item in try Self.items(value, part) {
            guard let number = self.integer(item) else { throw ValueError(.invalidNumber, part: part) }
            guard range.contains(number) || (fromEnd && range.contains(-number)) else {
                throw ValueError(.numberOutOfRange, part: part)
            }
            numbers.append(number)
        }
        return numbers
    }

    // weekdaynum      = [[plus / minus] ordwk] weekday
    private mutating func readWeekdays(_ value: ArraySlice<UInt8>, _ part: String) throws(ValueError) {
        for item in try Self.items(value, part) {
            let weekday = try Self.known(Weekday(item.suffix(2)), or: ValueError(.invalidWeekday, part: part))
            var ordinal: Int?
            if item.count > 2 {
                let number = try Self.known(Self.integer(item.dropLast(2)), or: ValueError(.invalidWeekday, part: part))
                guard (1...53).contains(abs(number)) else { throw ValueError(.numberOutOfRange, part: part) }
                ordinal = number
            }
            self.rule.byDay.append(RecurrenceRule.WeekdayItem(ordinal: ordinal, weekday: weekday))
        }
    }

    private static func items(_ value: ArraySlice<UInt8>, _ part: String) throws(ValueError) -> [ArraySlice<UInt8>] {
        let limit = RecurrenceRule.maximumListLength
        let items = value.split(separator: UInt8(ascii: ","), maxSplits: limit, omittingEmptySubsequences: false)
        guard items.count <= limit else { throw ValueError(.listTooLong, part: part) }
        return items
    }
}

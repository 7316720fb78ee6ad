extension RecurrenceRule {
    /// Parses the value of RRULE (RFC 5545 §3.3.10).
    ///
    /// Also accepted: small letters, blanks (KOrganizer), an empty part between or after semicolons, UNTIL as a date
    /// with a timed start and in local time, COUNT beside UNTIL (the earlier one ends the rule). Unknown parts are
    /// kept.
    ///
    /// - Throws: ``ValueError`` for a rule that is not completely understood: half a rule would give wrong dates.
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

/// The known parts of a rule, RFC 5545 §3.3.10 and RFC 7529 §4.
private enum RecurrenceRulePart: UInt32, CaseIterable {
    case freq, until, count, interval, bySecond, byMinute, byHour, byDay, byMonthDay, byYearDay, byWeekNumber, byMonth
    case bySetPosition, weekStart, rscale, skip

    /// In the order of the cases.
    private static let names = [
        "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY", "BYYEARDAY",
        "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST", "RSCALE", "SKIP",
    ]

    var name: String { Self.names[Int(self.rawValue)] }

    /// A name of up to 16 bytes as one number, so that finding it is comparing numbers.
    private static let keys = Self.allCases.map { (key: Self.key(Array($0.name.utf8)[...]), part: $0) }

    private static func key(_ name: ArraySlice<UInt8>) -> UInt128 {
        name.reduce(0) { $0 << 8 | UInt128($1.asciiUppercased) }
    }

    init?(_ name: ArraySlice<UInt8>) {
        guard name.count <= 16 else { return nil }
        let key = Self.key(name)
        for entry in Self.keys where entry.key == key {
            self = entry.part
            return
        }
        return nil
    }
}

private struct RecurrenceRuleReader {
    private let bytes: ArraySlice<UInt8>
    private var rule = RecurrenceRule(frequency: .daily)
    private var seen: UInt32 = 0
    /// BYMONTH is read when RSCALE is known: other calendars have a month 13 (RFC 7529 §4.2).
    private var months: ArraySlice<UInt8>?

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    // recur           = recur-rule-part *( ";" recur-rule-part )
    mutating func read() throws(ValueError) -> RecurrenceRule {
        var rest = self.bytes
        var hasFrequency = false
        while let first = rest.first {
            if first == UInt8(ascii: ";") {
                rest.removeFirst()
                continue
            }
            let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
            guard let equals = rest[..<end].firstIndex(of: UInt8(ascii: "=")), equals > rest.startIndex else {
                throw ValueError(.malformedPart)
            }
            let name = rest[..<equals]
            let value = rest[(equals + 1)..<end]
            rest = rest[end...]
            guard let part = RecurrenceRulePart(name) else {
                self.rule.unknownParts.append(
                    RecurrenceRule.UnknownPart(name: Self.text(name).uppercased(), value: Self.text(value))
                )
                continue
            }
            try self.mark(part)
            hasFrequency = hasFrequency || part == .freq
            try self.read(part, value)
        }
        guard hasFrequency else { throw ValueError(.missingFrequency) }
        if let months = self.months { try self.readMonths(months) }
        return self.rule
    }

    private mutating func mark(_ part: RecurrenceRulePart) throws(ValueError) {
        let bit: UInt32 = 1 << part.rawValue
        guard self.seen & bit == 0 else { throw ValueError(.duplicatePart, part: part.name) }
        self.seen |= bit
    }

    private mutating func read(_ part: RecurrenceRulePart, _ value: ArraySlice<UInt8>) throws(ValueError) {
        switch part {
        case .freq:
            guard let frequency = RecurrenceRule.Frequency(value) else { throw ValueError(.unknownFrequency) }
            self.rule.frequency = frequency
        case .until:
            guard let until = CalendarDateOrDateTime(wire: Self.text(value), tzid: nil) else {
                throw ValueError(.invalidDate, part: part.name)
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
            guard let weekday = Weekday(value) else { throw ValueError(.invalidWeekday, part: part.name) }
            self.rule.weekStart = weekday
        case .rscale:
            guard !value.isEmpty, value.allSatisfy(\.isNameCharacter) else {
                throw ValueError(.malformedPart, part: part.name)
            }
            self.rule.rscale = Self.text(value).uppercased()
        case .skip:
            guard let skip = RecurrenceRule.Skip(rawValue: Self.text(value).uppercased()) else {
                throw ValueError(.unknownSkip, part: part.name)
            }
            self.rule.skip = skip
        }
    }

    // monthnum        = 1*2DIGIT ["L"]           (RFC 7529 §4.2)
    private mutating func readMonths(_ value: ArraySlice<UInt8>) throws(ValueError) {
        let range = self.rule.rscale == nil || self.rule.rscale == "GREGORIAN" ? 1...12 : 1...13
        let part = RecurrenceRulePart.byMonth
        for item in try Items(value, part) {
            let isLeap = item.last.map { $0.asciiUppercased == UInt8(ascii: "L") } ?? false
            guard let number = Self.integer(isLeap ? item.dropLast() : item) else {
                throw ValueError(.invalidNumber, part: part.name)
            }
            guard range.contains(number) else { throw ValueError(.numberOutOfRange, part: part.name) }
            if isLeap { self.rule.byLeapMonth.append(number) } else { self.rule.byMonth.append(number) }
        }
    }
}

// Values of parts.
extension RecurrenceRuleReader {
    private static func text(_ bytes: ArraySlice<UInt8>) -> String { TextDecoding.string(bytes) }

    /// A 32-bit integer with a sign; `nil` for any other text.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
        var digits = bytes
        let sign = digits.first
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { digits.removeFirst() }
        guard !digits.isEmpty, digits.count <= 16 else { return nil }
        var number = 0
        for byte in digits {
            guard byte.isDigit else { return nil }
            number = number * 10 + byte.digit
        }
        return Int32(exactly: sign == UInt8(ascii: "-") ? -number : number).map(Int.init)
    }

    /// INTERVAL and COUNT: 1 and more.
    private static func number(
        _ value: ArraySlice<UInt8>,
        _ part: RecurrenceRulePart
    ) throws(ValueError) -> Int {
        guard let number = self.integer(value) else {
            let isNumber = !value.isEmpty && value.allSatisfy(\.isDigit)
            throw ValueError(isNumber ? .numberOutOfRange : .invalidNumber, part: part.name)
        }
        guard number >= 1 else { throw ValueError(.numberOutOfRange, part: part.name) }
        return number
    }

    private static func list(
        _ value: ArraySlice<UInt8>,
        _ part: RecurrenceRulePart,
        _ range: ClosedRange<Int>,
        fromEnd: Bool = false
    ) throws(ValueError) -> [Int] {
        let items = try Items(value, part)
        var numbers: [Int] = []
        numbers.reserveCapacity(items.count)
        for item in items {
            guard let number = self.integer(item) else { throw ValueError(.invalidNumber, part: part.name) }
            guard range.contains(number) || (fromEnd && range.contains(-number)) else {
                throw ValueError(.numberOutOfRange, part: part.name)
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
        let items = try Items(value, part)
        var days: [RecurrenceRule.WeekdayItem] = []
        days.reserveCapacity(items.count)
        for item in items {
            guard let weekday = Weekday(item.suffix(2)) else { throw ValueError(.invalidWeekday, part: part.name) }
            var ordinal: Int?
            if item.count > 2 {
                guard let number = self.integer(item.dropLast(2)) else {
                    throw ValueError(.invalidWeekday, part: part.name)
                }
                guard (1...53).contains(abs(number)) else {
                    throw ValueError(.numberOutOfRange, part: part.name)
                }
                ordinal = number
            }
            days.append(RecurrenceRule.WeekdayItem(ordinal: ordinal, weekday: weekday))
        }
        return days
    }

    /// The items of a list, split at commas; at least one.
    private struct Items: Sequence, IteratorProtocol {
        let count: Int
        private var rest: ArraySlice<UInt8>?

        init(_ value: ArraySlice<UInt8>, _ part: RecurrenceRulePart) throws(ValueError) {
            var count = 1
            for byte in value where byte == UInt8(ascii: ",") { count += 1 }
            guard count <= RecurrenceRule.maximumListLength else {
                throw ValueError(.listTooLong, part: part.name)
            }
            self.count = count
            self.rest = value
        }

        mutating func next() -> ArraySlice<UInt8>? {
            guard let rest = self.rest else { return nil }
            guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else {
                self.rest = nil
                return rest
            }
            self.rest = rest[(comma + 1)...]
            return rest[..<comma]
        }
    }
}

extension RecurrenceRule.Frequency {
    /// Reads `DAILY` and the like, in either case.
    init?(_ bytes: ArraySlice<UInt8>) {
        for frequency in Self.allCases
        where frequency.wire.utf8.count == bytes.count
            && zip(frequency.wire.utf8, bytes).allSatisfy({ $0 == $1.asciiUppercased })
        {
            self = frequency
            return
        }
        return nil
    }
}

extension Weekday {
    /// Reads `SU` to `SA`, in either case.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 2, let first = bytes.first, let last = bytes.last else { return nil }
        switch (first.asciiUppercased, last.asciiUppercased) {
        case (UInt8(ascii: "S"), UInt8(ascii: "U")): self = .sunday
        case (UInt8(ascii: "M"), UInt8(ascii: "O")): self = .monday
        case (UInt8(ascii: "T"), UInt8(ascii: "U")): self = .tuesday
        case (UInt8(ascii: "W"), UInt8(ascii: "E")): self = .wednesday
        case (UInt8(ascii: "T"), UInt8(ascii: "H")): self = .thursday
        case (UInt8(ascii: "F"), UInt8(ascii: "R")): self = .friday
        case (UInt8(ascii: "S"), UInt8(ascii: "A")): self = .saturday
        default: return nil
        }
    }
}

struct ValueForm: Equatable {
    enum Kind {
        case binary, boolean, calAddress, duration, float, integer, recur, text, time, uri, utcOffset, uid
        case xmlReference, unknown
        /// DATE, DATE-TIME or PERIOD: the form of the value decides.
        case moment
        /// DURATION or DATE-TIME: the form of the value decides.
        case trigger
    }

    var kind: Kind
    var separator: PropertyDefinition.Separator

    /// A single text: the form of an unknown property (RFC 5545 §3.8.8).
    static let text = Self(kind: .text, separator: .single)
}

extension ValueForm.Kind {
    init(_ type: ValueType) {
        self =
            switch type {
            case .binary: .binary
            case .boolean: .boolean
            case .calAddress: .calAddress
            case .date, .dateTime, .period: .moment
            case .duration: .duration
            case .float: .float
            case .integer: .integer
            case .recur: .recur
            case .text: .text
            case .time: .time
            case .uri: .uri
            case .utcOffset: .utcOffset
            case .uid: .uid
            case .xmlReference: .xmlReference
            case .unknown: .unknown
            }
    }
}

struct ValueReader {
    let form: ValueForm
    let facts: ParameterFacts
    let bytes: ArraySlice<UInt8>

    /// Appends the values; an empty value, as Synology writes, appends nothing if its type allows no empty value.
    func read(into result: inout [PropertyValue]) throws(ValueError) {
        switch self.form.kind {
        case .text, .uid:
            self.readTexts(into: &result)
        case .unknown:
            result.append(.unknown(TextDecoding.string(self.bytes)))
        default:
            var rest = self.bytes.trimmingBlanks
            guard !rest.isEmpty else { return }
            if let separator = self.separator {
                while let end = rest.firstIndex(of: separator) {
                    result.append(try self.value(rest[..<end].trimmingBlanks))
                    rest = rest[(end + 1)...]
                }
                result.append(try self.value(rest.trimmingBlanks))
            } else {
                result.append(try self.value(rest))
            }
        }
    }

    private var separator: UInt8? { self.form.separator == .single ? nil : self.form.separator.rawValue }

    private func value(_ bytes: ArraySlice<UInt8>) throws(ValueError) -> PropertyValue {
        switch self.form.kind {
        case .moment:
            return try self.moment(bytes)
        case .trigger:
            if let duration = CalendarDuration(bytes) { return .duration(duration) }
            guard case .dateTime(let time) = CalendarDateOrDateTime(bytes.span, 0..<bytes.count, tzid: self.facts.tzid)
            else {
                throw ValueError(bytes.impossibility ?? .invalidTrigger)
            }
            return .dateTime(time)
        case .integer:
            guard let number = IntegerValue.parse(bytes.span, 0..<bytes.count) else {
                throw ValueError(.invalidNumber)
            }
            return .integer(number)
        case .duration:
            guard let duration = CalendarDuration(bytes) else { throw ValueError(.invalidDuration) }
            return .duration(duration)
        case .recur:
            return .recur(try RecurrenceRule(bytes))
        case .uri: return .uri(TextDecoding.string(bytes))
        case .calAddress: return .calAddress(TextDecoding.string(bytes))
        case .xmlReference: return .xmlReference(TextDecoding.string(bytes))
        default: return try self.rareValue(bytes)
        }
    }

    private func rareValue(_ bytes: ArraySlice<UInt8>) throws(ValueError) -> PropertyValue {
        switch self.form.kind {
        case .utcOffset:
            guard let offset = UTCOffset(bytes) else { throw ValueError(.invalidOffset) }
            return .utcOffset(offset)
        case .float:
            guard let number = FloatValue.parse(bytes.span, 0..<bytes.count) else {
                throw ValueError(self.form.separator == .semicolon ? .invalidPlace : .invalidFloat)
            }
            return .float(number)
        case .boolean:
            switch bytes.map(\.capital) {
            case Array("TRUE".utf8): return .boolean(true)
            case Array("FALSE".utf8): return .boolean(false)
            default: throw ValueError(.invalidBoolean)
            }
        case .time:
            guard let time = CalendarTime(bytes.span, 0..<bytes.count, tzid: self.facts.tzid) else {
                throw ValueError(.invalidTime)
            }
            return .time(time)
        case .binary:
            guard let decoded = BinaryValue.decode(bytes) else { throw ValueError(.invalidBinary) }
            return .binary(decoded)
        default:
            return .unknown(TextDecoding.string(bytes))
        }
    }

    private func moment(_ bytes: ArraySlice<UInt8>) throws(ValueError) -> PropertyValue {
        if let moment = CalendarDateOrDateTime(bytes.span, 0..<bytes.count, tzid: self.facts.tzid) {
            return PropertyValue(moment)
        }
        if let period = Period(bytes, tzid: self.facts.tzid) { return .period(period) }
        if bytes.contains(UInt8(ascii: "/")) { throw ValueError(.invalidPeriod) }
        throw ValueError(bytes.impossibility ?? .invalidDateTime)
    }

    // text       = *(TSAFE-CHAR / ":" / DQUOTE / ESCAPED-CHAR)
    private func readTexts(into result: inout [PropertyValue]) {
        if self.facts.encoding == .quotedPrintable {
            return result.append(.text(TextValue.unescape(TextDecoding.quotedPrintable(self.bytes))))
        }
        guard let separator = self.separator else {
            return result.append(self.text(TextValue.decode(self.bytes)))
        }
        for text in TextValue.split(self.bytes, at: separator) { result.append(self.text(TextValue.decode(text))) }
    }

    private func text(_ text: String) -> PropertyValue { self.form.kind == .uid ? .uid(text) : .text(text) }
}

extension ArraySlice<UInt8> {
    var trimmingBlanks: Self {
        guard let first = self.first, let last = self.last, first.isFold || last.isFold else { return self }
        let start = self.drop(while: \.isFold)
        return start.lastIndex { !$0.isFold }.map { start[...$0] } ?? start
    }

    /// The code for a value in the form of a DATE or DATE-TIME that names no existing day or time; otherwise `nil`.
    fileprivate var impossibility: ValueError.Code? {
        let date = self.prefix(CalendarDate.wireLength)
        guard date.count == CalendarDate.wireLength, date.allSatisfy(\.isDigit) else { return nil }
        let isDay = CalendarDate(date.span, at: 0) != nil
        let time = self.dropFirst(CalendarDate.wireLength)
        guard !time.isEmpty else { return isDay ? nil : .noSuchDay }
        let digits = time.dropFirst().prefix(6)
        guard time.first?.capital == UInt8(ascii: "T"), digits.count == 6, digits.allSatisfy(\.isDigit),
            time.count == 7 || time.count == 8 && time.last?.capital == UInt8(ascii: "Z")
        else { return nil }
        return isDay ? .noSuchTime : .noSuchDay
    }
}

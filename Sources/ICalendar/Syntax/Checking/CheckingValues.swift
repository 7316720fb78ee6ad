/// A property with its parsed values, for the checks of its value.
struct CheckedLine {
    let property: Property
    let definition: PropertyDefinition
    let reader: ValueReader
    let kind: ComponentKind?
    let values: [PropertyValue]
}

extension DocumentChecker {
    mutating func checkValue(_ property: Property, _ kind: ComponentKind?) {
        let definition = property.definition
        if property.hasParameters { self.checkParameters(property, definition) }
        guard let definition else {
            if Self.oldAlarms.contains(property.name) { self.report(.oldAlarm, property) }
            return
        }
        // RFC 5545 §8.3.2 marks EXRULE as deprecated.
        if definition.name == .exrule { self.report(.obsoleteProperty, property) }
        let reader = property.valueReader
        if reader.facts.encoding == .quotedPrintable { return self.report(.oldEncoding, property) }
        if reader.bytes.trimmingBlanks.isEmpty {
            // An empty UID is reported as `missingUID`.
            if definition.name == .uid { return }
            return self.report(reader.form.kind == .text ? .emptyText : .emptyValue, property)
        }
        do {
            try self.read(reader) { checker, values in
                let line = CheckedLine(
                    property: property,
                    definition: definition,
                    reader: reader,
                    kind: kind,
                    values: values
                )
                checker.checkType(line)
                checker.checkForm(line)
            }
        } catch {
            let code: ParseIssue.Code = reader.form.kind == .recur ? .badRule : .badValue
            let invisible = reader.bytes.invisibleLetter.map { "; it contains \($0)" } ?? ""
            self.report(code, property, error.description + invisible)
        }
    }

    private static let oldAlarms = Set(["AALARM", "DALARM", "MALARM", "PALARM"].map { Name(known: $0) })

    private mutating func checkType(_ line: CheckedLine) {
        let (property, definition) = (line.property, line.definition)
        let named = line.reader.facts.type
        switch line.reader.form.kind {
        case .moment, .trigger:
            guard let actual = line.values.first?.type else { return }
            if definition.types.contains(actual) {
                // An unreadable parameter may be the missing VALUE. In that case nothing is reported.
                guard actual != named ?? definition.defaultType, !property.hasUnreadableParameters,
                    named != nil || property.parameter(.value) == nil
                else { return }
                self.report(.typeContradicted, property, Self.contradiction(named, actual))
            } else if actual == .period {
                self.report(.badValue, property, ValueError.Code.invalidDateTime.rawValue)
            } else if actual == .date, definition.types == [.dateTime] {
                self.report(.dayWithoutTime, property)
            } else {
                self.report(.typeNotAllowed, property, "a value of type \(actual.wire)")
            }
        default:
            self.checkBinary(line)
            guard let named, !definition.types.contains(named) else { return }
            self.report(.typeNotAllowed, property, "a value of type \(named.wire)")
        }
    }

    private static func contradiction(_ named: ValueType?, _ actual: ValueType) -> String {
        guard let named else { return "VALUE=\(actual.wire) is missing" }
        let words = actual == .date ? "a day" : actual == .dateTime ? "a time" : "a \(actual.wire.lowercased())"
        return "VALUE=\(named.wire) is wrong, because the value is \(words)"
    }

    // VALUE=BINARY requires ENCODING=BASE64 and vice versa (RFC 5545 §3.8.1.1). IMAGE requires VALUE (RFC 7986 §5.10).
    private mutating func checkBinary(_ line: CheckedLine) {
        guard line.definition.types.contains(.binary), !self.isOld else { return }
        let facts = line.reader.facts
        if (facts.type == .binary) != (facts.encoding == .base64) {
            self.report(.encodingContradicted, line.property)
        } else if line.definition.name == .image, facts.type == nil {
            self.report(.typeContradicted, line.property, "VALUE=URI is missing")
        }
    }

    private mutating func checkForm(_ line: CheckedLine) {
        let property = line.property
        switch line.reader.form.kind {
        case .moment, .trigger, .time:
            self.checkClock(line)
            if line.values.contains(where: \.isBackwards) { self.report(.periodBackwards, property) }
        case .duration:
            for case .duration(let duration) in line.values where duration.isNegative {
                self.report(.negativeDuration, property)
            }
        case .integer:
            let range = line.definition.range
            for case .integer(let number) in line.values where !range.contains(number) {
                let last = range.upperBound == Int(Int32.max) ? "or more" : "to \(range.upperBound)"
                self.report(.valueOutOfRange, property, "\(range.lowerBound) \(last)")
            }
        case .float where line.definition.name == .geo: self.checkPlace(line)
        case .text: self.checkText(line)
        case .uri, .calAddress: self.checkAddress(line)
        case .recur:
            for case .recur(let rule) in line.values { self.checkRule(rule, property) }
        default: break
        }
        if !line.reader.isStrict { self.report(.oddForm, property, line.reader.canonical(line.values)) }
    }

    private mutating func checkPlace(_ line: CheckedLine) {
        let numbers = line.values.map { value -> Double in if case .float(let number) = value { number } else { 0 } }
        if numbers.count != 2 {
            self.report(.badValue, line.property, ValueError.Code.invalidPlace.rawValue)
        } else if abs(numbers[0]) > 90 || abs(numbers[1]) > 180 {
            self.report(.valueOutOfRange, line.property, "-90 to 90, then -180 to 180")
        }
    }

    private mutating func checkClock(_ line: CheckedLine) {
        let (property, values) = (line.property, line.values)
        let mustBeUTC = line.definition.mustBeUTC
        // A time that is not in UTC gets only this issue, and no second one for its TZID.
        if mustBeUTC, values.contains(where: { $0.clock != nil && $0.clock != .utc }) {
            return self.report(.notUTC, property)
        }
        guard let zone = line.reader.facts.tzid, mustBeUTC || line.definition.parameters.contains(.zone) else { return }
        if zone.isEmpty {
            self.report(.emptyTimeZone, property)
        } else if values.contains(where: { $0.zoneName != nil }) {
            self.checkZone(zone, property)
        } else if let first = values.first {
            // TZID is not allowed with a day or a UTC time (RFC 5545 §3.2.19).
            let words = first.type == .date ? "a day" : first.clock == nil ? "this" : "a time in UTC"
            self.report(.needlessTimeZone, property, words)
        }
    }

    private mutating func checkParameters(_ property: Property, _ definition: PropertyDefinition?) {
        let reading = property.parameterReading
        if reading.hasFailed { self.report(.badParameter, property) }
        if reading.hasBlanks { self.report(.oddForm, property, "a parameter without blanks around its name") }
        guard let definition else { return }
        var seen: Set<Name> = []
        let isOne = reading.parameters.count == 1
        for parameter in reading.parameters {
            if !isOne, !seen.insert(parameter.name).inserted {
                self.report(.duplicateParameter, property, parameter.name.canonical)
            } else if parameter.values.count > 1, Self.singleParameters.contains(parameter.name) {
                self.report(.duplicateParameter, property, "a value of \(parameter.name.canonical)")
            }
            self.checkWord(of: parameter, property)
            let known = ParameterSet(parameter.name)
            // Other checks report ENCODING, and TZID in a property that must be in UTC.
            guard !known.isEmpty, !definition.parameters.contains(known), parameter.name != .encoding,
                parameter.name != .tzid || !definition.mustBeUTC
            else { continue }
            self.report(.parameterNotAllowed, property, parameter.name.canonical)
        }
    }

    private static let singleParameters: Set<Name> = [.tzid, .value, .related, .range, .encoding]

    private mutating func checkWord(of parameter: Parameter, _ property: Property) {
        let word = parameter.values.first?.uppercased() ?? ""
        switch parameter.name {
        case .value where word.isEmpty: self.report(.typeContradicted, property, "VALUE is empty")
        case .related where word != "START" && word != "END":
            self.report(.unknownWord, property, "the value of RELATED")
        default: break
        }
    }
}

extension PropertyValue {
    fileprivate var isBackwards: Bool {
        guard case .period(let period) = self else { return false }
        guard let end = period.end else { return period.duration?.isNegative ?? false }
        return end.isAfter(period.start, orEqual: true) == false
    }
}

extension ValueReader {
    /// The values as RFC 5545 writes them; `nil` when the text is longer than 100 bytes.
    fileprivate func canonical(_ values: [PropertyValue]) -> String? {
        let wires = values.map { value -> String in
            guard case .recur(var rule) = value else { return value.wire }
            // Unknown parts of the rule are reported separately.
            rule.unknownParts = []
            return rule.wire
        }
        let text = wires.joined(separator: self.form.separator == .semicolon ? ";" : ",")
        return text.utf8.count > 100 ? nil : text
    }

    /// Whether a value that the parsers accept has exactly the form of RFC 5545; the parsers accept more forms.
    var isStrict: Bool {
        switch self.form.kind {
        case .moment, .duration, .trigger, .time, .utcOffset, .integer, .float, .boolean, .recur:
            guard !self.bytes.contains(where: \.isFold) else { return false }
        default: return true
        }
        switch self.form.kind {
        case .duration: return self.bytes.isStrictDuration
        case .trigger:
            return self.bytes.contains(UInt8(ascii: "T")) && self.bytes.count > 14 || self.bytes.isStrictDuration
        case .utcOffset: return self.bytes.isStrictOffset
        case .moment: return !self.bytes.contains { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "z") }
        case .recur: return self.bytes.isStrictRule
        default: return true
        }
    }
}

extension ArraySlice<UInt8> {
    // dur-value  = (["+"] / "-") "P" (dur-date / dur-time / dur-week)
    // dur-week   = 1*DIGIT "W"
    fileprivate var isStrictDuration: Bool {
        let rest = self.first == UInt8(ascii: "-") || self.first == UInt8(ascii: "+") ? self.dropFirst() : self
        guard rest.first == UInt8(ascii: "P"), let last = rest.last, rest.count > 2, !last.isDigit,
            last != UInt8(ascii: "T")
        else { return false }
        guard rest.allSatisfy({ $0.isDigit || (0x41...0x5A).contains($0) }) else { return false }
        return !rest.dropLast().contains(UInt8(ascii: "W"))
    }

    // utc-offset = time-numzone
    // time-numzone = ("+" / "-") time-hour time-minute [time-second]      (not "-0000")
    fileprivate var isStrictOffset: Bool {
        guard let sign = self.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
        let digits = self.dropFirst()
        let isZero = digits.allSatisfy { $0 == UInt8(ascii: "0") }
        guard sign == UInt8(ascii: "+") || !isZero else { return false }
        let hour = digits.prefix(2).reduce(0) { $0 * 10 + $1.digit }
        return hour <= 23
    }

    /// Whether the rule is in capitals and has no empty part.
    fileprivate var isStrictRule: Bool {
        guard self.last != UInt8(ascii: ";"), self.first != UInt8(ascii: ";") else { return false }
        var previous: UInt8 = 0
        for byte in self {
            if byte != byte.capital || byte == UInt8(ascii: ";") && previous == byte { return false }
            previous = byte
        }
        return true
    }
}

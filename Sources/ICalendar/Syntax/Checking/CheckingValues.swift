extension DocumentChecker {
    /// Checks the parameters and the value of a line against the property's definition.
    mutating func checkValue(_ property: Property, _ kind: ComponentKind?) {
        let definition = property.definition
        if property.hasParameters { self.checkParameters(property, definition) }
        guard let definition else {
            if OldAlarm.names.contains(property.name) {
                self.report(.oldAlarm, property.line, property.name.canonical)
            }
            return
        }
        let subject = definition.name.wire
        // RFC 5545 §8.3.2 marks it as deprecated.
        if definition.name == .exrule { self.report(.obsoleteProperty, property.line, subject) }
        let reader = property.valueReader
        if reader.facts.encoding == .quotedPrintable { return self.report(.oldEncoding, property.line, subject) }
        if reader.bytes.trimmingBlanks.isEmpty {
            // An empty UID is reported as a missing one.
            if definition.name == .uid { return }
            return self.report(reader.form.kind == .text ? .emptyText : .emptyValue, property.line, subject)
        }
        do {
            try self.read(reader) { checker, values in
                checker.checkType(property, definition, reader, values)
                checker.checkForm(property, definition, reader, values, kind)
            }
        } catch {
            let code: ParseIssue.Code = reader.form.kind == .recur ? .badRule : .badValue
            let invisible = reader.bytes.invisibleLetter.map { "; \($0) stands in it" } ?? ""
            self.report(code, property.line, subject, error.description + invisible)
        }
    }

    /// Checks whether VALUE matches the value, and whether the property allows such a value.
    private mutating func checkType(
        _ property: Property,
        _ definition: PropertyDefinition,
        _ reader: ValueReader,
        _ values: [PropertyValue]
    ) {
        let subject = definition.name.wire
        let named = reader.facts.type
        switch reader.form.kind {
        case .moment, .trigger:
            guard let actual = values.first?.type else { return }
            if definition.types.contains(actual) {
                // An unreadable parameter may have been VALUE.
                guard actual != named ?? definition.defaultType, !property.hasUnreadableParameters,
                    named != nil || property.parameter(.value) == nil
                else { return }
                self.report(.typeContradicted, property.line, subject, Self.contradiction(named, actual))
            } else if actual == .period {
                self.report(.badValue, property.line, subject, ValueError.Code.invalidDateTime.rawValue)
            } else if actual == .date, definition.types == [.dateTime] {
                self.report(.dayWithoutTime, property.line, subject)
            } else {
                self.report(.typeNotAllowed, property.line, subject, "a value of type \(actual.wire)")
            }
        default:
            self.checkBinary(property, definition, reader)
            guard let named, !definition.types.contains(named) else { return }
            self.report(.typeNotAllowed, property.line, subject, "a value of type \(named.wire)")
        }
    }

    private static func contradiction(_ named: ValueType?, _ actual: ValueType) -> String {
        guard let named else { return "VALUE=\(actual.wire) is missing" }
        let words = actual == .date ? "a day" : actual == .dateTime ? "a time" : "a \(actual.wire.lowercased())"
        return "VALUE=\(named.wire) stands beside \(words)"
    }

    // RFC 5545 §3.8.1.1; RFC 7986 §5.10, which requires VALUE.
    private mutating func checkBinary(_ property: Property, _ definition: PropertyDefinition, _ reader: ValueReader) {
        guard definition.types.contains(.binary), !self.isOld else { return }
        if (reader.facts.type == .binary) != (reader.facts.encoding == .base64) {
            self.report(.encodingContradicted, property.line, definition.name.wire)
        } else if definition.name == .image, reader.facts.type == nil {
            self.report(.typeContradicted, property.line, definition.name.wire, "VALUE=URI is missing")
        }
    }

    /// Checks whether the value has the standard's form and is allowed for the property.
    private mutating func checkForm(
        _ property: Property,
        _ definition: PropertyDefinition,
        _ reader: ValueReader,
        _ values: [PropertyValue],
        _ kind: ComponentKind?
    ) {
        let subject = definition.name.wire
        switch reader.form.kind {
        case .moment, .trigger, .time:
            self.checkClock(property, definition, reader, values)
            if values.contains(where: \.isBackwards) { self.report(.periodBackwards, property.line, subject) }
        case .duration:
            for case .duration(let duration) in values where duration.isNegative {
                self.report(.negativeDuration, property.line, subject)
            }
        case .integer:
            let range = definition.range
            for case .integer(let number) in values where !range.contains(number) {
                let last = range.upperBound == Int(Int32.max) ? "or more" : "to \(range.upperBound)"
                self.report(.valueOutOfRange, property.line, subject, "\(range.lowerBound) \(last)")
            }
        case .float where definition.name == .geo: self.checkPlace(values, property)
        case .text: self.checkText(property, definition, reader, values, kind)
        case .uri, .calAddress: self.checkAddress(reader, property, kind)
        case .recur:
            for case .recur(let rule) in values { self.checkRule(rule, property) }
        default: break
        }
        if !reader.isStrict { self.report(.oddForm, property.line, subject, reader.canonical(values)) }
    }

    // RFC 5545 §3.8.1.6.
    private mutating func checkPlace(_ values: [PropertyValue], _ property: Property) {
        let numbers = values.map { value -> Double in if case .float(let number) = value { number } else { 0 } }
        if numbers.count != 2 {
            self.report(.badValue, property.line, "GEO", ValueError.Code.invalidPlace.rawValue)
        } else if abs(numbers[0]) > 90 || abs(numbers[1]) > 180 {
            self.report(.valueOutOfRange, property.line, "GEO", "-90 to 90, then -180 to 180")
        }
    }

    /// Checks whether times are in a zone that the document defines and the property allows.
    private mutating func checkClock(
        _ property: Property,
        _ definition: PropertyDefinition,
        _ reader: ValueReader,
        _ values: [PropertyValue]
    ) {
        let subject = definition.name.wire
        let mustBeUTC = definition.mustBeUTC
        // Its TZID is ignored as well.
        if mustBeUTC, values.contains(where: { $0.clock != nil && $0.clock != .utc }) {
            return self.report(.notUTC, property.line, subject)
        }
        guard let zone = reader.facts.tzid, mustBeUTC || definition.parameters.contains(.zone) else { return }
        if zone.isEmpty {
            self.report(.emptyTimeZone, property.line, subject)
        } else if values.contains(where: { $0.zoneName != nil }) {
            self.checkZone(zone, property)
        } else if let first = values.first {
            // TZID is not allowed with a day or a UTC time (RFC 5545 §3.2.19).
            let words = first.type == .date ? "a day" : first.clock == nil ? "this" : "a time in UTC"
            self.report(.needlessTimeZone, property.line, subject, words)
        }
    }
}

private enum OldAlarm {
    static let names: Set<Name> = [
        Name(known: "AALARM"), Name(known: "DALARM"), Name(known: "MALARM"), Name(known: "PALARM"),
    ]
}

extension ValueReader {
    /// The values in the standard's form; `nil` when that is too long to print.
    fileprivate func canonical(_ values: [PropertyValue]) -> String? {
        let wires = values.map { value -> String in
            guard case .recur(var rule) = value else { return value.wire }
            // They are reported separately and not parsed.
            rule.unknownParts = []
            return rule.wire
        }
        let text = wires.joined(separator: self.form.separator == .semicolon ? ";" : ",")
        return text.utf8.count > 100 ? nil : text
    }
}

extension PropertyValue {
    /// The clock of a time; `nil` for other values.
    fileprivate var clock: ZoneReference? {
        switch self {
        case .dateTime(let time): time.zone
        case .time(let time): time.zone
        case .period(let period): if case .dateTime(let start) = period.start { start.zone } else { nil }
        default: nil
        }
    }

    /// Whether it is a period that ends before it begins.
    fileprivate var isBackwards: Bool {
        guard case .period(let period) = self else { return false }
        guard let end = period.end else { return period.duration?.isNegative ?? false }
        return end.isAfter(period.start, orEqual: true) == false
    }
}

extension DocumentChecker {
    /// Checks whether the property's parameters have a meaning and occur only once.
    mutating func checkParameters(_ property: Property, _ definition: PropertyDefinition?) {
        let name = property.name.canonical
        let reading = property.parameterReading
        if reading.hasFailed { self.report(.badParameter, property.line, name) }
        if reading.hasBlanks {
            self.report(.oddForm, property.line, name, "a parameter without blanks around its name")
        }
        guard let definition else { return }
        var seen: Set<Name> = []
        let isOne = reading.parameters.count == 1
        for parameter in reading.parameters {
            if !isOne, !seen.insert(parameter.name).inserted {
                self.report(.duplicateParameter, property.line, name, parameter.name.canonical)
            } else if parameter.values.count > 1, EnumeratedParameterValues.single.contains(parameter.name) {
                self.report(.duplicateParameter, property.line, name, "a value of \(parameter.name.canonical)")
            }
            self.checkWord(of: parameter, property)
            let known = ParameterSet(parameter.name)
            // ENCODING has a separate issue, and 8BIT has no meaning; a TZID with a UTC-only property has a separate
            // issue too.
            guard !known.isEmpty, !definition.parameters.contains(known), parameter.name != .encoding,
                parameter.name != .tzid || !definition.mustBeUTC
            else { continue }
            self.report(.parameterNotAllowed, property.line, name, parameter.name.canonical)
        }
    }

    private mutating func checkWord(of parameter: Parameter, _ property: Property) {
        let name = property.name.canonical
        let word = parameter.values.first?.uppercased() ?? ""
        switch parameter.name {
        case .value where word.isEmpty: self.report(.typeContradicted, property.line, name, "VALUE is empty")
        case .related where word != "START" && word != "END":
            self.report(.unknownWord, property.line, name, "the value of RELATED")
        default: break
        }
    }
}

private enum EnumeratedParameterValues {
    static let single: Set<Name> = [.tzid, .value, .related, .range, .encoding]
}

extension ValueReader {
    /// Whether the value is exactly in the form of RFC 5545; the caller has parsed it.
    ///
    /// The parsers accept more: see the types' own initialisers.
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

    /// In capitals, and without empty parts.
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

extension DocumentChecker {
    /// Whether the parameters and the value of a line are as the property's row says.
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
        if reader.bytes.first == UInt8(ascii: ":") { self.report(.doubledColon, property.line, subject) }
        if reader.bytes.trimmingBlanks.isEmpty {
            return self.report(reader.form.kind == .text ? .emptyText : .emptyValue, property.line, subject)
        }
        do {
            try self.read(reader) { checker, values in
                checker.checkType(property, definition, reader, values)
                checker.checkForm(property, definition, reader, values, kind)
            }
        } catch {
            let code: ParseIssue.Code = reader.form.kind == .recur ? .badRule : .badValue
            self.report(code, property.line, subject, error.description)
        }
    }

    private mutating func checkParameters(_ property: Property, _ definition: PropertyDefinition?) {
        let name = property.name.canonical
        if property.hasUnreadableParameters { self.report(.badParameter, property.line, name) }
        guard let definition else { return }
        for parameter in property.parameters {
            let known = ParameterSet(parameter.name)
            // ENCODING has its own issue, and 8BIT says nothing.
            guard !known.isEmpty, !definition.parameters.contains(known), parameter.name != .encoding else { continue }
            self.report(.parameterNotAllowed, property.line, name, parameter.name.canonical)
        }
    }

    /// Whether VALUE says what the value is, and the property may have such a value.
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
            if !definition.types.contains(actual) {
                self.report(.typeNotAllowed, property.line, subject, actual.wire)
            } else if actual != named ?? definition.defaultType {
                self.report(.typeContradicted, property.line, subject, actual.wire)
            }
        default:
            guard let named, !definition.types.contains(named) else { return }
            self.report(.typeNotAllowed, property.line, subject, named.wire)
        }
    }

    /// Whether the value is written as the standard has it, and is one that the property may have.
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
        case .integer:
            for case .integer(let number) in values where !definition.range.contains(number) {
                self.report(.valueOutOfRange, property.line, subject)
            }
        case .text:
            self.checkText(property, definition, reader, values, kind)
        case .uri, .calAddress:
            if !reader.bytes.trimmingBlanks.hasScheme { self.report(.badAddress, property.line, subject) }
        case .recur:
            for case .recur(let rule) in values { self.checkRule(rule, property) }
        default: break
        }
        if !reader.isStrict { self.report(.oddForm, property.line, subject) }
    }

    /// Whether times are on a clock that the document knows and the property allows.
    private mutating func checkClock(
        _ property: Property,
        _ definition: PropertyDefinition,
        _ reader: ValueReader,
        _ values: [PropertyValue]
    ) {
        let subject = definition.name.wire
        var mustBeUTC = definition.types == [.dateTime]
        if reader.form.kind == .trigger { mustBeUTC = true }
        if mustBeUTC, values.contains(where: { $0.clock != nil && $0.clock != .utc }) {
            self.report(.notUTC, property.line, subject)
        }
        guard let zone = reader.facts.tzid else { return }
        if values.contains(where: { $0.zoneName != nil }) { return self.checkZone(zone, property) }
        // TZID must not stand beside a day or a time in UTC (RFC 5545 §3.2.19).
        if definition.parameters.contains(.zone) {
            self.report(.parameterNotAllowed, property.line, subject, "TZID")
        }
    }

    private mutating func checkText(
        _ property: Property,
        _ definition: PropertyDefinition,
        _ reader: ValueReader,
        _ values: [PropertyValue],
        _ kind: ComponentKind?
    ) {
        let subject = definition.name.wire
        if let words = PropertyWords.allowed(definition.name, kind), case .text(let word) = values.first {
            if definition.name == .version, word.hasPrefix("1.") {
                self.report(.oldVersion, property.line, subject)
            } else if !words.contains(word.uppercased()) {
                self.report(.unknownWord, property.line, subject)
            }
        }
        // In a list a comma parts items; a semicolon is wrong there too, but some write lists with it.
        if definition.separator == .single, reader.bytes.hasUnescapedSeparator {
            self.report(.unescapedSeparator, property.line, subject)
        }
    }

    private mutating func checkRule(_ rule: RecurrenceRule, _ property: Property) {
        let subject = property.name.canonical
        if rule.count != nil, rule.until != nil { self.report(.countAndUntil, property.line, subject) }
        if !rule.isGregorian { self.report(.otherCalendar, property.line, subject) }
    }
}

/// The alarms of vCalendar 1.0.
private enum OldAlarm {
    static let names: Set<Name> = [
        Name(known: "AALARM"), Name(known: "DALARM"), Name(known: "MALARM"), Name(known: "PALARM"),
    ]
}

extension PropertyValue {
    /// The clock of a time, `nil` for what has none.
    fileprivate var clock: ZoneReference? {
        switch self {
        case .dateTime(let time): time.zone
        case .time(let time): time.zone
        default: nil
        }
    }
}

extension ArraySlice<UInt8> {
    // scheme        = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )      (RFC 3986 §3.1)
    fileprivate var hasScheme: Bool {
        guard let first = self.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first.capital) else {
            return false
        }
        let rest = self.drop {
            $0.isNameCharacter && $0 != UInt8(ascii: "_") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".")
        }
        return rest.first == UInt8(ascii: ":")
    }

    /// Whether a comma or a semicolon stands in it without a backslash.
    fileprivate var hasUnescapedSeparator: Bool {
        var isEscaped = false
        for byte in self {
            if !isEscaped, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") { return true }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return false
    }
}

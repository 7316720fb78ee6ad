extension Property {
    /// The type of the value: what VALUE says, else what the standards say of the property, else TEXT.
    ///
    /// Whether a value is a day, a time or a period is told by its form, not by VALUE: Nextcloud and Synology write days
    /// without `VALUE=DATE`, others write `VALUE=DATE` beside a time, and the form never lies. The same holds for
    /// triggers.
    public var valueType: ValueType {
        let reader = self.valueReader
        switch reader.form.kind {
        case .moment, .trigger:
            if let value = reader.firstValue { return value.type }
            return self.definition?.defaultType ?? reader.facts.type ?? .dateTime
        default:
            return reader.type(default: self.definition?.defaultType ?? .text)
        }
    }

    /// Every value of the line, read as its type.
    ///
    /// A list gives one value per item; GEO gives its latitude and its longitude, REQUEST-STATUS its code, its sentence
    /// and its data. Where a value is missing whose type has no empty one (`DUE:`), there is none.
    ///
    /// - Throws: ``ValueError`` for the first value that is none of its type.
    public func values() throws(ValueError) -> [PropertyValue] {
        var result: [PropertyValue] = []
        try self.readValues(into: &result)
        return result
    }

    /// Adds every value of the line to `result`, as ``values()`` gives them.
    ///
    /// For who reads many lines: one array serves all of them.
    public func readValues(into result: inout [PropertyValue]) throws(ValueError) {
        try self.valueReader.read(into: &result)
    }

    /// How the value is read.
    var valueReader: ValueReader {
        let form = PropertyDefinition.forms[Int(self.nameNumber)]
        guard self.hasParameters else {
            return ValueReader(form: form, facts: ParameterFacts(), bytes: self.storage.value(self.index))
        }
        let (parameters, value) = self.parts
        return ValueReader(defaultForm: form, facts: ParameterFacts(parameters), bytes: value)
    }
}

extension ValueReader {
    /// A reader that does as VALUE says, where its type is not told by the form of the value anyway.
    init(defaultForm form: ValueForm, facts: ParameterFacts, bytes: ArraySlice<UInt8>) {
        var form = form
        if let type = facts.type {
            let kind = ValueForm.Kind(type)
            let isByForm = form.kind == .moment && kind == .moment || form.kind == .trigger
            if !isByForm { form.kind = kind }
        } else if facts.encoding == .base64, form.kind == .uri {
            // A picture without VALUE=BINARY, as vCalendar 1.0 has it.
            form.kind = .binary
        }
        self.init(form: form, facts: facts, bytes: bytes)
    }

    /// The first value, `nil` when there is none or it cannot be read.
    var firstValue: PropertyValue? {
        var values: [PropertyValue] = []
        try? self.read(into: &values)
        return values.first
    }

    /// The type of a value that is not told by its form.
    func type(default type: ValueType) -> ValueType {
        if let named = self.facts.type { return named }
        return self.form.kind == .binary ? .binary : type
    }
}

extension ContentLine {
    /// A line with typed values; VALUE and TZID are written as they need them.
    ///
    /// - Parameters:
    ///   - name: what the property is called.
    ///   - parameters: those besides VALUE and TZID.
    ///   - values: in order; the property says what parts them.
    public init(_ name: Name, _ parameters: [Parameter] = [], values: [PropertyValue]) {
        let definition = PropertyDefinition.of(name)
        var parameters = parameters
        if let first = values.first {
            if case .unknown = first {
            } else if first.type != definition.defaultType {
                parameters.append(Parameter(.value, first.type.wire))
            }
            if let zone = first.zoneName { parameters.append(Parameter(.tzid, zone)) }
            if case .binary = first { parameters.append(Parameter(.encoding, "BASE64")) }
        }
        let separator = definition.separator == .semicolon ? ";" : ","
        self.init(name, parameters, value: values.map(\.wire).joined(separator: separator))
    }
}

extension Property {
    /// The type of the value: from VALUE, else from the standards' definition of the property, else TEXT.
    ///
    /// The form of a value decides between day, time and period, not VALUE: Nextcloud and Synology write days without
    /// `VALUE=DATE`, others write `VALUE=DATE` with a time, and the form is always right. The same holds for triggers.
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

    /// Every value of the line, parsed as its type.
    ///
    /// A list gives one value per item; GEO gives its latitude and its longitude, REQUEST-STATUS its code, its sentence
    /// and its data. An empty value gives no value if its type has no empty form (`DUE:`).
    ///
    /// - Throws: ``ValueError`` for the first value that does not match its type.
    public func values() throws(ValueError) -> [PropertyValue] {
        var result: [PropertyValue] = []
        try self.readValues(into: &result)
        return result
    }

    /// Appends every value of the line to `result`, like ``values()``.
    ///
    /// For code that reads many lines: one array serves all of them.
    public func readValues(into result: inout [PropertyValue]) throws(ValueError) {
        try self.valueReader.read(into: &result)
    }

    /// The form of the value.
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
    /// Creates a reader that follows VALUE, unless the form of the value decides the type.
    init(defaultForm form: ValueForm, facts: ParameterFacts, bytes: ArraySlice<UInt8>) {
        var form = form
        if let type = facts.type {
            let kind = ValueForm.Kind(type)
            let isByForm = form.kind == .moment && kind == .moment || form.kind == .trigger
            if !isByForm { form.kind = kind }
        } else if facts.encoding == .base64, form.kind == .uri {
            // A picture without VALUE=BINARY, as in vCalendar 1.0.
            form.kind = .binary
        }
        self.init(form: form, facts: facts, bytes: bytes)
    }

    /// The first value; `nil` when it is missing or unreadable.
    var firstValue: PropertyValue? {
        var values: [PropertyValue] = []
        try? self.read(into: &values)
        return values.first
    }

    /// The type of a value with a form that does not decide it.
    func type(default type: ValueType) -> ValueType {
        if let named = self.facts.type { return named }
        return self.form.kind == .binary ? .binary : type
    }
}

extension ContentLine {
    /// Creates a line with typed values; VALUE and TZID are added as needed.
    ///
    /// - Parameters:
    ///   - name: the name of the property.
    ///   - parameters: those besides VALUE and TZID.
    ///   - values: in order; the property determines their separator.
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

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
            self.report(.unknownWord, property.line, name, "the word of RELATED")
        default: break
        }
    }
}

private enum EnumeratedParameterValues {
    /// Parameters with only one value.
    static let single: Set<Name> = [.tzid, .value, .related, .range, .encoding]
}

/// The meaning of a property: equal for two content lines that write the same property differently.
///
/// Servers fold lines again, sort properties and parameters, and rewrite values (`PT90M` as `PT1H30M`).
package struct PropertyMeaning: Hashable, Sendable {
    package let name: Name
    /// `NAME=value` of each parameter, sorted, without a redundant VALUE.
    package let parameters: [String]
    package let value: String
}

package enum DurationComparison: Sendable {
    /// `P1D` and `PT24H` differ: on the day of a clock change, `P1D` lasts 23 or 25 hours (RFC 5545 §3.3.6).
    case exact
    /// `P1D` equals `PT24H`: Radicale replaces `PT24H` by `P1D`, and this is not an edit.
    case length
}

extension Property {
    package var meanings: [PropertyMeaning] { self.meanings(.exact) }

    package func meanings(_ durations: DurationComparison) -> [PropertyMeaning] {
        let name = self.name
        let definition = PropertyDefinition.of(name)
        let parameters = self.comparableParameters(definition)
        return self.comparableValues(definition, durations)
            .map { PropertyMeaning(name: name, parameters: parameters, value: $0) }
    }

    private func comparableParameters(_ definition: PropertyDefinition) -> [String] {
        guard self.hasParameters else { return [] }
        return self.parameters
            .filter { parameter in
                // VALUE is redundant if the form of the value shows the type: Radicale and Cyrus remove it.
                guard parameter.name == .value else { return true }
                return parameter.values.first?.uppercased() != definition.defaultType.wire
                    && definition.form.kind != .trigger && definition.form.kind != .moment
            }
            .map { parameter in
                let values = parameter.values.joined(separator: ",")
                let isWord = EnumeratedValues.parameters.contains(parameter.name)
                return "\(parameter.name.canonical)=\(isWord ? values.uppercased() : values)"
            }
            .sorted()
    }

    private func comparableValues(_ definition: PropertyDefinition, _ durations: DurationComparison) -> [String] {
        let value = self.value
        switch definition.form.kind {
        case .text where EnumeratedValues.properties.contains(self.name): return [value.trimmingSpaces.uppercased()]
        case .text: return definition.isTextList ? TextValue.split(value) : [TextValue.unescape(value)]
        case .integer: return [Int(value.trimmingSpaces).map(String.init) ?? value]
        case .moment where definition.separator == .single: return [value.trimmingSpaces.uppercased()]
        case .moment: return value.split(separator: ",").map { String($0).trimmingSpaces.uppercased() }
        case .duration, .trigger: return [Self.comparableDuration(value, durations)]
        case .recur: return [(try? RecurrenceRule(wire: value))?.wire ?? value]
        default: return [value]
        }
    }

    /// Returns one text for all forms of the same duration; a value that is not a duration is returned in capitals.
    private static func comparableDuration(_ value: String, _ comparison: DurationComparison) -> String {
        guard let duration = CalendarDuration(wire: value.trimmingSpaces) else { return value.uppercased() }
        guard comparison == .length else { return duration.wire }
        return "\(duration.days * ClockTime.secondsPerDay + duration.seconds)s"
    }
}

package struct ComponentMeaning: Hashable, Sendable {
    package let name: Name
    package let properties: [PropertyMeaning: Int]
    package let components: [ComponentMeaning: Int]
}

extension Component {
    /// - Parameter ignored: properties to leave out. DTSTAMP only states when the iCalendar text was created.
    package func meaning(
        ignoring ignored: Set<Name> = [.dtstamp],
        durations: DurationComparison = .exact
    ) -> ComponentMeaning {
        var properties: [PropertyMeaning: Int] = [:]
        for property in self.properties where !ignored.contains(property.name) {
            for meaning in property.meanings(durations) where !meaning.isDefault {
                properties[meaning, default: 0] += 1
            }
        }
        var components: [ComponentMeaning: Int] = [:]
        for component in self.components {
            components[component.meaning(ignoring: ignored, durations: durations), default: 0] += 1
        }
        return ComponentMeaning(name: self.name, properties: properties, components: components)
    }
}

extension PropertyMeaning {
    /// SOGo adds `CLASS:PUBLIC`, the default of RFC 5545 §3.8.1.3, to every component.
    var isDefault: Bool {
        self.name == .classification && self.value == "PUBLIC"
    }
}

/// What a property says, whichever way it is written.
///
/// Servers fold anew, sort properties and parameters, and rewrite values (`PT90M` as `PT1H30M`); none of this is a
/// change. Two properties that say the same have equal meanings.
package struct PropertyMeaning: Hashable, Sendable {
    /// Compared without regard to case.
    package let name: Name
    /// `NAME=value` of each parameter that counts, sorted.
    package let parameters: [String]
    /// The value in the one form that all spellings of it have.
    package let value: String
}

/// When two durations say the same.
package enum DurationComparison: Sendable {
    /// `P1D` and `PT24H` do not: where the clocks change, a day has 23 or 25 hours (RFC 5545 §3.3.6).
    case exact
    /// Where they are as long on a day of 24 hours: Radicale writes `P1D` for `PT24H`, and nobody has edited anything.
    case length
}

extension Property {
    /// What the property says: one meaning per value where it holds a list, else one.
    package var meanings: [PropertyMeaning] { self.meanings(.exact) }

    /// What the property says to one who compares durations like that.
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
                // VALUE says nothing where the value's own shape says it (Radicale and Cyrus drop it, others add it).
                guard parameter.name == .value else { return true }
                return parameter.values.first?.uppercased() != definition.defaultType.wire
                    && definition.form.kind != .trigger && definition.form.kind != .moment
            }
            .map { parameter in
                let values = parameter.values.joined(separator: ",")
                let isWord = PropertyWords.parameters.contains(parameter.name)
                return "\(parameter.name.canonical)=\(isWord ? values.uppercased() : values)"
            }
            .sorted()
    }

    private func comparableValues(_ definition: PropertyDefinition, _ durations: DurationComparison) -> [String] {
        let value = self.value
        switch definition.form.kind {
        case .text where PropertyWords.properties.contains(self.name): return [value.trimmingSpaces.uppercased()]
        case .text: return definition.isTextList ? TextValue.split(value) : [TextValue.unescape(value)]
        case .integer: return [Int(value.trimmingSpaces).map(String.init) ?? value]
        case .moment where definition.separator == .single: return [value.trimmingSpaces.uppercased()]
        case .moment: return value.split(separator: ",").map { String($0).trimmingSpaces.uppercased() }
        case .duration, .trigger: return [Self.comparableDuration(value, durations)]
        case .recur: return [(try? RecurrenceRule(wire: value))?.wire ?? value]
        default: return [value]
        }
    }

    /// A duration in one spelling; anything else as it is.
    private static func comparableDuration(_ value: String, _ comparison: DurationComparison) -> String {
        guard let duration = CalendarDuration(wire: value.trimmingSpaces) else { return value.uppercased() }
        guard comparison == .length else { return duration.wire }
        return "\(duration.days * ClockTime.secondsPerDay + duration.seconds)s"
    }
}

/// What a component says, whichever way it is written and in whatever order.
package struct ComponentMeaning: Hashable, Sendable {
    /// Compared without regard to case.
    package let name: Name
    /// What its own properties say, and how often.
    package let properties: [PropertyMeaning: Int]
    /// What the components inside say, and how often.
    package let components: [ComponentMeaning: Int]
}

extension Component {
    /// What the component says.
    ///
    /// - Parameters:
    ///   - ignored: properties that do not count, such as DTSTAMP, which only says when the text was made.
    ///   - durations: when two durations say the same.
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
    /// `CLASS:PUBLIC` says what its absence says; SOGo adds it to everything (RFC 5545 §3.8.1.3).
    var isDefault: Bool {
        self.name == .classification && self.value == "PUBLIC"
    }
}

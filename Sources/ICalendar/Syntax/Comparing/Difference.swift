/// The difference in meaning of one component between two streams; see ``ComponentMeaning``.
package struct ComponentDifference: Sendable {
    package enum Kind: String, Sendable {
        case added, removed, changed
    }

    package let kind: Kind
    /// The component in the second stream; if `kind` is `removed`, it is the component in the first stream.
    package let component: Component
    package var properties: [PropertyDifference] = []
    package var components: [ComponentDifference] = []

    /// Compares two streams, in time that grows linearly with their lengths.
    ///
    /// Components are paired by name, UID and RECURRENCE-ID; time zones by TZID. A VCALENDAR is compared only by its
    /// properties. The result has the order of the second stream; removed components come last.
    package static func between(_ old: ICalendarDocument, _ new: ICalendarDocument) -> [Self] {
        self.all(old.comparedComponents, new.comparedComponents)
    }

    /// Among components with the same identity, pairs components with equal meanings first, and all others in order.
    private static func all(_ old: [ComparedComponent], _ new: [ComparedComponent]) -> [Self] {
        var pairing = Pairing(old)
        let unpaired = new.filter { !pairing.removeEqual($0) }
        var differences = unpaired.map { component in
            if let before = pairing.removeNext(of: component.identity) {
                Self(
                    kind: .changed,
                    component: component.view,
                    properties: PropertyDifference.between(before.view, component.view),
                    components: self.all(before.inner, component.inner)
                )
            } else {
                Self(kind: .added, component: component.view)
            }
        }
        differences += pairing.rest.map { Self(kind: .removed, component: $0.view) }
        return differences
    }
}

package struct PropertyDifference: Sendable {
    package let name: String
    /// The values in the first stream, one text per value; empty when the property was added.
    package fileprivate(set) var old: [String] = []
    /// The values in the second stream; empty when the property was removed.
    package fileprivate(set) var new: [String] = []

    fileprivate static func between(_ old: Component, _ new: Component) -> [Self] {
        let before = old.comparedProperties
        var counts: [PropertyMeaning: Int] = [:]
        for (_, meaning, _) in before { counts[meaning, default: 0] += 1 }
        var collector = DifferenceCollector()
        for (property, meaning, isList) in new.comparedProperties where !counts.removeOne(meaning) {
            collector.note(meaning.name, new: [property.shown(as: meaning, isList: isList)])
        }
        for (property, meaning, isList) in before where counts.removeOne(meaning) {
            collector.note(meaning.name, old: [property.shown(as: meaning, isList: isList)])
        }
        return collector.differences
    }
}

private struct DifferenceCollector {
    private(set) var differences: [PropertyDifference] = []
    private var places: [Name: Int] = [:]

    mutating func note(_ name: Name, old: [String] = [], new: [String] = []) {
        let place = self.places[name] ?? self.differences.count
        if self.places.updateValue(place, forKey: name) == nil {
            self.differences.append(PropertyDifference(name: name.canonical))
        }
        self.differences[place].old += old
        self.differences[place].new += new
    }
}

extension [PropertyMeaning: Int] {
    fileprivate mutating func removeOne(_ meaning: PropertyMeaning) -> Bool {
        guard let count = self[meaning], count > 0 else { return false }
        self[meaning] = count - 1
        return true
    }
}

private struct ComparedComponent {
    struct Identity: Hashable {
        let name: Name
        let uid: ByteExactString?
        let recurrence: PropertyMeaning?
    }

    let view: Component
    let identity: Identity
    /// Whether only the properties are compared, and not the inner components.
    var isShell = false

    init(_ view: Component, isShell: Bool = false) {
        self.view = view
        self.isShell = isShell
        self.identity = Identity(
            name: view.name,
            uid: isShell ? nil : view.first(view.name == .vtimezone ? .tzid : .uid)?.text.trimmingSpaces.exact,
            recurrence: isShell ? nil : view.first(.recurrenceID)?.meanings.first
        )
    }

    var inner: [Self] { self.isShell ? [] : self.view.components.map { Self($0) } }

    var meaning: ComponentMeaning {
        guard self.isShell else { return self.view.meaning() }
        var properties: [PropertyMeaning: Int] = [:]
        for (_, meaning, _) in self.view.comparedProperties { properties[meaning, default: 0] += 1 }
        return ComponentMeaning(name: self.view.name, properties: properties, components: [:])
    }

    func isSameText(as other: Self) -> Bool {
        !self.isShell && !other.isShell && self.view.bytes == other.view.bytes
    }
}

private struct Pairing {
    private struct Key: Hashable {
        let identity: ComparedComponent.Identity
        let meaning: ComponentMeaning
    }

    private let components: [ComparedComponent]
    private var isTaken: [Bool]
    private var places: [ComparedComponent.Identity: [Int]] = [:]
    private var equals: [Key: [Int]] = [:]
    private var known: Set<ComparedComponent.Identity> = []

    init(_ components: [ComparedComponent]) {
        self.components = components
        self.isTaken = Array(repeating: false, count: components.count)
        for index in components.indices.reversed() {
            self.places[components[index].identity, default: []].append(index)
        }
    }

    mutating func removeEqual(_ component: ComparedComponent) -> Bool {
        guard let places = self.places[component.identity] else { return false }
        if places.count == 1, self.components[places[0]].isSameText(as: component) {
            return self.removeOne(places[0])
        }
        if self.known.insert(component.identity).inserted {
            for place in places {
                let key = Key(identity: component.identity, meaning: self.components[place].meaning)
                self.equals[key, default: []].append(place)
            }
        }
        let key = Key(identity: component.identity, meaning: component.meaning)
        guard var equals = self.equals[key], let place = equals.popLast() else { return false }
        self.equals[key] = equals
        return self.removeOne(place)
    }

    private mutating func removeOne(_ place: Int) -> Bool {
        defer { self.isTaken[place] = true }
        return !self.isTaken[place]
    }

    mutating func removeNext(of identity: ComparedComponent.Identity) -> ComparedComponent? {
        while let place = self.places[identity]?.popLast() {
            if self.removeOne(place) { return self.components[place] }
        }
        return nil
    }

    var rest: [ComparedComponent] {
        self.components.indices.lazy.filter { !self.isTaken[$0] }.map { self.components[$0] }
    }
}

extension ICalendarDocument {
    fileprivate var comparedComponents: [ComparedComponent] {
        self.components.flatMap { component in
            component.name == .vcalendar
                ? [ComparedComponent(component, isShell: true)] + component.components.map { ComparedComponent($0) }
                : [ComparedComponent(component)]
        }
    }
}

extension Component {
    /// The values to compare, without DTSTAMP and defaults; each property is parsed once, as it may have 10,000 values.
    fileprivate var comparedProperties: [(property: Property, meaning: PropertyMeaning, isList: Bool)] {
        self.properties.filter { $0.name != .dtstamp }.flatMap { property in
            let meanings = property.meanings
            return meanings.filter { !$0.isDefault }.map { (property, $0, meanings.count > 1) }
        }
    }
}

extension Property {
    /// A value for a user, after the parameters that matter for its meaning: `TZID=Europe/Berlin:20261201T090000`.
    fileprivate func shown(as meaning: PropertyMeaning, isList: Bool) -> String {
        // The meaning may be a form for comparison only. In that case the original value is shown.
        let value = isList || meaning.value == self.text ? meaning.value : self.value
        return meaning.parameters.isEmpty ? value : "\(meaning.parameters.joined(separator: ";")):\(value)"
    }
}

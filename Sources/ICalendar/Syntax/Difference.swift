/// What one component says differently in two streams, whichever way it is written.
///
/// Order, folding, line ends and spelling do not count, nor does DTSTAMP, which only says when a text was made: see
/// ``ComponentMeaning``.
package struct ComponentDifference: Sendable {
    /// What happened to it on the way from the first stream to the second.
    package enum Kind: String, Sendable {
        case added, removed, changed
    }

    /// What happened.
    package let kind: Kind
    /// The component as it is in the second stream; one that was removed, as it was in the first.
    package let component: Component
    /// The properties that say something else, in the order of the second stream; empty unless it was changed.
    package var properties: [PropertyDifference] = []
    /// The components inside that say something else; empty unless it was changed.
    package var components: [ComponentDifference] = []

    /// Compares two streams, in time that grows with their lengths.
    ///
    /// Components are paired by what they are called, UID and RECURRENCE-ID; time zones by TZID. A VCALENDAR stands for
    /// its own properties only.
    ///
    /// - Returns: what differs, in the order of the second stream; what only the first one has comes last.
    package static func between(_ old: ICalendarDocument, _ new: ICalendarDocument) -> [Self] {
        self.all(old.comparedComponents, new.comparedComponents)
    }

    /// Pairs the components of two lists, and compares each pair.
    ///
    /// Of several with one identity, those that say the same are pairs first, the others in their order. Depth is
    /// bounded by ``ParseLimits/depth``.
    private static func all(_ old: [ComparedComponent], _ new: [ComparedComponent]) -> [Self] {
        var pairing = Pairing(old)
        let unpaired = new.filter { !pairing.takeEqual($0) }
        var differences = unpaired.map { component in
            if let before = pairing.takeNext(of: component.identity) {
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

/// What one property says differently.
package struct PropertyDifference: Sendable {
    /// What the property is called, in capitals.
    package let name: String
    /// What the first stream says, one text for each value; none when the property was added.
    package fileprivate(set) var old: [String] = []
    /// What the second stream says; none when it was removed.
    package fileprivate(set) var new: [String] = []

    fileprivate static func between(_ old: Component, _ new: Component) -> [Self] {
        let before = old.comparedProperties
        var counts: [PropertyMeaning: Int] = [:]
        for (_, meaning) in before { counts[meaning, default: 0] += 1 }
        var collector = DifferenceCollector()
        for (property, meaning) in new.comparedProperties where !counts.take(meaning) {
            collector.note(meaning.name, new: property.shown(as: meaning))
        }
        for (property, meaning) in before where counts.take(meaning) {
            collector.note(meaning.name, old: property.shown(as: meaning))
        }
        return collector.differences
    }
}

/// Differences by the names of their properties, in the order in which the names came.
private struct DifferenceCollector {
    private(set) var differences: [PropertyDifference] = []
    private var places: [Name: Int] = [:]

    mutating func note(_ name: Name, new text: String) { self.differences[self.place(of: name)].new.append(text) }

    mutating func note(_ name: Name, old text: String) { self.differences[self.place(of: name)].old.append(text) }

    private mutating func place(of name: Name) -> Int {
        if let place = self.places[name] { return place }
        self.places[name] = self.differences.count
        self.differences.append(PropertyDifference(name: name.canonical))
        return self.differences.count - 1
    }
}

extension [PropertyMeaning: Int] {
    /// Counts one of them off; whether there was one.
    fileprivate mutating func take(_ meaning: PropertyMeaning) -> Bool {
        guard let count = self[meaning], count > 0 else { return false }
        self[meaning] = count - 1
        return true
    }
}

/// A component, and what of it is compared.
private struct ComparedComponent {
    /// By what it is found again in the other stream.
    struct Identity: Hashable {
        let name: Name
        let uid: ExactText?
        let recurrence: PropertyMeaning?
    }

    let view: Component
    let identity: Identity
    /// Whether only its own properties count.
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
        for (_, meaning) in self.view.comparedProperties { properties[meaning, default: 0] += 1 }
        return ComponentMeaning(name: self.view.name, properties: properties, components: [:])
    }

    /// Whether both are the same bytes; most components of two versions of a file are.
    func isSameText(as other: Self) -> Bool {
        !self.isShell && !other.isShell && self.view.bytes == other.view.bytes
    }
}

/// Components of the first stream that wait for their likes of the second.
private struct Pairing {
    private struct Key: Hashable {
        let identity: ComparedComponent.Identity
        let meaning: ComponentMeaning
    }

    private let components: [ComparedComponent]
    private var isTaken: [Bool]
    /// The places of each identity, the last one first.
    private var places: [ComparedComponent.Identity: [Int]] = [:]
    /// The same by what they say; made when it is first needed.
    private var equals: [Key: [Int]] = [:]
    private var known: Set<ComparedComponent.Identity> = []

    init(_ components: [ComparedComponent]) {
        self.components = components
        self.isTaken = Array(repeating: false, count: components.count)
        for index in components.indices.reversed() {
            self.places[components[index].identity, default: []].append(index)
        }
    }

    /// Takes one that says the same; whether there was one.
    mutating func takeEqual(_ component: ComparedComponent) -> Bool {
        guard let places = self.places[component.identity] else { return false }
        if places.count == 1, self.components[places[0]].isSameText(as: component) {
            return self.take(places[0])
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
        return self.take(place)
    }

    private mutating func take(_ place: Int) -> Bool {
        defer { self.isTaken[place] = true }
        return !self.isTaken[place]
    }

    /// Takes the first one that is left of an identity.
    mutating func takeNext(of identity: ComparedComponent.Identity) -> ComparedComponent? {
        while let place = self.places[identity]?.popLast() {
            if self.take(place) { return self.components[place] }
        }
        return nil
    }

    /// Those that nobody has taken.
    var rest: [ComparedComponent] {
        self.components.indices.lazy.filter { !self.isTaken[$0] }.map { self.components[$0] }
    }
}

extension ICalendarDocument {
    /// The calendars, and what is in them.
    fileprivate var comparedComponents: [ComparedComponent] {
        self.components.flatMap { component in
            component.name == .vcalendar
                ? [ComparedComponent(component, isShell: true)] + component.components.map { ComparedComponent($0) }
                : [ComparedComponent(component)]
        }
    }
}

extension Component {
    /// Each thing that its own properties say, and the property that says it.
    fileprivate var comparedProperties: [(property: Property, meaning: PropertyMeaning)] {
        self.properties.filter { $0.name != .dtstamp }.flatMap { property in
            property.meanings.filter { !$0.isDefault }.map { (property, $0) }
        }
    }
}

extension Property {
    /// A value as a person would write it, behind the parameters that count: `TZID=Europe/Berlin:20261201T090000`.
    fileprivate func shown(as meaning: PropertyMeaning) -> String {
        // A meaning is the text itself, or a form of the value that only serves to compare it.
        let value = self.meanings.count > 1 || meaning.value == self.text ? meaning.value : self.value
        return meaning.parameters.isEmpty ? value : "\(meaning.parameters.joined(separator: ";")):\(value)"
    }
}

package import RemindavICalendar
import RemindavReminders

/// The path to a component of an object, for finding the same component in another version of the object.
///
/// The key of a VTODO contains its RECURRENCE-ID. The key of an inner component contains its UID; without a UID, it
/// contains the content of the component.
package struct ComponentPath: Hashable, Sendable {
    /// The keys from the outermost component inwards; the path to the main VTODO may also be an empty array.
    package let keys: [String]

    package init(_ keys: [String]) { self.keys = keys }
    func appending(_ key: String) -> Self { Self(self.keys + [key]) }

    package func component(in object: CalendarObject) -> Component? {
        guard var component = self.keys.isEmpty ? object.main : KeyedComponents(object.todos)[self.keys[0]] else {
            return nil
        }
        for key in self.keys.dropFirst() {
            guard let inner = KeyedComponents(component.components)[key] else { return nil }
            component = inner
        }
        return component
    }

    /// The RECURRENCE-ID of the occurrence that contains the component; `nil` for the main VTODO.
    package var occurrence: String? {
        let parts = (self.keys.first ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        return parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    }

    package var isInner: Bool { self.keys.count > 1 }
}

/// The components of one object or of one component, in order, with a key for each.
struct KeyedComponents {
    private(set) var pairs: [(key: String, component: Component)] = []
    private var index: [String: Int] = [:]
    private var copies: [String: Int] = [:]
    private var instants: [String: Instant] = [:]
    private var keys: [Instant: String] = [:]
    private var contents: [String: String] = [:]
    private var keysByContent: [String: String] = [:]

    init(_ components: [Component]) {
        for component in components { self.add(component) }
        for (key, component) in self.pairs where component.name == .valarm {
            let contents = Self.contents(of: component, besides: [.uid, .acknowledged])
            guard self.keysByContent[contents] == nil else { continue }
            self.contents[key] = contents
            self.keysByContent[contents] = key
        }
        for (pair, instant) in zip(self.pairs, self.pairs.map(\.component).occurrenceInstants) {
            guard let instant, self.keys[instant] == nil else { continue }
            self.instants[pair.key] = instant
            self.keys[instant] = pair.key
        }
    }

    /// The component of this version that corresponds to the component with `key` in the version `other`.
    ///
    /// If RECURRENCE-ID has another form in `other`, such as UTC instead of a zone, the instant identifies the
    /// occurrence. If only one version of an alarm has a UID, for example after a snooze, the content identifies the
    /// alarm.
    func counterpart(of key: String, in other: Self) -> Component? {
        if let same = self[key] { return same }
        let known =
            other.instants[key].flatMap { self.keys[$0] } ?? other.contents[key].flatMap { self.keysByContent[$0] }
        guard let own = known, other[own] == nil, let component = self[own] else { return nil }
        // Two alarms with different UIDs are different, even with the same content.
        let hasUIDs = component.name == .valarm && component.first(.uid) != nil && other[key]?.first(.uid) != nil
        return hasUIDs ? nil : component
    }

    subscript(key: String) -> Component? { self.index[key].map { self.pairs[$0].component } }

    private mutating func add(_ component: Component) {
        let key = Self.key(of: component)
        // Identical components are distinguished by their order.
        var unique = key
        while self.index[unique] != nil {
            // The search begins after the last copy, so its time does not grow with the square of the number of copies.
            self.copies[key, default: 1] += 1
            unique = "\(key)\n\(self.copies[key, default: 1])"
        }
        self.index[unique] = self.pairs.count
        self.pairs.append((unique, component))
    }

    private static func key(of component: Component) -> String {
        let name = component.name.canonical
        if component.name == .vtodo { return "\(name)\n\(component.recurrenceID?.value.uppercased() ?? "")" }
        if let uid = component.first(.uid)?.value { return "\(name)\nUID\n\(uid)" }
        return "\(name)\n\(self.contents(of: component, besides: []))"
    }

    private static func contents(of component: Component, besides names: [Name]) -> String {
        let properties = component.properties.filter { !names.contains($0.name) }
        let lines = properties.flatMap { $0.meanings(.length) }.map { "\($0.name.canonical)=\($0.value)" }
        return lines.sorted().joined(separator: "\n")
    }
}

import RemindavICalendar
import RemindavReminders
import RemindavStore

/// Compares a sent text with the server's version, to find properties and components that the server dropped.
///
/// A value in another form, such as a time in UTC or a list in another order, counts as stored.
enum DroppedProperties {
    /// The values that mean the same as a missing property, so that a server may drop them (RFC 5545 §3.8.1).
    private static let defaults: [Name: String] = [
        .classification: "PUBLIC", .percentComplete: "0", .priority: "0", .status: "NEEDS-ACTION",
    ]

    /// One conflict for each dropped property; the server wins each conflict.
    static func conflicts(sent: CalendarObject, stored: CalendarObject) -> [PropertyConflict] {
        self.conflicts(sent.todos, stored.todos, ComponentPath([]))
    }

    private static func conflicts(_ sent: [Component], _ stored: [Component], _ path: ComponentPath)
        -> [PropertyConflict]
    {
        let (ours, theirs) = (KeyedComponents(sent), KeyedComponents(stored))
        var conflicts: [PropertyConflict] = []
        for (key, own) in ours.pairs {
            if let other = theirs.counterpart(of: key, in: ours) {
                conflicts += self.conflicts(own, other, path.appending(key))
            } else if sent.count(where: { $0.name == own.name }) > stored.count(where: { $0.name == own.name }) {
                conflicts.append(self.conflict(of: own, path))
            }
        }
        return conflicts
    }

    private static func conflicts(_ own: Component, _ other: Component, _ path: ComponentPath) -> [PropertyConflict] {
        let (ours, theirs) = (GroupedProperties(own), GroupedProperties(other))
        let names = Set(other.properties.map(\.name))
        let groups = PropertyGroup.groups(of: [ours, theirs]).filter { group in
            group.kind != .stamp && self.isLess(group, theirs, names, than: ours)
        }
        let conflicts = groups.map { group in
            PropertyConflict(
                property: group.title,
                component: path,
                local: group.value(ours),
                remote: group.value(theirs),
                winner: .remote
            )
        }
        return conflicts + self.conflicts(own.components, other.components, path)
    }

    /// Whether the server's component lacks a property of the group, or some values of a sent list.
    private static func isLess(
        _ group: PropertyGroup,
        _ other: GroupedProperties,
        _ names: Set<Name>,
        than own: GroupedProperties
    ) -> Bool {
        let isGone = group.properties(own).contains { property in
            !names.contains(property.name) && Self.defaults[property.name] != property.value.uppercased()
        }
        if isGone { return true }
        guard group.kind == .set else { return false }
        let (ours, theirs) = (group.meanings(own), group.meanings(other))
        return theirs.count < ours.count && Set(theirs.keys).isSubset(of: ours.keys)
    }

    private static func conflict(of component: Component, _ path: ComponentPath) -> PropertyConflict {
        let lines = component.properties.map { String(decoding: $0.content, as: UTF8.self) }
        return PropertyConflict(
            property: component.name.canonical,
            component: path,
            local: .init(text: lines.joined(separator: "\n"), lines: Array(component.bytes)),
            remote: .init(text: "", lines: []),
            winner: .remote
        )
    }
}

/// Restores the values that the server shortened when it stored a sent text.
///
/// Another program may edit a to-do without changing LAST-MODIFIED. So a difference counts as made by the server, and
/// not by another program, only if no user would make it: missing characters in a property that users do not edit as
/// text.
enum OwnValues {
    /// Standard properties that some servers serialize in another form.
    ///
    /// Radicale 3.9 drops parameters, and Xandikos drops trailing zeros in GEO; both rewrite rules and durations.
    private static let structural: Set<Name> = [.attach, .attendee, .duration, .geo, .organizer, .rrule, .trigger]

    /// Whether the server only reordered or dropped parameters, or rewrote the value or dropped its end.
    private static func isReduced(_ other: Property, from own: Property) -> Bool {
        guard other.content != own.content, Set(other.parameters).isSubset(of: own.parameters) else { return false }
        let (sent, stored) = (own.value.utf8, other.value.utf8)
        if !PropertyDefinition.isKnown(own.name) { return sent.starts(with: stored) }
        guard self.structural.contains(own.name) else { return false }
        if own.name == .geo {
            guard let sent = self.numbers(own.value) else { return own.value == other.value }
            return sent == self.numbers(other.value)
        }
        return own.meanings(.length).map(\.value) == other.meanings(.length).map(\.value)
    }

    /// The coordinates in a GEO as numbers, so that trailing zeros do not matter; `nil` for any other text.
    private static func numbers(_ value: String) -> [Double]? {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false).map { Double($0) }
        return parts.contains(nil) ? nil : parts.compactMap { $0 }
    }

    /// Pairs the components of the sent text with those of the server's version.
    ///
    /// An alarm without a UID is paired by its content. If the server has altered the content, the remaining components
    /// are paired in order, provided that both texts have the same number of them.
    private static func matches(_ own: [Component], _ stored: [Component]) -> [(own: Component, stored: Component)] {
        let (ours, theirs) = (KeyedComponents(own), KeyedComponents(stored))
        var matches: [(own: Component, stored: Component)] = []
        var rest: [Name: [Component]] = [:]
        for (key, component) in ours.pairs {
            if let other = theirs.counterpart(of: key, in: ours) {
                matches.append((component, other))
            } else {
                rest[component.name, default: []].append(component)
            }
        }
        let others = theirs.pairs.filter { key, _ in ours.counterpart(of: key, in: theirs) == nil }.map(\.1)
        for (name, components) in rest {
            let candidates = others.filter { $0.name == name }
            guard candidates.count == components.count else { continue }
            matches += zip(components, candidates).map { ($0, $1) }
        }
        return matches
    }

    /// Whether the server's version differs from the sent text `own` only by shortened values.
    static func isShortened(_ stored: CalendarObject, from own: CalendarObject) -> Bool {
        self.put(from: own, into: stored)?.meaning == own.meaning
    }

    /// - Returns: the server's version with the sent values; `nil` when the server shortened nothing.
    static func put(from own: CalendarObject, into stored: CalendarObject) -> CalendarObject? {
        let edits = self.edits(own.todos, stored.todos)
        return edits.isEmpty ? nil : CalendarObject(stored.document.applying(edits))
    }

    private static func edits(_ own: [Component], _ stored: [Component]) -> [Edit] {
        var edits: [Edit] = []
        for (component, other) in self.matches(own, stored) {
            var editor = ComponentEditor(other)
            let (sent, kept) = (GroupedProperties(component), GroupedProperties(other))
            for group in PropertyGroup.groups(of: [sent, kept]) where group.kind != .stamp {
                self.put(group, sent, kept, &editor)
            }
            edits += editor.edits
            edits += self.edits(component.components, other.components)
        }
        return edits
    }

    /// Restores the values of one group; a group in which the server added or dropped a property stays unchanged.
    private static func put(
        _ group: PropertyGroup,
        _ own: GroupedProperties,
        _ other: GroupedProperties,
        _ editor: inout ComponentEditor
    ) {
        let (ours, theirs) = (group.properties(own), group.properties(other))
        guard ours.count == theirs.count,
            ours.map(\.name.canonical).sorted() == theirs.map(\.name.canonical).sorted(),
            Set(ours.map { Array($0.content) }) != Set(theirs.map { Array($0.content) })
        else { return }
        var rest = theirs
        for property in ours {
            guard let place = rest.firstIndex(where: { $0.name == property.name }) else { return }
            let other = rest.remove(at: place)
            if self.isReduced(other, from: property) { editor.replace(other, with: property.bytes) }
        }
    }
}

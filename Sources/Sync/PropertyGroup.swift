import RemindavICalendar
import RemindavReminders
import RemindavStore

/// Properties that are merged together because they depend on each other, such as DUE and DTSTART.
struct PropertyGroup {
    enum Kind {
        /// Two different values are a conflict.
        case single
        /// A list of values, of which each is merged separately.
        case set
        /// A time stamp or a counter: the higher value wins without a conflict.
        case stamp
    }

    let names: [Name]
    let kind: Kind

    /// Groups of properties that must all come from the same side.
    private static let groups: [[Name]] = [
        [.status, .completed, .percentComplete],
        [.due, .dtstart, .duration],
        [.rrule, .repeatFrom],
        [.description, .altDescription],
        [.mozSnoozeTime, .mozLastAck],
    ]

    private static let stamps: Set<Name> = [.acknowledged, .created, .dtstamp, .lastModified, .sequence]

    /// The groups of the properties in several versions of a component, in the order of their first properties.
    static func groups(of components: [GroupedProperties]) -> [PropertyGroup] {
        var groups: [PropertyGroup] = []
        var seen: Set<Name> = []
        for name in components.flatMap(\.order) where seen.insert(name).inserted {
            let names = self.names(with: name)
            groups.append(PropertyGroup(names: names, kind: self.kind(of: names, in: components)))
        }
        return groups
    }

    static func names(with name: Name) -> [Name] { self.groupOfName[name] ?? [name] }

    private static let groupOfName: [Name: [Name]] = Dictionary(
        groups.flatMap { group in group.map { ($0, group) } },
        uniquingKeysWith: { first, _ in first }
    )

    /// An unknown property or RRULE is a `set` only if one version has it more than once.
    private static func kind(of names: [Name], in components: [GroupedProperties]) -> Kind {
        if names.allSatisfy(self.stamps.contains) { return .stamp }
        if names[0] == .rrule { return components.contains { $0.component.all(.rrule).count > 1 } ? .set : .single }
        guard names.count == 1, PropertyDefinition.of(names[0]).mayRepeat else { return .single }
        if PropertyDefinition.isKnown(names[0]) { return .set }
        return components.contains { $0[names[0]].count > 1 } ? .set : .single
    }

    static func names(with title: String) -> [Name] { Name(title).map { self.names(with: $0) } ?? [] }

    var title: String { self.names[0].canonical }

    func properties(_ component: GroupedProperties) -> [Property] { component[self.names[0]] }

    func meanings(_ component: GroupedProperties, _ durations: DurationComparison = .exact) -> [PropertyMeaning: Int] {
        self.properties(component).flatMap { $0.meanings(durations) }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    func value(_ component: GroupedProperties) -> PropertyConflict.Value {
        let properties = self.properties(component)
        // Nearly all rules have no property beside RRULE, so their value is recorded without its name.
        let isOne = properties.count == 1 && (self.names.count == 1 || properties[0].name == .rrule)
        let lines = properties.map { isOne ? $0.text : String(decoding: $0.content, as: UTF8.self) }
        return PropertyConflict.Value(text: lines.joined(separator: "\n"), lines: properties.flatMap(\.bytes))
    }

    /// The side that completed the to-do first; `nil` if the group lacks COMPLETED, or one side is not completed.
    ///
    /// Two completions of a to-do have the same meaning, so there is no conflict. A missing time counts as later. If
    /// the times are equal or both missing, the server's version wins, because other programs already see it.
    func doneFirst(_ local: Component, _ remote: Component) -> SyncSide? {
        guard self.names.contains(.completed), local.status == .completed, remote.status == .completed else {
            return nil
        }
        guard let ours = local.first(.completed)?.stamp else { return .remote }
        guard let theirs = remote.first(.completed)?.stamp else { return .local }
        return ours < theirs ? .local : .remote
    }

    /// The parents of both sides if both sides changed them; a reminder has one parent, although RELATED-TO is a set.
    func rivalParents(base: GroupedProperties?, _ local: GroupedProperties, _ remote: GroupedProperties)
        -> (local: Property, remote: Property)?
    {
        guard self.names == [.relatedTo] else { return nil }
        func parent(_ side: GroupedProperties) -> Property? {
            self.properties(side).first { Relation($0)?.kind == .parent }
        }
        guard let ours = parent(local), let theirs = parent(remote), ours.meanings != theirs.meanings else {
            return nil
        }
        let former = base.flatMap(parent)?.text
        return ours.text == former || theirs.text == former ? nil : (ours, theirs)
    }

    var isDueAlarm: Bool { self.names == [.dueAlarm] }

    /// Whether the group tells the time of the alarm at the due time on both sides, so that it comes from the side of
    /// the due time.
    func followsDue(_ local: Component, _ remote: Component) -> Bool {
        self.isDueAlarm || self.names == [.trigger] && local.isDueAlarm && remote.isDueAlarm
    }

    /// Whether the local value is higher; `false` for CREATED, because the server's time of creation is the original.
    func isLater(_ local: Component, than remote: Component) -> Bool {
        guard self.names != [.created], let ours = local.first(self.names[0]) else { return false }
        guard let theirs = remote.first(self.names[0]) else { return true }
        if let our = ours.integer, let their = theirs.integer { return our > their }
        return ours.value > theirs.value
    }
}

/// The properties of a component, by the first name of their ``PropertyGroup``.
struct GroupedProperties {
    let component: Component
    /// The first name of each group, in the order of the properties.
    private(set) var order: [Name] = []
    private var properties: [Name: [Property]] = [:]

    init(_ component: Component) {
        self.component = component
        for property in component.properties {
            let name = PropertyGroup.names(with: property.name)[0]
            if self.properties[name] == nil { self.order.append(name) }
            self.properties[name, default: []].append(property)
        }
    }

    var recurrenceID: String? { self.component.recurrenceID?.value }
    subscript(name: Name) -> [Property] { self.properties[name] ?? [] }
}

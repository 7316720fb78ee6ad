import ICalendar
import Reminders
import Store

/// Properties that are merged as one, because they say one thing.
struct PropertyGroup {
    enum Kind {
        /// One value; two different ones are a conflict.
        case single
        /// Many values; each counts for itself.
        case set
        /// A time stamp or counter of the text; the later one wins, without a conflict.
        case stamp
    }

    let names: [Name]
    let kind: Kind

    /// Groups of properties that must come from the same side.
    private static let groups: [[Name]] = [
        [.status, .completed, .percentComplete],
        [.due, .dtstart, .duration],
        [.description, .altDescription],
        [.mozSnoozeTime, .mozLastAck],
    ]

    private static let stamps: Set<Name> = [.acknowledged, .created, .dtstamp, .lastModified, .sequence]

    /// The units that the properties of those components make, in the order in which they come.
    static func units(of components: [UnitProperties]) -> [PropertyGroup] {
        var units: [PropertyGroup] = []
        var seen: Set<Name> = []
        for name in components.flatMap(\.order) where seen.insert(name).inserted {
            let names = self.names(with: name)
            units.append(PropertyGroup(names: names, kind: self.kind(of: names, in: components)))
        }
        return units
    }

    /// The names of the unit that a property of that name is in.
    static func names(with name: Name) -> [Name] { self.groupOfName[name] ?? [name] }

    private static let groupOfName: [Name: [Name]] = Dictionary(
        groups.flatMap { group in group.map { ($0, group) } },
        uniquingKeysWith: { first, _ in first }
    )

    /// An unknown property counts as a list only if a text has it twice.
    private static func kind(of names: [Name], in components: [UnitProperties]) -> Kind {
        if names.allSatisfy(self.stamps.contains) { return .stamp }
        guard names.count == 1, PropertyDefinition.of(names[0]).mayRepeat else { return .single }
        if PropertyDefinition.isKnown(names[0]) && names[0] != .rrule { return .set }
        return components.contains { $0[names[0]].count > 1 } ? .set : .single
    }

    /// The names of the unit that has this ``title``.
    static func names(with title: String) -> [Name] {
        guard let name = Name(title) else { return [] }
        return self.names(with: name)
    }

    /// The unit's name in a report.
    var title: String { self.names[0].canonical }

    func properties(_ component: UnitProperties) -> [Property] { component[self.names[0]] }

    func meanings(_ component: UnitProperties, _ durations: DurationComparison = .exact) -> [PropertyMeaning: Int] {
        self.properties(component).flatMap { $0.meanings(durations) }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The unit's lines for a person: unfolded, in their order.
    func text(_ component: UnitProperties) -> String {
        let properties = self.properties(component)
        if properties.count == 1, self.names.count == 1 { return properties[0].text }
        return properties.map { String(decoding: $0.content, as: UTF8.self) }.joined(separator: "\n")
    }

    /// The unit's lines as they stand.
    func lines(_ component: UnitProperties) -> [UInt8] { self.properties(component).flatMap(\.bytes) }

    /// The side that was completed first if both are completed; otherwise `nil`.
    ///
    /// Two completions of one to-do have the same meaning. If the first is unknown, the server wins, because others see
    /// that already.
    func doneFirst(_ local: Component, _ remote: Component) -> SyncSide? {
        guard self.names.contains(.completed), local.status == .completed, remote.status == .completed else {
            return nil
        }
        guard let ours = local.first(.completed)?.stamp else { return .remote }
        guard let theirs = remote.first(.completed)?.stamp else { return .local }
        return ours < theirs ? .local : .remote
    }

    /// Whether the local stamp is the later, or the larger, one.
    ///
    /// CREATED never is: the server's was there first.
    func isLater(_ local: Component, than remote: Component) -> Bool {
        guard self.names != [.created], let ours = local.first(self.names[0]) else { return false }
        guard let theirs = remote.first(self.names[0]) else { return true }
        if let our = ours.integer, let their = theirs.integer { return our > their }
        return ours.value > theirs.value
    }
}

/// The properties of a component by the unit that they are in, so that each unit finds its own in one step.
struct UnitProperties {
    let component: Component
    /// The first name of each unit, in the order in which the units come.
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

    /// The properties of the unit with that first name, in their order.
    subscript(name: Name) -> [Property] { self.properties[name] ?? [] }
}

public import RemindavICalendar
import RemindavRecurrence

extension CalendarObject {
    /// Joins resources with the same UID to one object: the resource with the series, and resources with overrides.
    ///
    /// Nextcloud Tasks may write such resources, although RFC 4791 §4.1 forbids them. The overrides are inserted after
    /// the last to-do of the series, and the time zones that they use are added. If two overrides replace the same
    /// occurrence, only the one with the latest change remains.
    ///
    /// - Returns: `nil` if the UIDs differ, or if two resources have a to-do without RECURRENCE-ID.
    public static func joining(_ resources: [CalendarObject]) -> CalendarObject? {
        let masters = resources.indices.filter { !resources[$0].isOnlyOverrides }
        guard let uid = resources.first?.uid, masters.count <= 1, resources.allSatisfy({ $0.uid?.exact == uid.exact })
        else {
            return nil
        }
        let first = masters.first ?? 0
        return resources[first].joined(resources.indices.filter { $0 != first }.map { resources[$0] })
    }

    /// Whether all to-dos are overrides, so that the series is in another resource or missing.
    public var isOnlyOverrides: Bool { self.todos.allSatisfy { $0.recurrenceID != nil } }

    private func joined(_ others: [CalendarObject]) -> CalendarObject {
        var joining = JoinedOverrides(self.overrides)
        for other in others { joining.add(other.overrides) }
        var edits = joining.replaced.map { self.document.replacement(of: $0.own, with: $0.other.bytes) }
        if !joining.added.isEmpty {
            let lines = joining.added.flatMap { Array($0.bytes) + ($0.bytes.last == 0x0A ? [] : [0x0D, 0x0A]) }
            let end = (self.todos.last ?? self.main).range.upperBound
            edits.append(self.document.insertion(of: lines, at: end))
        }
        guard !edits.isEmpty else { return self }
        let zones = others.flatMap { $0.document.all(.vtimezone) }
        let joined = self.document.applying(edits).addingMissingTimeZones { name in
            zones.first { $0.first(.tzid)?.text == name }.map { Array($0.bytes) }
        }
        return CalendarObject(joined) ?? self
    }
}

private struct JoinedOverrides {
    private var places: [OccurrenceName: Int] = [:]
    private var found: [(own: Component?, other: Component?)] = []

    init(_ own: [Component]) {
        // If one resource has two overrides of an occurrence, the series uses the first.
        for (component, names) in OccurrenceName.all(own) where self.place(names) == nil {
            self.insert((component, nil), names)
        }
    }

    mutating func add(_ others: [Component]) {
        for (component, names) in OccurrenceName.all(others) {
            guard let place = self.place(names) else {
                self.insert((nil, component), names)
                continue
            }
            let best = self.found[place].other ?? self.found[place].own
            guard let theirs = component.lastChange, best?.lastChange.map({ $0 < theirs }) ?? true else { continue }
            self.found[place].other = component
        }
    }

    private func place(_ names: [OccurrenceName]) -> Int? { names.lazy.compactMap { self.places[$0] }.first }

    private mutating func insert(_ one: (own: Component?, other: Component?), _ names: [OccurrenceName]) {
        for name in names { self.places[name] = self.found.count }
        self.found.append(one)
    }

    var added: [Component] { self.found.filter { $0.own == nil }.compactMap(\.other) }

    var replaced: [(own: Component, other: Component)] {
        self.found.compactMap { one in
            if let own = one.own, let other = one.other { (own, other) } else { nil }
        }
    }
}

/// Identifies an occurrence by the text of its RECURRENCE-ID, or by its instant.
private enum OccurrenceName: Hashable {
    case text(String)
    case instant(Instant)

    static func all(_ overrides: [Component]) -> [(component: Component, names: [Self])] {
        zip(overrides, overrides.occurrenceInstants).map { override, instant in
            let text = Self.text(override.recurrenceID?.value.trimmingSpaces.uppercased() ?? "")
            return (override, [text] + (instant.map { [.instant($0)] } ?? []))
        }
    }
}

extension [Component] {
    /// The instants of the RECURRENCE-IDs of these to-dos, in order; all to-dos must belong to one calendar object.
    ///
    /// `nil` stands for a date, a floating time, a missing RECURRENCE-ID, or a zone that the object does not define.
    package var occurrenceInstants: [Instant?] {
        guard let first = self.first(where: { $0.recurrenceID != nil }) else { return self.map { _ in nil } }
        let zones = first.ownZones
        return self.map { component in
            guard case .dateTime(let time) = component.recurrenceID?.moment, time.zone != .floating else { return nil }
            return zones.instant(of: time)
        }
    }
}

extension Component {
    fileprivate var ownZones: TimeZoneResolver {
        var calendar = self.parent
        while let parent = calendar?.parent { calendar = parent }
        return TimeZoneResolver(database: ZoneDatabase { _ in nil }, calendar: calendar, local: "")
    }
}

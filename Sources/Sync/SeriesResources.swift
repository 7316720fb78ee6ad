import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore

/// The resources of a list that together are one reminder: a series, and overrides in resources of their own.
///
/// RFC 4791 §4.1 requires one resource per UID. Nextcloud Tasks writes completed occurrences to a second resource, and
/// some servers accept this (docs/decisions/0006-completing-a-repeating-reminder.md).
struct SeriesResources {
    /// The largest total size of a series' override resources in bytes, enough for one override a day for twenty years.
    static let maximumOverrideBytes = 4 << 20
    private let key: (Href) -> String
    private let isThere: (Href) -> Bool
    /// The address of each reminder by UID: the resource of the series or, if it is missing, one with an override.
    private var places: [ByteExactString: Href] = [:]
    private var items: [ByteExactString: SyncItem] = [:]
    private var overrides: [ByteExactString: [OverrideResource]] = [:]

    /// - Parameter uids: the UIDs of the resources that were read.
    init(
        _ uids: Set<ByteExactString>,
        in state: SyncState,
        _ changes: ResourceChanges,
        missing: [Href] = [],
        key: @escaping (Href) -> String
    ) {
        self.key = key
        for item in state.items where item.wasThere && uids.contains(item.uid.exact) {
            self.places[item.uid.exact] = item.href
            self.items[item.uid.exact] = item
        }
        for tombstone in state.tombstones where uids.contains(tombstone.uid.exact) {
            self.places[tombstone.uid.exact] = tombstone.href
        }
        for override in state.overrides where uids.contains(override.uid.exact) && override.state != .joined {
            self.overrides[override.uid.exact, default: []].append(override)
        }
        let gone = Set((changes.removed + missing).map(key))
        let isAnyKnown = !self.places.isEmpty || !self.overrides.isEmpty
        let present = changes.isComplete && isAnyKnown ? Set(changes.changed.map { key($0.href) }) : nil
        self.isThere = { href in
            let key = key(href)
            return !gone.contains(key) && present?.contains(key) ?? true
        }
    }

    /// The changed resources, preceded by the resources that have to be read with them.
    ///
    /// If an override resource changed or vanished, the resource of its series is read too. If the server no longer has
    /// the resource of a series, its override resources are read.
    static func adding(
        to changed: [Href],
        _ state: SyncState,
        _ changes: ResourceChanges,
        key: @escaping (Href) -> String
    ) -> [Href] {
        guard !state.overrides.isEmpty else { return changed }
        let series = Self(Set(state.overrides.map(\.uid.exact)), in: state, changes, key: key)
        let asked = Set(changed.map(key))
        var first: [Href] = []
        for (uid, item) in series.items.sorted(by: { $0.value.id < $1.value.id }) {
            guard let place = item.href, let overrides = series.overrides[uid] else { continue }
            let there = overrides.map(\.href).filter(series.isThere)
            if !series.isThere(place) {
                first += there
            } else if there.count < overrides.count || there.contains(where: { asked.contains(key($0)) }) {
                first += [place] + there.filter { asked.contains(key($0)) }
            }
        }
        let keys = Set(first.map(key))
        return first + changed.filter { !keys.contains(key($0)) }
    }

    // MARK: Partners

    /// Whether a resource that was read may belong to a series that is stored in several resources.
    func concerns(_ objects: [RemoteObject]) -> Bool {
        !self.overrides.isEmpty || objects.contains { $0.object.isOnlyOverrides || self.isElsewhere($0) }
    }

    /// Whether the server has the UID at another known address.
    private func isElsewhere(_ object: RemoteObject) -> Bool {
        guard let place = self.places[object.uid.exact], place != object.href, self.isThere(place) else { return false }
        return self.key(place) != self.key(object.href)
    }

    /// The additional resources to read, by UID.
    /// - Parameters:
    ///   - read: the keys of all resources that were read, including those without a to-do.
    ///   - isOnlyOverrides: whether the base of a reminder contains only overrides.
    func partners(
        of objects: [RemoteObject],
        read: Set<String>,
        isOnlyOverrides: (SyncItem) throws -> Bool
    ) rethrows -> [ByteExactString: Href] {
        var partners: [ByteExactString: Href] = [:]
        for object in objects where partners[object.uid.exact] == nil && self.isElsewhere(object) {
            guard let place = self.places[object.uid.exact], !read.contains(self.key(place)) else { continue }
            var isPart = object.object.isOnlyOverrides
            if !isPart, let item = self.items[object.uid.exact] { isPart = try isOnlyOverrides(item) }
            if isPart { partners[object.uid.exact] = place }
        }
        return partners
    }

    /// The UIDs with override resources that still exist but were not read now.
    func uidsOfOverrides(besides read: Set<String>) -> [String] {
        self.overrides.filter { $0.value.contains { self.isAsBefore($0, read) } }.map(\.key.text).sorted()
    }

    private func isAsBefore(_ override: OverrideResource, _ read: Set<String>) -> Bool {
        !read.contains(self.key(override.href)) && self.isThere(override.href)
    }

    // MARK: Putting together

    /// Each reminder with all its overrides, and the override resources that exceed ``maximumOverrideBytes``.
    ///
    /// Two resources that both contain a series with the same UID are not joined.
    /// - Parameters:
    ///   - known: the override resources that earlier syncs read, by UID.
    ///   - read: the keys of the resources that were read now.
    func joined(
        _ objects: [RemoteObject],
        _ known: [ByteExactString: [OverrideText]],
        read: Set<String>
    ) -> (objects: [RemoteObject], rejected: [UnreadableItem]) {
        let concerned = Set(objects.filter(\.object.isOnlyOverrides).map(\.uid.exact)).union(known.keys)
        var rejected: [UnreadableItem] = []
        var joined: [ByteExactString: RemoteObject] = [:]
        let groups = Dictionary(grouping: objects.filter { concerned.contains($0.uid.exact) }, by: \.uid.exact)
        for (uid, members) in groups.sorted(by: { $0.key.text < $1.key.text }) {
            guard let first = self.first(members, uid: uid) else { continue }
            let before = known[uid, default: []].filter { self.isAsBefore($0.resource, read) }
            var parts = before.compactMap { Part($0, of: first) }
            parts += members.filter { $0.object.isOnlyOverrides && $0.href != first.href }.map { Part($0) }
            parts.sort { $0.text.resource.href.wire < $1.text.resource.href.wire }
            var bytes = 0
            let fitting = parts.prefix(while: { part in
                bytes += part.text.source.count
                return bytes <= Self.maximumOverrideBytes
            })
            rejected += parts.dropFirst(fitting.count).map { part in
                let resource = part.text.resource
                let reason = "the series has more overrides than remindav reads"
                return UnreadableItem(href: resource.href, etag: resource.etag, reason: reason)
            }
            guard let whole = CalendarObject.joining([first.object] + fitting.map(\.object)) else { continue }
            var complete = first
            (complete.object, complete.stored, complete.overrides) = (whole, nil, fitting.map(\.text))
            joined[uid] = complete
        }
        let result = objects.compactMap { object -> RemoteObject? in
            guard let whole = joined[object.uid.exact] else { return object }
            if whole.href == object.href { return whole }
            return object.object.isOnlyOverrides ? nil : object
        }
        return (result, rejected)
    }

    /// The resource that represents the reminder: one with the series if there is any, else one with overrides.
    ///
    /// Of several such resources, the one that an earlier sync recorded is chosen.
    private func first(_ members: [RemoteObject], uid: ByteExactString) -> RemoteObject? {
        let masters = members.filter { !$0.object.isOnlyOverrides }
        let candidates = masters.isEmpty ? members : masters
        let place = self.places[uid].map(self.key)
        return candidates.first { self.key($0.href) == place } ?? candidates.first
    }

    private struct Part {
        let text: OverrideText
        let object: CalendarObject

        init(_ remote: RemoteObject) {
            let resource = OverrideResource(uid: remote.uid, href: remote.href, etag: remote.etag)
            self.text = OverrideText(resource, source: remote.object.document.bytes)
            self.object = remote.object
        }

        /// An override that was read earlier.
        ///
        /// If its state is `sending` and `series` now contains the override, its state becomes `joined`, else `found`.
        init?(_ text: OverrideText, of series: RemoteObject) {
            guard let object = CalendarObject(ICalendarDocument(text.source)) else { return nil }
            self.object = object
            let known = text.resource
            let joined = known.state == .sending ? CalendarObject.joining([series.object, object]) : nil
            let hasArrived = joined?.document.bytes == series.object.document.bytes
            let resource = OverrideResource(
                uid: series.uid,
                href: known.href,
                etag: known.etag,
                state: hasArrived ? .joined : .found
            )
            self.text = OverrideText(resource, source: text.source)
        }
    }
}

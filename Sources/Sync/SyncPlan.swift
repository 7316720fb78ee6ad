package import ICalendar
package import Store

/// A resource of the server that could be read as a to-do.
package struct RemoteObject: Sendable {
    /// Where it is.
    package let href: Href
    /// Which version it is; `nil` when the server does not say.
    package let etag: EntityTag?
    /// What identifies its to-do.
    package let uid: String
    /// Its text, read.
    package let object: CalendarObject
}

/// When a sync stops to ask.
package struct DeletionGuard: Sendable {
    /// So many deletions of one list are always done.
    package var items: Int
    /// And so many hundredths of the list.
    package var percent: Int

    /// More than 10 items and more than 25 % of the list ask first.
    package static let standard = Self(items: 10, percent: 25)
    /// Nothing is asked: the person has said so.
    package static let off = Self(items: .max, percent: 100)

    /// Whether deleting `count` of `total` items is too many to do unasked.
    package func holds(_ count: Int, of total: Int) -> Bool {
        count > self.items && count * 100 > total * self.percent
    }
}

/// What a sync of one list will do.
///
/// Made before anything is done; a dry run shows it and stops.
package struct SyncPlan: Sendable {
    /// Items to take from the server, and what they replace here.
    package private(set) var pulls: [(remote: RemoteObject, local: SyncItem?)] = []
    /// Items that both sides have changed.
    package private(set) var merges: [(remote: RemoteObject, local: SyncItem)] = []
    /// Items to send.
    package private(set) var pushes: [SyncItem] = []
    /// Of those, the ones that the server no longer has: they are sent as new ones.
    package private(set) var revivals: [SyncItem] = []
    /// Items that the server no longer has.
    package private(set) var localDeletions: [SyncItem] = []
    /// Items to delete on the server.
    package private(set) var remoteDeletions: [Tombstone] = []
    /// Deleted on both sides, or here and wanted back there.
    package private(set) var forgotten: [Tombstone] = []
    /// The entity tags to delete with, by UID, where the server's is newer than the one that was known here.
    package private(set) var deletionTags: [String: EntityTag] = [:]
    /// Resources that are no to-dos, or hold a UID that another has.
    package private(set) var unreadable: [UnreadableItem] = []
    /// Such resources that are gone.
    package private(set) var vanishedUnreadable: [Href] = []
    /// Deletions that wait for the person's word.
    package private(set) var held = 0
    /// Whether local deletions are held: then the sync token must not move on, or they would never be seen again.
    package private(set) var holdsLocalDeletions = false

    private let state: SyncState
    private let key: @Sendable (Href) -> String

    /// Decides.
    ///
    /// Reads nothing but its arguments.
    ///
    /// - Parameters:
    ///   - state: what is known here.
    ///   - changes: what the server says.
    ///   - objects: the texts of changed resources that could be read.
    ///   - rejected: the changed resources that could not be.
    ///   - missing: resources that were gone when their text was asked for.
    ///   - sameAsDeleted: UIDs of items that were deleted here and still say on the server what they said then.
    package init(
        state: SyncState,
        changes: RemoteChanges,
        objects: [RemoteObject],
        rejected: [UnreadableItem],
        missing: [Href],
        sameAsDeleted: Set<String> = [],
        guard deletionGuard: DeletionGuard = .standard,
        key: @escaping @Sendable (Href) -> String
    ) {
        self.state = state
        self.key = key
        self.unreadable = rejected
        let known = KnownItems(state, key: key)
        let gone = self.goneKeys(changes, missing: missing, known: known)
        self.planPresent(objects, known: known, gone: gone, sameAsDeleted: sameAsDeleted)
        self.planGone(gone, known: known)
        self.planLocal(known: known, gone: gone)
        self.hold(deletionGuard, isComplete: changes.isComplete)
    }

    /// The hrefs whose text is needed: those that are not here with the same entity tag.
    package static func hrefsToFetch(_ state: SyncState, _ changes: RemoteChanges, key: (Href) -> String) -> [Href] {
        let known = KnownItems(state, key: key)
        let changed = changes.changed.filter { $0.etag == nil || known.etag(of: key($0.href)) != $0.etag }.map(\.href)
        // A resource that doubled the UID of another may be the only one left when something is gone.
        let present = Set(changes.changed.map { key($0.href) })
        let removed = Set(changes.removed.map(key))
        let isAnyGone = !removed.isEmpty || changes.isComplete && known.trackedKeys.contains { !present.contains($0) }
        guard isAnyGone else { return changed }
        let asked = Set(changed.map(key))
        let doubles = state.unreadable.map(\.href).filter { href in
            !asked.contains(key(href)) && !removed.contains(key(href))
                && (!changes.isComplete || present.contains(key(href)))
        }
        return changed + doubles
    }

    // MARK: Deciding

    private func goneKeys(_ changes: RemoteChanges, missing: [Href], known: KnownItems) -> Set<String> {
        var gone = Set((changes.removed + missing).map(self.key))
        guard changes.isComplete else { return gone }
        let present = Set(changes.changed.map { self.key($0.href) }).subtracting(missing.map(self.key))
        let unreadable = self.state.unreadable.map { self.key($0.href) }
        for key in known.trackedKeys + unreadable where !present.contains(key) { gone.insert(key) }
        return gone
    }

    private mutating func planPresent(
        _ objects: [RemoteObject],
        known: KnownItems,
        gone: Set<String>,
        sameAsDeleted: Set<String>
    ) {
        var taken: Set<String> = []
        // The resource that is known comes before one that doubles its UID, in whatever order they came.
        let key = self.key
        let isKnown = { (object: RemoteObject) in known.item(at: key(object.href))?.uid == object.uid }
        for object in objects.filter(isKnown) + objects.filter({ !isKnown($0) }) {
            guard taken.insert(object.uid).inserted else {
                self.reject(object)
                continue
            }
            let key = self.key(object.href)
            if let item = known.item(at: key) ?? known.item(uid: object.uid) {
                let isElsewhere = item.href.map { self.key($0) != key } ?? false
                // The same UID at two places of the server: the second is left alone.
                if isElsewhere, let href = item.href, item.etag != nil, !gone.contains(self.key(href)) {
                    self.reject(object)
                } else {
                    self.add(object, Self.state(of: item), item)
                }
            } else if sameAsDeleted.contains(object.uid), known.tombstone(at: key) != nil {
                // Our own last version, whose entity tag we had not learned.
                self.deletionTags[object.uid] = object.etag
            } else if let tombstone = known.tombstone(at: key) ?? known.tombstone(uid: object.uid) {
                self.add(object, .tracked(local: .deleted, remote: .modified), nil)
                self.forgotten.append(tombstone)
            } else {
                self.add(object, .newRemote, nil)
            }
        }
    }

    private static func state(of item: SyncItem) -> ItemState {
        if item.isDirty, item.etag == nil { return .newOnBoth }
        return .tracked(local: item.isDirty ? .modified : .unchanged, remote: .modified)
    }

    private mutating func add(_ object: RemoteObject, _ state: ItemState, _ item: SyncItem?) {
        switch (action(for: state), item) {
        case (.resolve, let item?): self.merges.append((object, item))
        case (.pull, _): self.pulls.append((object, item))
        default: break
        }
    }

    private mutating func reject(_ object: RemoteObject) {
        self.unreadable.append(
            UnreadableItem(href: object.href, etag: object.etag, reason: "another item of the list has the same UID")
        )
    }

    private mutating func planGone(_ gone: Set<String>, known: KnownItems) {
        let present = Set(self.pulls.map(\.remote.uid) + self.merges.map(\.remote.uid))
        for item in self.state.items {
            guard let href = item.href, gone.contains(self.key(href)), !present.contains(item.uid) else { continue }
            // A name that was set aside for an item that has never arrived.
            if item.isDirty, item.etag == nil { continue }
            switch action(for: .tracked(local: item.isDirty ? .modified : .unchanged, remote: .deleted)) {
            case .deleteLocal: self.localDeletions.append(item)
            case .push: self.revivals.append(item)
            default: break
            }
        }
        for tombstone in self.state.tombstones where gone.contains(self.key(tombstone.href)) {
            self.forgotten.append(tombstone)
        }
        self.vanishedUnreadable = self.state.unreadable.map(\.href).filter { gone.contains(self.key($0)) }
    }

    private mutating func planLocal(known: KnownItems, gone: Set<String>) {
        let resolved = Set(self.merges.map(\.local.id) + self.pulls.compactMap(\.local?.id))
        self.pushes = self.state.items.filter { $0.isDirty && !resolved.contains($0.id) }
        let settled = Set(self.forgotten.map(\.uid))
        self.remoteDeletions = self.state.tombstones.filter { !settled.contains($0.uid) }
    }

    private mutating func hold(_ deletionGuard: DeletionGuard, isComplete: Bool) {
        let tracked = self.state.items.filter { $0.etag != nil }.count
        let vanishing = self.localDeletions.count + self.revivals.count
        // A listing in which nothing is left of what was there is another list (a server that was set up anew), or a
        // mistake, more often than a wish.
        let isEmptied = isComplete && vanishing > 0 && vanishing >= tracked && deletionGuard.percent < 100
        if isEmptied || deletionGuard.holds(self.localDeletions.count, of: tracked) {
            self.held += self.localDeletions.count
            self.holdsLocalDeletions = true
            self.localDeletions = []
            let waiting = Set(self.revivals.map(\.id))
            self.pushes.removeAll { waiting.contains($0.id) }
            self.held += self.revivals.count
            self.revivals = []
        }
        if deletionGuard.holds(self.remoteDeletions.count, of: tracked + self.state.tombstones.count) {
            self.held += self.remoteDeletions.count
            self.remoteDeletions = []
        }
    }
}

/// What is known here, by name and by UID.
private struct KnownItems {
    private var items: [String: SyncItem] = [:]
    private var itemsByUID: [String: SyncItem] = [:]
    private var tombstones: [String: Tombstone] = [:]
    private var tombstonesByUID: [String: Tombstone] = [:]
    private var etags: [String: EntityTag] = [:]

    init(_ state: SyncState, key: (Href) -> String) {
        for item in state.items {
            self.itemsByUID[item.uid] = item
            guard let href = item.href else { continue }
            self.items[key(href)] = item
            if let etag = item.etag { self.etags[key(href)] = etag }
        }
        for tombstone in state.tombstones {
            self.tombstones[key(tombstone.href)] = tombstone
            self.tombstonesByUID[tombstone.uid] = tombstone
            if let etag = tombstone.etag { self.etags[key(tombstone.href)] = etag }
        }
        for item in state.unreadable {
            if let etag = item.etag, self.etags[key(item.href)] == nil { self.etags[key(item.href)] = etag }
        }
    }

    /// The names that the server is known to have had.
    var trackedKeys: [String] { Array(self.items.keys) + Array(self.tombstones.keys) }

    func etag(of key: String) -> EntityTag? { self.etags[key] }
    func item(at key: String) -> SyncItem? { self.items[key] }
    func item(uid: String) -> SyncItem? { self.itemsByUID[uid] }
    func tombstone(at key: String) -> Tombstone? { self.tombstones[key] }
    func tombstone(uid: String) -> Tombstone? { self.tombstonesByUID[uid] }
}

package import RemindavICalendar
package import RemindavResources
package import RemindavStore

/// A resource on the server that was parsed as a to-do.
package struct RemoteObject: Sendable {
    package let href: Href
    /// The entity tag; `nil` when the server sends none.
    package let etag: EntityTag?
    package let uid: String
    /// The to-do, joined with overrides that have resources of their own.
    package var object: CalendarObject
    /// The index columns for the store, such as title and due time; `nil` until they are derived.
    package var stored: StoredObject?
    package var overrides: [OverrideText] = []
}

/// The limits above which deletions wait for the user's confirmation.
package struct DeletionGuard: Sendable {
    /// The largest number of deletions in one list that need no confirmation.
    package var items: Int
    /// The largest share of the list, in percent, that needs no confirmation, even if it is more than ``items``.
    package var percent: Int
    /// The reminders whose deletion the user has confirmed.
    ///
    /// If a plan deletes others too, all its deletions are examined.
    package var confirmed: Set<ObjectID> = []
    package static let standard = Self(items: 10, percent: 25)
    /// No deletion waits, because the user has confirmed all deletions.
    package static let off = Self(items: .max, percent: 100)

    package func holds(_ count: Int, of total: Int) -> Bool { count > self.items && count * 100 > total * self.percent }
}

/// The actions of a sync of one list, all decided before the first one is executed.
///
/// A long answer is read in batches. Each batch has its own plan; only the last plan has the deletions and the uploads.
package struct SyncPlan: Sendable {
    package private(set) var pulls: [(remote: RemoteObject, local: SyncItem?)] = []
    package private(set) var merges: [(remote: RemoteObject, local: SyncItem)] = []
    package private(set) var pushes: [SyncItem] = []
    /// Reminders that were edited locally but no longer exist on the server: they are sent as new.
    package private(set) var recreations: [SyncItem] = []
    package private(set) var localDeletions: [SyncItem] = []
    package private(set) var remoteDeletions: [Tombstone] = []
    /// UIDs of reminders that were deleted locally but changed on the server.
    package private(set) var returned: Set<ByteExactString> = []
    /// Tombstones to remove, because the server has nothing left to delete or the reminder comes back.
    ///
    /// The reminder was deleted or changed on the server, too, or another object now has its address.
    package private(set) var forgotten: [Tombstone] = []
    /// Tombstones of reminders that were moved to another list locally and no longer exist on the server.
    ///
    /// The store keeps them until the other list is synced, because a change by another program may restore the
    /// reminders.
    package private(set) var movedAway: [Tombstone] = []
    /// Entity tags of reminders that have to be deleted on the server, by UID; only tags that the store lacks.
    package private(set) var deletionTags: [ByteExactString: EntityTag] = [:]
    /// Reminders that were moved to another list locally and changed on the server.
    package private(set) var movedCopies: [(remote: RemoteObject, tombstone: Tombstone)] = []
    /// Resources that do not become reminders, because they have no to-do or the UID of another resource.
    package private(set) var unreadable: [UnreadableItem] = []
    package private(set) var vanishedUnreadable: [Href] = []
    /// Reminders that were deleted locally, and that have a new entity tag but the same content on the server.
    package private(set) var refreshed: [(remote: RemoteObject, tombstone: Tombstone)] = []
    /// Override resources that no longer exist on the server; their removal has no effect on a local reminder.
    package private(set) var vanishedOverrides: [OverrideResource] = []
    /// UIDs of series that lost their own resource on the server, but still have override resources that were not read.
    package private(set) var postponed: Set<ByteExactString> = []
    package private(set) var held = HeldDeletions()
    /// Edited reminders that no longer exist on the server: they are not sent until the user confirms the deletions.
    package private(set) var waiting: Set<ObjectID> = []
    /// Why local deletions wait for confirmation; no token is saved then: the server reports them only once.
    package private(set) var hold: DeletionHold?
    private let state: SyncState
    private let key: @Sendable (Href) -> String

    /// Decides from the arguments alone, without requests or access to the store.
    /// - Parameters:
    ///   - objects: the changed resources that could be parsed; `rejected` are all others.
    ///   - missing: the resources that no longer existed when their texts were requested.
    ///   - sameAsDeleted: UIDs of reminders that were deleted locally and have not changed on the server since.
    ///   - moved: UIDs of reminders that were moved to another list locally.
    package init(
        state: SyncState,
        changes: ResourceChanges,
        objects: [RemoteObject],
        rejected: [UnreadableItem],
        missing: [Href],
        sameAsDeleted: Set<ByteExactString> = [],
        moved: Set<ByteExactString> = [],
        key: @escaping @Sendable (Href) -> String
    ) {
        self.state = state
        self.key = key
        self.unreadable = rejected
        let known = KnownItems(state, sameAsDeleted: sameAsDeleted, moved: moved, key: key)
        let gone = self.goneKeys(changes, missing: missing, known: known)
        var replaced = Set((rejected + state.unreadable).map { key($0.href) })
        // A resource that was read now is no longer unreadable.
        if !replaced.isEmpty {
            replaced.subtract(objects.flatMap { [$0.href] + $0.overrides.map(\.resource.href) }.map(key))
        }
        self.planPresent(objects, known: known, left: gone.union(replaced))
        self.planGone(gone, known: known, replaced: replaced)
        self.planLocal()
    }

    /// The addresses of the resources that have to be fetched, because no text with their entity tag is stored.
    /// - Parameter rereadsSetAside: whether to fetch unreadable resources again even if their entity tags are
    ///   unchanged, because an answer may have been damaged.
    package static func hrefsToFetch(
        _ state: SyncState,
        _ changes: ResourceChanges,
        rereadsSetAside: Bool = false,
        key: @escaping (Href) -> String
    ) -> [Href] {
        let known = KnownItems(state, key: key)
        let setAside = rereadsSetAside ? Set(state.unreadable.map { key($0.href) }) : []
        let new = changes.changed.filter { member in
            let place = key(member.href)
            return member.etag == nil || known.etags[place] != member.etag || setAside.contains(place)
        }.map(\.href)
        let changed = SeriesResources.adding(to: new, state, changes, key: key)
        let (removed, tracked) = (Set(changes.removed.map(key)), known.trackedKeys)
        guard !removed.isEmpty || changes.isComplete && !tracked.isEmpty else { return changed }
        // After a removal, a resource that counted as unreadable because of its UID may be the only one with this UID.
        let present = Set(changes.changed.map { key($0.href) })
        let isAnyGone = !removed.isEmpty || tracked.contains { !present.contains($0) }
        guard isAnyGone else { return changed }
        let asked = Set(changed.map(key))
        let doubles = state.unreadable.map(\.href).filter { href in
            !asked.contains(key(href)) && !removed.contains(key(href))
                && (!changes.isComplete || present.contains(key(href)))
        }
        return changed + doubles
    }

    /// The number of differences between the local state and a full listing that the server had not reported.
    package static func unreported(
        _ state: SyncState,
        reported: ResourceChanges,
        all: ResourceChanges,
        key: (Href) -> String
    ) -> Int {
        let known = KnownItems(state, key: key)
        let reported = Set(reported.changed.map { key($0.href) } + reported.removed.map(key))
        let present = Set(all.changed.map { key($0.href) })
        let changed = all.changed.filter { member in
            !reported.contains(key(member.href)) && (member.etag == nil || known.etags[key(member.href)] != member.etag)
        }
        let gone = known.agreedKeys.filter { !present.contains($0) && !reported.contains($0) }
        return changed.count + gone.count
    }

    // MARK: Deciding

    private func goneKeys(_ changes: ResourceChanges, missing: [Href], known: KnownItems) -> Set<String> {
        var gone = Set((changes.removed + missing).map(self.key))
        let expected = known.trackedKeys + self.state.unreadable.map { self.key($0.href) }
        guard changes.isComplete, !expected.isEmpty else { return gone }
        let present = Set(changes.changed.map { self.key($0.href) }).subtracting(missing.map(self.key))
        for key in expected where !present.contains(key) { gone.insert(key) }
        return gone
    }

    private mutating func planPresent(_ objects: [RemoteObject], known: KnownItems, left: Set<String>) {
        var taken: Set<ByteExactString> = []
        // If two resources have the same UID, the one that an earlier sync recorded comes first and is used.
        let key = self.key
        let isKnown = { (object: RemoteObject) in known.items[key(object.href)]?.uid.exact == object.uid.exact }
        let inPlace = known.items.isEmpty ? [] : objects.filter(isKnown)
        for object in inPlace.isEmpty ? objects : inPlace + objects.filter({ !isKnown($0) }) {
            guard taken.insert(object.uid.exact).inserted else {
                self.reject(object)
                continue
            }
            let key = self.key(object.href)
            if let item = known.items[key] ?? known.itemsByUID[object.uid.exact] {
                let parts = object.overrides.map { self.key($0.resource.href) } + [key]
                let isElsewhere = item.href.map { !parts.contains(self.key($0)) } ?? false
                // If the known resource of this UID is unchanged, this second resource counts as unreadable. If the
                // known resource no longer exists or has other content, another program has moved or recreated the
                // reminder.
                if isElsewhere, let href = item.href, item.wasThere, !left.contains(self.key(href)) {
                    self.reject(object)
                } else {
                    self.add(object, Self.state(of: item), item)
                }
            } else if let tombstone = known.tombstonesByUID[object.uid.exact], known.moved.contains(object.uid.exact) {
                self.movedCopies.append((object, tombstone))
            } else if known.sameAsDeleted.contains(object.uid.exact), let tombstone = known.tombstones[key] {
                // The server has the last local version, with an entity tag that the store did not know.
                self.deletionTags[object.uid.exact] = object.etag
                self.refreshed.append((object, tombstone))
            } else if let tombstone = known.tombstones[key] ?? known.tombstonesByUID[object.uid.exact] {
                self.add(object, .tracked(local: .deleted, remote: .modified), nil)
                self.forgotten.append(tombstone)
                self.returned.insert(object.uid.exact)
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
        self.unreadable.append(UnreadableItem(href: object.href, etag: object.etag, reason: UnreadableItem.doubledUID))
    }

    private mutating func planGone(_ gone: Set<String>, known: KnownItems, replaced: Set<String>) {
        let present = Set(self.pulls.map(\.remote.uid.exact) + self.merges.map(\.remote.uid.exact))
        let overrides = self.state.overrides.filter { !gone.contains(self.key($0.href)) && $0.state != .joined }
        let withOverrides = Set(overrides.map(\.uid.exact))
        for item in self.state.items {
            let uid = item.uid.exact
            guard let href = item.href, gone.contains(self.key(href)), !present.contains(uid) else { continue }
            guard !withOverrides.contains(uid) else {
                self.postponed.insert(uid)
                continue
            }
            // The address was reserved for a new reminder that the server never stored.
            if item.isDirty, !item.wasThere { continue }
            switch action(for: .tracked(local: item.isDirty ? .modified : .unchanged, remote: .deleted)) {
            case .deleteLocal: self.localDeletions.append(item)
            case .push: self.recreations.append(item)
            default: break
            }
        }
        // If another object now has the address, the tombstone has nothing left to delete.
        for tombstone in self.state.tombstones
        where replaced.contains(self.key(tombstone.href))
            || gone.contains(self.key(tombstone.href)) && !withOverrides.contains(tombstone.uid.exact)
        {
            if known.moved.contains(tombstone.uid.exact), !replaced.contains(self.key(tombstone.href)) {
                self.movedAway.append(tombstone)
            } else {
                self.forgotten.append(tombstone)
            }
        }
        self.vanishedUnreadable = self.state.unreadable.map(\.href).filter { gone.contains(self.key($0)) }
        self.vanishedOverrides = self.state.overrides.filter { override in
            gone.contains(self.key(override.href))
                && (override.state == .joined || known.itemsByUID[override.uid.exact] == nil)
        }
    }

    private mutating func planLocal() {
        let resolved = Set(self.merges.map(\.local.id) + self.pulls.compactMap(\.local?.id))
        self.pushes = self.state.items.filter { $0.isDirty && !resolved.contains($0.id) }
        let movedCopies = Dictionary(uniqueKeysWithValues: self.movedCopies.map { ($0.tombstone.uid.exact, $0.remote) })
        self.forgotten.removeAll { movedCopies[$0.uid.exact] != nil }
        self.movedAway.removeAll { movedCopies[$0.uid.exact] != nil }
        let settled = Set((self.forgotten + self.movedAway).map(\.uid.exact))
        self.remoteDeletions = self.state.tombstones.filter { !settled.contains($0.uid.exact) }
            .map { tombstone in movedCopies[tombstone.uid.exact].map { tombstone.moved(to: $0) } ?? tombstone }
    }

    /// Removes the actions that need the user's confirmation.
    /// - Parameters:
    ///   - isServerReset: see ``LearningPhase/isServerReset``.
    ///   - elsewhere: UIDs of reminders that another program moved from this list to another list of the account.
    ///   - movedFromHere: UIDs of reminders that a user moved from this list to another list of the account.
    package mutating func hold(
        _ deletionGuard: DeletionGuard,
        isServerReset: Bool,
        elsewhere: Set<ByteExactString>,
        movedFromHere: Set<ByteExactString> = []
    ) {
        let tracked = self.state.items.filter { $0.wasThere && !elsewhere.contains($0.uid.exact) }.count
        let deletions = self.localDeletions.filter { !elsewhere.contains($0.uid.exact) }
        let recreations = self.recreations.filter { !elsewhere.contains($0.uid.exact) }
        let removals = self.remoteDeletions.filter { !movedFromHere.contains($0.uid.exact) }
        let all = Set((deletions + recreations).map(\.id) + removals.map(\.object))
        let deletionGuard = all.isSubset(of: deletionGuard.confirmed) ? .off : deletionGuard
        let vanishing = deletions.count + recreations.count
        // A listing without any known reminder usually comes from a reinstalled server, or from a mistake, so the
        // deletions wait.
        let isUnconfirmed = vanishing > 0 && deletionGuard.percent < 100
        let isEmptied = isServerReset && isUnconfirmed && vanishing >= tracked
        // Deletions that wait keep waiting, even if new reminders have made them a smaller share of the list. If they
        // waited only because they were many, they are carried out when few remain, for example because the others
        // were restored on the server.
        let isWaiting =
            switch self.state.list.deletionHold {
            case nil: false
            case .emptied: isUnconfirmed
            case .limit: isUnconfirmed && vanishing > deletionGuard.items
            }
        if isEmptied || isWaiting || deletionGuard.holds(deletions.count, of: tracked) {
            self.held.localObjects = (deletions + recreations).map(\.id)
            self.hold = isEmptied || self.state.list.deletionHold == .emptied ? .emptied : .limit
            self.localDeletions.removeAll { !elsewhere.contains($0.uid.exact) }
            self.recreations.removeAll { !elsewhere.contains($0.uid.exact) }
            self.waiting = Set(recreations.map(\.id))
            self.pushes.removeAll { self.waiting.contains($0.id) }
        }
        if deletionGuard.holds(removals.count, of: tracked + self.state.tombstones.count - movedFromHere.count) {
            self.held.remoteObjects = removals.map { HeldDeletions.Removal(object: $0.object, uid: $0.uid) }
            self.remoteDeletions.removeAll { !movedFromHere.contains($0.uid.exact) }
        }
    }
}

extension UnreadableItem {
    static let doubledUID = "another item of the list has the same UID"
}

extension Tombstone {
    fileprivate func moved(to object: RemoteObject) -> Self {
        Self(uid: self.uid, object: self.object, href: object.href, etag: object.etag, deletedAt: self.deletedAt)
    }
}

/// The reminders and resources in the local state, by the key of their address and by UID.
private struct KnownItems {
    private(set) var items: [String: SyncItem] = [:]
    private(set) var itemsByUID: [ByteExactString: SyncItem] = [:]
    private(set) var tombstones: [String: Tombstone] = [:]
    private(set) var tombstonesByUID: [ByteExactString: Tombstone] = [:]
    private(set) var overrides: [String] = []
    private(set) var etags: [String: EntityTag] = [:]
    let sameAsDeleted: Set<ByteExactString>
    let moved: Set<ByteExactString>

    init(
        _ state: SyncState,
        sameAsDeleted: Set<ByteExactString> = [],
        moved: Set<ByteExactString> = [],
        key: (Href) -> String
    ) {
        (self.sameAsDeleted, self.moved) = (sameAsDeleted, moved)
        for item in state.items {
            self.itemsByUID[item.uid.exact] = item
            guard let href = item.href else { continue }
            self.items[key(href)] = item
            if let etag = item.etag { self.etags[key(href)] = etag }
        }
        for tombstone in state.tombstones {
            self.tombstones[key(tombstone.href)] = tombstone
            self.tombstonesByUID[tombstone.uid.exact] = tombstone
            if let etag = tombstone.etag { self.etags[key(tombstone.href)] = etag }
        }
        for override in state.overrides {
            self.overrides.append(key(override.href))
            if let etag = override.etag { self.etags[key(override.href)] = etag }
        }
        for item in state.unreadable {
            if let etag = item.etag, self.etags[key(item.href)] == nil { self.etags[key(item.href)] = etag }
        }
    }

    /// The keys of all addresses in the local state, except those of unreadable resources.
    var trackedKeys: [String] { Array(self.items.keys) + Array(self.tombstones.keys) + self.overrides }
    /// The keys among ``trackedKeys`` whose address has a known entity tag.
    var agreedKeys: [String] { self.trackedKeys.filter { self.etags[$0] != nil } }
}

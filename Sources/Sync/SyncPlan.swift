package import ICalendar
package import Resources
package import Store

/// A resource of the server that could be read as a to-do.
package struct RemoteObject: Sendable {
    package let href: Href
    /// `nil` when the server sends none.
    package let etag: EntityTag?
    package let uid: String
    /// With the overrides in resources of their own.
    package var object: CalendarObject
    /// `nil` until it is derived.
    package var stored: StoredObject?
    package var overrides: [OverrideText] = []
}

/// The limits above which deletions wait for confirmation.
package struct DeletionGuard: Sendable {
    /// Up to this number, deletions of one list are always done.
    package var items: Int
    /// Up to this share of the list they are done as well.
    package var percent: Int
    package static let standard = Self(items: 10, percent: 25)
    /// The user has confirmed all deletions.
    package static let off = Self(items: .max, percent: 100)

    package func holds(_ count: Int, of total: Int) -> Bool { count > self.items && count * 100 > total * self.percent }
}

/// The actions of a sync of one list, decided before any of them.
///
/// A long answer is read in parts: each part has a plan, and the last one has the deletions and the uploads.
package struct SyncPlan: Sendable {
    package private(set) var pulls: [(remote: RemoteObject, local: SyncItem?)] = []
    package private(set) var merges: [(remote: RemoteObject, local: SyncItem)] = []
    package private(set) var pushes: [SyncItem] = []
    /// Edited here and gone on the server: they are sent as new.
    package private(set) var recreations: [SyncItem] = []
    package private(set) var localDeletions: [SyncItem] = []
    package private(set) var remoteDeletions: [Tombstone] = []
    /// UIDs of items that were deleted here and changed on the server.
    package private(set) var returned: Set<ByteExactString> = []
    /// Deleted on both sides, or deleted here and changed on the server.
    package private(set) var forgotten: [Tombstone] = []
    /// Moved to another list here and gone on the server: forgotten when they have arrived in the other list, because a
    /// change by another program may bring one back until then.
    package private(set) var movedAway: [Tombstone] = []
    /// By UID; only where the server's tag is newer than the known one.
    package private(set) var deletionTags: [ByteExactString: EntityTag] = [:]
    /// Moved to another list here, changed on the server.
    package private(set) var movedCopies: [(remote: RemoteObject, tombstone: Tombstone)] = []
    /// Resources that are no to-dos, or have the UID of another one.
    package private(set) var unreadable: [UnreadableItem] = []
    package private(set) var vanishedUnreadable: [Href] = []
    /// Deleted here, unchanged on the server except for their entity tags.
    package private(set) var refreshed: [(remote: RemoteObject, tombstone: Tombstone)] = []
    /// Without an effect here.
    package private(set) var vanishedOverrides: [OverrideResource] = []
    /// UIDs of items without their resource, but with overrides on the server that were not read.
    package private(set) var postponed: Set<ByteExactString> = []
    package private(set) var held = HeldDeletions()
    /// Edited here and gone on the server: they are not sent before the user confirms.
    package private(set) var waiting: Set<ObjectID> = []
    /// The sync token must stay then, or the deletions would never be seen again.
    package private(set) var holdsLocalDeletions = false
    private let state: SyncState
    private let key: @Sendable (Href) -> String

    /// Decides from the arguments alone.
    ///
    /// - Parameters:
    ///   - objects: the changed resources that could be read; `rejected` are the others.
    ///   - missing: resources that were gone when their text was requested.
    ///   - sameAsDeleted: UIDs of items that were deleted here and are unchanged on the server since.
    ///   - moved: UIDs of items that were moved to another list here.
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
        // Resources that were read now replace older findings.
        if !replaced.isEmpty {
            replaced.subtract(objects.flatMap { [$0.href] + $0.overrides.map(\.resource.href) }.map(key))
        }
        self.planPresent(objects, known: known, left: gone.union(replaced))
        self.planGone(gone, known: known, replaced: replaced)
        self.planLocal()
    }

    /// The addresses of the texts that are not here with the same entity tag.
    ///
    /// - Parameter rereadsSetAside: whether unreadable resources are fetched again although their entity tags are the
    ///   same: the answer may have been wrong, not the resource.
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
        // A resource that doubled the UID of another may be the only one left when something is gone.
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

    /// Number of differences between the known state and a full listing that the server had not reported.
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
        // The known resource comes before another one with its UID, in any order of arrival.
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
                // The second of two resources with one UID is left alone. If the first is gone or has other content,
                // another program has moved or recreated the item.
                if isElsewhere, let href = item.href, item.wasThere, !left.contains(self.key(href)) {
                    self.reject(object)
                } else {
                    self.add(object, Self.state(of: item), item)
                }
            } else if let tombstone = known.tombstonesByUID[object.uid.exact], known.moved.contains(object.uid.exact) {
                self.movedCopies.append((object, tombstone))
            } else if known.sameAsDeleted.contains(object.uid.exact), let tombstone = known.tombstones[key] {
                // The last local version, with an unknown entity tag.
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
            // An address reserved for an item that never arrived.
            if item.isDirty, !item.wasThere { continue }
            switch action(for: .tracked(local: item.isDirty ? .modified : .unchanged, remote: .deleted)) {
            case .deleteLocal: self.localDeletions.append(item)
            case .push: self.recreations.append(item)
            default: break
            }
        }
        // Where another item is now, nothing is left to delete.
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

    /// Removes the actions that need confirmation.
    ///
    /// - Parameters:
    ///   - isServerReset: see ``LearningPhase``.
    ///   - elsewhere: UIDs of items that are gone there and are in another list of the account: they were moved.
    ///   - movedFromHere: UIDs of items that a person has moved from here to another list of the account.
    package mutating func hold(
        _ deletionGuard: DeletionGuard,
        isServerReset: Bool,
        elsewhere: Set<ByteExactString>,
        movedFromHere: Set<ByteExactString> = []
    ) {
        let tracked = self.state.items.filter { $0.wasThere && !elsewhere.contains($0.uid.exact) }.count
        let deletions = self.localDeletions.filter { !elsewhere.contains($0.uid.exact) }
        let recreations = self.recreations.filter { !elsewhere.contains($0.uid.exact) }
        let vanishing = deletions.count + recreations.count
        // A listing without any known item is more often another list (a reinstalled server) or a mistake than a wish.
        let isEmptied = isServerReset && vanishing > 0 && vanishing >= tracked && deletionGuard.percent < 100
        // Deletions that wait go on waiting, although new items make them a smaller part of the list.
        let isWaiting = self.state.list.holdsDeletions && vanishing > 0 && deletionGuard.percent < 100
        if isEmptied || isWaiting || deletionGuard.holds(deletions.count, of: tracked) {
            self.held.here += vanishing
            self.holdsLocalDeletions = true
            self.localDeletions.removeAll { !elsewhere.contains($0.uid.exact) }
            self.recreations.removeAll { !elsewhere.contains($0.uid.exact) }
            self.waiting = Set(recreations.map(\.id))
            self.pushes.removeAll { self.waiting.contains($0.id) }
        }
        let removals = self.remoteDeletions.filter { !movedFromHere.contains($0.uid.exact) }.count
        if deletionGuard.holds(removals, of: tracked + self.state.tombstones.count - movedFromHere.count) {
            self.held.there += removals
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

/// The known items, by key of the address and by UID.
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

    /// The keys that the server is known to have had.
    var trackedKeys: [String] { Array(self.items.keys) + Array(self.tombstones.keys) + self.overrides }
    /// Those with a known version.
    var agreedKeys: [String] { self.trackedKeys.filter { self.etags[$0] != nil } }
}

import RemindavResources
import RemindavSQLiteStore
import RemindavStoreSupport
import RemindavTestSupport
import Testing

@testable import RemindavStore

/// A sync that only sends, with a server that never refuses.
///
/// It can be interrupted between any two of its steps.
private struct PushingSync {
    let store: ReminderStore
    let list: ListID
    var server: [Href: [UInt8]] = [:]
    var random: SeededGenerator

    /// Sends the changes.
    ///
    /// `mayBreakOff` ends the run at a random step; `edits` makes edits during the requests.
    mutating func run(mayBreakOff: Bool, edits: Bool) throws {
        let state = try self.store.state(of: self.list)
        for tombstone in state.tombstones {
            self.server[tombstone.href] = nil
            if mayBreakOff, self.random.chance(8) { return }
            try self.store.write(.survivesKill) { transaction in
                try transaction.forgetTombstone(in: self.list, uid: tombstone.uid)
            }
        }
        for item in state.items where item.isDirty {
            if mayBreakOff, self.random.chance(8) { return }
            try self.push(item, mayBreakOff: mayBreakOff, edits: edits)
        }
    }

    private mutating func push(_ item: SyncItem, mayBreakOff: Bool, edits: Bool) throws {
        let proposed = Href("/\(self.random.next()).ics")
        let (href, source) = try self.store.write(.survivesKill) { transaction in
            let href = try transaction.reserveHref(proposed, for: item.id, in: self.list)
            return (href, try transaction.object(item.id)?.source)
        }
        guard let href, let source else {
            // An object can disappear only by an edit during another upload.
            #expect(edits)
            return
        }
        self.server[href] = source
        if edits, self.random.chance(3) { try self.editSomething() }
        if mayBreakOff, self.random.chance(8) { return }
        _ = try self.store.write(.survivesKill) { transaction in
            try transaction.recordPushed(
                ReadObject(item.id, revision: item.revision),
                in: self.list,
                href: href,
                etag: "\"e\"",
                base: source
            )
        }
    }

    /// Adds, edits or deletes one of a few objects.
    mutating func editSomething() throws {
        let uid = "uid-\(self.random.next() % 6)"
        let title = "Title \(self.random.next())"
        let deletes = self.random.chance(3)
        let list = self.list
        try self.store.write { transaction in
            guard let object = try transaction.object(in: list, uid: uid) else {
                try transaction.insert(
                    into: list,
                    uid: uid,
                    StoredObject(source: Sample.source(uid, title), index: Sample.index(title))
                )
                return
            }
            if deletes {
                try transaction.delete(object.id, at: 0)
            } else {
                try transaction.update(
                    object.id,
                    StoredObject(source: Sample.source(uid, title), index: Sample.index(title))
                )
            }
        }
    }
}

@Suite("random histories")
struct HistoryTests {
    @Test(
        "after any edits and interrupted syncs, two complete syncs make both sides equal",
        arguments: UInt64(1)...40
    )
    func converges(seed: UInt64) throws {
        let store = try TestStores.make()
        let list = try store.makeSyncedList()
        var sync = PushingSync(store: store, list: list, random: SeededGenerator(seed))
        for _ in 0..<60 {
            try sync.editSomething()
            if sync.random.chance(3) { try sync.run(mayBreakOff: true, edits: true) }
        }
        try sync.run(mayBreakOff: false, edits: false)
        try sync.run(mayBreakOff: false, edits: false)

        let state = try store.state(of: list)
        #expect(state.tombstones.isEmpty)
        #expect(!state.items.contains { $0.isDirty })
        let objects = try store.read { snapshot in try snapshot.objects(in: list) }
        let local = Dictionary(uniqueKeysWithValues: objects.map { ($0.href, $0.source) })
        #expect(local == Dictionary(uniqueKeysWithValues: sync.server.map { (Optional($0.key), $0.value) }))
    }
}

import RemindavResources
import RemindavSQLiteStore
import RemindavStoreSupport
import Testing

@testable import RemindavStore

@Suite("the steps of a sync")
struct SyncStepTests {
    private let store: ReminderStore
    private let list: ListID

    init() throws {
        self.store = try TestStores.make()
        self.list = try self.store.makeSyncedList()
    }

    @Test("deleting an object of the server leaves a tombstone with its texts; deleting an unsent one leaves none")
    func tombstone() throws {
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        let id = try #require(try self.store.state(of: self.list).items.first?.id)
        let local = try self.store.add("local", to: self.list)
        try self.store.edit(id, uid: "a", "Edited")
        let texts = try self.store.write { transaction in
            try transaction.delete(id, at: 77)
            try transaction.delete(local, at: 78)
            return try transaction.textsOfTombstone(in: self.list, uid: "a")
        }
        let state = try self.store.state(of: self.list)
        #expect(state.items.isEmpty)
        #expect(
            state.tombstones == [Tombstone(uid: "a", object: id, href: "/a.ics", etag: "\"1\"", deletedAt: 77)]
        )
        #expect(texts == ObjectTexts(source: Sample.source("a", "Edited"), base: Sample.source("a", "Pulled")))
        try self.store.write { transaction in
            try transaction.forgetTombstone(in: self.list, uid: "a")
        }
        #expect(try self.store.state(of: self.list).tombstones.isEmpty)
    }

    @Test("an object moved to another account's list is not deleted in the old one until it has arrived there")
    func movedToAnotherAccount() throws {
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        let id = try #require(try self.store.state(of: self.list).items.first?.id)
        let account = try #require(try self.store.state(of: self.list).list.account)
        let other = try self.store.write { (transaction) throws(DatabaseError) in
            let other = try transaction.insertAccount(
                named: "shop",
                url: "https://shop.example/",
                user: "ann",
                secret: SecretReference(kind: "command", reference: "pass show shop"),
                at: Sample.now
            )
            let target = try transaction.insertList(named: "Shop", at: Sample.now)
            try transaction.adoptRemote(target, RemoteList(account: other, url: "/shop/"))
            try transaction.move(id, to: target, at: 77)
            return target
        }
        let before = try self.store.read { (snapshot) throws(DatabaseError) in
            (try snapshot.unarrived(in: account), try snapshot.accountsWaitingForOthers())
        }
        #expect(before.0.count == 1 && before.1 == [account])
        let read = ReadObject(id, revision: try self.store.object(id).revision)
        let after = try self.store.write { (transaction) throws(DatabaseError) in
            _ = try transaction.recordPushed(read, in: other, href: "/shop/a.ics", etag: nil, base: Sample.source("a"))
            return (try transaction.unarrived(in: account), try transaction.accountsWaitingForOthers())
        }
        #expect(after.0.isEmpty && after.1.isEmpty)
    }

    @Test("the name on the server is reserved once")
    func reservedHref() throws {
        let id = try self.store.add("a", to: self.list)
        try self.store.write { (transaction) throws(DatabaseError) in
            #expect(try transaction.reserveHref("/1.ics", for: id, in: self.list) == "/1.ics")
            #expect(try transaction.reserveHref("/2.ics", for: id, in: self.list) == "/1.ics")
            #expect(try transaction.reserveHref("/3.ics", for: ObjectID(99), in: self.list) == nil)
        }
        let item = try #require(try self.store.state(of: self.list).items.first)
        #expect(item.href == "/1.ics" && item.etag == nil && item.isDirty && item.revision == 1)
    }

    @Test("a sent object is clean, unless it was edited during the request")
    func pushed() throws {
        let id = try self.store.add("a", to: self.list)
        let base = Sample.source("a")
        #expect(try self.push(ReadObject(id, revision: 1), base) == .recorded(id))
        #expect(try self.store.state(of: self.list).items.first?.isDirty == false)
        try self.store.edit(id, uid: "a", "Second")
        try self.store.edit(id, uid: "a", "Third")
        let second = Sample.source("a", "Second")
        #expect(try self.push(ReadObject(id, revision: 2), second, etag: "\"2\"") == .movedOn)
        let item = try #require(try self.store.state(of: self.list).items.first)
        #expect(item.isDirty && item.etag == "\"2\"")
        let texts = try self.store.read { snapshot in try snapshot.texts(of: id) }
        #expect(texts == ObjectTexts(source: Sample.source("a", "Third"), base: second))
    }

    @Test("an object that was deleted while it was sent keeps a tombstone for the version that arrived")
    func pushedAndDeleted() throws {
        let id = try self.store.add("a", to: self.list)
        try self.store.write { transaction in
            _ = try transaction.reserveHref("/a.ics", for: id, in: self.list)
            try transaction.delete(id, at: 0)
        }
        #expect(try self.push(ReadObject(id, revision: 1), Sample.source("a")) == .movedOn)
        #expect(try self.store.state(of: self.list).tombstones.map(\.etag) == ["\"1\""])
    }

    @Test("a step for an object that was moved meanwhile does not touch it in its new list")
    func pushedAndMoved() throws {
        let other = try self.store.makeList("Other")
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        let read = try #require(try self.store.state(of: self.list).items.first)
        try self.store.write { transaction in try transaction.move(read.id, to: other, at: 0) }
        let base = Sample.source("a")
        #expect(try self.push(ReadObject(read.id, revision: read.revision), base, etag: "\"5\"") == .movedOn)
        let item = try #require(try self.store.state(of: other).items.first)
        #expect(item.id == read.id && item.href == nil && item.isDirty && item.revision > read.revision)
        #expect(try self.store.state(of: self.list).tombstones.map(\.etag) == ["\"5\""])
    }

    @Test("a received object is clean and the base of both sides, and its read error is removed")
    func pulled() throws {
        let broken = UnreadableItem(href: "/a.ics", etag: "\"0\"", reason: "no VTODO")
        try self.store.write { transaction in
            try transaction.setUnreadable(broken, in: self.list)
            try transaction.setUnreadable(broken, in: self.list)
        }
        #expect(try self.store.state(of: self.list).unreadable == [broken])
        guard case .recorded(let id) = try self.store.pull("a", "/a.ics", into: self.list) else {
            Issue.record("not recorded")
            return
        }
        let state = try self.store.state(of: self.list)
        #expect(state.unreadable.isEmpty)
        #expect(
            state.items == [SyncItem(id: id, uid: "a", href: "/a.ics", etag: "\"1\"", isDirty: false, revision: 1)]
        )
        let texts = try self.store.read { snapshot in try snapshot.texts(of: id) }
        #expect(texts?.base == texts?.source)
    }

    @Test("a newer version replaces a received one, and not one that was edited later")
    func replaced() throws {
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        let item = try #require(try self.store.state(of: self.list).items.first)
        let read = ReadObject(item.id, revision: item.revision)
        let newer = Sample.pulled("a", "/a.ics", "\"2\"", "Newer")
        #expect(try self.pull(newer, over: read) == .recorded(item.id))
        #expect(try self.store.object(item.id).index.title == "Newer")
        try self.store.edit(item.id, uid: "a", "Mine")
        #expect(try self.pull(Sample.pulled("a", "/a.ics", "\"3\""), over: read) == .movedOn)
        #expect(try self.remove(read) == .movedOn)
        #expect(try self.merge(newer, over: read) == .movedOn)
        let object = try self.store.object(item.id)
        #expect(object.index.title == "Mine" && object.etag == "\"2\"" && object.isDirty)
    }

    @Test("a UID that another object has is not stored for a second one")
    func takenUID() throws {
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        _ = try self.store.pull("b", "/b.ics", into: self.list)
        let items = try self.store.state(of: self.list).items
        #expect(try self.store.pull("a", "/copy.ics", into: self.list) == .uidTaken(items[0].id))
        #expect(try self.store.pull("c", "/a.ics", into: self.list) == .movedOn)
        let second = ReadObject(items[1].id, revision: items[1].revision)
        #expect(try self.pull(Sample.pulled("a", "/b.ics", "\"2\""), over: second) == .uidTaken(items[0].id))
        #expect(try self.merge(Sample.pulled("a", "/b.ics", "\"2\""), over: second) == .uidTaken(items[0].id))
        #expect(try self.pull(Sample.pulled("c", "/b.ics", "\"2\""), over: second) == .recorded(items[1].id))
        #expect(try self.store.state(of: self.list).items.map(\.uid) == ["a", "c"])
    }

    @Test("a merge is still unsent, with the server's version as its base")
    func merged() throws {
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        let item = try #require(try self.store.state(of: self.list).items.first)
        let merged = Sample.pulled("a", "/a.ics", "\"2\"", "Merged")
        #expect(try self.merge(merged, over: ReadObject(item.id, revision: item.revision)) == .recorded(item.id))
        let object = try self.store.object(item.id)
        #expect(object.isDirty && object.etag == "\"2\"" && object.revision == item.revision + 1)
        let texts = try self.store.read { snapshot in try snapshot.texts(of: item.id) }
        #expect(texts == ObjectTexts(source: merged.object.source, base: Sample.source("a", "Theirs")))
    }

    @Test("an object that was deleted here and comes back keeps its id, for any origin")
    func broughtBack() throws {
        for uid in ["a", "b"] { _ = try self.store.pull(uid, Href("/\(uid).ics"), into: self.list) }
        let ids = try self.store.state(of: self.list).items.map(\.id)
        try self.store.write { transaction in
            for id in ids { try transaction.delete(id, at: 0) }
        }
        #expect(try self.store.pull("a", "/a.ics", into: self.list) == .recorded(ids[0]))
        #expect(try self.store.add("b", to: self.list) == ids[1])
        let state = try self.store.state(of: self.list)
        #expect(state.tombstones.isEmpty)
        #expect(state.items.map(\.revision) == [2, 2])
        #expect(state.items.map(\.isDirty) == [false, true])
        #expect(state.items.map(\.href) == ["/a.ics", "/b.ics"])
    }

    @Test("an object that the server deleted goes without a tombstone; one with a local edit is sent as new")
    func remoteDeletion() throws {
        for uid in ["a", "b"] { _ = try self.store.pull(uid, Href("/\(uid).ics"), into: self.list) }
        let items = try self.store.state(of: self.list).items
        #expect(try self.remove(ReadObject(items[0].id, revision: 1)) == .recorded(items[0].id))
        try self.store.write { transaction in
            try transaction.forgetRemote(items[1].id, in: self.list)
        }
        let state = try self.store.state(of: self.list)
        #expect(state.tombstones.isEmpty)
        #expect(
            state.items.map(\.uid) == ["b"] && state.items.map(\.href) == [nil] && state.items.map(\.isDirty) == [true]
        )
    }

    @Test("a whole-list request counts as begun until a sync is complete")
    func fillingBegun() throws {
        func begun() throws -> Bool { try self.store.state(of: self.list).list.isFillingBegun }
        try self.store.write { transaction in
            try transaction.markFillingBegun(self.list)
            try transaction.saveToken(nil, ctag: nil, of: self.list)
            try transaction.saveToken(nil, ctag: nil, hold: .limit, of: self.list)
        }
        #expect(try begun())
        try self.store.write { try $0.saveToken("t1", ctag: "c1", isCompleted: true, of: self.list) }
        #expect(try !begun() && !self.store.state(of: self.list).list.isMadeHere)
    }

    @Test("a detached list keeps everything, and continues when the same collection returns")
    func detached() throws {
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        try self.store.write { transaction in
            try transaction.saveToken("t1", ctag: "c1", of: self.list)
            try transaction.detach(self.list)
        }
        let detached = try self.store.state(of: self.list)
        #expect(detached.list.state == .detached && detached.list.syncToken == nil && detached.list.ctag == nil)
        #expect(detached.items.map(\.href) == ["/a.ics"])
        let account = try #require(detached.list.account)
        try self.adopt(RemoteList(account: account, url: "/dav/home/"))
        let back = try self.store.state(of: self.list)
        #expect(back.list.state == .synced && back.items == detached.items)
    }

    @Test(
        "another collection is a new pairing: all sync state of the old one is removed, and nothing is deleted",
        arguments: [
            RemoteList(account: AccountID(1), url: "/dav/new/"),
            RemoteList(account: AccountID(1), url: "/dav/home/", identity: "x"),
        ]
    )
    func newPairing(remote: RemoteList) throws {
        try self.adopt(RemoteList(account: AccountID(1), url: "/dav/home/", identity: "w"))
        for uid in ["a", "b"] { _ = try self.store.pull(uid, Href("/\(uid).ics"), into: self.list) }
        try self.store.write { transaction in
            try transaction.saveToken("t1", ctag: "c1", of: self.list)
            guard let second = try transaction.object(in: self.list, uid: "b") else { throw DatabaseError(.notFound) }
            try transaction.delete(second.id, at: 0)
        }
        try self.adopt(remote)
        let state = try self.store.state(of: self.list)
        #expect(
            state.items.map(\.uid) == ["a"] && state.items.map(\.href) == [nil] && state.items.map(\.isDirty) == [true]
        )
        #expect(state.tombstones.isEmpty && state.list.syncToken == nil)
        let texts = try self.store.read { snapshot in try snapshot.texts(of: state.items[0].id)
        }
        #expect(texts?.base == nil)
    }

    @Test("adopting the current collection of a list keeps the token; another list cannot adopt it")
    func adoptedAgain() throws {
        try self.store.write { transaction in
            try transaction.saveToken("t1", ctag: nil, of: self.list)
        }
        let remote = RemoteList(account: AccountID(1), url: "/dav/home/", isReadOnly: true)
        try self.adopt(remote)
        let list = try self.store.state(of: self.list).list
        #expect(list.syncToken == "t1" && list.isReadOnly)
        let other = try self.store.makeList("Other")
        #expect(throws: DatabaseError(.alreadyExists)) {
            try self.store.write { transaction in try transaction.adoptRemote(other, remote) }
        }
    }

    @Test("the lists of a removed account stay as local ones with all reminders")
    func removedAccount() throws {
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        try self.store.write { transaction in try transaction.deleteAccount(AccountID(1)) }
        let state = try self.store.state(of: self.list)
        #expect(state.list.state == .local && state.list.account == nil && state.list.url == nil)
        #expect(state.items.map(\.href) == [nil])
    }

    private func push(_ object: ReadObject, _ base: [UInt8], etag: EntityTag = "\"1\"") throws -> SyncStepOutcome {
        try self.store.write(.survivesKill) { transaction in
            try transaction.recordPushed(object, in: self.list, href: "/a.ics", etag: etag, base: base)
        }
    }

    private func pull(_ pulled: PulledObject, over object: ReadObject) throws -> SyncStepOutcome {
        try self.store.write(.survivesKill) { transaction in
            try transaction.recordPulled(pulled, in: self.list, replacing: object)
        }
    }

    private func merge(_ merged: PulledObject, over object: ReadObject) throws -> SyncStepOutcome {
        try self.store.write(.survivesKill) { transaction in
            try transaction.recordMerged(
                merged,
                in: self.list,
                replacing: object,
                base: Sample.source(merged.uid, "Theirs")
            )
        }
    }

    private func remove(_ object: ReadObject) throws -> SyncStepOutcome {
        try self.store.write(.survivesKill) { transaction in
            try transaction.recordRemoteDeletion(object, in: self.list)
        }
    }

    private func adopt(_ remote: RemoteList) throws {
        try self.store.write { transaction in try transaction.adoptRemote(self.list, remote) }
    }
}

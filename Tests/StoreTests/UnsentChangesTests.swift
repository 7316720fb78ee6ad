import RemindavResources
import RemindavSQLiteStore
import RemindavStoreSupport
import Testing

@testable import RemindavStore

@Suite("Changes that wait for a sync")
struct UnsentChangesTests {
    private let store: ReminderStore
    private let list: ListID
    private let account: AccountID

    init() throws {
        self.store = try TestStores.make()
        self.list = try self.store.makeSyncedList()
        self.account = try #require(try self.store.state(of: self.list).list.account)
    }

    private func unsent() throws -> Set<UnsentChange> {
        try self.store.read { snapshot in try snapshot.changesToSend() }
    }

    /// A second list with a collection of the server.
    private func makeSecondList(in account: AccountID, _ url: String) throws -> ListID {
        try self.store.write { (transaction) throws(DatabaseError) in
            let list = try transaction.insertList(named: url, at: Sample.now)
            try transaction.adoptRemote(list, RemoteList(account: account, url: url))
            return list
        }
    }

    @Test("an edit waits until it was sent; local lists have nothing to send")
    func edits() throws {
        try self.store.add("local", to: try self.store.makeList())
        #expect(try self.unsent().isEmpty)
        let id = try self.store.add("a", to: self.list)
        let waiting = try self.unsent()
        #expect(waiting.map(\.uid) == ["a"] && waiting.allSatisfy { !$0.isDeletion && $0.account == self.account })
        let read = ReadObject(id, revision: try self.store.object(id).revision)
        try self.store.write { transaction in
            let base = Sample.source("a")
            _ = try transaction.recordPushed(read, in: self.list, href: "/a.ics", etag: "\"1\"", base: base)
        }
        #expect(try self.unsent().isEmpty)
    }

    @Test("a deletion waits until its tombstone is removed")
    func deletions() throws {
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        let id = try #require(try self.store.state(of: self.list).items.first?.id)
        try self.store.write { transaction in try transaction.delete(id, at: 77) }
        #expect(try self.unsent().map(\.isDeletion) == [true])
        try self.store.write { transaction in try transaction.forgetTombstone(in: self.list, uid: "a") }
        #expect(try self.unsent().isEmpty)
    }

    @Test("the deletion of an object that moved to another account waits for its arrival there")
    func movedToAnotherAccount() throws {
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        let id = try #require(try self.store.state(of: self.list).items.first?.id)
        let other = try self.store.write { transaction in
            try transaction.insertAccount(
                named: "shop",
                url: "https://shop.example/",
                user: "ann",
                secret: SecretReference(kind: "command", reference: "pass show shop"),
                at: Sample.now
            )
        }
        let target = try self.makeSecondList(in: other, "/shop/")
        try self.store.write { transaction in try transaction.move(id, to: target, at: 77) }
        #expect(try self.unsent().map(\.isDeletion) == [false])
        let read = ReadObject(id, revision: try self.store.object(id).revision)
        try self.store.write { transaction in
            let base = Sample.source("a")
            _ = try transaction.recordPushed(read, in: target, href: "/shop/a.ics", etag: "\"1\"", base: base)
        }
        #expect(try self.unsent().map(\.isDeletion) == [true])
    }

    @Test("a move by the server ends both changes; an edit after it stays")
    func movedByTheServer() throws {
        for isEdited in [false, true] {
            let uid = "moved-\(isEdited)"
            _ = try self.store.pull(uid, Href("/\(uid).ics"), into: self.list)
            let id = try #require(try self.store.state(of: self.list).items.first { $0.uid == uid }?.id)
            let target = try self.makeSecondList(in: self.account, "/dav/\(uid)/")
            try self.store.write { transaction in try transaction.move(id, to: target, at: 77) }
            #expect(try self.unsent().count == 2)
            if isEdited { try self.store.edit(id, uid: uid, "Edited") }
            let href = Href("/new/\(uid).ics")
            let moved = try self.store.write { transaction in
                try transaction.recordMoved(uid, from: self.list, to: target, href: href, etag: "\"2\"")
            }
            #expect(moved == id)
            let item = try #require(try self.store.state(of: target).items.first)
            #expect(item.href == href && item.etag == "\"2\"" && item.isDirty == isEdited)
            #expect(try self.unsent().map(\.isDeletion) == (isEdited ? [false] : []))
            #expect(try self.store.state(of: self.list).tombstones.isEmpty)
        }
        let gone = try self.store.write { transaction in
            try transaction.recordMoved("none", from: self.list, to: self.list, href: "/x.ics", etag: nil)
        }
        #expect(gone == nil)
    }
}

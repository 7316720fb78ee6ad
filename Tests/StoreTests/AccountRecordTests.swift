import RemindavSQLiteStore
import RemindavStoreSupport
import Testing

@testable import RemindavStore

@Suite("Accounts")
struct AccountRecordTests {
    private let store: ReminderStore
    private let list: ListID
    private let account: AccountID

    init() throws {
        self.store = try TestStores.make()
        self.list = try self.store.makeSyncedList()
        self.account = try #require(try self.store.state(of: self.list).list.account)
    }

    private func record() throws -> AccountRecord {
        try #require(try self.store.read { snapshot in try snapshot.accounts() }.first { $0.id == self.account })
    }

    @Test("a new reference replaces the earlier one and changes nothing else")
    func secret() throws {
        let before = try self.record()
        let secret = SecretReference(kind: "keyring", reference: "home")
        try self.store.write { transaction in try transaction.update(secret, of: self.account) }
        let after = try self.record()
        #expect(after.secret == secret)
        #expect(after.settings == before.settings && after.url == before.url && after.user == before.user)
    }

    @Test("the end of a rest is recorded and deleted")
    func rest() throws {
        #expect(try self.record().notBefore == nil)
        try self.store.write { transaction in try transaction.wait(until: 77, for: self.account) }
        #expect(try self.record().notBefore == 77)
        try self.store.write { transaction in try transaction.wait(until: nil, for: self.account) }
        #expect(try self.record().notBefore == nil)
    }

    @Test("an account that does not exist is an error")
    func missing() throws {
        let secret = SecretReference(kind: "keyring", reference: "home")
        #expect(throws: DatabaseError(.notFound)) {
            try self.store.write { transaction in try transaction.update(secret, of: AccountID(99)) }
        }
        #expect(throws: DatabaseError(.notFound)) {
            try self.store.write { transaction in try transaction.wait(until: 77, for: AccountID(99)) }
        }
    }

    @Test("a capability is replaced, and nil deletes only this one")
    func capabilities() throws {
        let recorded = try self.store.write { transaction in
            try transaction.setCapability("sync", "yes", of: self.account, at: 1)
            try transaction.setCapability("sync", "no", of: self.account, at: 2)
            try transaction.setCapability("move", "yes", of: self.account, at: 3)
            return try transaction.capabilities(of: self.account)
        }
        let move = CapabilityRecord(name: "move", value: "yes", measuredAt: 3)
        #expect(recorded == [move, CapabilityRecord(name: "sync", value: "no", measuredAt: 2)])
        let left = try self.store.write { transaction in
            try transaction.setCapability("sync", nil, of: self.account, at: 4)
            return try transaction.capabilities(of: self.account)
        }
        #expect(left == [move])
    }

    @Test("conflicts, feeds and the default list of a deleted list move to its successor")
    func successor() throws {
        let other = try self.store.makeList("Other")
        let record = try self.store.state(of: self.list).list
        try self.store.write { transaction in
            _ = try transaction.insertFeed(named: "phone", tokenHash: [1], list: self.list, at: 5)
            try transaction.setDefaultList(record)
            try transaction.moveReferences(self.list, to: other)
            try transaction.deleteList(self.list)
        }
        let (feeds, defaultList) = try self.store.read { snapshot in
            (try snapshot.feeds(), try snapshot.defaultList())
        }
        #expect(feeds.map(\.list) == [other])
        #expect(defaultList?.list == other)
    }
}

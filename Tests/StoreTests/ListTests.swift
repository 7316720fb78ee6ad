import RemindavSQLiteStore
import RemindavStoreSupport
import Testing

@testable import RemindavStore

@Suite("lists and the properties that their server reports")
struct ListTests {
    private let store: ReminderStore
    private let list: ListID

    init() throws {
        self.store = try TestStores.make()
        self.list = try self.store.makeSyncedList()
    }

    private func adopt(_ remote: RemoteList) throws -> ListRecord {
        try self.store.write { transaction in try transaction.adoptRemote(self.list, remote) }
        return try self.store.state(of: self.list).list
    }

    @Test("the server's names are stored beside the list's own names, which stay")
    func remoteNames() throws {
        let said = RemoteList(account: AccountID(1), url: "/dav/home/", name: "House", color: "#112233")
        let list = try self.adopt(said)
        #expect(list.name == "Home" && list.color == nil)
        #expect(list.remoteName == "House" && list.remoteColor == "#112233")
    }

    @Test("a response without a name does not remove the name; a missing colour removes the colour")
    func missingName() throws {
        _ = try self.adopt(RemoteList(account: AccountID(1), url: "/dav/home/", name: "House", color: "#112233"))
        let list = try self.adopt(RemoteList(account: AccountID(1), url: "/dav/home/"))
        #expect(list.remoteName == "House" && list.remoteColor == nil)
        let other = try self.adopt(RemoteList(account: AccountID(1), url: "/dav/other/"))
        #expect(other.remoteName == nil)
    }

    @Test("a list that becomes local has no names of the server")
    func local() throws {
        _ = try self.adopt(RemoteList(account: AccountID(1), url: "/dav/home/", name: "House", color: "#112233"))
        try self.store.write { transaction in try transaction.makeLocal(self.list) }
        let list = try self.store.state(of: self.list).list
        #expect(list.remoteName == nil && list.remoteColor == nil && list.state == .local)
    }

    @Test("a list that is removed here is ignored until its collection is adopted, or its account removed")
    func ignored() throws {
        try self.store.add("a", to: self.list)
        try self.store.write { transaction in try transaction.deleteList(self.list, ignoringUntil: nil) }
        let ignored = try self.store.read { snapshot in try snapshot.ignoredLists() }
        #expect(ignored.map(\.url) == ["/dav/home/"] && ignored.map(\.name) == ["Home"] && ignored[0].until == nil)
        #expect(try self.store.read { snapshot in try snapshot.objectCount() } == 0)

        let again = try self.store.makeList("Home")
        let remote = RemoteList(account: AccountID(1), url: "/dav/home/")
        try self.store.write { transaction in try transaction.adoptRemote(again, remote) }
        #expect(try self.store.read { snapshot in try snapshot.ignoredLists() }.isEmpty)

        try self.store.write { transaction in
            try transaction.deleteList(again, ignoringUntil: 12)
            try transaction.deleteAccount(AccountID(1))
        }
        #expect(try self.store.read { snapshot in try snapshot.ignoredLists() }.isEmpty)
    }

    @Test("a local list that is removed leaves nothing to ignore")
    func ignoredLocal() throws {
        let local = try self.store.makeList("Here")
        try self.store.write { transaction in try transaction.deleteList(local, ignoringUntil: nil) }
        #expect(try self.store.read { snapshot in try snapshot.ignoredLists() }.isEmpty)
    }
}

import Glibc
import RemindavTestSupport
import Testing

@testable import RemindavSQLiteStore
@testable import RemindavStore

@Suite("reading a store without locks or writes")
struct ReadOnlyStoreTests {
    private let folder: TemporaryFolder
    private var files: StoreFiles { StoreFiles(folder: self.folder.path) }

    init() throws { self.folder = try TemporaryFolder() }

    private func names(_ store: ReminderStore) throws -> [String] { try store.read { try $0.lists().map(\.name) } }

    @Test("a missing store is not created")
    func nothing() {
        #expect(throws: DatabaseError(.cannotOpen)) { try ReminderStore.openReadOnly(folder: self.folder.path) }
        #expect(throws: DatabaseError(.cannotOpen)) {
            try ReminderStore.openReadOnly(folder: self.folder.path, withLocks: true)
        }
        #expect(self.folder.names.isEmpty)
    }

    @Test("it reads the written data and leaves no file, also where other commands have to create some")
    func closed() throws {
        do {
            let store = try ReminderStore.open(folder: self.folder.path)
            try store.write { _ = try $0.insertList(named: "Home", at: 0) }
        }
        let before = self.folder.names
        #expect(before == ["reminders.db"])
        #expect(try self.names(ReminderStore.openReadOnly(folder: self.folder.path)) == ["Home"])
        #expect(self.folder.names == before)
    }

    @Test("it reads the log of a store that is open", arguments: [false, true])
    func open(withLocks: Bool) throws {
        let store = try ReminderStore.open(folder: self.folder.path)
        try store.write { _ = try $0.insertList(named: "Home", at: 0) }
        #expect(self.files.hasUnfinishedLog)
        let before = self.folder.names
        #expect(try self.names(ReminderStore.openReadOnly(folder: self.folder.path, withLocks: withLocks)) == ["Home"])
        #expect(self.folder.names == before)
    }

    @Test("it writes nothing")
    func readOnly() throws {
        _ = try ReminderStore.open(folder: self.folder.path)
        let store = try ReminderStore.openReadOnly(folder: self.folder.path)
        #expect(throws: DatabaseError(.readOnly)) { try store.write { _ = try $0.insertList(named: "Home", at: 0) } }
    }

    @Test("an older schema stays unchanged", arguments: 1..<migrations.count)
    func older(version: Int) throws {
        let bytes = try Fixture.bytes("db/made-schema-\(version).db")
        try TemporaryFolder.write(bytes, to: self.files.database)
        #expect(throws: DatabaseError(.readOnly)) { try ReminderStore.openReadOnly(folder: self.folder.path) }
        #expect(self.folder.names == ["reminders.db"])
        // A changed store would make this fail.
        let store = try ReminderStore.open(folder: self.folder.path)
        #expect(try self.names(store) == ["Home", "Shopping"])
    }
}

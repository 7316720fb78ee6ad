import Glibc
import RemindavSQLiteStore
import RemindavStore
import RemindavTestSupport
import Testing

@testable import RemindavBridge
@testable import RemindavSQLiteStore

@Suite("the check of a store's folder")
struct StoreFolderCheckTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    @Test("files of the daemon, of older versions and damaged ones are checked, too")
    func exposed() throws {
        let names = ["daemon.lock", "delivery.db", "delivery.db.damaged-wal", "rings.db", "rings.db-shm"]
        for name in names + ["other"] {
            try TemporaryFolder.write([], to: "\(self.folder.path)/\(name)")
            chmod("\(self.folder.path)/\(name)", 0o640)
        }
        #expect(StoreFolderCheck(checking: self.folder.path).exposed == names)
    }

    @Test("the modes and sizes of a folder and its files")
    func facts() throws {
        let missing = StoreFolderCheck(checking: self.folder.path + "/none/")
        #expect(missing == StoreFolderCheck(folder: self.folder.path + "/none"))
        let store = try ReminderStore.open(folder: self.folder.path + "/s")
        try store.write { _ = try $0.insertList(named: "Home", at: 0) }
        let facts = StoreFolderCheck(checking: self.folder.path + "/s")
        #expect(facts.exists)
        #expect(facts.folderMode == 0o700)
        #expect(facts.exposed.isEmpty)
        #expect(facts.databaseBytes > 0)
        #expect(facts.logBytes > 0)
        #expect(facts.freeBytes ?? 0 > 0)
        chmod(self.folder.path + "/s/reminders.db", 0o644)
        chmod(self.folder.path + "/s", 0o750)
        let open = StoreFolderCheck(checking: self.folder.path + "/s")
        #expect(open.exposed == ["reminders.db"])
        #expect(open.folderMode == 0o750)
        #expect(open.isWritable)
        chmod(self.folder.path + "/s", 0o500)
        // Modes do not restrict root.
        #expect(StoreFolderCheck(checking: self.folder.path + "/s").isWritable == (geteuid() == 0))
        chmod(self.folder.path + "/s", 0o700)
    }
}

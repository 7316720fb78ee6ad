import Glibc
import RemindavResources
import RemindavTestSupport
import Testing

@testable import RemindavSQLiteStore
@testable import RemindavStore

@Suite("the folder and the files of a store")
struct FileTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    @Test("with a umask of 000 the folders are 0700 and all files 0600")
    func permissions() throws {
        let old = umask(0)
        defer { umask(old) }
        let path = "\(self.folder.path)/share/remindav"
        let store = try ReminderStore.open(folder: path + "/")
        try store.makeList()
        let lock = try StoreLock(folder: path)
        #expect(TemporaryFolder.mode(of: "\(self.folder.path)/share") == 0o700)
        #expect(TemporaryFolder.mode(of: path) == 0o700)
        for name in ["reminders.db", "reminders.db-wal", "reminders.db-shm", "lock"] {
            #expect(TemporaryFolder.mode(of: "\(path)/\(name)") == 0o600, "\(name)")
        }
        withExtendedLifetime(lock) {}
    }

    @Test("a lock that is a link, a second name or no plain file is refused, and its target stays unchanged")
    func lockOfAnother() throws {
        let target = "\(self.folder.path)/target"
        for name in ["lock", "daemon.lock"] {
            let path = "\(self.folder.path)/\(name)"
            for make in [
                { symlink(target, path) }, { link(target, path) }, { mkfifo(path, 0o600) }, { mkdir(path, 0o700) },
            ] {
                try TemporaryFolder.write(Array("kept".utf8), to: target)
                chmod(target, 0o644)
                #expect(make() == 0)
                if name == "lock" {
                    #expect(throws: DatabaseError(.cannotOpen)) { try StoreLock(folder: self.folder.path) }
                } else {
                    #expect(throws: DaemonLock.Failure.store(DatabaseError(.cannotOpen))) {
                        try DaemonLock(folder: self.folder.path)
                    }
                    #expect(!DaemonLock.isHeld(folder: self.folder.path))
                }
                #expect(TemporaryFolder.mode(of: target) == 0o644)
                let bytes = open(target, O_RDONLY)
                var text = [UInt8](repeating: 0, count: 8)
                #expect(read(bytes, &text, 8) == 4)
                close(bytes)
                remove(path)
            }
            #expect(throws: Never.self) {
                if name == "lock" {
                    _ = try StoreLock(folder: self.folder.path)
                } else {
                    _ = try DaemonLock(folder: self.folder.path)
                }
            }
        }
    }

    @Test("the version of the content changes with every write of any connection, and at no other time")
    func contentVersion() throws {
        let store = try ReminderStore.open(folder: self.folder.path)
        let other = try ReminderStore.open(folder: self.folder.path)
        func version() throws -> ContentVersion {
            try store.read { snapshot throws(DatabaseError) in try snapshot.contentVersion() }
        }
        let first = try version()
        #expect(try version() == first)
        try store.makeList()
        let second = try version()
        #expect(second != first)
        _ = try other.write { try $0.insertList(named: "Other", color: nil, at: 0) }
        let third = try version()
        #expect(third != second)
        _ = try other.read { snapshot throws(DatabaseError) in try snapshot.lists() }
        #expect(try version() == third)
    }

    @Test("a database of zero bytes was truncated, and stays unchanged together with its log")
    func cutOff() throws {
        do { try ReminderStore.open(folder: self.folder.path).makeList() }
        let files = StoreFiles(folder: self.folder.path)
        try TemporaryFolder.write([], to: files.database)
        try TemporaryFolder.write([1, 2, 3], to: files.database + "-wal")
        #expect(throws: DatabaseError(.cutOff)) { try ReminderStore.open(folder: self.folder.path) }
        #expect(throws: DatabaseError(.cutOff)) { try ReminderStore.openReadOnly(folder: self.folder.path) }
        #expect(throws: DatabaseError(.cutOff)) {
            try ReminderStore.open(folder: self.folder.path, readOnly: true)
        }
        #expect(files.isCutOff)
        #expect(files.logBytes == 3)
    }

    @Test("a failed creation leaves no database that seems truncated")
    func notMade() throws {
        let files = StoreFiles(folder: self.folder.path)
        // SQLite cannot create its log in the place of a folder.
        mkdir(files.database + ".new-wal", 0o700)
        mkdir(files.database + ".new-journal", 0o700)
        #expect(throws: DatabaseError.self) { try ReminderStore.open(folder: self.folder.path) }
        #expect(files.isMissing)
    }

    @Test("files of a process that was killed while it created the store do not disturb later processes")
    func halfMade() throws {
        let files = StoreFiles(folder: self.folder.path)
        for end in [".new", ".new-wal", ".new-shm"] { try TemporaryFolder.write([1, 2, 3], to: files.database + end) }
        try ReminderStore.open(folder: self.folder.path).makeList()
        #expect(!files.isMissing && !files.isCutOff)
        for end in [".new", ".new-wal", ".new-shm"] { #expect(access(files.database + end, F_OK) != 0, "\(end)") }
    }

    @Test("the log of a deleted database is not used for a new one, and is kept")
    func logOfAnother() throws {
        let files = StoreFiles(folder: self.folder.path)
        let log = files.database + "-wal"
        let copy = self.folder.path + "/copy"
        do {
            let store = try ReminderStore.open(folder: self.folder.path)
            try store.makeList()
            rename(log, copy)
        }
        unlink(files.database)
        rename(copy, log)
        let bytes = files.logBytes
        #expect(bytes > 0)
        let store = try ReminderStore.open(folder: self.folder.path)
        #expect(try store.read { snapshot throws(DatabaseError) in try snapshot.lists() }.isEmpty)
        var status = stat()
        #expect(stat(log + ".lost", &status) == 0 && Int(status.st_size) == bytes)
    }

    @Test("an orphaned log never replaces an earlier one, and each is reported")
    func logsOfOthers() throws {
        let files = StoreFiles(folder: self.folder.path)
        for size in 1...3 {
            try TemporaryFolder.write([UInt8](repeating: 1, count: size), to: files.database + "-wal")
            _ = try ReminderStore.open(folder: self.folder.path)
            unlink(files.database)
        }
        let names = ["reminders.db-wal.lost", "reminders.db-wal.lost-2", "reminders.db-wal.lost-3"]
        #expect(StoreFiles(folder: self.folder.path).lostLogs == names)
        for (name, size) in zip(names, 1...) {
            var status = stat()
            #expect(stat("\(self.folder.path)/\(name)", &status) == 0 && Int(status.st_size) == size)
        }
    }

    @Test("if another process has just created the store, its log stays in place")
    func madeByAnother() throws {
        let files = StoreFiles(folder: self.folder.path)
        // On a file system without locks, no process waits for another one.
        try files.createDatabase { _ in
            try? TemporaryFolder.write([1], to: files.database)
            try? TemporaryFolder.write([2], to: files.database + "-wal")
        }
        #expect(Set(self.folder.names) == ["reminders.db", "reminders.db-wal"])
        #expect(files.logBytes == 1)
    }

    @Test("other users lose their access to a database that was open to them")
    func looseCopy() throws {
        _ = try ReminderStore.open(folder: self.folder.path)
        let database = StoreFiles(folder: self.folder.path).database
        chmod(database, 0o644)
        _ = try ReminderStore.open(folder: self.folder.path)
        #expect(TemporaryFolder.mode(of: database) == 0o600)
    }

    @Test("an existing folder keeps its mode")
    func foreignFolder() throws {
        chmod(self.folder.path, 0o755)
        _ = try ReminderStore.open(folder: self.folder.path)
        #expect(TemporaryFolder.mode(of: self.folder.path) == 0o755)
    }

    @Test("written data is there after the store is reopened")
    func reopened() throws {
        let list: ListID
        do {
            let store = try ReminderStore.open(folder: self.folder.path)
            list = try store.makeList()
            try store.add("a", to: list)
        }
        let store = try ReminderStore.open(folder: self.folder.path)
        let object = try store.read { snapshot in try snapshot.object(in: list, uid: "a") }
        #expect(object?.source == Sample.source("a"))
    }

    @Test("a process that is killed in the middle of a write leaves the data of its earlier writes")
    func killed() async throws {
        let path = self.folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try ReminderStore.open(folder: path)
            try store.makeList("kept")
            try store.write { transaction in
                _ = try transaction.insertList(named: "half", at: 0)
                kill(getpid(), SIGKILL)
            }
        }
        let lists = try ReminderStore.open(folder: path).read { try $0.lists() }
        #expect(lists.map(\.name) == ["kept"])
    }

    @Test("operations of a user are flushed to the disk, the steps of a sync are not")
    func durability() throws {
        let store = try ReminderStore.open(folder: self.folder.path)
        for (durability, level) in [(Durability.survivesPowerLoss, 2), (.survivesKill, 1), (.survivesPowerLoss, 2)] {
            let found = try store.write(durability) { transaction in
                try transaction.database.first("PRAGMA synchronous") { $0.number(0) }
            }
            #expect(found == level)
        }
    }

    @Test(
        "the settings of a connection limit the harm of a hostile file, and the wait for a busy one",
        arguments: [
            ("journal_mode", "wal"), ("foreign_keys", "1"), ("trusted_schema", "0"), ("temp_store", "2"),
        ]
    )
    func settings(pragma: String, value: String) throws {
        let found = try ReminderStore.open(folder: self.folder.path).read { snapshot in
            try snapshot.database.first("PRAGMA \(pragma)") { $0.text(0) }
        }
        #expect(found == value)
    }

    @Test("eight threads that open a new store at the same time all succeed")
    func openedAtOnce() async throws {
        let path = "\(self.folder.path)/new"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { try ReminderStore.open(folder: path).makeList("\(number)") }
            }
            try await group.waitForAll()
        }
        let lists = try ReminderStore.open(folder: path).read { snapshot in
            try snapshot.lists()
        }
        #expect(Set(lists.map(\.name)).count == 8)
    }

    @Test("one store may be used by several tasks at once")
    func sharedStore() async throws {
        let store = try ReminderStore.inMemory()
        let list = try store.makeList()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try store.add("\(number)", to: list) }
                group.addTask { _ = try store.read { snapshot in try snapshot.rows() } }
            }
            try await group.waitForAll()
        }
        #expect(try store.read { snapshot in try snapshot.objectCount(in: list) } == 100)
    }

    @Test("an emptied store equals a new one: no row, no observer, and numbers from 1")
    func emptied() throws {
        let store = try ReminderStore.inMemory()
        func fill() throws -> [Int64] {
            let list = try store.makeSyncedList()
            let (kept, gone) = (try store.add("a", to: list), try store.add("b", to: list))
            try store.write { transaction in
                _ = try transaction.reserveHref("/dav/home/b.ics", for: gone, in: list)
                try transaction.delete(gone, at: 0)
                try transaction.setUnreadable(UnreadableItem(href: "/x.ics", etag: nil, reason: "x"), in: list)
                _ = try transaction.beginRun(of: "work", at: 0)
            }
            return [list.rawValue, kept.rawValue, gone.rawValue]
        }
        let numbers = try fill()
        store.observeWrites { () throws(DatabaseError) in throw DatabaseError(.other) }
        try store.removeEverything()
        let counts = try store.read { snapshot throws(DatabaseError) in
            let sql = "SELECT name FROM sqlite_schema WHERE type = 'table'"
            let tables = try snapshot.database.rows(sql) { $0.text(0) }
            var counts: [Int] = []
            for table in tables {
                counts += try snapshot.database.rows("SELECT count(*) FROM \(table)") { $0.number(0) }
            }
            return counts
        }
        #expect(counts.count > 10 && counts.allSatisfy { $0 == 0 })
        #expect(try fill() == numbers)
    }
}

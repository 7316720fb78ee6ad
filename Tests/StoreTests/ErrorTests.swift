import Glibc
import RemindavTestSupport
import Testing

@testable import RemindavSQLiteStore
@testable import RemindavStore

@Suite("errors of a store's file")
struct ErrorTests {
    private let folder: TemporaryFolder
    private var files: StoreFiles { StoreFiles(folder: self.folder.path) }

    init() throws { self.folder = try TemporaryFolder() }

    @Test("a file that is no database is refused as damaged and stays unchanged", arguments: [2, 99, 5000, 100_000])
    func noDatabase(size: Int) throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "?"), count: size)
        try TemporaryFolder.write(bytes, to: self.files.database)
        #expect(throws: DatabaseError(.corrupt)) { try ReminderStore.open(folder: self.folder.path) }
        #expect(try contents(of: self.files.database) == bytes)
    }

    @Test(
        "messages of the system and of the database are texts, not numbers",
        arguments: [
            // SQLITE_IOERR_WRITE, SQLITE_CANTOPEN and SQLITE_TOOBIG
            (778, EFBIG, "The store's file cannot be read or written: File too large."),
            (778, EIO, "The store's file cannot be read or written: Input/output error."),
            (14, EACCES, "The store cannot be opened: Permission denied."),
            (18, 0, "The store's database reports: string or blob too big."),
            (778, ENOSPC, "The disk is full; the store was not changed."),
        ] as [(Int32, Int32, String)]
    )
    func messages(result: Int32, system: Int32, sentence: String) {
        #expect(DatabaseError(sqlite: result, systemError: system).description == sentence)
    }

    @Test("an overwritten page makes reading fail as damaged")
    func damagedPage() throws {
        try self.fill(ReminderStore.open(folder: self.folder.path), count: 200)
        try TemporaryFolder.damage(self.files.database, from: 4096, count: 65536)
        #expect(throws: DatabaseError(.corrupt)) {
            try ReminderStore.open(folder: self.folder.path).read { snapshot in
                try snapshot.objects()
            }
        }
    }

    @Test("a database of another program does not count as a store")
    func foreignDatabase() throws {
        try self.files.createFolder()
        try self.files.makeEmpty()
        try self.connect { (connection) throws(DatabaseError) in
            try connection.execute("CREATE TABLE list (id INTEGER PRIMARY KEY)")
        }
        #expect(throws: DatabaseError(.corrupt)) { try ReminderStore.open(folder: self.folder.path) }
        try self.connect { (connection) throws(DatabaseError) in
            try connection.execute("PRAGMA user_version = 1")
        }
        #expect(throws: DatabaseError(.corrupt)) { try ReminderStore.open(folder: self.folder.path) }
    }

    @Test("a store of a newer program is refused with both versions and stays unchanged")
    func newerVersion() throws {
        _ = try ReminderStore.open(folder: self.folder.path)
        try self.connect { (connection) throws(DatabaseError) in try connection.execute("PRAGMA user_version = 99") }
        #expect(throws: DatabaseError(.newerVersion(found: 99, known: migrations.count))) {
            try ReminderStore.open(folder: self.folder.path)
        }
        try self.connect { (connection) throws(DatabaseError) in
            #expect(try connection.first("PRAGMA user_version") { $0.integer(0) } == 99)
        }
    }

    @Test("a writer that waits too long for another one gets an error, and a reader does not wait")
    func busy() throws {
        let first = try ReminderStore.open(folder: self.folder.path)
        let second = try ReminderStore.open(folder: self.folder.path, busyTimeoutMilliseconds: 20)
        try first.write { transaction in
            _ = try transaction.insertList(named: "Home", at: 0)
            #expect(throws: DatabaseError(.busy)) { try second.makeList() }
            #expect(try second.read { snapshot in try snapshot.lists() }.isEmpty)
        }
        try second.makeList("Second")
        #expect(
            try first.read { snapshot in try snapshot.lists() }.map(\.name) == [
                "Home", "Second",
            ]
        )
    }

    @Test("a store that another process is migrating is busy, not broken")
    func busyWhileOpening() throws {
        try self.files.createFolder()
        try self.files.makeEmpty()
        try self.connect { (connection) throws(DatabaseError) in
            // This writes the first page.
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.transaction(.write(.survivesKill)) { () throws(DatabaseError) in
                _ = #expect(throws: DatabaseError(.busy)) {
                    try ReminderStore.open(folder: self.folder.path, busyTimeoutMilliseconds: 20)
                }
            }
        }
        _ = try ReminderStore.open(folder: self.folder.path)
    }

    @Test("a full disk ends the write without changes, and the store remains usable")
    func full() throws {
        let store = try ReminderStore.open(folder: self.folder.path)
        let list = try store.makeList()
        try store.add("kept", to: list)
        #expect(throws: DatabaseError(.full)) {
            try store.write { transaction in
                let pages = try transaction.database.first("PRAGMA page_count") { $0.integer(0) } ?? 0
                try transaction.database.send("PRAGMA max_page_count = \(pages + 5)")
                for number in 0..<1000 {
                    try transaction.insert(
                        into: list,
                        uid: "\(number)",
                        StoredObject(source: Sample.source("\(number)"), index: Sample.index())
                    )
                }
            }
        }
        let uids = try store.read { snapshot in try snapshot.rows() }.map(\.uid)
        #expect(uids == ["kept"])
        try store.add("later", to: list)
    }

    @Test("a store that is opened for reading is read, and not written")
    func readOnly() throws {
        try self.fill(ReminderStore.open(folder: self.folder.path), count: 3)
        let store = try ReminderStore.open(folder: self.folder.path, readOnly: true)
        #expect(try store.read { snapshot in try snapshot.objectCount() } == 3)
        #expect(throws: DatabaseError(.readOnly)) { try store.makeList() }
    }

    @Test("a store in a read-only folder is read", .enabled(if: geteuid() != 0))
    func readOnlyFolder() throws {
        try self.fill(ReminderStore.open(folder: self.folder.path), count: 3)
        chmod(self.folder.path, 0o500)
        defer { chmod(self.folder.path, 0o700) }
        let store = try ReminderStore.open(folder: self.folder.path)
        #expect(try store.read { snapshot in try snapshot.objectCount() } == 3)
        #expect(throws: DatabaseError(.readOnly)) { try store.makeList() }
    }

    @Test("a file on media without locks or logs is read, with any name")
    func immutable() throws {
        let path = "\(self.folder.path)/50% of #1?"
        try self.fill(ReminderStore.open(folder: path), count: 3)
        let connection = try SQLiteConnection(
            path: StoreFiles(folder: path).database,
            access: .immutable,
            busyTimeoutMilliseconds: 0
        )
        #expect(try connection.first("SELECT count(*) FROM calendar_object") { $0.integer(0) } == 3)
        #expect(throws: DatabaseError(.readOnly)) { try connection.run("DELETE FROM calendar_object") }
    }

    @Test("a path where no store can be has an error of its own", arguments: ["/dev/null/store", "/proc/remindav"])
    func noPlace(folder: String) {
        #expect(throws: DatabaseError(.cannotOpen)) { try ReminderStore.open(folder: folder) }
    }

    @Test("a folder in the place of the file has an error of its own")
    func folderForFile() throws {
        mkdir(self.files.database, 0o700)
        #expect(throws: DatabaseError(.cannotOpen)) { try ReminderStore.open(folder: self.folder.path) }
    }

    @Test("a second sync of one store is refused until the first has ended")
    func syncLock() throws {
        do {
            let lock = try StoreLock(folder: self.folder.path)
            #expect(throws: DatabaseError(.syncIsRunning)) { try StoreLock(folder: self.folder.path) }
            withExtendedLifetime(lock) {}
        }
        _ = try StoreLock(folder: self.folder.path)
    }

    @Test("accounts are synced concurrently, each by one process, and not during a sync of the whole store")
    func accountLocks() throws {
        let path = self.folder.path
        do {
            let first = try StoreLock(folder: path, account: AccountID(1))
            let other = try StoreLock(folder: path, account: AccountID(2))
            #expect(throws: DatabaseError(.syncIsRunning)) { try StoreLock(folder: path, account: AccountID(1)) }
            #expect(throws: DatabaseError(.syncIsRunning)) { try StoreLock(folder: path) }
            withExtendedLifetime((first, other)) {}
        }
        let whole = try StoreLock(folder: path)
        #expect(throws: DatabaseError(.syncIsRunning)) { try StoreLock(folder: path, account: AccountID(1)) }
        withExtendedLifetime(whole) {}
    }

    @Test("a released lock is free, even if a process that is being started still has a copy of its descriptor")
    func copiedDescriptor() throws {
        let path = self.folder.path
        func duplicate(_ name: String) -> [Int32] {
            var file = stat()
            stat("\(path)/\(name)", &file)
            let same = (0..<Int32(1024)).filter { descriptor in
                var status = stat()
                return fstat(descriptor, &status) == 0 && status.st_dev == file.st_dev && status.st_ino == file.st_ino
            }
            return same.map { dup($0) }
        }
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        do {
            let account = try StoreLock(folder: path, account: AccountID(1))
            copies += duplicate("lock")
            withExtendedLifetime(account) {}
        }
        do {
            let whole = try StoreLock(folder: path)
            copies += duplicate("lock")
            withExtendedLifetime(whole) {}
        }
        do {
            let daemon = try DaemonLock(folder: path)
            copies += duplicate("daemon.lock")
            withExtendedLifetime(daemon) {}
        }
        // The second search finds the first copy too.
        #expect(copies.count == 4)
        _ = try StoreLock(folder: path, account: AccountID(1))
        _ = try StoreLock(folder: path)
        _ = try DaemonLock(folder: path)
    }

    @Test("every error is one sentence, and none contains data of the user")
    func sentences() throws {
        let canary = "Canary-7261"
        let store = try ReminderStore.inMemory()
        let list = try store.makeList(canary)
        try store.add(canary, canary, to: list)
        var errors: [DatabaseError] = [
            .init(.busy), .init(.corrupt), .init(.full), .init(.readOnly), .init(.newerVersion(found: 2, known: 1)),
            .init(.cannotOpen, detail: EACCES), .init(.cannotOpen), .init(.syncIsRunning), .init(.other, detail: 1),
        ]
        do { try store.add(canary, canary, to: list) } catch { errors.append(error) }
        do { try store.add(canary, canary, to: ListID(77)) } catch { errors.append(error) }
        do { _ = try ReminderStore.open(folder: "/dev/null/\(canary)") } catch { errors.append(error) }
        #expect(errors.count == 12)
        for error in errors {
            let text = String(describing: error)
            #expect(text.hasSuffix(".") && !text.contains(canary) && !text.contains("\n"))
        }
    }

    private func fill(_ store: ReminderStore, count: Int) throws {
        let list = try store.makeList()
        try store.write { transaction in
            for number in 0..<count {
                try transaction.insert(
                    into: list,
                    uid: "\(number)",
                    StoredObject(source: Sample.source("\(number)"), index: Sample.index())
                )
            }
        }
    }

    private func connect(_ body: (SQLiteConnection) throws(DatabaseError) -> Void) throws(DatabaseError) {
        try body(SQLiteConnection(path: self.files.database, access: .readWrite, busyTimeoutMilliseconds: 0))
    }

    private func contents(of path: String) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 200_000)
        let file = try #require(fopen(path, "rb"))
        defer { fclose(file) }
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }
}

import Glibc
import RemindavBridge
import RemindavPlatform
import RemindavStoreSupport
import Synchronization
import Testing

@testable import RemindavHost
@testable import RemindavPostgresStore
@testable import RemindavSQLiteStore
@testable import RemindavStore

@Suite("the export and import of tenants", .enabled(if: TestStores.useServer, "Tests/postgres.py starts a server"))
final class TenantTransferTests {
    private static let count = Mutex(0)

    private let host: Host
    private let pool: PostgresPool
    private let folder: String

    init() throws {
        self.pool = try TestStores.pool.get()
        self.host = Host(DatabasePlace(TestStores.place?.text ?? "", role: "remindav_worker"))
        var template = Array("/tmp/remindav-transfer-XXXXXX".utf8CString)
        let path = try #require(mkdtemp(&template))
        self.folder = String(cString: path)
    }

    deinit {
        for name in Self.names(in: self.folder) { Self.remove("\(self.folder)/\(name)") }
        rmdir(self.folder)
    }

    private static func remove(_ path: String) {
        for name in self.names(in: path) { unlink("\(path)/\(name)") }
        if rmdir(path) != 0 { unlink(path) }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private func addTenant() throws -> String {
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        let name = "transfer-\(getpid())-\(number)"
        try self.host.add(name, zone: "UTC")
        return name
    }

    /// The rows and next ids of a store, for each table.
    private func content(_ store: ReminderStore) throws -> [String: [String]] {
        try store.read { snapshot throws(DatabaseError) in
            var content = ["next ids": try snapshot.database.nextIDs().map { "\($0.key) \($0.value)" }.sorted()]
            for table in StoreTables.inOrder {
                content[table] = try snapshot.database.rows("SELECT * FROM \(table)") { row in
                    row.names.filter { $0 != "tenant" && $0 != "rowid" }.sorted().map { "\($0) \(row.value($0))" }
                        .joined(separator: " ")
                }.sorted()
            }
            return content
        }
    }

    private func store(of name: String) throws -> ReminderStore {
        let tenant = try #require(try TenantDirectory(self.pool).tenant(named: name))
        return ReminderStore.tenant(tenant.id, in: self.pool) { () throws(DatabaseError) in
            try ReminderStore.emptyDatabase()
        }
    }

    /// Creates a store with a row in each table and a value in each column.
    private func makeStore(_ name: String, objects: Int = 1) throws -> String {
        let path = "\(self.folder)/\(name)"
        let store = try ReminderStore.open(folder: path)
        try store.write { transaction throws(DatabaseError) in
            for table in StoreTables.inOrder {
                let isCounted = ["calendar_object", "calendar_text"].contains(table)
                for number in 1...(isCounted ? objects : 1) {
                    try Self.insertRow(into: table, number, transaction.database)
                }
            }
            // A number that was given to a deleted list is not given again.
            try transaction.deleteList(try transaction.insertList(named: "deleted", at: 0))
        }
        return path
    }

    private static func insertRow(into table: String, _ number: Int, _ database: any Database) throws(DatabaseError) {
        let columns = try database.rows("PRAGMA table_info(\(table))") { ($0.text("name"), $0.text("type")) }
        let isOfObject = ["calendar_object", "calendar_text"].contains(table)
        let values: [SQLValue] = columns.map { name, type in
            switch (name, type) {
            case ("id", "INTEGER"), ("object", _): .integer(isOfObject ? number : 1)
            case ("allows_insecure", _): .integer(0)
            case ("secret_kind", _), ("secret_reference", _): .text("")
            case ("ca_file", _), ("client_certificate", _), ("client_key", _): .null
            case (_, "INTEGER"): .integer(1)
            case (_, "BLOB"): .blob([UInt8](0...255))
            default: .text("\(table) \(name) \(number) \0\u{10FF00}ä")
            }
        }
        let names = columns.map { "\"\($0.0)\"" }.joined(separator: ", ")
        let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        try database.send("INSERT INTO \(table) (\(names)) VALUES (\(places))", values)
    }

    @Test("an import, an export and a second import have equal rows and numbers in all tables", arguments: [1, 1203])
    func roundTrip(objects: Int) throws {
        let source = try self.makeStore("source", objects: objects)
        let original = try self.content(ReminderStore.open(folder: source))
        #expect(original.values.allSatisfy { !$0.isEmpty } && original["calendar_object"]?.count == objects)
        let (first, second) = (try self.addTenant(), try self.addTenant())
        #expect(try self.host.import(source, to: first) == ["account name 1 \0\u{10FF00}ä"])
        #expect(try self.content(self.store(of: first)) == original)
        let copy = "\(self.folder)/copy"
        _ = try self.host.export(first, to: "\(copy)/")
        #expect(Self.names(in: self.folder) == ["copy", "source"] && Self.names(in: copy) == ["reminders.db"])
        #expect(try self.content(ReminderStore.openReadOnly(folder: copy)) == original)
        _ = try self.host.import(copy, to: second)
        #expect(try self.content(self.store(of: second)) == original)
    }

    @Test("references to passwords stay in their place, and a tenant gets no file or permission of the machine")
    func passwords() throws {
        let path = "\(self.folder)/source"
        let canary = "echo canary"
        let store = try ReminderStore.open(folder: path)
        _ = try store.write { transaction throws(DatabaseError) in
            var settings = AccountSettings()
            (settings.caFile, settings.clientCertificate, settings.clientKey) = (canary, canary, canary)
            (settings.allowsInsecure, settings.pinnedKey) = (true, "sha256//pin")
            let secret = SecretReference(kind: "command", reference: canary)
            return try transaction.insertAccount(
                named: "work",
                url: "https://dav.example/",
                user: "u",
                secret: secret,
                settings: settings,
                at: 0
            )
        }
        let name = try self.addTenant()
        #expect(try self.host.import(path, to: name) == ["work"])
        let account = try #require(try self.store(of: name).read { try $0.accounts().first })
        #expect(account.secret == SecretReference(kind: "", reference: ""))
        #expect(account.settings.pinnedKey == "sha256//pin" && !account.settings.allowsInsecure)
        #expect(try !self.content(self.store(of: name)).description.contains("canary"))
        try self.store(of: name).write { transaction throws(DatabaseError) in
            try transaction.update(SecretReference(kind: "sealed", reference: canary), of: account.id)
        }
        #expect(try self.host.export(name, to: "\(self.folder)/copy") == ["work"])
        let file = try ReminderStore.openReadOnly(folder: "\(self.folder)/copy")
        #expect(try !self.content(file).description.contains("canary"))
    }

    @Test("a faulty export creates nothing")
    func faultyExports() throws {
        let name = try self.addTenant()
        let taken = "\(self.folder)/taken"
        mkdir(taken, 0o700)
        #expect(throws: UseCaseError(.exportTargetExists)) { try self.host.export(name, to: taken) }
        symlink("/nonexistent", "\(self.folder)/link")
        #expect(throws: UseCaseError(.exportTargetExists)) { try self.host.export(name, to: "\(self.folder)/link") }
        #expect(throws: UseCaseError(.tenantNotFound)) { try self.host.export("nobody", to: "\(self.folder)/new") }
        let missing = #expect(throws: SystemError.self) { try self.host.export(name, to: "\(self.folder)/no/new") }
        #expect(missing?.number == ENOENT && missing?.subject == "\(self.folder)/no/new")
        // A failure in the middle: the table cannot be read.
        let owner = try PostgresConnection(to: TestStores.place ?? DatabasePlace(""))
        _ = try owner.runScript("REVOKE SELECT ON feed_push FROM remindav_worker")
        defer { _ = try? owner.runScript("GRANT SELECT ON feed_push TO remindav_worker") }
        #expect(throws: DatabaseError(.unsuitable)) { try self.host.export(name, to: "\(self.folder)/new") }
        #expect(Self.names(in: self.folder) == ["link", "taken"])
    }

    @Test("a faulty import changes neither the tenant nor the store")
    func faultyImports() throws {
        let source = try self.makeStore("source")
        let name = try self.addTenant()
        #expect(throws: UseCaseError(.tenantNotFound)) { try self.host.import(source, to: "nobody") }
        #expect(throws: UseCaseError(.storeNotFound)) { try self.host.import("\(self.folder)/none", to: name) }
        #expect(throws: UseCaseError(.storeNotFound)) { try self.host.import("/dev/null", to: name) }
        #expect(Self.names(in: self.folder) == ["source"])

        try self.host.setSuspended(true, name)
        #expect(throws: DatabaseError(.suspended)) { try self.host.import(source, to: name) }
        try self.host.setSuspended(false, name)

        do {
            let sync = try StoreLock(folder: source, account: AccountID(1))
            #expect(throws: DatabaseError(.syncIsRunning)) { try self.host.import(source, to: name) }
            withExtendedLifetime(sync) {}
        }

        for (bytes, code) in [([], DatabaseError.Code.cutOff), (Array("no store".utf8), .corrupt)] {
            let path = "\(self.folder)/\(bytes.count)"
            mkdir(path, 0o700)
            let file = open("\(path)/reminders.db", O_CREAT | O_WRONLY, mode_t(0o600))
            write(file, bytes, bytes.count)
            close(file)
            #expect(throws: DatabaseError(code)) { try self.host.import(path, to: name) }
        }
        #expect(try self.content(self.store(of: name)).allSatisfy { $0.key == "next ids" || $0.value.isEmpty })

        _ = try self.host.import(source, to: name)
        #expect(throws: UseCaseError(.tenantNotEmpty)) { try self.host.import(source, to: name) }
        #expect(try self.content(self.store(of: name)) == self.content(ReminderStore.open(folder: source)))
    }

    @Test("a store with a lost row or with an exclusive lock is refused")
    func damagedStore() throws {
        let source = try self.makeStore("source")
        let name = try self.addTenant()
        let connection = try SQLiteConnection(
            path: "\(source)/reminders.db",
            access: .readWrite,
            busyTimeoutMilliseconds: 0
        )
        try connection.execute("PRAGMA foreign_keys = OFF; DELETE FROM calendar_object")
        #expect(throws: DatabaseError(.corrupt)) { try self.host.import(source, to: name) }
        // An exclusive connection keeps readers away after its next write.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM deleted_label; COMMIT")
        #expect(throws: DatabaseError(.busy)) { try self.host.import(source, to: name) }
    }

    @Test("a store with a key that is too long for an index is refused, and its tenant stays empty")
    func longKey() throws {
        let source = "\(self.folder)/source"
        let uid = (0..<3000).map { String(($0 &* 7919) % 36, radix: 36) + String($0, radix: 36) }.joined()
        let store = try ReminderStore.open(folder: source)
        _ = try store.write { transaction throws(DatabaseError) in
            let list = try transaction.insertList(named: "a", at: 0)
            return try transaction.insert(
                into: list,
                uid: uid,
                StoredObject(source: [1], index: ObjectIndex(title: "t"))
            )
        }
        let name = try self.addTenant()
        #expect(throws: DatabaseError(.keyTooLong)) { try self.host.import(source, to: name) }
        #expect(try self.store(of: name).read { try $0.lists() }.isEmpty)
    }

    @Test("a store beyond a limit of the tenant is refused, and its tenant stays empty")
    func quota() throws {
        let source = try self.makeStore("source", objects: 6)
        let name = try self.addTenant()
        try self.host.change(name, reminders: 5)
        #expect(throws: DatabaseError(.quotaExceeded)) { try self.host.import(source, to: name) }
        #expect(try self.host.tenants().first { $0.name == name }?.reminders == 0)
        try self.host.change(name, reminders: 6)
        _ = try self.host.import(source, to: name)
        #expect(try self.host.tenants().first { $0.name == name }?.reminders == 6)
    }

    @Test("a store with an older schema is imported with the current one, and its file stays as it is")
    func olderStore() throws {
        let source = "\(self.folder)/old"
        mkdir(source, 0o700)
        let file = open("\(source)/reminders.db", O_CREAT | O_WRONLY, mode_t(0o600))
        close(file)
        let connection = try SQLiteConnection(
            path: "\(source)/reminders.db",
            access: .readWrite,
            busyTimeoutMilliseconds: 0
        )
        let last = migrations.count - 1
        try Schema.bringUpToDate(connection, history: Array(migrations.prefix(last)), canWaitMilliseconds: 0)
        try connection.execute("INSERT INTO deleted_label (key, name, deleted) VALUES ('a', 'A', 1)")
        let name = try self.addTenant()
        #expect(try self.host.import(source, to: name).isEmpty)
        #expect(try connection.schemaVersion() == last)
        #expect(try self.content(self.store(of: name))["deleted_label"]?.count == 1)
    }
}

import Glibc
import RemindavStoreSupport
import Synchronization
import Testing

@testable import RemindavPostgresStore
@testable import RemindavSQLiteStore
@testable import RemindavStore

@Suite("the stores of tenants", .enabled(if: TestStores.useServer, "Tests/postgres.py starts a server"))
struct TenantStoreTests {
    private static let count = Mutex(0)

    private let pool: PostgresPool
    private let tenant: TenantID
    private let store: ReminderStore

    init() throws {
        self.pool = try TestStores.pool.get()
        (self.tenant, self.store) = try Self.make(self.pool)
    }

    private static func make(_ pool: PostgresPool) throws -> (TenantID, ReminderStore) {
        let number = self.count.withLock { count in
            count += 1
            return count
        }
        let tenant = try TenantDirectory(pool).add("tenant store \(getpid()) \(number)")
        let store = ReminderStore.tenant(tenant, in: pool) { () throws(DatabaseError) in throw DatabaseError(.other) }
        return (tenant, store)
    }

    /// Runs a script as the superuser.
    @discardableResult
    private func asOwner(_ script: String) throws -> [PostgresConnection.TextRows] {
        try PostgresConnection(to: TestStores.place ?? DatabasePlace("")).runScript(script)
    }

    private func add(_ title: String, to store: ReminderStore) throws -> ListID {
        try store.write { transaction throws(DatabaseError) in
            let list = try transaction.insertList(named: title, at: 0)
            let source = Array("BEGIN:VCALENDAR\r\nX:\(title)\r\nEND:VCALENDAR\r\n".utf8)
            try transaction.insert(
                into: list,
                uid: title,
                StoredObject(source: source, index: ObjectIndex(title: title))
            )
            return list
        }
    }

    @Test("a tenant reads no row of another one, also not by number, and numbers are counted per tenant")
    func isolation() throws {
        let (_, other) = try Self.make(self.pool)
        let list = try self.add("canary", to: self.store)
        #expect(try other.read { try $0.lists() }.isEmpty)
        #expect(try other.read { try $0.list(list) } == nil)
        #expect(try self.add("other", to: other) == list)
        #expect(try self.store.read { try $0.lists().map(\.name) } == ["canary"])
        for table in StoreTables.inOrder {
            let rows = try other.read { snapshot throws(DatabaseError) in
                try snapshot.database.rows("SELECT * FROM \(table)") { row in
                    row.names.indices.map { row.textIfPresent(at: $0) ?? "" }.joined(separator: " ")
                }
            }
            #expect(!rows.joined().contains("canary"), "\(table)")
        }
    }

    @Test("without a tenant, no row is visible and none can be written")
    func noTenant() throws {
        _ = try self.add("canary", to: self.store)
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        for table in StoreTables.inOrder {
            #expect(try connection.runScript("SELECT count(*) FROM \(table)") == [[["0"]]], "\(table)")
        }
        #expect(throws: DatabaseError.self) {
            try connection.runScript("INSERT INTO deleted_label (tenant, key, name, deleted) VALUES (1, 'a', 'a', 0)")
        }
        // A write for another tenant than the chosen one is refused by the same policy.
        #expect(throws: DatabaseError.self) {
            try connection.runScript(
                """
                BEGIN; SELECT set_config('remindav.tenant', '\(self.tenant.rawValue)', true);
                INSERT INTO deleted_label (tenant, key, name, deleted) VALUES (\(self.tenant.rawValue + 1), 'a', 'a', 0)
                """
            )
        }
        _ = try connection.runScript("ROLLBACK")
    }

    @Test("a row is found by its key, also for a new tenant among tiny ones", arguments: [20, 50, 400])
    func plans(tenants: Int) throws {
        // A database of its own, so that the statistics depend on nothing else.
        let name = "plans_\(getpid())_\(tenants)"
        try self.asOwner("CREATE DATABASE \(name)")
        defer { _ = try? self.asOwner("DROP DATABASE \(name) WITH (FORCE)") }
        let place = "\(TestStores.place?.text ?? "") dbname=\(name)"
        try HostSchema.migrate(DatabasePlace(place))
        _ = try PostgresConnection(to: DatabasePlace(place)).runScript(
            """
            INSERT INTO list (tenant, id, name, state, read_only, supports_sync_collection, position, created)
                SELECT number, 1, 'a', 'local', 0, 0, 0, 0 FROM generate_series(1, \(tenants)) AS number;
            INSERT INTO calendar_object (tenant, id, list, uid, title, status, priority, labels, repeats, revision, dirty)
                SELECT tenant, number, 1, 'u' || number, 't', 0, 0, '', 0, 0, 0 FROM list, generate_series(1, 2) AS number;
            INSERT INTO calendar_text (tenant, object, source) SELECT tenant, id, '' FROM calendar_object;
            ANALYZE
            """
        )
        let connection = try PostgresConnection(to: DatabasePlace(place, role: HostSchema.worker))
        for (sql, key) in [
            ("UPDATE calendar_object SET dirty = 1 WHERE id = $1", "calendar_object_pkey"),
            (
                "SELECT source FROM calendar_object JOIN calendar_text ON object = id WHERE id = $1",
                "calendar_object_pkey"
            ),
            ("SELECT id FROM calendar_object WHERE list = $1 AND uid = 'u'", "calendar_object_tenant_list_uid_key"),
        ] {
            let plan = try connection.runScript(
                """
                BEGIN; SELECT set_config('remindav.tenant', '\(tenants + 1)', true);
                PREPARE example AS \(sql); EXPLAIN EXECUTE example (5); DEALLOCATE example; COMMIT
                """
            )[3].map { $0[0] ?? "" }.joined(separator: "\n")
            #expect(plan.contains("using \(key)") && plan.contains(" AND "), "\(plan)")
        }
    }

    @Test("the columns of both engines are equal")
    func columns() throws {
        for table in StoreTables.inOrder {
            let own = try self.asOwner(
                """
                SELECT column_name, data_type, is_nullable, regexp_replace(coalesce(column_default, ''), '::\\w+$', '')
                FROM information_schema.columns
                WHERE table_name = '\(table)' AND table_schema = 'public' AND column_name NOT IN ('tenant', 'rowid')
                """
            )
            let types = ["bigint": "INTEGER", "text": "TEXT", "bytea": "BLOB"]
            let expected = try ReminderStore.inMemory().read { snapshot throws(DatabaseError) in
                try snapshot.database.rows("SELECT * FROM pragma_table_info('\(table)')") { row in
                    let isRequired = row.integer("notnull") != 0 || row.integer("pk") != 0
                    let words = [row.text("type"), isRequired ? "NO" : "YES", row.textIfPresent("dflt_value") ?? ""]
                    return "\(row.text("name")) \(words.joined(separator: " "))"
                }
            }
            let found = own[0].map { row in
                "\(row[0] ?? "") \(types[row[1] ?? ""] ?? "?") \(row[2] ?? "") \((row[3] ?? "").replacing("'-1'", with: "-1"))"
            }
            #expect(found.sorted() == expected.sorted(), "\(table)")
        }
    }

    @Test("writers of one tenant run one after another, and no number is used twice")
    func writers() async throws {
        let (pool, tenant) = (self.pool, self.tenant)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let store = ReminderStore.tenant(tenant, in: pool) { () throws(DatabaseError) in
                        throw DatabaseError(.other)
                    }
                    for number in 0..<25 {
                        _ = try store.write { transaction throws(DatabaseError) in
                            try transaction.insertList(named: "\(writer) \(number)", at: 0)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let ids = try self.store.read { try $0.lists().map(\.id.rawValue) }
        #expect(ids.sorted() == Array(1...100))
    }

    @Test("a discarded write leaves nothing, and its numbers are used again")
    func discarded() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try self.store.write { transaction in
                _ = try transaction.insertList(named: "a", at: 0)
                throw Stop()
            }
        }
        #expect(throws: DatabaseError(.alreadyExists)) {
            try self.store.write { transaction throws(DatabaseError) in
                let list = try transaction.insertList(named: "b", at: 0)
                for _ in 0..<2 {
                    try transaction.insert(
                        into: list,
                        uid: "u",
                        StoredObject(source: [1], index: ObjectIndex(title: "t"))
                    )
                }
            }
        }
        #expect(try self.store.read { try $0.lists() }.isEmpty)
        #expect(try self.add("c", to: self.store) == ListID(1))
    }

    @Test("a connection that ends before the commit changes nothing, and the next write has a new connection")
    func brokenConnection() throws {
        let place = TestStores.place ?? DatabasePlace("")
        #expect(throws: DatabaseError(.unavailable)) {
            try self.store.write { transaction throws(DatabaseError) in
                _ = try transaction.insertList(named: "a", at: 0)
                try Self.endConnection(of: transaction, place)
                _ = try transaction.lists()
            }
        }
        self.store.observeWrites { [tenant] () throws(DatabaseError) in
            _ = try PostgresConnection(to: place).runScript(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE backend_xid IS NOT NULL AND state = 'idle in transaction' AND \(tenant.rawValue) > 0
                """
            )
        }
        #expect(throws: DatabaseError(.unavailable)) {
            try self.store.write { transaction throws(DatabaseError) in
                _ = try transaction.insertList(named: "b", at: 0)
            }
        }
        self.store.observeWrites {}
        #expect(try self.store.read { try $0.lists() }.isEmpty)
        _ = try self.add("c", to: self.store)
    }

    private static func endConnection(of transaction: StoreTransaction, _ place: DatabasePlace) throws(DatabaseError) {
        let pid = try transaction.database.first("SELECT pg_backend_pid()::bigint AS pid") { $0.integer("pid") } ?? 0
        _ = try PostgresConnection(to: place).runScript("SELECT pg_terminate_backend(\(pid), 5000)")
    }

    @Test("a write whose body hides an error of the database is not reported as stored")
    func hiddenError() throws {
        #expect(throws: DatabaseError(.other)) {
            try self.store.write { transaction throws(DatabaseError) in
                _ = try transaction.insertList(named: "a", at: 0)
                _ = try? transaction.database.first("SELECT 1 / 0 AS one") { _ in true }
            }
        }
        #expect(try self.store.read { try $0.lists() }.isEmpty)
    }

    @Test("a connection that ended while it was unused is replaced without an error")
    func endedConnection() throws {
        _ = try self.add("a", to: self.store)
        let connection = try self.pool.take()
        let pid = try connection.runScript("SELECT pg_backend_pid()")[0][0][0] ?? ""
        self.pool.give(connection)
        try self.asOwner("SELECT pg_terminate_backend(\(pid), 5000)")
        #expect(try self.store.read { try $0.lists().map(\.name) } == ["a"])
    }

    @Test("a transaction on a connection that ends unnoticed is begun again on another one")
    func unnoticedEnd() throws {
        let ended = try self.pool.take()
        let pid = try ended.runScript("SELECT pg_backend_pid()")[0][0][0] ?? ""
        try self.asOwner("SELECT pg_terminate_backend(\(pid), 5000)")
        let database = TenantDatabase(self.tenant, in: self.pool) { () throws(DatabaseError) in
            throw DatabaseError(.other)
        }
        #expect(throws: DatabaseError(.unavailable)) { try database.begin(.read, on: ended) }
        #expect(ended.isBroken)
        try database.begin(.read)
        database.rollBack()
    }

    @Test("after a broken commit, the server tells how the transaction ended")
    func outcome() throws {
        let database = TenantDatabase(self.tenant, in: self.pool) { () throws(DatabaseError) in
            throw DatabaseError(.other)
        }
        let committed = try self.asOwner("SELECT pg_current_xact_id()")[0][0][0] ?? ""
        try database.findOutcome(of: committed, in: self.pool.generation)
        let aborted = try self.asOwner("BEGIN; SELECT pg_current_xact_id(); ROLLBACK")[1][0][0] ?? ""
        #expect(throws: DatabaseError(.unavailable)) {
            try database.findOutcome(of: aborted, in: self.pool.generation)
        }
        // After a replica has taken over, the number may be that of another transaction.
        #expect(throws: DatabaseError(.outcomeUnknown)) { try database.findOutcome(of: committed, in: -1) }
    }

    @Test("a suspended or removed tenant cannot be written")
    func suspended() throws {
        _ = try self.add("a", to: self.store)
        try self.asOwner("UPDATE tenant SET state = 'suspended' WHERE id = \(self.tenant.rawValue)")
        #expect(throws: DatabaseError(.suspended)) { try self.add("b", to: self.store) }
        #expect(try self.store.read { try $0.lists().map(\.name) } == ["a"])
        #expect(try Self.remove(self.tenant, self.pool))
        #expect(throws: DatabaseError(.suspended)) { try self.add("c", to: self.store) }
    }

    private static func remove(_ tenant: TenantID, _ pool: PostgresPool) throws -> Bool {
        let directory = TenantDirectory(pool)
        return try directory.remove(try #require(try directory.tenant(tenant)).name)
    }

    @Test("the removal of a tenant waits for a write, and leaves no row")
    func removalWaits() async throws {
        let (pool, tenant) = (self.pool, self.tenant)
        let removing = try self.store.write { transaction throws(DatabaseError) in
            let removing = Task.detached { () throws -> Bool in try Self.remove(tenant, pool) }
            let waiting =
                "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE FROM tenant%'"
            // The removal gives up after five seconds.
            for _ in 0..<400 where (try? self.asOwner(waiting)[0].isEmpty) != false { usleep(10_000) }
            _ = try transaction.insertList(named: "late", at: 0)
            return removing
        }
        #expect(try await removing.value)
        for table in StoreTables.inOrder {
            let rows = try self.asOwner("SELECT 1 FROM \(table) WHERE tenant = \(tenant.rawValue)")[0]
            #expect(rows.isEmpty, "\(table)")
        }
    }

    @Test("texts with U+0000, empty texts and all bytes return as they were")
    func texts() throws {
        for title in ["a\0b", "", "\u{10FF00}", "ä🏠"] {
            let source = (0...255).map { UInt8($0) }
            let (id, list) = try self.store.write { transaction throws(DatabaseError) in
                let list = try transaction.insertList(named: "l\(title)", at: 0)
                let object = StoredObject(source: source, index: ObjectIndex(title: title))
                return (try transaction.insert(into: list, uid: "u\(title)", object), list)
            }
            let row = try self.store.read { try $0.rows(in: list) }.first
            #expect(row?.id == id && row?.index.title == title && row?.uid == "u\(title)")
            #expect(try self.store.read { try $0.object(id)?.source } == source)
        }
    }

    @Test("the content version changes with reminders and lists, and not with other writes")
    func contentVersion() throws {
        _ = try self.add("a", to: self.store)
        let version = try self.store.read { try $0.contentVersion() }
        _ = try self.store.write { transaction throws(DatabaseError) in
            try transaction.insertAccount(
                named: "a",
                url: "https://a.example/",
                user: "u",
                secret: SecretReference(kind: "file", reference: "x"),
                at: 0
            )
        }
        #expect(try self.store.read { try $0.contentVersion() } == version)
        _ = try self.add("b", to: self.store)
        #expect(try self.store.read { try $0.contentVersion() } != version)
    }

    @Test("a copy in memory and back has equal rows and the same next numbers")
    func copies() throws {
        _ = try self.add("a", to: self.store)
        let last = try self.add("b", to: self.store)
        try self.store.write { transaction throws(DatabaseError) in try transaction.deleteList(last) }
        let store = ReminderStore.tenant(self.tenant, in: self.pool) { () throws(DatabaseError) in
            try ReminderStore.emptyDatabase()
        }
        let copy = try store.inMemoryCopy()
        for table in StoreTables.inOrder {
            func rows(_ store: ReminderStore) throws -> [String] {
                try store.read { snapshot throws(DatabaseError) in
                    try snapshot.database.rows("SELECT * FROM \(table)") { row in
                        row.names.filter { $0 != "tenant" && $0 != "rowid" }.sorted().map { "\(row.value($0))" }
                            .joined(separator: " ")
                    }
                }.sorted()
            }
            #expect(try rows(copy) == rows(store), "\(table)")
        }
        #expect(try self.add("c", to: copy).rawValue == last.rawValue + 1)
        #expect(try self.add("c", to: store).rawValue == last.rawValue + 1)
    }
}

import Glibc
import RemindavHosting
import RemindavStoreSupport
import Synchronization
import Testing

@testable import RemindavPostgresStore
@testable import RemindavSQLiteStore
@testable import RemindavStore

@Suite("the numbers and limits of tenants", .enabled(if: TestStores.useServer, "Tests/postgres.py starts a server"))
struct UsageTests {
    private static let count = Mutex(0)

    private let directory: TenantDirectory
    private let name: String
    private let store: ReminderStore

    init() throws {
        let pool = try TestStores.pool.get()
        self.directory = TenantDirectory(pool)
        self.name =
            "usage-\(getpid())-"
            + String(
                Self.count.withLock {
                    $0 += 1; return $0
                }
            )
        let tenant = try self.directory.add(self.name)
        self.store = ReminderStore.tenant(tenant, in: pool) { () throws(DatabaseError) in
            try ReminderStore.emptyDatabase()
        }
    }

    /// The counted numbers, which must be equal to the numbers of the rows.
    private func usage() throws -> [Int64] {
        let record = try #require(try self.directory.tenant(named: self.name))
        let counted = try self.store.read { snapshot throws(DatabaseError) in
            let sql =
                "SELECT count(*)::bigint AS n, coalesce(sum(text_bytes(source, base)), 0)::bigint AS b FROM calendar_text"
            return try snapshot.database.first(sql) { [$0.integer("n"), $0.integer("b")] }
        }
        #expect(counted == [Int64(record.reminders), Int64(record.bytes)])
        return [Int64(record.reminders), Int64(record.bytes)]
    }

    private func makeList(_ name: String = "a") throws -> ListID {
        try self.store.write { transaction throws(DatabaseError) in try transaction.insertList(named: name, at: 0) }
    }

    private func insert(_ uids: [String], bytes: Int = 100, into list: ListID) throws -> [ObjectID] {
        try self.store.write { transaction throws(DatabaseError) in
            var ids: [ObjectID] = []
            for uid in uids {
                let source = [UInt8](repeating: 65, count: bytes)
                ids.append(
                    try transaction.insert(
                        into: list,
                        uid: uid,
                        StoredObject(source: source, index: ObjectIndex(title: uid))
                    )
                )
            }
            return ids
        }
    }

    @Test("reminders and bytes are counted for each kind of write, and a discarded write counts nothing")
    func counts() throws {
        let (list, other) = (try self.makeList(), try self.makeList("b"))
        let ids = try self.insert(["u", "v", "w"], into: list)
        #expect(try self.usage() == [3, 300])
        try self.store.write { transaction throws(DatabaseError) in
            let object = StoredObject(source: [UInt8](repeating: 66, count: 1000), index: ObjectIndex(title: "t"))
            try transaction.update(ids[0], object)
        }
        #expect(try self.usage() == [3, 1200])
        #expect(throws: DatabaseError(.full)) {
            try self.store.write { transaction throws(DatabaseError) in
                _ = try transaction.insert(
                    into: list,
                    uid: "x",
                    StoredObject(source: [1], index: ObjectIndex(title: "t"))
                )
                throw DatabaseError(.full)
            }
        }
        #expect(try self.usage() == [3, 1200])
        _ = try self.insert(["x"], into: other)
        try self.store.write { transaction throws(DatabaseError) in try transaction.deleteList(list) }
        #expect(try self.usage() == [1, 100])
        try self.store.removeEverything()
        #expect(try self.usage() == [0, 0])
    }

    @Test("a write beyond the number of reminders fails as a whole, and removals are possible above the limit")
    func reminders() throws {
        let list = try self.makeList()
        #expect(try self.directory.change(self.name, reminders: 3))
        let ids = try self.insert(["a", "b"], into: list)
        let error = #expect(throws: DatabaseError(.quotaExceeded)) { try self.insert(["c", "d"], into: list) }
        #expect(error?.description == "The administrator allows only 3 reminders for this tenant.")
        #expect(try self.usage()[0] == 2)
        _ = try self.insert(["c"], into: list)
        #expect(try self.directory.change(self.name, reminders: 1))
        #expect(throws: DatabaseError(.quotaExceeded)) { try self.insert(["d"], into: list) }
        try self.store.write { transaction throws(DatabaseError) in
            try transaction.delete(ids[0], at: 0)
            // An edit of another reminder adds none.
            let object = StoredObject(source: [UInt8](repeating: 66, count: 1000), index: ObjectIndex(title: "t"))
            try transaction.update(ids[1], object)
        }
        #expect(try self.usage()[0] == 2)
    }

    @Test("a text beyond the size of all texts is refused, and a shorter text is possible above the limit")
    func bytes() throws {
        let list = try self.makeList()
        let id = try self.insert(["a"], bytes: 2000, into: list)[0]
        #expect(try self.directory.change(self.name, bytes: 1000))
        func write(_ count: Int) throws(DatabaseError) {
            try self.store.write { transaction throws(DatabaseError) in
                let source = [UInt8](repeating: 66, count: count)
                try transaction.update(id, StoredObject(source: source, index: ObjectIndex(title: "t")))
            }
        }
        #expect(throws: DatabaseError(.quotaExceeded)) { try write(2001) }
        try write(1999)
        try write(1000)
        #expect(throws: DatabaseError(.quotaExceeded)) { try write(1001) }
        #expect(try self.usage() == [1, 1000])
    }

    @Test("the eleventh account and the fifty-first feed are refused")
    func accountsAndFeeds() throws {
        func addAccount(_ name: String) throws(DatabaseError) {
            _ = try self.store.write { transaction throws(DatabaseError) in
                let secret = SecretReference(kind: "", reference: "")
                return try transaction.insertAccount(named: name, url: "u", user: "u", secret: secret, at: 0)
            }
        }
        for number in 1...Quota.maximumAccounts { try addAccount("\(number)") }
        #expect(throws: DatabaseError(.quotaExceeded)) { try addAccount("more") }
        func addFeed(_ number: Int) throws(DatabaseError) {
            try self.store.write { transaction throws(DatabaseError) in
                let sql = "INSERT INTO feed (id, token_hash, name, labels, created) VALUES (?1, ?2, '', '', 0)"
                _ = try transaction.database.insert(sql, [.null, .blob([UInt8(number)])])
            }
        }
        for number in 1...Quota.maximumFeeds { try addFeed(number) }
        #expect(throws: DatabaseError(.quotaExceeded)) { try addFeed(100) }
        try self.store.write { transaction throws(DatabaseError) in
            try transaction.database.send("UPDATE feed SET revoked = 1 WHERE id = 1")
        }
        try addFeed(100)
        #expect(try self.store.read { try $0.accounts().count } == 10)
    }

    @Test("the schema step counts the texts that are there already")
    func step() throws {
        let name = "counting_\(getpid())"
        let owner = try PostgresConnection(to: TestStores.place ?? DatabasePlace(""))
        _ = try owner.runScript("CREATE DATABASE \(name)")
        defer { _ = try? owner.runScript("DROP DATABASE \(name) WITH (FORCE)") }
        let connection = try PostgresConnection(to: DatabasePlace("\(TestStores.place?.text ?? "") dbname=\(name)"))
        let steps = hostSteps.prefix { $0.name != quotaStep.name }.map(\.sql).joined()
        _ = try connection.runScript("GRANT CREATE ON SCHEMA public TO remindav_owner; SET ROLE remindav_owner")
        _ = try connection.runScript(steps)
        _ = try connection.runScript(
            """
            INSERT INTO tenant (name) VALUES ('a'), ('b');
            INSERT INTO list (tenant, id, name, state, read_only, supports_sync_collection, position, created)
                VALUES (1, 1, 'a', 'local', 0, 0, 0, 0);
            INSERT INTO calendar_object (tenant, id, list, uid, title, status, priority, labels, repeats, revision, dirty)
                VALUES (1, 1, 1, 'u', 't', 0, 0, '', 0, 0, 0), (1, 2, 1, 'v', 't', 0, 0, '', 0, 0, 0);
            INSERT INTO calendar_text (tenant, object, source, base) VALUES (1, 1, 'abc', 'de'), (1, 2, 'f', NULL)
            """
        )
        _ = try connection.runScript(
            "ALTER TABLE calendar_text ENABLE ROW LEVEL SECURITY; ALTER TABLE calendar_text FORCE ROW LEVEL SECURITY"
        )
        _ = try connection.runScript(quotaStep.sql)
        #expect(
            try connection.runScript("SELECT objects, bytes FROM tenant ORDER BY id") == [[["2", "6"], ["0", "0"]]]
        )
    }
}

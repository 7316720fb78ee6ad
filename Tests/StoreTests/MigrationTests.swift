import Glibc
import RemindavReminders
import RemindavResources
import RemindavTestSupport
import Testing

@testable import RemindavSQLiteStore
@testable import RemindavStore

@Suite("the history of the schema")
struct MigrationTests {
    private let folder: TemporaryFolder
    private var files: StoreFiles { StoreFiles(folder: self.folder.path) }

    init() throws { self.folder = try TemporaryFolder() }

    @Test("each version has a database in Fixtures/db")
    func fixtures() throws {
        let names = try Fixture.names(in: "db", endingWith: ".db")
        #expect(Set(names) == Set((1...migrations.count).map { "made-schema-\($0).db" }))
    }

    @Test("a database of any version is migrated with all of its contents", arguments: 1...migrations.count)
    func broughtUpToDate(version: Int) throws {
        try TemporaryFolder.write(Fixture.bytes("db/made-schema-\(version).db"), to: self.files.database)
        let store = try ReminderStore.open(folder: self.folder.path)
        let (lists, rows) = try store.read { snapshot in
            (try snapshot.lists(), try snapshot.rows())
        }
        #expect(lists.map(\.name) == ["Home", "Shopping"])
        #expect(lists.map(\.state) == [.synced, .local])
        #expect(rows.map(\.uid) == ["synced", "edited", "milk"])
        #expect(rows.last?.index == Made.milk)
        let state = try store.state(of: lists[0].id)
        #expect(state.items.map(\.isDirty) == [false, true])
        let texts = try store.read { snapshot in try state.items.map { try snapshot.texts(of: $0.id) } }
        #expect(texts.map { $0.map { $0.source == $0.base } } == [true, false])
        #expect(texts.allSatisfy { $0?.base?.isEmpty == false })
        #expect(state.tombstones.map(\.uid) == ["deleted"])
        #expect(state.unreadable.map(\.href) == ["/dav/home/broken.ics"])
        #expect(state.list.syncToken == "urn:token:1")
        let accounts = try store.read { snapshot in try snapshot.accounts() }
        #expect(accounts.map(\.settings) == [AccountSettings()])
        let fresh = try ReminderStore.inMemory()
        #expect(try Self.schema(of: store) == Self.schema(of: fresh))
    }

    @Test("a failing step keeps the steps before it and has no effect of its own")
    func failingStep() throws {
        let history = [
            Migration(name: "good", sql: "CREATE TABLE good (id INTEGER PRIMARY KEY) STRICT;"),
            Migration(name: "bad", sql: "CREATE TABLE half (id INTEGER PRIMARY KEY) STRICT; CREATE NONSENSE;"),
        ]
        try self.files.createFolder()
        try self.files.makeEmpty()
        let connection = try SQLiteConnection(path: self.files.database, access: .readWrite, busyTimeoutMilliseconds: 0)
        #expect(throws: DatabaseError(.other)) {
            try Schema.bringUpToDate(connection, history: history, canWaitMilliseconds: 0)
        }
        #expect(try connection.first("PRAGMA user_version") { $0.integer(0) } == 1)
        #expect(try connection.rows("SELECT name FROM sqlite_schema") { $0.text(0) } == ["good"])
    }

    @Test("a step that fails during its filling has no effect, and the next try does all of it")
    func failingFill() throws {
        let sql = "CREATE TABLE half (id INTEGER PRIMARY KEY) STRICT;"
        try self.files.createFolder()
        try self.files.makeEmpty()
        let connection = try SQLiteConnection(path: self.files.database, access: .readWrite, busyTimeoutMilliseconds: 0)
        let broken = Migration(name: "broken", sql: sql) { (connection) throws(DatabaseError) in
            try connection.run("INSERT INTO half VALUES (1)")
            throw DatabaseError(.full)
        }
        #expect(throws: DatabaseError(.full)) {
            try Schema.bringUpToDate(connection, history: [broken], canWaitMilliseconds: 0)
        }
        #expect(try connection.rows("SELECT name FROM sqlite_schema") { $0.text(0) } == [])
        let whole = Migration(name: "whole", sql: sql) { (connection) throws(DatabaseError) in
            try connection.run("INSERT INTO half VALUES (2)")
        }
        try Schema.bringUpToDate(connection, history: [whole], canWaitMilliseconds: 0)
        #expect(try connection.rows("SELECT id FROM half") { $0.integer(0) } == [2])
    }

    @Test("relations that older versions stored are found")
    func olderRelations() throws {
        let connection = try SQLiteConnection(path: ":memory:", access: .readWrite, busyTimeoutMilliseconds: 0)
        try Schema.bringUpToDate(connection, history: Array(migrations.prefix(4)), canWaitMilliseconds: 0)
        try connection.execute(
            """
            INSERT INTO list (id, name, state, read_only, supports_sync_collection, position, created)
            VALUES (1, 'Home', 'local', 0, 0, 1, 0);
            """
        )
        let folded = "rel\r\n ated-to:big\r\nRELATED-TO:huge"
        let needed = "RELATED-TO;RELTYPE=DEPENDS-ON:first"
        let lines = ["SUMMARY:big", "RELATED-TO:big", folded, "RELATED-TO;RELTYPE=CHILD:big", needed]
        for (number, line) in lines.enumerated() {
            try connection.run(
                """
                INSERT INTO calendar_object (id, list, uid, title, status, priority, labels, repeats, revision, dirty)
                VALUES (?1, 1, ?2, '', 0, 0, '', 0, 1, 0)
                """,
                [.integer(number), .text("uid \(number)")]
            )
            let text = "BEGIN:VTODO\r\nUID:\(number)\r\n\(line)\r\nEND:VTODO\r\n"
            try connection.run(
                "INSERT INTO calendar_text (object, source) VALUES (?1, ?2)",
                [.integer(number), .blob(Array(text.utf8))]
            )
        }
        try Schema.bringUpToDate(connection, canWaitMilliseconds: 0)
        let sql = "SELECT named, holder, is_parent, is_dependency FROM relation ORDER BY holder, named"
        let rows = try connection.rows(sql) { "\($0.text(0)) \($0.integer(1)) \($0.integer(2)) \($0.integer(3))" }
        #expect(rows == ["big 1 1 0", "big 2 1 0", "huge 2 0 0", "first 4 0 1"])
    }

    @Test("the marks of reminders that older versions stored are found in their texts")
    func olderMarks() throws {
        let lines = ["SUMMARY:big", "DESCRIPTION:notes", "URL:https://example.org", "\u{0}"]
        let connection = try Self.migrated(from: 12, lines)
        #expect(try connection.rows("SELECT marks FROM calendar_object ORDER BY id") { $0.integer(0) } == [0, 1, 4, 0])
    }

    @Test("the starts of reminders that older versions stored are found in their texts")
    func olderStarts() throws {
        let zone = "BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0200\r\nEND:STANDARD"
        let connection = try Self.migrated(
            from: 14,
            [
                "SUMMARY:none", "DTSTART;VALUE=DATE:19700103", "DTSTART:19700101T010000",
                "DTSTART;TZID=Here:19700101T030000",
                "DTSTART:19700101T010000Z\r\nDUE:19700101T010000Z",
                "DTSTART:19700101T010000Z\r\nDUE:19700101T020000Z\r\nRRULE:FREQ=DAILY\r\nEXDATE:19700101T010000Z",
                "\u{0}",
            ],
            calendar: "BEGIN:VTIMEZONE\r\nTZID:Here\r\n\(zone)\r\nEND:VTIMEZONE\r\n"
        )
        let starts = try connection.rows("SELECT start_kind, start FROM calendar_object ORDER BY id") {
            [$0.integerIfPresent(0), $0.integerIfPresent(1)]
        }
        let expected: [[Int64?]] = [
            [nil, nil], [0, 2], [1, 3600], [2, 3600], [nil, nil], [2, 90_000], [nil, nil],
        ]
        #expect(starts == expected)
        let other = try Self.migrated(from: 14, ["DTSTART;TZID=Elsewhere:19700101T030000"])
        let sql = "SELECT start_kind, start FROM calendar_object"
        let floating = try other.rows(sql) { [$0.integer(0), $0.integer(1)] }
        #expect(floating == [[1, 10_800]])
    }

    /// A database of an older version with a to-do for each element of `lines`, migrated to the newest version.
    ///
    /// - Parameter calendar: the lines before each to-do.
    private static func migrated(
        from version: Int,
        _ lines: [String],
        calendar: String = ""
    ) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:", access: .readWrite, busyTimeoutMilliseconds: 0)
        try Schema.bringUpToDate(connection, history: Array(migrations.prefix(version)), canWaitMilliseconds: 0)
        try connection.execute(
            """
            INSERT INTO list (id, name, state, read_only, supports_sync_collection, position, created)
            VALUES (1, 'Home', 'local', 0, 0, 1, 0);
            """
        )
        for (number, line) in lines.enumerated() {
            try connection.run(
                """
                INSERT INTO calendar_object (id, list, uid, title, status, priority, labels, repeats, revision, dirty)
                VALUES (?1, 1, ?2, '', 0, 0, '', 0, 1, 0)
                """,
                [.integer(number), .text("uid \(number)")]
            )
            let todo = "BEGIN:VTODO\r\nUID:\(number)\r\n\(line)\r\nEND:VTODO\r\n"
            let text = calendar.isEmpty ? todo : "BEGIN:VCALENDAR\r\n\(calendar)\(todo)END:VCALENDAR\r\n"
            try connection.run(
                "INSERT INTO calendar_text (object, source) VALUES (?1, ?2)",
                [.integer(number), .blob(Array(text.utf8))]
            )
        }
        try Schema.bringUpToDate(connection, canWaitMilliseconds: 0)
        return connection
    }

    @Test("a later step changes the data of earlier versions, and runs once")
    func laterStep() throws {
        try TemporaryFolder.write(Fixture.bytes("db/made-schema-1.db"), to: self.files.database)
        let step = Migration(
            name: "note which objects were pinned",
            sql: "ALTER TABLE calendar_object ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;"
        )
        let connection = try SQLiteConnection(path: self.files.database, access: .readWrite, busyTimeoutMilliseconds: 0)
        for _ in 1...2 {
            try Schema.bringUpToDate(connection, history: [migrations[0], step], canWaitMilliseconds: 0)
        }
        #expect(try connection.first("PRAGMA user_version") { $0.integer(0) } == 2)
        #expect(
            try connection.first(#"SELECT count(*) FROM "calendar_object" WHERE pinned = 0"#) { $0.integer(0) } == 3
        )
    }

    @Test("label entries of older versions are undone with their reminders, and entries of an undo with that undo")
    func labelsOfUndoings() throws {
        let connection = try SQLiteConnection(path: ":memory:", access: .readWrite, busyTimeoutMilliseconds: 0)
        try Schema.bringUpToDate(connection, history: Array(migrations.prefix(3)), canWaitMilliseconds: 0)
        try connection.execute(
            """
            INSERT INTO sync_run (id, account, started) VALUES (1, '', 0), (2, '', 0), (3, '', 0);
            INSERT INTO change (id, run, list, object, uid, title, side, kind, at, undone, reverses) VALUES
                (1, 1, 1, 1, 'a', 'a', 'local', 'changed', 0, 7, NULL),
                (2, 2, 1, 1, 'a', 'a', 'local', 'changed', 0, NULL, 1),
                (3, 3, 1, 1, 'a', 'a', 'local', 'changed', 0, NULL, NULL);
            INSERT INTO label_change (run, label, old_name) VALUES (1, 'x', 'a'), (2, 'x', 'b'), (3, 'x', 'c');
            """
        )
        try Schema.bringUpToDate(connection, history: Array(migrations.prefix(4)), canWaitMilliseconds: 0)
        let rows = try connection.rows("SELECT undone, reverses FROM label_change ORDER BY run") {
            [$0.integerIfPresent(0), $0.integerIfPresent(1)]
        }
        #expect(rows == [[7, nil], [nil, 0], [nil, nil]])
    }

    @Test("every table is STRICT")
    func strictTables() throws {
        let tables = try ReminderStore.inMemory().read { snapshot in
            let sql =
                "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'"
            return try snapshot.database.rows(sql) { $0.text(0) }
        }
        #expect(tables == [])
    }

    private static func schema(of store: ReminderStore) throws -> [String] {
        try store.read { snapshot in
            try snapshot.database.rows("SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name") {
                // The comments of a step may change; SQLite stores them with the tables.
                $0.text(0).replacing(/--[^\n]+/, with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
        }
    }
}

/// Creates the fixture of the newest version: `UPDATE_FIXTURES=1 swift test --filter FixtureMaker`.
///
/// The fixture of a released version is not created again. If the file exists, the test fails.
@Suite("fixtures in Fixtures/db")
struct FixtureMaker {
    @Test("the database of the newest version is created", .enabled(if: getenv("UPDATE_FIXTURES") != nil))
    func make() throws {
        let folder = try TemporaryFolder()
        let files = StoreFiles(folder: folder.path)
        try files.createFolder()
        try files.makeEmpty()
        do {
            // Small pages make a small file.
            let connection = try SQLiteConnection(path: files.database, access: .readWrite, busyTimeoutMilliseconds: 0)
            try connection.execute("PRAGMA page_size = 512")
            try Schema.bringUpToDate(connection, canWaitMilliseconds: 0)
        }
        try Made.fill(ReminderStore.open(folder: folder.path))
        let connection = try SQLiteConnection(path: files.database, access: .readWrite, busyTimeoutMilliseconds: 0)
        try connection.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
        let target = "\(Fixture.folder)/db/made-schema-\(migrations.count).db"
        try connection.run("VACUUM INTO ?1", [.text(target)])
        // The copy uses a rollback journal; a real store never does.
        let copy = try SQLiteConnection(path: target, access: .readWrite, busyTimeoutMilliseconds: 0)
        try copy.execute("PRAGMA journal_mode = WAL")
    }
}

/// The content of the databases in `Fixtures/db`.
private enum Made {
    static let milk = ObjectIndex(
        title: "Milk, 2 l",
        due: .day(dayNumber: 20_777),
        snoozedUntil: 1_795_100_000,
        status: .inProgress,
        completedAt: 1_795_000_001,
        priority: .high,
        labels: ["shop", "two\nlines", "back\\slash"],
        repeats: true
    )

    static func fill(_ store: ReminderStore) throws {
        let home = try store.makeSyncedList()
        let shopping = try store.makeList("Shopping")
        for uid in ["synced", "edited", "deleted"] {
            _ = try store.pull(uid, Href("/dav/home/\(uid).ics"), into: home)
        }
        try store.write { transaction in
            if let edited = try transaction.object(in: home, uid: "edited") {
                try transaction.update(
                    edited.id,
                    StoredObject(source: Sample.source("edited", "New"), index: Sample.index("New"))
                )
            }
            if let deleted = try transaction.object(in: home, uid: "deleted") {
                try transaction.delete(deleted.id, at: Sample.now)
            }
            try transaction.insert(
                into: shopping,
                uid: "milk",
                StoredObject(source: Sample.source("milk"), index: Self.milk)
            )
            try transaction.setUnreadable(
                UnreadableItem(href: "/dav/home/broken.ics", etag: "\"7\"", reason: "no VTODO"),
                in: home
            )
            try transaction.saveToken("urn:token:1", ctag: "c1", of: home)
            _ = try transaction.insertFeed(named: "phone", tokenHash: [1, 2, 3], labels: ["shop"], at: Sample.now)
        }
    }
}

import Reminders
import TestSupport
import Testing

@testable import Store

@Suite("what a search knows of a text without reading it")
struct SignatureTests {
    private let store: ReminderStore
    private let home: ListID
    private let other: ListID

    init() throws {
        self.store = try ReminderStore.inMemory()
        self.home = try self.store.makeSyncedList()
        self.other = try self.store.makeList("Other")
    }

    /// The UIDs of those that a search looks into.
    private func candidates(_ words: String..., in list: ListID? = nil) throws -> [String] {
        let query = try #require(SearchQuery(words))
        return try self.store.read { snapshot in
            var found: [String] = []
            try snapshot.forEachObject(in: list, ofStatus: [0], mayMatch: query) { record in
                found.append(record.uid)
                return true
            }
            return found
        }
    }

    private func expectSigned(
        _ title: String,
        not former: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try self.store.read { try $0.wronglySigned() } == [], sourceLocation: sourceLocation)
        #expect(try self.candidates(title).count == 1, sourceLocation: sourceLocation)
        #expect(try self.candidates(former) == [], sourceLocation: sourceLocation)
    }

    @Test("it goes along with everything that a person does to a text")
    func kept() throws {
        let id = try self.store.add("a", "Walrus", to: self.other)
        try self.expectSigned("walrus", not: "giraffe")
        try self.store.edit(id, uid: "a", "Giraffe")
        try self.expectSigned("giraffe", not: "walrus")
        try self.store.write { try $0.move(id, to: self.home, at: Sample.now) }
        try self.expectSigned("giraffe", not: "walrus")
        let read = ReadObject(id, revision: try self.store.object(id).revision)
        let renamed = Sample.source("b", "Ostrich")
        #expect(try self.store.write { try $0.recordNewUID("b", of: read, in: self.home, source: renamed) })
        try self.expectSigned("ostrich", not: "giraffe")
        try self.store.write { try $0.delete(id, at: Sample.now) }
        #expect(try self.candidates("ostrich") == [])
        _ = try self.store.write {
            try $0.putBack(id, into: self.home, uid: "b", source: renamed, index: Sample.index(), at: Sample.now)
        }
        try self.expectSigned("ostrich", not: "giraffe")
    }

    @Test("it goes along with every step of a sync")
    func synced() throws {
        _ = try self.store.pull("a", "/dav/home/a", into: self.home)
        try self.expectSigned("pulled", not: "walrus")
        let id = try #require(try self.store.read { try $0.object(in: self.home, uid: "a")?.id })
        func read() throws -> ReadObject { ReadObject(id, revision: try self.store.object(id).revision) }
        let walrus = Sample.pulled("a", "/dav/home/a", "2", "Walrus")
        var now = try read()
        _ = try self.store.write { [now] in try $0.recordPulled(walrus, in: self.home, replacing: now) }
        try self.expectSigned("walrus", not: "pulled")
        let merged = Sample.pulled("a", "/dav/home/a", "3", "Giraffe")
        now = try read()
        _ = try self.store.write { [now] in
            try $0.recordMerged(merged, in: self.home, replacing: now, base: walrus.source)
        }
        try self.expectSigned("giraffe", not: "walrus")
        try self.store.write { try $0.discardEdit(of: id, index: { _ in Sample.index() }) }
        try self.expectSigned("walrus", not: "giraffe")
        try self.store.edit(id, uid: "a", "Ostrich")
        _ = try self.store.write { try $0.discardEdits(in: self.home, index: { _ in Sample.index() }, at: Sample.now) }
        try self.expectSigned("walrus", not: "ostrich")
    }

    @Test("texts of one list, with one of some statuses, by their numbers, and no more than are asked for")
    func chosen() throws {
        for (number, list) in [self.home, self.other, self.home].enumerated() {
            _ = try self.store.add("\(number)", "Walrus \(number)", to: list)
        }
        let done = try self.store.add("done", "Walrus", to: self.home)
        try self.store.write { transaction in
            let index = ObjectIndex(title: "Walrus", status: 2)
            try transaction.update(done, source: Sample.source("done", "Walrus"), index: index)
        }
        #expect(try self.candidates("walrus") == ["0", "1", "2"])
        #expect(try self.candidates("walrus", in: self.other) == ["1"])
        #expect(try self.candidates("walrus", "2") == ["2"])
        // Too short for a signature, and words that are in none of the texts.
        #expect(try self.candidates("1") == ["1"])
        #expect(try self.candidates("walrus", "giraffe") == [])
        let query = try #require(SearchQuery(["walrus"]))
        let first = try self.store.read { snapshot in
            var found: [String] = []
            try snapshot.forEachObject(ofStatus: [0], mayMatch: query) { record in
                found.append(record.uid)
                return false
            }
            return found
        }
        #expect(first == ["0"])
    }

    @Test("a text without a signature is read, and so is one whose signature is none")
    func unsigned() throws {
        _ = try self.store.add("a", "Walrus", to: self.home)
        for value in ["NULL", "X''", "X'00'", "zeroblob(9)", "zeroblob(1000)"] {
            try self.store.write { transaction in
                try transaction.connection.execute("UPDATE calendar_object SET signature = \(value)")
            }
            #expect(try self.candidates("walrus") == (value == "X'00'" ? [] : ["a"]), "\(value)")
        }
    }

    @Test("stores of versions before it are brought there, whatever numbers their reminders have")
    func older() throws {
        let connection = try Connection(path: ":memory:", access: .readWrite, busyTimeoutMilliseconds: 0)
        try Schema.bringUpToDate(connection, history: Array(migrations.prefix(7)), canWaitMilliseconds: 0)
        try connection.execute(
            """
            INSERT INTO list (id, name, state, read_only, supports_sync_collection, position, created)
            VALUES (1, 'Home', 'local', 0, 0, 1, 0);
            """
        )
        for number in [-3, 0, 7, 1 << 40] {
            try connection.run(
                """
                INSERT INTO calendar_object (id, list, uid, title, status, priority, labels, repeats, revision, dirty)
                VALUES (?1, 1, ?2, '', 0, 0, '', 0, 1, 0)
                """,
                [.integer(number), .text("\(number)")]
            )
            try connection.run(
                "INSERT INTO calendar_text (object, source) VALUES (?1, ?2)",
                [.integer(number), .blob(Sample.source("\(number)", "Walrus \(number)"))]
            )
        }
        try Schema.bringUpToDate(connection, canWaitMilliseconds: 0)
        let signer = SearchSigner()
        let rows = try connection.rows("SELECT uid, signature FROM calendar_object ORDER BY id") {
            ($0.text(0), $0.bytesIfPresent(1))
        }
        #expect(rows.map(\.0) == ["-3", "0", "7", "\(1 << 40)"])
        for (uid, signature) in rows {
            #expect(signature == signer.signature(of: Sample.source(uid, "Walrus \(uid)").span))
        }
    }
}

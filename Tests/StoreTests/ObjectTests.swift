import RemindavReminders
import RemindavSQLiteStore
import RemindavStoreSupport
import Testing

@testable import RemindavStore

@Suite("calendar objects under edits of a user")
struct ObjectTests {
    private let store: ReminderStore
    private let list: ListID

    init() throws {
        self.store = try TestStores.make()
        self.list = try self.store.makeList()
    }

    static let indexes = [
        ObjectIndex(title: ""),
        ObjectIndex(title: "naïve \u{0} 日本語 🪴", due: .day(dayNumber: -1)),
        ObjectIndex(title: "a", due: .floating(localSeconds: Row.largest), labels: ["x", "y\nz", "\\n", "a\r"]),
        ObjectIndex(title: "b", due: .instant(seconds: -Row.largest), snoozedUntil: 0, completedAt: -5),
        ObjectIndex(
            title: "c",
            status: .cancelled,
            priority: .high,
            labels: ["\\"],
            repeats: true,
            marks: [.notes, .link]
        ),
        ObjectIndex(title: "d", start: .day(dayNumber: 20_777)),
        ObjectIndex(title: "e", due: .instant(seconds: 5), start: .floating(localSeconds: -1)),
        ObjectIndex(title: "f", marks: .alarms, start: .instant(seconds: 0)),
    ]

    @Test("an index row is read as it was written", arguments: indexes)
    func indexRow(index: ObjectIndex) throws {
        let rows = try self.store.write { transaction in
            try transaction.insert(into: self.list, uid: "a", StoredObject(source: [], index: index))
            return try transaction.rows(in: self.list)
        }
        #expect(rows.map(\.index) == [index])
    }

    @Test(
        "numbers of a damaged store are read as the nearest valid value",
        arguments: [Int64.max, 1 << 62, 1 << 47, -1 << 47, .min]
    )
    func damagedNumbers(number: Int64) throws {
        let nearest = number < 0 ? -Row.largest : Row.largest
        for (damaged, read) in [
            (IndexedMoment.floating(localSeconds: number), IndexedMoment.floating(localSeconds: nearest)),
            (.instant(seconds: number), .instant(seconds: nearest)),
            (.day(dayNumber: Int(number)), .day(dayNumber: Int(nearest))),
        ] {
            let index = ObjectIndex(title: "a", due: damaged, snoozedUntil: number, completedAt: number)
            let rows = try self.store.write { transaction in
                let list = try transaction.insertList(named: "\(damaged)", at: Sample.now)
                try transaction.insert(into: list, uid: "a", StoredObject(source: [], index: index))
                return try transaction.rows(in: list)
            }
            let expected = ObjectIndex(title: "a", due: read, snoozedUntil: nearest, completedAt: nearest)
            #expect(rows.map(\.index) == [expected])
            // The usual arithmetic: the seconds of a day, and some years more or less.
            #expect(!nearest.multipliedReportingOverflow(by: 86_400).overflow)
        }
    }

    @Test(
        "a text is read byte for byte, also if it is empty or not UTF-8",
        arguments: [[], [0xff, 0, 0x0d], [0x0a]]
    )
    func text(source: [UInt8]) throws {
        let object = try self.store.write { transaction in
            let id = try transaction.insert(
                into: self.list,
                uid: "a",
                StoredObject(source: source, index: Sample.index())
            )
            return try transaction.object(id)
        }
        #expect(object?.source == source)
    }

    @Test("a new object is dirty in revision 1, and each change of the text adds 1")
    func revisions() throws {
        let id = try self.store.add("a", to: self.list)
        #expect(try self.store.object(id).revision == 1)
        #expect(try self.store.object(id).isDirty)
        try self.store.edit(id, uid: "a", "Second")
        #expect(try self.store.object(id).revision == 2)
        #expect(try self.store.object(id).index.title == "Second")
        try self.store.edit(id, uid: "a", "Second")
        #expect(try self.store.object(id).revision == 2)
    }

    @Test("objects with some statuses are read in portions, in the order of their ids")
    func portions() throws {
        let ids = try self.store.write { transaction throws(DatabaseError) in
            var ids: [ObjectID] = []
            for (uid, status) in [("a", Status.pending), ("b", .completed), ("c", .inProgress), ("d", .pending)] {
                let object = StoredObject(source: Array(uid.utf8), index: ObjectIndex(title: uid, status: status))
                ids.append(try transaction.insert(into: self.list, uid: uid, object))
            }
            return ids
        }
        func texts(from id: ObjectID, limit: Int) throws -> [String] {
            try self.store.read { snapshot throws(DatabaseError) in
                try snapshot.objects(from: id, statuses: [.pending, .inProgress], limit: limit)
            }.map { String(decoding: $0.source, as: UTF8.self) }
        }
        #expect(try texts(from: ObjectID(0), limit: 2) == ["a", "c"])
        #expect(try texts(from: ids[1], limit: 5) == ["c", "d"])
        #expect(try texts(from: ids[3], limit: 5) == ["d"])
    }

    @Test("an id is never used for a second reminder")
    func ids() throws {
        let first = try self.store.add("a", to: self.list)
        try self.store.write { transaction in try transaction.delete(first, at: Sample.now) }
        let second = try self.store.add("b", to: self.list)
        #expect(second > first)
    }

    @Test("a missing object is not found")
    func notFound() throws {
        let ghost = ObjectID(99)
        try self.store.read { (snapshot) throws(DatabaseError) in
            #expect(try snapshot.object(ghost) == nil)
            #expect(try snapshot.object(in: self.list, uid: "ghost") == nil)
            #expect(try snapshot.list(ListID(99)) == nil)
            #expect(try snapshot.syncState(of: ListID(99)) == nil)
            #expect(try snapshot.texts(of: ghost) == nil)
        }
        #expect(throws: DatabaseError(.notFound)) { try self.store.edit(ghost, uid: "ghost", "x") }
        #expect(throws: DatabaseError(.notFound)) { try self.store.add("a", to: ListID(99)) }
        #expect(throws: DatabaseError(.notFound)) {
            try self.store.write { transaction in try transaction.delete(ghost, at: 0) }
        }
        #expect(throws: DatabaseError(.notFound)) {
            try self.store.write { transaction in try transaction.deleteList(ListID(99)) }
        }
    }

    @Test("a UID is unique in its list and may exist in another list")
    func uniqueUID() throws {
        try self.store.add("a", to: self.list)
        #expect(throws: DatabaseError(.alreadyExists)) { try self.store.add("a", to: self.list) }
        try self.store.add("a", to: self.store.makeList("Other"))
    }

    @Test("a write with an error changes nothing, and neither does a discarded one")
    func rolledBack() throws {
        #expect(throws: DatabaseError(.notFound)) {
            try self.store.write { transaction in
                try transaction.insert(into: self.list, uid: "a", StoredObject(source: [], index: Sample.index()))
                throw DatabaseError(.notFound)
            }
        }
        let count = try self.store.write { transaction in
            try transaction.insert(into: self.list, uid: "a", StoredObject(source: [], index: Sample.index()))
            transaction.discard()
            return try transaction.objectCount()
        }
        #expect(count == 1)
        #expect(try self.store.read { snapshot in try snapshot.objectCount() } == 0)
    }

    @Test("a foreign error leaves a write unchanged, and nothing is written")
    func foreignError() throws {
        struct Broken: Error {}
        #expect(throws: Broken.self) {
            try self.store.write { transaction in
                try transaction.insert(into: self.list, uid: "a", StoredObject(source: [], index: Sample.index()))
                throw Broken()
            }
        }
        #expect(throws: Broken.self) { try self.store.read { _ in throw Broken() } }
        #expect(try self.store.read { try $0.objectCount() } == 0)
    }

    @Test("10,000 objects are written together and read by one query, complete and in order")
    func many() throws {
        let count = 10_000
        try self.store.write { transaction in
            for number in 0..<count {
                try transaction.insert(
                    into: self.list,
                    uid: "uid-\(number)",
                    StoredObject(
                        source: Sample.source("uid-\(number)"),
                        index: ObjectIndex(title: "Title \(number)", labels: ["label \(number % 7)"])
                    )
                )
            }
        }
        let rows = try self.store.read { snapshot in try snapshot.rows() }
        #expect(rows.map(\.uid) == (0..<count).map { "uid-\($0)" })
        #expect(rows.map(\.index.labels) == (0..<count).map { ["label \($0 % 7)"] })
        let objects = try self.store.read { snapshot in try snapshot.objects(in: self.list) }
        #expect(objects.map(\.source) == (0..<count).map { Sample.source("uid-\($0)") })
    }

    @Test("the enumeration of objects stops on request, and allows other queries meanwhile")
    func streaming() throws {
        for uid in ["a", "b", "c"] { try self.store.add(uid, to: self.list) }
        let seen = try self.store.read { snapshot in
            var seen: [String] = []
            try snapshot.forEachObject { object in
                seen.append(object.uid)
                let inner = try? snapshot.objects()
                return inner?.count == 3 && object.uid != "b"
            }
            return seen
        }
        #expect(seen == ["a", "b"])
    }

    @Test("a rebuilt index is no edit")
    func newIndex() throws {
        let id = try self.store.add("a", to: self.list)
        try self.store.write { transaction in
            try transaction.updateIndex(of: id, Sample.index("Read anew"))
        }
        #expect(try self.store.object(id).revision == 1)
        #expect(try self.store.object(id).index.title == "Read anew")
    }

    @Test("deleting a list deletes its objects and its feeds, and leaves the others")
    func deletedList() throws {
        let other = try self.store.makeList("Other")
        try self.store.add("a", to: self.list)
        try self.store.add("b", to: other)
        let (uids, feeds) = try self.store.write { transaction in
            _ = try transaction.insertFeed(named: "one", tokenHash: [1], list: self.list, at: 0)
            _ = try transaction.insertFeed(named: "all", tokenHash: [2], at: 0)
            try transaction.deleteList(self.list)
            return (try transaction.rows().map(\.uid), try transaction.feeds().map(\.name))
        }
        #expect(uids == ["b"])
        #expect(feeds == ["all"])
    }
}

@Suite("lists, accounts, feeds and conflicts")
struct RecordTests {
    private let store: ReminderStore

    init() throws { self.store = try TestStores.make() }

    @Test("lists stand in the order of their creation until one is moved")
    func listOrder() throws {
        for name in ["Home", "Work", "Home"] { try self.store.makeList(name) }
        let names = try self.store.write { transaction in
            var work = try transaction.lists()[1]
            work.position = 0
            work.color = "#FF0000"
            try transaction.update(work)
            #expect(try transaction.list(work.id) == work)
            #expect(try transaction.lists(named: "Home").count == 2)
            return try transaction.lists().map(\.name)
        }
        #expect(names == ["Work", "Home", "Home"])
    }

    @Test("an account is read as it was written, and its name is unique")
    func account() throws {
        let secret = SecretReference(kind: "command", reference: "pass show dav")
        let account = try self.store.write { transaction in
            let id = try transaction.insertAccount(
                named: "work",
                url: "https://a/",
                user: "ann",
                principal: "/principals/ann/",
                homeSets: ["/calendars/ann/", "/shared/"],
                secret: secret,
                at: 5
            )
            guard let account = try transaction.accounts().first else { throw DatabaseError(.notFound) }
            #expect(account.id == id && account.name == "work" && account.url == "https://a/" && account.user == "ann")
            #expect(account.principal == "/principals/ann/" && account.homeSets == ["/calendars/ann/", "/shared/"])
            return account
        }
        #expect(account.createdAt == 5 && account.secret == secret)
        #expect(throws: DatabaseError(.alreadyExists)) {
            try self.store.write { transaction in
                try transaction.insertAccount(named: "work", url: "", user: "", secret: secret, at: 0)
            }
        }
    }

    @Test("a feed is found by the hash of its token until it is revoked, and the revocation stays")
    func feed() throws {
        try self.store.write { transaction in
            let list = try transaction.insertList(named: "Home", at: 0)
            let id = try transaction.insertFeed(named: "phone", tokenHash: [7], list: list, labels: ["a", "b"], at: 1)
            let feed = try transaction.feed(tokenHash: [7])
            #expect(feed?.id == id && feed?.list == list && feed?.labels == ["a", "b"])
            #expect(feed?.style == "event" && feed?.showsPrivate == false)
            #expect(try transaction.feed(tokenHash: [8]) == nil)
            try transaction.revokeFeed(id, at: 2)
            try transaction.revokeFeed(id, at: 3)
            #expect(try transaction.feed(tokenHash: [7]) == nil)
            #expect(try transaction.feeds().map(\.revokedAt) == [2])
        }
    }

    @Test("conflicts come newest first, and remain after the deletion of their object")
    func conflict() throws {
        let list = try self.store.makeList()
        let object = try self.store.add("a", to: list)
        let note = ConflictNote(
            object: object,
            uid: "a",
            property: "DUE",
            losingText: "DUE:20261120",
            winningText: "",
            losingSide: .remote
        )
        try self.store.write { transaction in
            let id = try transaction.recordConflict(note, in: list, at: 9)
            try transaction.delete(object, at: 10)
            #expect(try transaction.conflicts(in: list).map(\.note) == [note])
            let second = try transaction.recordConflict(note, in: list, at: 11)
            #expect(try transaction.conflicts().map(\.id) == [second, id])
            #expect(try transaction.conflicts(in: ListID(99)).isEmpty)
        }
    }
}

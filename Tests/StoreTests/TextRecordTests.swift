import RemindavResources
import RemindavSQLiteStore
import RemindavStoreSupport
import Testing

@testable import RemindavStore

@Suite("the texts of an object")
struct TextRecordTests {
    private let store: ReminderStore
    private let list: ListID

    init() throws {
        self.store = try TestStores.make()
        self.list = try self.store.makeSyncedList()
    }

    @Test("a text that both sides have is stored once; an edit stores the old text, and so does its undo")
    func keptOnce() throws {
        _ = try self.store.pull("a", "/a.ics", into: self.list)
        let id = try #require(try self.store.state(of: self.list).items.first?.id)
        let pulled = Sample.source("a", "Pulled")
        #expect(try self.texts(id) == ObjectTexts(source: pulled, base: pulled))
        #expect(try self.bytesKept() == pulled.count)
        try self.store.edit(id, uid: "a", "Edited")
        let edited = Sample.source("a", "Edited")
        #expect(try self.texts(id) == ObjectTexts(source: edited, base: pulled))
        try self.store.edit(id, uid: "a", "Pulled")
        #expect(try self.texts(id) == ObjectTexts(source: pulled, base: pulled))
        try self.store.edit(id, uid: "a", "Edited again")
        #expect(try self.texts(id)?.base == pulled)
    }

    @Test("a base equal to the stored text takes no room, another base is stored, and a missing base stays missing")
    func agreement() throws {
        let id = try self.store.add("b", to: self.list)
        let (source, other) = (try self.store.object(id).source, Sample.source("b", "Other"))
        #expect(try self.texts(id) == ObjectTexts(source: source, base: nil))
        for base in [source, other, nil, source] {
            try self.store.write { (transaction) throws(DatabaseError) in try transaction.setBase(base, of: id) }
            #expect(try self.texts(id) == ObjectTexts(source: source, base: base))
        }
        #expect(try self.bytesKept() == source.count)
        for base in [other, source, nil] {
            try self.store.write { (transaction) throws(DatabaseError) in
                try transaction.setTexts(of: id, source: other, base: base)
            }
            #expect(try self.texts(id) == ObjectTexts(source: other, base: base))
        }
    }

    private func texts(_ id: ObjectID) throws -> ObjectTexts? {
        try self.store.read { (snapshot) throws(DatabaseError) in try snapshot.texts(of: id) }
    }

    private func bytesKept() throws -> Int? {
        try self.store.read { (snapshot) throws(DatabaseError) in
            let sql = "SELECT sum(length(source) + coalesce(length(base), 0)) FROM calendar_text"
            return try snapshot.database.first(sql) { $0.number(0) }
        }
    }
}

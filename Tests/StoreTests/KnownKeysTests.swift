import RemindavResources
import RemindavStoreSupport
import Testing

@testable import RemindavStore

@Suite("the keys that a write knows")
struct KnownKeysTests {
    private let store: ReminderStore
    private let list: ListID

    init() throws {
        self.store = try TestStores.make()
        self.list = try self.store.write { transaction throws(DatabaseError) in
            try transaction.insertList(named: "a", at: 0)
        }
    }

    private static func pulled(_ uid: String, _ href: String) -> PulledObject {
        let object = StoredObject(source: [1], index: ObjectIndex(title: uid))
        return PulledObject(uid: uid, href: Href(href), etag: nil, object)
    }

    @Test("after many look-ups, a write still finds old and new reminders, their addresses and their tombstones")
    func finds() throws {
        let list = self.list
        let old = try self.store.write { transaction throws(DatabaseError) in
            try transaction.recordPulled(Self.pulled("old", "/old"), in: list)
        }
        guard case .recorded(let id) = old else { throw DatabaseError(.other) }
        try self.store.write { transaction throws(DatabaseError) in
            // These are more look-ups than a transaction makes one by one.
            for number in 0..<2 * KnownKeys.patience {
                _ = try transaction.insert(
                    into: list,
                    uid: "u\(number)",
                    StoredObject(source: [1], index: ObjectIndex(title: "t"))
                )
            }
            #expect(try transaction.object(in: list, uid: "old")?.id == id)
            #expect(try transaction.object(in: list, uid: "u3")?.uid == "u3")
            #expect(try transaction.objects(withUID: "u\(2 * KnownKeys.patience - 1)").count == 1)
            #expect(try transaction.object(in: list, uid: "none") == nil)
            // The address of another object is taken, and so is a new one after its first use.
            #expect(try transaction.recordPulled(Self.pulled("x", "/old"), in: list) == .movedOn)
            _ = try transaction.recordPulled(Self.pulled("new", "/new"), in: list)
            #expect(try transaction.recordPulled(Self.pulled("y", "/new"), in: list) == .movedOn)
            // A deleted reminder continues with its number.
            try transaction.delete(id, at: 0)
            #expect(try transaction.object(in: list, uid: "old") == nil)
            let again = try transaction.insert(
                into: list,
                uid: "old",
                StoredObject(source: [2], index: ObjectIndex(title: "t"))
            )
            #expect(again == id)
            // A new UID and a reserved address are known at once.
            let object = try transaction.object(in: list, uid: "u1")
            let read = ReadObject(object?.id ?? id, revision: object?.revision ?? 0)
            #expect(
                try transaction.recordNewUID(
                    "renamed",
                    of: read,
                    in: list,
                    StoredObject(source: [3], index: ObjectIndex(title: "t"))
                )
            )
            #expect(try transaction.object(in: list, uid: "renamed")?.id == read.id)
            _ = try transaction.reserveHref(Href("/reserved"), for: read.id, in: list)
            #expect(try transaction.recordPulled(Self.pulled("z", "/reserved"), in: list) == .movedOn)
        }
    }

    @Test("a key of the store may be there, and after many look-ups no other key is")
    func mayContain() throws {
        let list = self.list
        try self.store.write { transaction throws(DatabaseError) in
            _ = try transaction.recordPulled(Self.pulled("old", "/old"), in: list)
            let keys = KnownKeys(transaction.database)
            for number in 1..<KnownKeys.patience { #expect(try keys.mayContain("\(number)")) }
            for (key, isKnown) in [("none", false), ("old", true), ("/old", true), ("added", false)] {
                #expect(try keys.mayContain(key) == isKnown)
            }
            keys.add("added")
            #expect(try keys.mayContain("added"))
        }
    }
}

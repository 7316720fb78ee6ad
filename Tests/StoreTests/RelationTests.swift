import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavSQLiteStore
import RemindavStoreSupport
import RemindavTestSupport
import Testing

@testable import RemindavStore

@Suite("relations between reminders")
struct RelationTests {
    private static func source(_ uid: String, _ lines: [String]) -> [UInt8] {
        let inner = lines.map { $0 + "\r\n" }.joined()
        return Array("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:\(uid)\r\n\(inner)END:VTODO\r\nEND:VCALENDAR\r\n".utf8)
    }

    /// Returns the reminders of a list that refer to a UID, from the index without reading the texts.
    private static func naming(_ uid: String, in list: ListID, _ store: ReminderStore) throws -> [String] {
        try store.read { snapshot in
            var found: [String] = []
            try snapshot.forEachObject(in: list, naming: uid) { record in
                found.append(record.uid)
                return true
            }
            return found
        }
    }

    private static func mayHaveRelations(_ text: [UInt8]) -> Bool { text.span.mayHaveRelations }

    /// Checks that the index equals the result of reading every text.
    private static func expectTrueIndex(
        _ store: ReminderStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (kept, read) = try store.read { snapshot in
            let sql = "SELECT named, holder, is_parent FROM relation ORDER BY holder, named"
            let kept = try snapshot.database.rows(sql) {
                "\($0.text(0)) \($0.integer(1)) \($0.integer(2))"
            }
            let read = try snapshot.objects().flatMap { object in
                let related = RelatedUIDs(source: object.source)
                return Set(related.uids).sorted().map { uid in
                    "\(uid) \(object.id.rawValue) \(uid.exact == related.parent?.exact ? 1 : 0)"
                }
            }
            return (kept, read)
        }
        #expect(kept == read, sourceLocation: sourceLocation)
    }

    @Test("it is stored by every write of a text")
    func kept() throws {
        let store = try TestStores.make()
        let (home, other) = (try store.makeSyncedList(), try store.makeList("Other"))
        let index = Sample.index()
        let part = Self.source("part", ["RELATED-TO:big", "RELATED-TO;RELTYPE=DEPENDS-ON:first", "RELATED-TO:big"])
        let id = try store.write { try $0.insert(into: other, uid: "part", StoredObject(source: part, index: index)) }
        try Self.expectTrueIndex(store)
        #expect(try Self.naming("big", in: other, store) == ["part"])
        #expect(try Self.naming("first", in: other, store) == ["part"])
        #expect(try Self.naming("big", in: home, store) == [])

        // An edit with another relation, one without a relation, and one with a relation again.
        for lines in [["RELATED-TO:small"], [], ["related-to;reltype=parent:big"], ["RELATED-TO;RELTYPE=CHILD:x"]] {
            try store.write { try $0.update(id, StoredObject(source: Self.source("part", lines), index: index)) }
            try Self.expectTrueIndex(store)
        }
        try store.write { try $0.update(id, StoredObject(source: part, index: index)) }
        try store.write { try $0.move(id, to: home, at: Sample.now) }
        try Self.expectTrueIndex(store)
        #expect(try Self.naming("big", in: home, store) == ["part"])
        let renamed = Self.source("part2", ["RELATED-TO:big2"])
        let state = try store.object(id)
        let isDone = try store.write {
            try $0.recordNewUID(
                "part2",
                of: ReadObject(id, revision: state.revision),
                in: home,
                StoredObject(source: renamed, index: index)
            )
        }
        #expect(isDone)
        try Self.expectTrueIndex(store)
        #expect(try Self.naming("big2", in: home, store) == ["part2"])
        try store.write { try $0.delete(id, at: Sample.now) }
        try Self.expectTrueIndex(store)
        #expect(try Self.naming("big2", in: home, store) == [])
        _ = try store.write {
            try $0.restore(id, into: home, uid: "part", StoredObject(source: part, index: index), at: Sample.now)
        }
        try Self.expectTrueIndex(store)
        #expect(try Self.naming("big", in: home, store) == ["part"])
    }

    @Test("it is stored by every step of a sync")
    func synced() throws {
        let store = try TestStores.make()
        let home = try store.makeSyncedList()
        func pulled(_ lines: [String]) -> PulledObject {
            let source = Self.source("part", lines)
            return PulledObject(
                uid: "part",
                href: "/dav/home/1",
                etag: "1",
                StoredObject(source: source, index: Sample.index())
            )
        }
        let first = pulled(["RELATED-TO:big"])
        _ = try store.write { try $0.recordPulled(first, in: home) }
        let id = try #require(try store.read { try $0.object(in: home, uid: "part")?.id })
        try Self.expectTrueIndex(store)
        #expect(try Self.naming("big", in: home, store) == ["part"])
        var read = ReadObject(id, revision: try store.object(id).revision)
        let second = pulled(["RELATED-TO:two"])
        _ = try store.write { [read] in try $0.recordPulled(second, in: home, replacing: read) }
        try Self.expectTrueIndex(store)
        #expect(try Self.naming("two", in: home, store) == ["part"])
        read.revision = try store.object(id).revision
        let merged = pulled(["RELATED-TO:three"])
        let base = pulled([]).object.source
        _ = try store.write { [read] in try $0.recordMerged(merged, in: home, replacing: read, base: base) }
        try Self.expectTrueIndex(store)
        #expect(try Self.naming("three", in: home, store) == ["part"])
        try store.write { try $0.discardEdit(of: id, reading: { StoredObject(source: $0, index: Sample.index()) }) }
        try Self.expectTrueIndex(store)
        #expect(try Self.naming("three", in: home, store) == [])
        read.revision = try store.object(id).revision
        _ = try store.write { [read] in try $0.recordPulled(first, in: home, replacing: read) }
        read.revision = try store.object(id).revision
        _ = try store.write { [read] in try $0.recordRemoteDeletion(read, in: home) }
        try Self.expectTrueIndex(store)
        #expect(try Self.naming("big", in: home, store) == [])
    }

    @Test("of a reminder with a million relations, a thousand are stored")
    func limited() throws {
        let store = try TestStores.make()
        let list = try store.makeList()
        let source = Self.source("hostile", (0..<3000).map { "RELATED-TO:big-\($0)" })
        _ = try store.write {
            try $0.insert(into: list, uid: "hostile", StoredObject(source: source, index: Sample.index()))
        }
        let count = try store.read { try $0.database.first("SELECT count(*) FROM relation") { $0.number(0) } }
        #expect(count == RelatedUIDs.limit)
        #expect(try Self.naming("big-999", in: list, store) == ["hostile"])
        #expect(try Self.naming("big-1000", in: list, store) == [])
    }

    @Test(
        "a relation is read for any form of the UID and any fold of its line",
        arguments: [
            "1", "a", "big-1@example.org", "a,b;c\\d", ",;", "größe-ß", "üü", String(repeating: "long-uid/", count: 30),
            "3F2504E0-4F89-11D3-9A0C-0305E82C3301",
        ],
        ["RELATED-TO;RELTYPE=PARENT:", "related-to:", "Related-To;X=1:"]
    )
    func folded(uid: String, beginning: String) {
        let written = uid.map { [",", ";", "\\"].contains($0) ? "\\\($0)" : String($0) }.joined()
        let line = Array("\(beginning)\(written)".utf8)
        for (fold, end) in [("\r\n ", "\r\n"), ("\n\t", "\n"), ("\r ", "\r")] {
            for width in [3, 45, 75] {
                // The first fold at every place, the others at regular distances.
                for first in 1...width {
                    var rest = line[...]
                    var text = Array("BEGIN:VCALENDAR\(end)BEGIN:VTODO\(end)UID:part\(end)".utf8) + rest.prefix(first)
                    rest = rest.dropFirst(first)
                    while !rest.isEmpty {
                        text += Array(fold.utf8) + rest.prefix(width - 1)
                        rest = rest.dropFirst(width - 1)
                    }
                    text += Array("\(end)END:VTODO\(end)END:VCALENDAR\(end)".utf8)
                    #expect(RelatedUIDs(source: text).uids == [uid], "\(width), \(first)")
                    #expect(Self.mayHaveRelations(text), "\(width), \(first)")
                }
            }
        }
    }

    @Test("every text with relations is read, and no text without such a line")
    func passedOver() {
        var random = SeededGenerator(20_261_122)
        let pieces = ["RELATED-TO", "related-to:", "R", "-TO", "\r\n", "\n", "\r", " ", "\t", ":", "x", "\r\n "]
        var found = 0
        for _ in 0..<5000 {
            var inner: [String] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                inner.append(pieces.randomElement(using: &random) ?? "")
            }
            let text = Array("BEGIN:VTODO\r\nUID:a\r\n\(inner.joined())\r\nEND:VTODO\r\n".utf8)
            guard let reminder = Reminder(ICalendarDocument(text)), !reminder.relations.isEmpty else { continue }
            found += 1
            #expect(Self.mayHaveRelations(text), "\(inner)")
        }
        #expect(found > 100)
        let others = Self.source("a", ["SUMMARY:RELATED-TO:b", "RRULE:FREQ=DAILY", "X-RELATED-TO:b"])
        #expect(!Self.mayHaveRelations(others))
        #expect(!Self.mayHaveRelations([]))
    }

    @Test("the target is the reminder in the same list, else in the first list that has it")
    func meant() throws {
        let store = try TestStores.make()
        let lists = try ["A", "B", "C"].map { try store.makeList($0) }
        for list in lists { try store.add("x", "of \(list.rawValue)", to: list) }
        try store.add("only", "in C", to: lists[2])
        func meant(_ uid: String, _ list: ListID) throws -> ObjectRow? {
            try store.read { try $0.row(uid: uid, preferring: list) }
        }
        for list in lists { #expect(try meant("x", list)?.list == list) }
        #expect(try meant("x", ListID(99))?.list == lists[0])
        #expect(try meant("only", lists[0])?.index.title == "in C")
        #expect(try meant("none", lists[0]) == nil)
    }
}

import RemindavICalendar
import RemindavReminders
import RemindavSQLiteStore
import RemindavStore
import RemindavStoreSupport
import RemindavSync
import Testing

@Suite("undo of one change")
struct UndoTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let kind: ChangeKind
        var before: [String]?
        var after: [String]?
        let now: [String]?
        var list: Where = .here
        let expected: Expected
        var testDescription: String { self.name }
    }

    enum Where: Sendable { case here, readOnly, gone }

    enum Expected: Equatable, Sendable {
        case rewrite(Set<String>, kept: [String])
        case delete, move
        case restore(Set<String>)
        case alreadyApplied
        case impossible(UndoObstacle)
    }

    private static let cases = [
        Case(
            name: "a changed field is restored",
            kind: .changed,
            before: ["SUMMARY:a", "PRIORITY:1"],
            after: ["SUMMARY:b", "PRIORITY:1"],
            now: ["SUMMARY:b", "PRIORITY:1"],
            expected: .rewrite(["SUMMARY:a", "PRIORITY:1"], kept: [])
        ),
        Case(
            name: "a later edit stays",
            kind: .changed,
            before: ["SUMMARY:a", "PRIORITY:1"],
            after: ["SUMMARY:b", "PRIORITY:1"],
            now: ["SUMMARY:b", "PRIORITY:5", "LOCATION:here"],
            expected: .rewrite(["SUMMARY:a", "PRIORITY:5", "LOCATION:here"], kept: [])
        ),
        Case(
            name: "of two fields the one that was changed later stays, and is reported",
            kind: .merged,
            before: ["SUMMARY:a", "PRIORITY:1"],
            after: ["SUMMARY:b", "PRIORITY:2"],
            now: ["SUMMARY:c", "PRIORITY:2"],
            expected: .rewrite(["SUMMARY:c", "PRIORITY:1"], kept: ["SUMMARY"])
        ),
        Case(
            name: "if all fields were changed later, nothing is restored",
            kind: .changed,
            before: ["SUMMARY:a"],
            after: ["SUMMARY:b"],
            now: ["SUMMARY:c"],
            expected: .impossible(.changedAgain)
        ),
        Case(
            name: "a field that already has the old value is unchanged",
            kind: .changed,
            before: ["SUMMARY:a"],
            after: ["SUMMARY:b"],
            now: ["SUMMARY:a", "LAST-MODIFIED:20260101T000000Z"],
            expected: .alreadyApplied
        ),
        Case(
            name: "labels and alarms are restored one by one",
            kind: .changed,
            before: ["CATEGORIES:a,b", "BEGIN:VALARM", "UID:v", "TRIGGER:-PT5M", "END:VALARM"],
            after: ["CATEGORIES:b,c"],
            now: ["CATEGORIES:b,c,d"],
            expected: .rewrite(
                ["CATEGORIES:b,d", "CATEGORIES:a", "BEGIN:VALARM", "UID:v", "TRIGGER:-PT5M", "END:VALARM"],
                kept: []
            )
        ),
        Case(
            name: "an added reminder is deleted",
            kind: .added,
            after: ["SUMMARY:a"],
            now: ["SUMMARY:a", "LAST-MODIFIED:20260101T000000Z"],
            expected: .delete
        ),
        Case(
            name: "an added reminder that was changed later stays",
            kind: .added,
            after: ["SUMMARY:a"],
            now: ["SUMMARY:b"],
            expected: .impossible(.changedSince)
        ),
        Case(
            name: "an added reminder that is already deleted needs no undo",
            kind: .added,
            now: nil,
            expected: .alreadyApplied
        ),
        Case(
            name: "a deleted reminder is restored",
            kind: .deleted,
            before: ["SUMMARY:a", "X-ODD:1"],
            now: nil,
            expected: .restore(["SUMMARY:a", "X-ODD:1"])
        ),
        Case(
            name: "a deleted reminder that exists again needs no undo",
            kind: .deleted,
            before: ["SUMMARY:a"],
            now: ["SUMMARY:b"],
            expected: .alreadyApplied
        ),
        Case(
            name: "without its list a reminder is not restored",
            kind: .deleted,
            before: ["SUMMARY:a"],
            now: nil,
            list: .gone,
            expected: .impossible(.listGone)
        ),
        Case(
            name: "a reminder is not restored into a read-only list",
            kind: .deleted,
            before: ["SUMMARY:a"],
            now: nil,
            list: .readOnly,
            expected: .impossible(.listReadOnly)
        ),
        Case(
            name: "a reminder of a read-only list is not changed",
            kind: .changed,
            before: ["SUMMARY:a"],
            after: ["SUMMARY:b"],
            now: ["SUMMARY:b"],
            list: .readOnly,
            expected: .impossible(.listReadOnly)
        ),
        Case(
            name: "a reminder of a read-only list is not deleted",
            kind: .added,
            after: ["SUMMARY:a"],
            now: ["SUMMARY:a"],
            list: .readOnly,
            expected: .impossible(.listReadOnly)
        ),
        Case(
            name: "a changed reminder that is deleted cannot be restored",
            kind: .changed,
            before: ["SUMMARY:a"],
            after: ["SUMMARY:b"],
            now: nil,
            expected: .impossible(.reminderGone)
        ),
        Case(
            name: "a text that the journal does not have cannot be restored",
            kind: .changed,
            after: ["SUMMARY:b"],
            now: ["SUMMARY:b"],
            expected: .impossible(.textUnknown)
        ),
    ]

    private static let context = EditingContext(now: Instant(secondsSince1970: 1_795_000_000)) { _ in nil }
    private static let stamps: Set<String> = ["DTSTAMP:20261118T110640Z", "LAST-MODIFIED:20261118T110640Z"]

    private static func text(_ lines: [String]?) -> [UInt8]? {
        lines.map { Array(Machine.text("u", $0.joined(separator: "\r\n")).utf8) }
    }

    private static func lines(_ reminder: Reminder) -> Set<String> {
        let text = String(decoding: reminder.object.document.bytes, as: UTF8.self)
        return Set(text.split(separator: "\r\n").map(String.init).dropFirst(5).dropLast(2))
    }

    private func list(_ place: Where) throws -> ListRecord? {
        guard place != .gone else { return nil }
        let store = try TestStores.make()
        return try store.write { transaction in
            let id = try transaction.insertList(named: "l", at: 0)
            var list = try transaction.list(id)
            list?.isReadOnly = place == .readOnly
            return list
        }
    }

    @Test("only the change is undone, stamped as a user's edit", arguments: cases)
    func step(_ test: Case) throws {
        let undo = Undo(
            change: ChangeNote(
                object: ObjectID(1),
                uid: "u",
                title: "",
                side: .local,
                kind: test.kind,
                before: Self.text(test.before),
                after: Self.text(test.after)
            ),
            added: Self.text(test.after),
            current: Self.text(test.now),
            list: try self.list(test.list)
        )
        let found: Expected =
            switch undo.step(in: Self.context) {
            case .rewrite(let reminder, let kept, _):
                .rewrite(Self.lines(reminder).subtracting(Self.stamps), kept: kept.map(\.property))
            case .restore(let reminder): .restore(Self.lines(reminder).subtracting(Self.stamps))
            case .delete: .delete
            case .move: .move
            case .alreadyApplied: .alreadyApplied
            case .impossible(let obstacle): .impossible(obstacle)
            }
        #expect(found == test.expected)
    }

    @Test("SEQUENCE is higher than both, and the restored time zone is defined")
    func stamps() throws {
        let zone = "BEGIN:VTIMEZONE\r\nTZID:A/B\r\nEND:VTIMEZONE\r\n"
        let todo = "BEGIN:VTODO\r\nUID:u\r\nSEQUENCE:2\r\nDUE;TZID=A/B:20260102T000000\r\nEND:VTODO\r\n"
        let before = "BEGIN:VCALENDAR\r\n\(zone)\(todo)END:VCALENDAR\r\n"
        let after = Machine.text("u", "SEQUENCE:7\r\nDUE:20260103T000000Z")
        let undo = Undo(
            change: ChangeNote(
                object: ObjectID(1),
                uid: "u",
                title: "",
                side: .local,
                kind: .changed,
                before: Array(before.utf8),
                after: Array(after.utf8)
            ),
            added: nil,
            current: Array(after.utf8),
            list: try self.list(.here),
            agreed: Array(after.utf8)
        )
        guard case .rewrite(let reminder, _, _) = undo.step(in: Self.context) else {
            Issue.record("it is not changed back")
            return
        }
        let text = String(decoding: reminder.object.document.bytes, as: UTF8.self)
        #expect(text.contains("\r\nSEQUENCE:8\r\n"))
        #expect(text.contains(zone) && text.contains("DUE;TZID=A/B:20260102T000000\r\n"))
        #expect(Self.stamps.allSatisfy { text.contains("\r\n\($0)\r\n") })
    }

    struct Version: Sendable, CustomTestStringConvertible {
        let name: String
        var kind = ChangeKind.changed
        var agreed: [String]?
        var now: [String]? = ["LAST-MODIFIED:20260103T000000Z", "SUMMARY:c"]
        var wasDeletedThere = false
        /// Whether undo restores the exact text, or a text with the stamps of an edit.
        let isExact: Bool
        var isMerged = false
        var testDescription: String { self.name }
    }

    private static let versions = [
        Version(name: "no server has any text", isExact: true),
        Version(
            name: "the server has that text",
            agreed: ["LAST-MODIFIED:20260102T000000Z", "SUMMARY:b"],
            isExact: true
        ),
        Version(
            name: "the server has an older text",
            agreed: ["LAST-MODIFIED:20260101T000000Z", "SUMMARY:a"],
            isExact: true
        ),
        Version(
            name: "the server has the undone text",
            agreed: ["LAST-MODIFIED:20260103T000000Z", "SUMMARY:c"],
            isExact: false
        ),
        Version(
            name: "the server has another text of the same moment",
            agreed: ["LAST-MODIFIED:20260102T000000Z", "SUMMARY:x"],
            isExact: false
        ),
        Version(
            name: "the server has a text with a higher SEQUENCE",
            agreed: ["LAST-MODIFIED:20260101T000000Z", "SEQUENCE:3", "SUMMARY:x"],
            isExact: false
        ),
        Version(
            name: "the meaning is the same, with other stamps",
            now: ["LAST-MODIFIED:20260104T000000Z", "SUMMARY:c"],
            isExact: false
        ),
        Version(
            name: "another field was changed later",
            now: ["LAST-MODIFIED:20260104T000000Z", "SUMMARY:c", "PRIORITY:1"],
            isExact: false,
            isMerged: true
        ),
        Version(name: "a text that was deleted here is restored", kind: .deleted, now: nil, isExact: true),
        Version(
            name: "a text that was deleted here and exists on the server",
            kind: .deleted,
            agreed: ["LAST-MODIFIED:20260101T000000Z", "SUMMARY:a"],
            now: nil,
            isExact: true
        ),
        Version(
            name: "a text that was deleted on both sides is new on the server",
            kind: .deleted,
            now: nil,
            wasDeletedThere: true,
            isExact: false
        ),
    ]

    @Test(
        "the exact text is restored if no server has a later one, else the restoration is an edit",
        arguments: versions
    )
    func exactly(_ version: Version) throws {
        let before = Self.text(["LAST-MODIFIED:20260102T000000Z", "SUMMARY:b"]) ?? []
        let undo = Undo(
            change: ChangeNote(
                object: ObjectID(1),
                uid: "u",
                title: "",
                side: .local,
                kind: version.kind,
                before: before,
                after: version.kind == .changed ? Self.text(["LAST-MODIFIED:20260103T000000Z", "SUMMARY:c"]) : nil
            ),
            added: nil,
            current: Self.text(version.now),
            list: try self.list(.here),
            agreed: Self.text(version.agreed),
            wasDeletedThere: version.wasDeletedThere
        )
        var found: Reminder?
        var isMerged = false
        switch undo.step(in: Self.context) {
        case .rewrite(let new, _, let merged): (found, isMerged) = (new, merged)
        case .restore(let new): found = new
        default: break
        }
        let reminder = try #require(found)
        #expect((reminder.object.document.bytes == before) == version.isExact)
        #expect(isMerged == version.isMerged && reminder.title == "b")
        let wanted = version.isExact ? "LAST-MODIFIED:20260102T000000Z" : Self.stamps.first { $0.hasPrefix("LAST") }
        #expect(Self.lines(reminder).contains(wanted ?? ""))
    }

    @Test("items of the first sync of a list stay, and later ones are deleted")
    func firstSync() async throws {
        let server = FakeServer()
        server.put(Machine.text("old", "SUMMARY:old"), at: "/list/old.ics")
        let machine = try Machine(server)
        let undo = UndoExecutor(
            stored: { StoredObject(source: $0.document.bytes, index: ObjectIndex(title: "")) },
            context: Self.context
        )
        func undone() throws -> [UndoResult] {
            try machine.store.write { transaction in
                guard let run = try transaction.runs(limit: 1).first else { return [] }
                return try undo.undo(transaction.changes(.run(run.id)).map(\.id), in: transaction).results
            }
        }
        await machine.sync()
        guard case .impossible(.thereBefore) = try #require(try undone().first).outcome else {
            Issue.record("what was there before is deleted")
            return
        }
        #expect(try machine.objects.map(\.uid) == ["old"])
        server.put(Machine.text("new", "SUMMARY:new"), at: "/list/new.ics")
        await machine.sync()
        guard case .undone = try #require(try undone().first).outcome else {
            Issue.record("what came later stays")
            return
        }
        #expect(try machine.objects.map(\.uid) == ["old"])
    }

    @Test("undo moves an item back to its list, with its number, and undo of the undo moves it again")
    func moves() throws {
        let store = try TestStores.make()
        let (id, run, old) = try store.write { transaction in
            let old = try transaction.insertList(named: "old", at: 0)
            let new = try transaction.insertList(named: "new", at: 0)
            let text = Self.text(["SUMMARY:a"]) ?? []
            let id = try transaction.insert(
                into: new,
                uid: "u",
                StoredObject(source: text, index: ObjectIndex(title: "a"))
            )
            let run = try transaction.beginRun(of: "a", at: 0)
            let note = ChangeNote(object: id, uid: "u", title: "a", side: .remote, kind: .moved, origin: old)
            try transaction.recordChange(note, in: new, of: run, at: 0)
            return (id, run, old)
        }
        let undo = UndoExecutor(
            stored: { StoredObject(source: $0.document.bytes, index: ObjectIndex(title: "a")) },
            context: Self.context
        )
        func undone(_ run: RunID) throws -> (run: RunID?, list: ListID?) {
            try store.write { transaction in
                let outcome = try undo.undo(transaction.changes(.run(run)).map(\.id), in: transaction)
                return (outcome.run, try transaction.object(id)?.list)
            }
        }
        let (operation, place) = try undone(run)
        #expect(place == old)
        #expect(try undone(#require(operation)).list != old)
    }
}

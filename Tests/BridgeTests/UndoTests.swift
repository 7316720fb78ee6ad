import ICalendar
import Store
import Testing

@testable import Bridge

@Suite("undo: what would be gone from a server")
struct UndoTests {
    private let useCases: UseCases
    private let list: ListID

    init() throws {
        let useCases = try Workplace.open()
        self.useCases = useCases
        self.list = try useCases.store.write { transaction in
            let account = try transaction.insertAccount(
                named: "a",
                url: "http://localhost/",
                user: "u",
                secret: SecretReference(kind: "file", reference: "x"),
                at: 0
            )
            let list = try transaction.insertList(named: "Home", at: 0)
            try transaction.adoptRemote(
                list,
                RemoteList(account: account, url: "http://localhost/list/", supportsSyncCollection: true)
            )
            return list
        }
    }

    /// A run that brings a reminder.
    private func receive(_ uid: String, isFirst: Bool = false) throws {
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:\(uid)\r\nSUMMARY:\(uid)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        try self.useCases.store.write { transaction in
            let run = try transaction.beginRun(of: "a", at: self.useCases.seconds)
            let pulled = PulledObject(
                uid: uid,
                href: Href("/list/\(uid).ics"),
                etag: EntityTag("\"1\""),
                source: Array(text.utf8),
                index: ObjectIndex(title: uid)
            )
            guard case .recorded(let id) = try transaction.recordPulled(pulled, in: self.list) else { return }
            var note = ChangeNote(object: id, uid: uid, title: uid, side: .local, kind: .added)
            if isFirst { note.origin = self.list }
            try transaction.recordChange(note, in: self.list, of: run, at: self.useCases.seconds)
            try transaction.endRun(run, requests: 1, trouble: nil, at: self.useCases.seconds)
        }
    }

    private var titles: [String] {
        get throws { try self.useCases.reminders(matching: ReminderFilter()).map(\.title).sorted() }
    }

    @Test("nothing may be left in a list only where that is allowed, and a rehearsal tells of it")
    func emptying() throws {
        try self.receive("a")
        let plan = try self.useCases.undo(.last, isRehearsal: true)
        #expect(plan.deletesOnServer == 1 && plan.emptied == ["Home"])
        #expect(throws: UseCaseError(.undoEmptiesList)) { try self.useCases.undo(.last) }
        #expect(try self.titles == ["a"])
        try self.receive("b")
        let last = try self.useCases.undo(.last)
        #expect(last.deletesOnServer == 1 && last.emptied.isEmpty)
        #expect(try self.titles == ["a"])
        _ = try self.useCases.undo(.last, mayEmpty: true)
        #expect(try self.titles.isEmpty)
    }

    @Test("what the first sync brought stays, with one reason for all of it")
    func firstSync() throws {
        try self.receive("a", isFirst: true)
        let summary = try self.useCases.undo(.last, mayEmpty: true)
        guard case .impossible(let error) = try #require(summary.changes.first).outcome else {
            Issue.record("it is gone")
            return
        }
        #expect(error == UseCaseError(.thereBefore) && error.subject == "Home")
        #expect(try self.titles == ["a"])
    }

    @Test("a server's rest is told by the clock on the wall, the minute full")
    func wallClock() throws {
        let berlin = try Workplace.open(localZone: "Europe/Berlin")
        #expect(berlin.reader.wallClock(at: Instant(secondsSince1970: 1_795_204_801)) == "2026-11-20 21:01")
    }
}

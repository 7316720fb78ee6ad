import RemindavICalendar
import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavBridge

@Suite("subtasks")
struct SubtaskTests {
    private let useCases: UseCases

    init() throws {
        self.useCases = try Workplace.open()
        try self.useCases.store.write { transaction in _ = try transaction.insertList(named: "Other", at: 0) }
        for title in ["House", "Paint"] { _ = try self.useCases.add(ReminderDraft(title: title, list: "Other")) }
    }

    private func setParent(_ parent: FieldChange<ReminderReference>, of id: Int64) throws -> ReminderView {
        var change = ReminderChange()
        change.parent = parent
        return try self.useCases.edit(id, change)
    }

    private func draft(_ title: String, parent: Int64, list: String? = nil) -> ReminderDraft {
        var draft = ReminderDraft(title: title, list: list)
        draft.parent = .number(parent)
        return draft
    }

    @Test("a new subtask goes to the list of its parent, and both name each other by number")
    func added() throws {
        let child = try self.useCases.add(self.draft("Brush", parent: 2))
        let parent = try self.useCases.reminder(2)
        #expect((child.list, child.parentID, child.parent) == ("Other", 2, parent.uid))
        #expect(parent.childIDs == [child.id] && parent.parentID == nil)
        let listed = try self.useCases.reminders(matching: ReminderFilter())
        #expect(listed.first { $0.id == child.id }?.parentID == 2)
        #expect(listed.first { $0.id == 2 }?.childIDs == [child.id])
        let lines = try self.useCases.reminders(matching: ReminderFilter(), detail: .line)
        #expect(lines.first { $0.id == child.id }?.parentID == 2)
        #expect(lines.filter(\.hasOpenSubtasks).map(\.id) == [2])
        #expect(try self.useCases.details(child.id).parents.map(\.id) == [2])
        let text = String(decoding: try Workplace.export(self.useCases), as: UTF8.self)
        #expect(text.contains("RELATED-TO;RELTYPE=PARENT:\(parent.uid)\r\n"))
    }

    @Test("a subtask that another program wrote without RELTYPE has a parent; a dependency is none")
    func foreign() throws {
        let uid = try self.useCases.reminder(1).uid
        for (name, type) in [("a", ""), ("b", ";RELTYPE=DEPENDS-ON")] {
            let text =
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:\(name)\r\nSUMMARY:\(name)\r\n"
                + "RELATED-TO\(type):\(uid)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
            try Workplace.load(text, into: self.useCases, list: "Other")
        }
        #expect(try self.useCases.reminder(1).childIDs == [3])
        #expect(try self.useCases.reminders(matching: ReminderFilter()).filter { $0.parentID == 1 }.map(\.id) == [3])
    }

    @Test("a parent that cannot be is refused, and nothing changes")
    func refused() throws {
        _ = try self.setParent(.set(.number(1)), of: 2)
        let third = try self.useCases.add(self.draft("Brush", parent: 2)).id
        try self.useCases.store.write { transaction in _ = try transaction.insertList(named: "Home", at: 0) }
        let elsewhere = try self.useCases.add(ReminderDraft(title: "Elsewhere", list: "Home")).id
        let before = try Workplace.export(self.useCases)
        let cases: [(Int64, Int64, UseCaseError.Code)] = [
            (1, 1, .parentIsItself), (1, 2, .parentIsSubtask), (1, third, .parentIsSubtask),
            (1, elsewhere, .parentInOtherList), (1, 99, .reminderNotFound),
        ]
        for (id, parent, code) in cases {
            #expect(throws: UseCaseError(code)) { try self.setParent(.set(.number(parent)), of: id) }
        }
        #expect(throws: UseCaseError(.parentInOtherList)) {
            try self.useCases.add(self.draft("x", parent: 1, list: "Home"))
        }
        #expect(throws: UseCaseError(.reminderNotFound)) { try self.useCases.add(self.draft("x", parent: 99)) }
        #expect(throws: UseCaseError(.reminderNotFound)) { try self.setParent(.set(.uid("no")), of: 1) }
        #expect(try Workplace.export(self.useCases) == before)
    }

    @Test("an undo of a new parent, start and link restores the bytes")
    func undone() throws {
        let before = try Workplace.export(self.useCases)
        var change = ReminderChange()
        change.parent = .set(.number(1))
        change.start = .set(.date(try #require(CalendarDate(wire: "20261201"))))
        let link = try #require(ReminderField.lines.first { $0.name == "link" })
        change[link] = .set(.text("https://example.org"))
        let changed = try self.useCases.edit(2, change)
        #expect((changed.start, changed.parentID, changed.lines["link"]) == ("2026-12-01", 1, "https://example.org"))
        _ = try self.useCases.undo(.last)
        #expect(try Self.unstamped(Workplace.export(self.useCases)) == Self.unstamped(before))
    }

    private static func unstamped(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
            .filter { !$0.hasPrefix("LAST-MODIFIED") && !$0.hasPrefix("DTSTAMP") && !$0.hasPrefix("SEQUENCE") }
    }

    @Test("a start after the due time, a start of a series and a bad link are refused, and nothing changes")
    func badFields() throws {
        let day = { (wire: String) throws -> CalendarDateOrDateTime in .date(try #require(CalendarDate(wire: wire))) }
        let due = try day("20261205")
        let series = try RecurrenceRule(wire: "FREQ=DAILY")
        let id = try self.useCases.add(ReminderDraft(title: "x", due: due, recurrenceRule: series, list: "Other")).id
        let before = try Workplace.export(self.useCases)
        var change = ReminderChange()
        change.start = .set(try day("20261201"))
        #expect(throws: UseCaseError(.startOfSeries)) { try self.useCases.edit(id, change) }
        change.due = .set(try day("20261125"))
        #expect(throws: UseCaseError(.startAfterDue)) { try self.useCases.edit(1, change) }
        var draft = ReminderDraft(title: "y", due: due, recurrenceRule: series, list: "Other")
        draft.start = try day("20261201")
        #expect(throws: UseCaseError(.startOfSeries)) { try self.useCases.add(draft) }
        draft.recurrenceRule = nil
        draft.start = try day("20261206")
        #expect(throws: UseCaseError(.startAfterDue)) { try self.useCases.add(draft) }
        let link = try #require(ReminderField.lines.first { $0.name == "link" })
        var bad = ReminderChange()
        bad[link] = .set(.text("example.org"))
        #expect(throws: LinkError.noScheme) { try self.useCases.edit(1, bad) }
        #expect(try Workplace.export(self.useCases) == before)
    }
}

import RemindavICalendar
import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavBridge

@Suite("adding a reminder with a key")
struct KeyedAdditionTests {
    private let key: ReminderKey
    private let useCases: UseCases

    init() throws {
        self.key = try ReminderKey("backup-2026-11")
        self.useCases = try Workplace.open()
    }

    private static let tomorrow = CalendarDateOrDateTime.exact(Workplace.now.adding(seconds: 86_400))

    private func text(_ id: Int64) throws -> [UInt8] {
        try self.useCases.store.read { snapshot throws(DatabaseError) in
            try snapshot.object(ObjectID(id))?.source ?? []
        }
    }

    @Test("a second addition with the same key leaves the reminder unchanged to the byte")
    func once() throws {
        let draft = ReminderDraft(title: "Check the backup", due: Self.tomorrow, labels: ["lab"])
        let first = try self.useCases.add(draft, once: self.key)
        #expect(first.isNew && first.differing.isEmpty)
        #expect(first.reminder.uid == "backup-2026-11" && first.reminder.title == "Check the backup")
        let before = try self.text(first.reminder.id)
        for _ in 0..<3 {
            let again = try self.useCases.add(draft, once: self.key)
            #expect(again == IdempotentAdd(reminder: first.reminder, isNew: false, differing: []))
        }
        #expect(try self.useCases.reminderCount() == 1)
        #expect(try self.text(first.reminder.id) == before)
        #expect(try self.useCases.reminder(with: self.key) == first.reminder)
        #expect(try self.useCases.reminder(with: ReminderKey("backup-2026-12")) == nil)
    }

    @Test("differing fields are reported and not changed; fields without a value are not compared")
    func differing() throws {
        var draft = ReminderDraft(title: "Check", notes: "all", due: Self.tomorrow, labels: ["lab"])
        let made = try self.useCases.add(draft, once: self.key).reminder
        _ = try self.useCases.edit(made.id, ReminderChange(priority: .set(.low)))
        let before = try self.text(made.id)
        #expect(try self.useCases.add(ReminderDraft(title: "Check"), once: self.key).differing == [])
        draft = ReminderDraft(
            title: "Check it",
            notes: "some",
            due: .exact(Workplace.now.adding(seconds: 7200)),
            recurrenceRule: try RecurrenceRule(wire: "FREQ=DAILY"),
            labels: ["home"],
            priority: .high,
            list: "Elsewhere"
        )
        let again = try self.useCases.add(draft, once: self.key)
        #expect(!again.isNew && again.reminder.id == made.id)
        #expect(Set(again.differing) == ["title", "notes", "due", "repeat", "labels", "priority", "list"])
        #expect(try self.text(made.id) == before)
        #expect(throws: TitleError.titleRequired) { try self.useCases.add(ReminderDraft(title: " "), once: self.key) }
    }

    @Test("the existing reminder may be past, completed, or in another list than the named one")
    func found() async throws {
        let past = ReminderDraft(title: "Old", due: .exact(Workplace.now))
        #expect(throws: UseCaseError(.mustBeInFuture)) { try self.useCases.add(past, once: self.key) }
        #expect(throws: UseCaseError(.listNotFound)) {
            try self.useCases.add(ReminderDraft(title: "x", list: "Work"), once: self.key)
        }
        #expect(try self.useCases.reminderCount() == 0)
        _ = try await self.useCases.addList(named: "Work", account: nil, color: nil)
        let made = try self.useCases.add(ReminderDraft(title: "Old", list: "Work"), once: self.key).reminder
        _ = try self.useCases.complete(made.id)
        let again = try self.useCases.add(past, once: self.key)
        #expect(!again.isNew && again.reminder.id == made.id && again.reminder.section == .completed)
        #expect(again.differing == ["due"])
        #expect(try self.useCases.reminderCount() == 1)
    }

    @Test("a reminder from a file or a server is found by its UID; a deleted one is created again")
    func elsewhere() throws {
        let todo = "BEGIN:VTODO\r\nUID:backup-2026-11\r\nSUMMARY:From there\r\nEND:VTODO\r\n"
        try Workplace.load("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(todo)END:VCALENDAR\r\n", into: self.useCases)
        let there = try self.useCases.add(ReminderDraft(title: "From here"), once: self.key)
        #expect(!there.isNew && there.reminder.title == "From there" && there.differing == ["title"])
        try self.useCases.delete(there.reminder.id)
        #expect(try self.useCases.add(ReminderDraft(title: "From here"), once: self.key).isNew)
        #expect(try self.useCases.reminder(with: self.key)?.title == "From here")
        #expect(try self.useCases.reminderCount() == 1)
    }
}

import ICalendar
import Reminders
import Testing

@testable import Bridge

/// The eight unit tests of the plan for editing and deleting, one to one.
@Suite("the plan's unit tests")
struct PlanTests {
    private let useCases: UseCases
    private let keeper: AlarmKeeper
    private let bell = CountingSink()

    init() throws {
        self.useCases = try Workplace.open()
        self.keeper = AlarmKeeper(self.useCases, sink: self.bell) { Issue.record("\($0)") }
        var draft = ReminderDraft(title: "Buy milk", due: .exact(Workplace.now.adding(seconds: 3600)))
        draft.notes = "two bottles"
        draft.recurrenceRule = try RecurrenceRule(wire: "FREQ=WEEKLY")
        _ = try self.keeper.add(draft)
    }

    private var rings: [String] { self.bell.known.map { "\($0.fires)" } }

    @Test("an editor is filled with what the reminder has")
    func editPrefillsFields() throws {
        let view = try self.useCases.reminder(1)
        #expect(view.title == "Buy milk" && view.notes == "two bottles" && view.repeatRule == "FREQ=WEEKLY")
        #expect(view.dueInstant == Workplace.now.adding(seconds: 3600) && view.due == "2026-11-20T21:00:00Z")
    }

    @Test("an edit saves the title")
    func editUpdatesTitle() throws {
        _ = try self.keeper.edit(1, ReminderChange(title: "Buy groceries"))
        #expect(try self.useCases.reminder(1).title == "Buy groceries")
    }

    @Test("an edit saves the date")
    func editUpdatesDate() throws {
        _ = try self.keeper.edit(1, ReminderChange(due: .set(.exact(Workplace.now.adding(seconds: 7200)))))
        #expect(try self.useCases.reminder(1).due == "2026-11-20T22:00:00Z")
    }

    @Test("an empty title is refused, and the reminder stays")
    func editRefusesEmptyTitle() throws {
        #expect(throws: TitleError.titleRequired) { try self.keeper.edit(1, ReminderChange(title: "  ")) }
        #expect(try self.useCases.reminder(1).title == "Buy milk")
        #expect(self.rings == ["2026-11-20T21:00:00Z"])
    }

    @Test("deleting takes the reminder away")
    func deleteRemovesReminder() throws {
        try self.keeper.delete(1)
        #expect(throws: UseCaseError(.reminderNotFound)) { try self.useCases.reminder(1) }
    }

    @Test("deleting takes the alarm back")
    func deleteCancelsAlarm() throws {
        #expect(self.rings == ["2026-11-20T21:00:00Z"])
        try self.keeper.delete(1)
        #expect(self.rings == [])
    }

    @Test("saving sets the alarm anew")
    func saveReschedulesAlarm() throws {
        _ = try self.keeper.edit(1, ReminderChange(due: .set(.exact(Workplace.now.adding(seconds: 120)))))
        #expect(self.rings == ["2026-11-20T20:02:00Z"])
    }

    @Test("what is drafted and not saved changes nothing")
    func cancelKeepsReminder() throws {
        let before = try Workplace.export(self.useCases)
        var draft = ReminderChange(title: try self.useCases.reminder(1).title)
        draft.title = "Something else"
        draft.due = .clear
        #expect(try Workplace.export(self.useCases) == before)
        #expect(self.rings == ["2026-11-20T21:00:00Z"])
        // Saved, the same draft is refused as a whole: what repeats needs a date.
        #expect(throws: UseCaseError(.repeatNeedsDue)) { try self.keeper.edit(1, draft) }
        #expect(try Workplace.export(self.useCases) == before)
    }
}

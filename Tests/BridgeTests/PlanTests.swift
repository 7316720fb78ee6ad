import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavBridge

/// The eight unit tests of the plan for editing and deleting.
@Suite("the plan's unit tests")
struct PlanTests {
    private let useCases: UseCases

    init() throws {
        self.useCases = try Workplace.open()
        var draft = ReminderDraft(title: "Buy milk", due: .exact(Workplace.now.adding(seconds: 3600)))
        draft.notes = "two bottles"
        draft.recurrenceRule = try RecurrenceRule(wire: "FREQ=WEEKLY")
        _ = try self.useCases.add(draft)
    }

    private var alarms: [String] { get throws { try self.useCases.pendingAlarms().map { "\($0.alarm.fires)" } } }

    @Test("an editor contains the fields of the reminder")
    func editPrefillsFields() throws {
        let view = try self.useCases.reminder(1)
        #expect(view.title == "Buy milk" && view.notes == "two bottles" && view.repeatRule == "FREQ=WEEKLY")
        #expect(view.dueInstant == Workplace.now.adding(seconds: 3600) && view.due == "2026-11-20T21:00:00Z")
    }

    @Test("an edit saves the title")
    func editUpdatesTitle() throws {
        _ = try self.useCases.edit(1, ReminderChange(title: "Buy groceries"))
        #expect(try self.useCases.reminder(1).title == "Buy groceries")
    }

    @Test("an edit saves the date")
    func editUpdatesDate() throws {
        _ = try self.useCases.edit(1, ReminderChange(due: .set(.exact(Workplace.now.adding(seconds: 7200)))))
        #expect(try self.useCases.reminder(1).due == "2026-11-20T22:00:00Z")
    }

    @Test("an empty title is refused, and the reminder stays")
    func editRefusesEmptyTitle() throws {
        #expect(throws: TitleError.titleRequired) { try self.useCases.edit(1, ReminderChange(title: "  ")) }
        #expect(try self.useCases.reminder(1).title == "Buy milk")
        #expect(try self.alarms == ["2026-11-20T21:00:00Z"])
    }

    @Test("a deletion removes the reminder")
    func deleteRemovesReminder() throws {
        try self.useCases.delete(1)
        #expect(throws: UseCaseError(.reminderNotFound)) { try self.useCases.reminder(1) }
    }

    @Test("a deletion removes the alarm")
    func deleteCancelsAlarm() throws {
        #expect(try self.alarms == ["2026-11-20T21:00:00Z"])
        try self.useCases.delete(1)
        #expect(try self.alarms == [])
    }

    @Test("saving schedules the alarm again")
    func saveReschedulesAlarm() throws {
        _ = try self.useCases.edit(1, ReminderChange(due: .set(.exact(Workplace.now.adding(seconds: 120)))))
        #expect(try self.alarms == ["2026-11-20T20:02:00Z"])
    }

    @Test("an unsaved draft changes nothing")
    func cancelKeepsReminder() throws {
        let before = try Workplace.export(self.useCases)
        var draft = ReminderChange(title: try self.useCases.reminder(1).title)
        draft.title = "Something else"
        draft.due = .clear
        #expect(try Workplace.export(self.useCases) == before)
        #expect(try self.alarms == ["2026-11-20T21:00:00Z"])
        // Saving the same draft is refused as a whole: a repeating reminder needs a date.
        #expect(throws: UseCaseError(.repeatNeedsDue)) { try self.useCases.edit(1, draft) }
        #expect(try Workplace.export(self.useCases) == before)
    }
}

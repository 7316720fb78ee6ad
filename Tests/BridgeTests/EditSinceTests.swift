import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavBridge

@Suite("edits based on an earlier version of a reminder")
struct EditSinceTests {
    private let useCases: UseCases
    private let base: ReminderView

    init() throws {
        self.useCases = try Workplace.open()
        let monday = DueChoice.local(CalendarDate(dayNumber: 20_780), ClockTime(secondsOfDay: 32_400)).moment(
            localZone: "UTC"
        )
        let draft = ReminderDraft(title: "One", notes: "Notes", due: monday, labels: ["a"], priority: .low)
        self.base = try self.useCases.add(draft)
    }

    private static let day = CalendarDateOrDateTime.date(CalendarDate(dayNumber: 20_790))
    private static let otherDay = CalendarDateOrDateTime.date(CalendarDate(dayNumber: 20_791))
    private static let rule = try? RecurrenceRule(wire: "FREQ=DAILY")
    private static let otherRule = try? RecurrenceRule(wire: "FREQ=WEEKLY")

    /// A change of each field, and another one of the same field.
    private static func changes() throws -> [(field: String, mine: ReminderChange, other: ReminderChange)] {
        let rule = try #require(self.rule)
        let otherRule = try #require(self.otherRule)
        return [
            ("title", ReminderChange(title: "Two"), ReminderChange(title: "Three")),
            ("notes", ReminderChange(notes: .clear), ReminderChange(notes: .set("Other"))),
            ("due", ReminderChange(due: .set(self.day)), ReminderChange(due: .set(self.otherDay))),
            ("repeat", ReminderChange(recurrenceRule: .set(rule)), ReminderChange(recurrenceRule: .set(otherRule))),
            ("labels", ReminderChange(labels: .set(["b"])), ReminderChange(labels: .clear)),
            ("priority", ReminderChange(priority: .set(.high)), ReminderChange(priority: .clear)),
        ]
    }

    @Test("single labels are added and removed although another edit changed the labels meanwhile")
    func labelEdit() throws {
        let useCases = try Workplace.open()
        let base = try useCases.add(ReminderDraft(title: "One", labels: ["a", "b"]))
        _ = try useCases.edit(base.id, ReminderChange(labels: .set(["a", "b", "theirs"])))
        var change = ReminderChange()
        change.labelEdit = LabelEdit(added: ["mine"], removed: ["A"])
        #expect(try useCases.edit(base.id, change, since: base).labels == ["b", "theirs", "mine"])
    }

    @Test(
        "a change of another field than the one changed meanwhile is accepted; one of the same field is refused, with its name"
    )
    func fields() throws {
        for (field, mine, _) in try Self.changes() {
            for (otherField, _, other) in try Self.changes() {
                let useCases = try Workplace.open()
                var draft = ReminderDraft(title: "One", notes: "Notes", due: .date(CalendarDate(dayNumber: 20_780)))
                draft.labels = ["a"]
                draft.priority = .low
                let base = try useCases.add(draft)
                let between = try useCases.edit(base.id, other)
                guard field == otherField else {
                    _ = try useCases.edit(base.id, mine, since: base)
                    continue
                }
                #expect(between != base)
                #expect(throws: UseCaseError(.changedMeanwhile)) { try useCases.edit(base.id, mine, since: base) }
                #expect(try useCases.reminder(base.id) == between)
            }
        }
    }

    @Test("the same change on both sides is no conflict")
    func same() throws {
        for (field, mine, _) in try Self.changes() {
            let now = try self.useCases.edit(self.base.id, mine)
            let bytes = try Workplace.export(self.useCases)
            #expect(try self.useCases.edit(self.base.id, mine, since: self.base) == now, "\(field)")
            #expect(try Workplace.export(self.useCases) == bytes)
        }
    }

    @Test("all conflicting fields are named, and so is a list to which the reminder was moved meanwhile")
    func names() async throws {
        for name in ["Home", "Work"] { _ = try await self.useCases.addList(named: name, account: nil, color: nil) }
        _ = try self.useCases.edit(self.base.id, ReminderChange(title: "Two", labels: .set(["b"]), list: "Home"))
        do {
            let change = ReminderChange(title: "Three", labels: .clear, priority: .set(.high))
            _ = try self.useCases.edit(self.base.id, change, since: self.base)
            Issue.record("it was changed")
        } catch let error as UseCaseError {
            #expect(error.subject == "title, labels")
        }
        #expect(throws: UseCaseError(.changedMeanwhile)) {
            try self.useCases.edit(self.base.id, ReminderChange(list: "Work"), since: self.base)
        }
        #expect(try self.useCases.edit(self.base.id, ReminderChange(list: "Home"), since: self.base).list == "Home")
    }
}

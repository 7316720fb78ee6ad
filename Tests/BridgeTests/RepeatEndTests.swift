import RemindavBridge
import RemindavICalendar
import RemindavReminders
import Testing

@Suite("rules that end before they begin")
struct RepeatEndTests {
    private static func due(_ text: String) throws -> CalendarDateOrDateTime {
        let moment = try #require(CalendarDateOrDateTime(wire: text, tzid: nil))
        guard case .dateTime(let time) = moment, time.zone == .floating else { return moment }
        return DueChoice.local(time.date, time.time).moment(localZone: "Europe/Berlin")
    }

    @Test(
        "UNTIL may be the first date, and not before it; in Berlin",
        arguments: [
            // First date, UNTIL, whether the rule is refused.
            ("20261224", "20261201", true), ("20261224", "20261223", true), ("20261224", "20261224", false),
            ("20261224", "20261225", false), ("20261224T090000", "20261223", true),
            ("20261224T090000", "20261224", false), ("20261224T090000", "20261224T085959", true),
            ("20261224T090000", "20261224T090000", false), ("20261224T090000", "20261224T075959Z", true),
            ("20261224T090000", "20261224T080000Z", false), ("20261224T080000Z", "20261224T080000Z", false),
            ("20261224T080000Z", "20261224T075959Z", true), ("20261224T080000Z", "20261224T090000", false),
            ("20261224T233000Z", "20261224", false), ("20261224T003000", "20261223T233000Z", false),
            ("20261224", "20261224T000000", false), ("20261224", "20261223T235959Z", true),
            ("20261224T090000", "20200101", true),
        ]
    )
    func ends(due: String, until: String, isRefused: Bool) throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        let rule = try RecurrenceRule(wire: "FREQ=DAILY;UNTIL=\(until)")
        let draft = try ReminderDraft(title: "x", due: Self.due(due), recurrenceRule: rule, list: nil)
        let other = try useCases.add(ReminderDraft(title: "y", due: Self.due(due), recurrenceRule: nil, list: nil))
        if isRefused {
            let error = #expect(throws: UseCaseError(.repeatEndsBeforeDue)) { try useCases.add(draft) }
            #expect(error?.subject == "2026-12-24")
            #expect(throws: UseCaseError(.repeatEndsBeforeDue)) {
                try useCases.edit(other.id, ReminderChange(recurrenceRule: .set(rule)))
            }
            #expect(try useCases.reminder(other.id) == other)
        } else {
            _ = try useCases.add(draft)
            _ = try useCases.edit(other.id, ReminderChange(recurrenceRule: .set(rule)))
        }
    }

    @Test("a due date after the end of the current rule is refused, and every other field can be edited")
    func laterDue() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        let rule = try RecurrenceRule(wire: "FREQ=DAILY;UNTIL=20261224")
        let draft = try ReminderDraft(title: "x", due: Self.due("20261201T090000"), recurrenceRule: rule, list: nil)
        let id = try useCases.add(draft).id
        _ = try useCases.edit(id, ReminderChange(due: .set(Self.due("20261224T235959"))))
        for late in ["20261225T000000", "20261225"] {
            #expect(throws: UseCaseError(.repeatEndsBeforeDue)) {
                try useCases.edit(id, ReminderChange(due: .set(Self.due(late))))
            }
        }
        let clear = try useCases.edit(id, ReminderChange(due: .set(Self.due("20261225")), recurrenceRule: .clear))
        #expect(clear.due == "2026-12-25")
    }

    @Test("an imported reminder with such a rule keeps it, and can be renamed")
    func imported() throws {
        let useCases = try Workplace.open()
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nDTSTART:20261224T090000Z\nDUE:20261224T090000Z\n"
            + "RRULE:FREQ=DAILY;UNTIL=20261201T090000Z\nEND:VTODO\nEND:VCALENDAR\n"
        try Workplace.load(text, into: useCases)
        let id = try #require(try useCases.reminders(matching: ReminderFilter()).first).id
        #expect(try useCases.edit(id, ReminderChange(title: "y")).title == "y")
        // The new first date is before the end of the rule.
        _ = try useCases.edit(id, ReminderChange(due: .set(Self.due("20261130T090000Z"))))
    }
}

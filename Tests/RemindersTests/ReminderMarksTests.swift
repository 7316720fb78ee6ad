import RemindavICalendar
import RemindavReminders
import Testing

@Suite("marks of reminders")
struct ReminderMarksTests {
    private static func alarm(_ trigger: String) -> [String] {
        ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", trigger, "END:VALARM"]
    }

    private static let due = "DUE:20261121T090000Z"
    private static let berlin = "DUE;TZID=Europe/Berlin:20261121T100000"
    private static let atDue = "TRIGGER;VALUE=DATE-TIME:20261121T090000Z"

    @Test(
        "notes, a link, and alarms at another time than the due time are marked",
        arguments: [
            ([due], []), (["DESCRIPTION:two litres"], .notes), (["DESCRIPTION:"], []),
            (["URL:https://example.org"], .link), (["URL:"], []),
            (["DESCRIPTION:a", "URL:https://example.org", due] + alarm("TRIGGER:-PT15M"), [.notes, .link, .alarms]),
            ([due] + alarm("TRIGGER;RELATED=END:PT0S"), []), ([due] + alarm("TRIGGER:PT0S"), []),
            ([due] + alarm(atDue), []), ([berlin] + alarm(atDue), []),
            ([due] + alarm("TRIGGER;VALUE=DATE-TIME:20261121T080000Z"), .alarms),
            (["DUE;VALUE=DATE:20261121"] + alarm(atDue), .alarms),
            (
                ["DUE;VALUE=DATE:20261121", "X-REMINDAV-DUE-ALARM:20261121T090000Z"] + alarm(atDue), []
            ),
            (alarm(atDue), .alarms),
            ([due, "BEGIN:VALARM", "ACTION:EMAIL", "TRIGGER:-PT15M", "END:VALARM"], []),
        ] as [([String], ReminderMarks)]
    )
    func marks(lines: [String], marks: ReminderMarks) throws {
        let reminder = try #require(todo(lines))
        #expect(reminder.marks(zones: zones(reminder)) == marks)
    }
}

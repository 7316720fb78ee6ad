import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavBridge

@Suite("the sections of a store's list")
struct ListSectionTests {
    @Test("overdue reminders are in Today with a mark, snoozed ones where the snooze ends, each in order")
    func overdue() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        // It is Friday, 20 November 2026, 21:00 there.
        let dues = [
            ("last year", "DUE:20251120T090000Z"), ("yesterday", "DUE;VALUE=DATE:20261119"),
            ("now", "DUE;TZID=Europe/Berlin:20261120T210000"), ("today", "DUE;VALUE=DATE:20261120"),
            ("tonight", "DUE:20261120T225959Z"), ("midnight", "DUE:20261120T230000Z"),
            ("sunday", "DUE:20261122T225959"), ("monday", "DUE;VALUE=DATE:20261123"), ("some day", "X-A:1"),
            ("put off", "DUE:20251120T090000Z\r\nX-MOZ-SNOOZE-TIME:20261121T090000Z"),
            ("done", "DUE:20251120T090000Z\r\nSTATUS:COMPLETED"),
        ]
        let todos = dues.map { "BEGIN:VTODO\r\nUID:\($0.0)\r\nSUMMARY:\($0.0)\r\n\($0.1)\r\nEND:VTODO\r\n" }
        try Workplace.load("BEGIN:VCALENDAR\r\n\(todos.joined())END:VCALENDAR\r\n", into: useCases)
        for detail in [ReminderDetail.line, .everything] {
            let views = try useCases.reminders(matching: ReminderFilter(includesCompleted: true), detail: detail)
            #expect(
                views.map(\.title) == [
                    "last year", "yesterday", "today", "now", "tonight", "midnight", "put off", "sunday", "monday",
                    "some day", "done",
                ]
            )
            #expect(views.filter(\.overdue).map(\.title) == ["last year", "yesterday", "now"])
            #expect(views.filter { $0.section == .today }.count == 5)
            #expect(views.map(\.group)[5...] == [.tomorrow, .tomorrow, .thisWeek, .later, .undated, .completed])
        }
    }
}

import ICalendar
import Notifications
import Reminders
import TestSupport
import Testing

@Suite("the text of a notification")
struct NotificationTextTests {
    private static func accents(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }

    private func alarm(_ title: String, _ body: String) -> ReminderAlarm {
        ReminderAlarm(id: AlarmID(reminder: "1"), fires: at("0900"), cause: .due, title: title, body: body)
    }

    @Test(
        "title and notes are unchanged up to their limits",
        arguments: [
            ("Milk & <b>tea</b>", "Milk & <b>tea</b>"),
            ("", "(no title)"), (" \n\t", "(no title)"), ("Milk\nand\r\n tea\u{2028}", "Milk and tea"),
            (String(repeating: "a", count: 200), String(repeating: "a", count: 200)),
            (String(repeating: "a", count: 201), String(repeating: "a", count: 200) + "…"),
            ("e" + accents(1_000_000), "e" + accents(199) + "…"),
        ]
    )
    func titles(_ title: String, _ shown: String) {
        let words = NotificationText(self.alarm(title, "notes"), isMissed: false, zones: zones("Europe/Berlin"))
        #expect(words.title == shown)
        #expect(words.body == "notes")
    }

    @Test("long notes are cut")
    func notes() {
        let notes = String(repeating: "ü", count: 1_000_000)
        let words = NotificationText(self.alarm("a", notes), isMissed: false, zones: zones("Europe/Berlin"))
        #expect(words.body.unicodeScalars.count == SchedulerLimits.maximumBody + 1)
    }

    @Test("a missed alarm has its time, in local time")
    func missed() {
        let words = NotificationText(self.alarm("a", "notes"), isMissed: true, zones: zones("Asia/Tokyo"))
        #expect(words.title == "a")
        #expect(words.body == "Missed: 2026-11-21 18:00\nnotes")
    }

    @Test("a line of a summary has the date only if it is not today, and always a title")
    func line() {
        let berlin = zones("Europe/Berlin")
        for (today, shown) in [(21, "10:00 (no title)"), (22, "2026-11-21 10:00 (no title)")] {
            let date = CalendarDate(year: 2026, month: 11, day: today)
            #expect(date.map { NotificationText.line(self.alarm(" ", ""), today: $0, zones: berlin) } == shown)
        }
    }

    @Test("a summary has the number of reminders and the first titles")
    func summary() {
        #expect(NotificationText(count: 12, areMissed: false, named: ["a", "b"]).title == "12 reminders due")
        #expect(NotificationText(count: 12, areMissed: true, named: ["a", "b"]).title == "You missed 12 reminders")
        #expect(NotificationText(count: 12, areMissed: true, named: ["a", "b"]).body == "a\nb\nand 10 more")
        #expect(NotificationText(count: 2, areMissed: true, named: ["a", "b"]).body == "a\nb")
        #expect(NotificationText(count: 1, areMissed: true, named: []).title == "You missed 1 reminder")
        #expect(NotificationText(count: 1, areMissed: true, named: []).body == "")
    }
}

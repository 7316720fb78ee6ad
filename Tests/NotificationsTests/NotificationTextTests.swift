import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import RemindavTestSupport
import Testing

@Suite("the text of a notification")
struct NotificationTextTests {
    private static func accents(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }

    private func alarm(
        _ title: String,
        _ notes: String,
        due: CalendarDateOrDateTime? = nil,
        at place: String? = nil
    ) -> ReminderAlarm {
        ReminderAlarm(
            id: AlarmID(reminder: "1"),
            fires: at("0900"),
            cause: .due,
            title: title,
            notes: notes,
            due: due,
            location: place
        )
    }

    /// The text of an alarm of a reminder in a list with labels.
    private func text(
        _ alarm: ReminderAlarm,
        list: String = "",
        labels: [String] = [],
        isMissed: Bool = false,
        in zone: String = "Europe/Berlin"
    ) throws -> NotificationText {
        let reminder = try #require(Reminder(ICalendarDocument("BEGIN:VTODO\r\nUID:1\r\nEND:VTODO\r\n")))
        let firing = FiringReminder(
            plan: AlarmPlan(reminder, zones: zones(zone)),
            list: "",
            listName: list,
            labels: labels,
            priority: .undefined
        )
        return NotificationText(alarm, of: firing, isMissed: isMissed, zones: zones(zone))
    }

    @Test(
        "the body has the due time, the list, the labels and the place, as far as they exist, and then the notes",
        arguments: [
            ("20261121T090000Z", "", [], "", "", false, "Due 10:00"),
            (
                "20261121T090000Z", "Home", ["shop", "two words"], "Market\nHall 2", "Bring bags",
                false, "Due 10:00 · Home · #shop #two words · Market Hall 2\nBring bags"
            ),
            ("20261121T091500Z", "Home", [], "", "", false, "Due 10:15 · Home"),
            ("20261122T090000Z", "", ["a"], "", "", false, "Due 2026-11-22 10:00 · #a"),
            ("20261122", "", [], "", "", false, "Due 2026-11-22"), (nil, "Home", [], "", "x", false, "Home\nx"),
            (nil, "", [], " ", " \n", false, ""), (nil, "", [], "", "", true, "Missed: 2026-11-21 10:00"),
            ("20261121T090000Z", "Home", [], "", "x", true, "Missed: 2026-11-21 10:00 · Home\nx"),
            ("20261121", "", [], "", "", true, "Missed: 2026-11-21 10:00"),
            ("20261121T091500Z", "", [], "", "", true, "Missed: 2026-11-21 10:00 · Due 10:15"),
        ] as [(String?, String, [String], String, String, Bool, String)]
    )
    func body(
        due: String?,
        list: String,
        labels: [String],
        place: String,
        notes: String,
        isMissed: Bool,
        shown: String
    ) throws {
        let due = due.flatMap { CalendarDateOrDateTime(wire: $0, tzid: nil) }
        let alarm = self.alarm("a", notes, due: due, at: place)
        #expect(try self.text(alarm, list: list, labels: labels, isMissed: isMissed).body == shown)
    }

    @Test("a hostile list, label or place is cut")
    func longFacts() throws {
        let long = String(repeating: "x", count: 1_000_000)
        let alarm = self.alarm("a", "", at: long)
        let body = try self.text(alarm, list: long, labels: Array(repeating: long, count: 1000)).body
        let parts = body.split(separator: " · ")
        #expect(parts.map(\.unicodeScalars.count) == Array(repeating: SchedulerLimits.maximumTitle + 1, count: 3))
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
    func titles(_ title: String, _ shown: String) throws {
        let words = try self.text(self.alarm(title, "notes"))
        #expect(words.title == shown)
        #expect(words.body == "notes")
    }

    @Test("long notes are cut")
    func notes() throws {
        let notes = String(repeating: "ü", count: 1_000_000)
        let words = try self.text(self.alarm("a", notes))
        #expect(words.body.unicodeScalars.count == SchedulerLimits.maximumBody + 1)
    }

    @Test("a missed alarm has its time, in local time")
    func missed() throws {
        let words = try self.text(self.alarm("a", "notes"), isMissed: true, in: "Asia/Tokyo")
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

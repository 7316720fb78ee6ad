import RemindavICalendar
import RemindavReminders
import Testing

@Suite("alarms of real programs")
struct AlarmFixtureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let file: String
        /// The start of the tested period.
        let from: String
        let to: String
        let rings: [String]
        var testDescription: String { self.file }
    }

    private static func november(_ file: String, _ rings: String...) -> Case {
        Case(file: file, from: "20261101T000000Z", to: "20261130T235959Z", rings: rings)
    }

    static let cases: [Case] = [
        november("thunderbird-snoozed", "20261120T094500Z snooze"),
        Case(
            file: "thunderbird-occurrence-snooze",
            from: "20261118T120000Z",
            to: "20261121T120000Z",
            rings: ["20261120T071500Z snooze", "20261121T070000Z due"]
        ),
        november("thunderbird-completed-override", "20261120T070000Z due", "20261127T070000Z due"),
        // The second Thursday is excluded, the first one completed; the third one was moved and has its own alarm.
        november("thunderbird-moved-occurrence", "20261126T073000Z alarm", "20261127T130000Z alarm"),
        november("tasks.org-snoozed", "20261120T083000Z snooze"),
        november("tasks.org-timed-second-01", "20261120T223001Z alarm"),
        november("tasks.org-all-day-with-start", "20261122T080000Z due"),
        november("tasks.org-rolled-snoozed-series", "20261120T100000Z snooze", "20261127T080001Z alarm"),
        // Dismissed at the due time; it fires each day for a week while the reminder is overdue.
        Case(
            file: "tasks.org-overdue-daily",
            from: "20261120T000000Z",
            to: "20261231T000000Z",
            rings: (21...27).map { "202611\($0)T170001Z alarm" }
        ),
        november("apple-reminders-timed", "20261120T080000Z alarm"),
        november("apple-reminders-seen-and-coming", "20261120T080000Z alarm"),
        // Acknowledged at its creation, long before its time.
        november("apple-calendar-acknowledged-alarm", "20261125T074500Z alarm"),
        Case(
            file: "apple-reminders-default-alarm",
            from: "20261101T000000Z",
            to: "20261231T000000Z",
            rings: ["20261224T080000Z due"]
        ),
        november("apple-reminders-location-alarm"),
        november("nextcloud-tasks-absolute-alarm", "20261128T080000Z alarm", "20261128T100000Z alarm"),
        november("nextcloud-tasks-whole-day-alarms", "20261128T080000Z alarm", "20261129T080000Z alarm"),
        november("nextcloud-tasks-rolled-series", "20261126T070000Z due"),
        november("evolution-slash-tzid", "20261122T133000Z alarm"),
        Case(
            file: "evolution-rolled-series",
            from: "20261101T000000Z",
            to: "20270301T000000Z",
            rings: ["20261202T080000Z alarm", "20270102T080000Z alarm", "20270202T080000Z alarm"]
        ),
        november("davx5-opentasks-only-dtstamp", "20261129T070000Z alarm"),
        november("omnifocus-defer-date", "20261130T170000Z alarm"),
        november("korganizer-next-occurrence", "20261127T180000Z due"),
        november("rfc9074-snooze-alarm", "20261120T080600Z snooze"),
        november("rfc9074-snooze-both-dialects", "20261120T083100Z snooze"),
    ]

    @Test("a file's alarms fire when its program intends", arguments: cases)
    func fires(_ test: Case) throws {
        let reminder = try #require(try fixtureReminder(test.file))
        #expect(reminder.plan().rings(from: test.from, to: test.to) == test.rings)
    }
}

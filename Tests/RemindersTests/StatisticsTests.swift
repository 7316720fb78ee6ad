import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import Testing

@Suite("counting reminders")
struct StatisticsTests {
    private static func calendar(_ now: String, _ zone: String = "Europe/Berlin") throws -> ListCalendar {
        let now = try #require(Instant(wire: now))
        return ListCalendar(now: now, zones: TimeZoneResolver(database: database, calendar: nil, local: zone))
    }

    private static func due(_ wire: String, _ list: String = "A", _ labels: [String] = []) -> CountedReminder {
        CountedReminder(status: .pending, due: Instant(wire: wire), list: list, labels: labels)
    }

    @Test("open, overdue, today and this week are counted separately; a reminder due today and overdue is in both")
    func open() throws {
        // Friday, 20 November 2026, 21:00 in Berlin
        let calendar = try Self.calendar("20261120T200000Z")
        var put = Self.due("20261101T090000Z")
        put.snoozedUntil = Instant(wire: "20261120T210000Z")
        var day = Self.due("20261119T230000Z")
        day.day = calendar.today
        let counted = ReminderStatistics(
            [
                Self.due("20261101T090000Z"), Self.due("20261120T080000Z"), Self.due("20261120T225959Z"),
                Self.due("20261120T230000Z"), Self.due("20261122T225959Z"), Self.due("20261122T230000Z"), put, day,
                CountedReminder(status: .inProgress, list: "A"), CountedReminder(status: .cancelled, list: "A"),
                CountedReminder(status: .completed, due: Instant(wire: "20261101T090000Z"), list: "A"),
            ],
            calendar: calendar
        )
        #expect(counted.open == 9)
        #expect(counted.overdue == 2)
        #expect(counted.dueToday == 4)
        #expect(counted.dueThisWeek == 6)
        #expect(counted.undated == 1)
        #expect((counted.completed, counted.cancelled) == (1, 1))
    }

    @Test("on a Sunday tomorrow is in the next week")
    func sunday() throws {
        let calendar = try Self.calendar("20261122T110000Z")
        let counted = ReminderStatistics(
            [Self.due("20261123T110000Z"), Self.due("20261122T120000Z")],
            calendar: calendar
        )
        #expect((counted.dueToday, counted.dueThisWeek) == (1, 1))
    }

    @Test("completed reminders are counted by day in local time, also after a change of the zone")
    func days() throws {
        // The clocks were set back in the night of 25 October.
        let calendar = try Self.calendar("20261026T120000Z")
        let moments = [
            "20261025T230000Z", "20261026T120000Z", "20261024T220000Z", "20261025T225959Z", "20261024T215959Z",
            "20260926T220000Z", "20260926T215959Z", "20261026T230000Z", "20300101T000000Z",
        ]
        let counted = ReminderStatistics(
            moments.map { CountedReminder(status: .completed, completedAt: Instant(wire: $0), list: "A") },
            calendar: calendar
        )
        #expect(counted.completedByDay.count == 30)
        #expect(counted.completedByDay.map(\.date.description).suffix(3) == ["2026-10-24", "2026-10-25", "2026-10-26"])
        #expect(counted.completedByDay.map(\.completed).suffix(3) == [1, 2, 2])
        #expect(counted.completedByDay[0].date.description == "2026-09-27")
        #expect(counted.completedByDay[0].completed == 1)
        #expect(
            (counted.completed(inLast: 1), counted.completed(inLast: 7), counted.completed(inLast: 30)) == (2, 5, 6)
        )
        #expect(counted.completed == 9)
    }

    @Test(
        "lists and labels are counted by name; a label counts once for all spellings, and the first spelling stays"
    )
    func parts() throws {
        let calendar = try Self.calendar("20261120T200000Z")
        let counted = ReminderStatistics(
            [
                Self.due("20261101T090000Z", "B", ["Home", "home", "work"]),
                Self.due("20270101T090000Z", "A", ["HOME"]),
                CountedReminder(status: .completed, list: "B", labels: ["work"]),
                CountedReminder(status: .cancelled, list: "C"),
            ],
            calendar: calendar
        )
        #expect(counted.lists.map(\.name) == ["A", "B", "C"])
        #expect(counted.lists.map(\.open) == [1, 1, 0])
        #expect(counted.lists.map(\.overdue) == [0, 1, 0])
        #expect(counted.lists.map(\.completed) == [0, 1, 0])
        #expect(counted.labels.map(\.name) == ["Home", "work"])
        #expect(counted.labels.map(\.open) == [2, 1])
        #expect(counted.labels.map(\.completed) == [0, 1])
    }

    @Test("no reminders have no counts")
    func empty() throws {
        let counted = ReminderStatistics([], calendar: try Self.calendar("20261120T200000Z"))
        #expect((counted.open, counted.completed(inLast: 30), counted.lists.count) == (0, 0, 0))
        #expect(counted.completedByDay.count == 30)
    }
}

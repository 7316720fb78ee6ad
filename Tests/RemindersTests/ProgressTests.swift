import RemindavICalendar
import RemindavRecurrence
import Testing

@testable import RemindavReminders

@Suite("progress and shifted due times")
struct ProgressTests {
    private func status(_ lines: String, _ status: Status) throws -> [String] {
        let old = try #require(reminder(lines))
        var change = ReminderChange()
        change.status = .set(status)
        return old.applying(change, in: context, zones: zones(old)).lines.filter { !stamps.contains($0) }
    }

    @Test("progress is STATUS:IN-PROCESS, and without progress there is no PERCENT-COMPLETE")
    func written() throws {
        #expect(try self.status("X-A:1", .inProgress).contains("STATUS:IN-PROCESS"))
        let stopped = try self.status("STATUS:IN-PROCESS\r\nPERCENT-COMPLETE:40", .pending)
        #expect(stopped.contains("STATUS:NEEDS-ACTION") && !stopped.contains { $0.hasPrefix("PERCENT") })
        #expect(try self.status("PERCENT-COMPLETE:40", .inProgress) == ["PERCENT-COMPLETE:40"])
        #expect(try self.status("STATUS:COMPLETED", .inProgress) == ["STATUS:COMPLETED"])
    }

    @Test(
        "a shift keeps the zone and the time of day, and hours are elapsed time",
        arguments: [
            ("20261024T120000", DueShift.days(1), "20261025T120000"),
            ("20261024T120000", .seconds(86400), "20261025T110000"),
            ("20261031T120000", .months(1), "20261130T120000"), ("20261024T120000", .days(-24), "20260930T120000"),
        ]
    )
    func shifted(due: String, shift: DueShift, expected: String) throws {
        let old = try #require(reminder("DUE;TZID=Europe/Berlin:\(due)"))
        let moved = try #require(old.due.flatMap { shift.applied(to: $0, zones: zones(old)) })
        #expect(moved == CalendarDateOrDateTime(wire: expected, tzid: "Europe/Berlin"))
    }

    @Test("elapsed time does not move a date")
    func date() throws {
        let old = try #require(reminder("DUE;VALUE=DATE:20261024"))
        let due = try #require(old.due)
        #expect(DueShift.seconds(60).applied(to: due, zones: zones(old)) == nil)
        #expect(DueShift.months(4).applied(to: due, zones: zones(old)) == moment("20270224"))
    }
}

import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavBridge
@testable import RemindavCLI

@Suite("the text of conflicts")
struct ConflictFormatterTests {
    private static let text = LocalText(zone: .utc, now: .test)

    /// Creates a conflict in one field, with the local side as the loser.
    private static func clash(
        _ property: String,
        here: String,
        server: String,
        occurrence: String? = nil,
        isOfAlarm: Bool = false
    ) -> ConflictView {
        let reader = ReminderReader(
            Configuration(
                storeFolder: "/nonexistent",
                localZone: "UTC",
                zones: Configuration.systemZones(environment: [:]),
                now: { .test }
            )
        )
        return ConflictView(
            number: 1,
            reminder: 2,
            title: "Buy milk",
            list: "Home",
            field: PropertyDisplayName.word(for: property),
            property: property,
            occurrence: occurrence,
            isOfAlarm: isOfAlarm,
            kept: server,
            lost: here,
            keptReading: reader.view(ofLines: server, of: nil),
            lostReading: reader.view(ofLines: here, of: nil),
            lostSide: "here",
            decidedAt: "2026-11-20T17:05:00Z",
            settledAt: nil
        )
    }

    private static func lines(_ conflict: ConflictView, isRaw: Bool = false) -> [Substring] {
        ConflictFormatter(text: self.text, isRaw: isRaw).paragraph(conflict).rendered(inColor: false).split(
            separator: "\n"
        )
    }

    @Test(
        "each side shows its value as commands show it",
        arguments: [
            ("SUMMARY", "Buy milk, \u{1B}[1mnow", "Buy oat milk", "'Buy milk, \\x1b[1mnow'", "'Buy oat milk'"),
            (
                "DUE", "DUE;TZID=Europe/Berlin:20261201T090000", "DUE;VALUE=DATE:20261202\nDTSTART;VALUE=DATE:20261130",
                "Tue 2026-12-01 08:00, in 11 days", "Wed 2026-12-02, in 12 days, starts 2026-11-30"
            ),
            ("DUE", "", "DUE:20261121T090000Z", "nothing", "Sat 2026-11-21 09:00, tomorrow"),
            (
                "STATUS", "STATUS:COMPLETED\nCOMPLETED:20261120T160000Z\nPERCENT-COMPLETE:100", "STATUS:IN-PROCESS",
                "completed Fri 2026-11-20 16:00, today", "in progress"
            ),
            ("STATUS", "STATUS:CANCELLED", "STATUS:NEEDS-ACTION", "cancelled", "open"),
            // Values with the same description are shown as they are written.
            (
                "STATUS", "STATUS:IN-PROCESS\nPERCENT-COMPLETE:10", "STATUS:IN-PROCESS\nPERCENT-COMPLETE:90",
                "'STATUS:IN-PROCESS\\nPERCENT-COMPLETE:10'", "'STATUS:IN-PROCESS\\nPERCENT-COMPLETE:90'"
            ),
            ("PRIORITY", "1", "9", "high", "low"), ("PRIORITY", "1", "2", "'1'", "'2'"),
            ("DESCRIPTION", "DESCRIPTION:a\\, b", "", "'a, b'", "nothing"),
            ("RRULE", "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO", "every day", "every week on Mon"),
            (
                "X-MOZ-SNOOZE-TIME", "X-MOZ-SNOOZE-TIME:20261121T090000Z\nX-MOZ-LASTACK:20261120T090000Z", "",
                "until Sat 2026-11-21 09:00, tomorrow", "nothing"
            ),
            (
                "X-MOZ-SNOOZE-TIME-1795158000000000", "20261121T090000Z", "20261122T090000Z",
                "Sat 2026-11-21 09:00, tomorrow", "Sun 2026-11-22 09:00, in 2 days"
            ),
            ("LOCATION", "Here; there", "", "'Here; there'", "nothing"),
        ]
    )
    func sides(_ property: String, _ here: String, _ server: String, _ saysHere: String, _ saysServer: String) {
        let conflict = Self.clash(property, here: here, server: server)
        let lines = Self.lines(conflict)
        #expect(lines[0] == "1: \(PropertyDisplayName.word(for: property)) of reminder 2, Buy milk (Home)")
        #expect(lines[1] == "  local    \(saysHere)")
        #expect(lines[2] == "  server   \(saysServer) (kept)")
        #expect(lines[3] == "  decided  Fri 2026-11-20 17:05, today" && lines.count == 4)
        let raw = Self.lines(conflict, isRaw: true)
        #expect(raw[2] == "  server   \(server.isEmpty ? "nothing" : "'\(Sanitizer.line(server))'") (kept)")
        #expect(raw.last == "  property \(property)")
    }

    @Test("an alarm and an occurrence are named")
    func parts() {
        let alarm = Self.clash("TRIGGER", here: "-PT15M", server: "PT0S", isOfAlarm: true)
        #expect(
            Self.lines(alarm)[1...3] == [
                "  local    15 minutes before", "  server   at its time (kept)", "  part     an alarm",
            ]
        )
        let one = Self.clash("SUMMARY", here: "a", server: "b", occurrence: "20261121T090000Z")
        #expect(Self.lines(one)[3] == "  part     the occurrence Sat 2026-11-21 09:00, tomorrow")
        #expect(Self.lines(one, isRaw: true)[3] == "  part     the occurrence 20261121T090000Z")
    }
}

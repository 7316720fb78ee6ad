import RemindavICalendar
import RemindavNotifications
import Testing

@Suite("quiet hours")
struct QuietHoursTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let from: Int
        let to: Int
        let local: String
        let now: String
        let end: String?

        init(_ description: String, _ from: Int, _ to: Int, _ local: String, _ now: String, _ end: String?) {
            self.testDescription = description
            (self.from, self.to) = (from, to)
            (self.local, self.now, self.end) = (local, now, end)
        }
    }

    private static let berlin = "Europe/Berlin"

    static let cases = [
        Case("before they begin", 22, 7, berlin, "20261121T205959Z", nil),
        Case("when they begin", 22, 7, berlin, "20261121T210000Z", "20261122T060000Z"),
        Case("after midnight", 22, 7, berlin, "20261122T030000Z", "20261122T060000Z"),
        Case("in their last second", 22, 7, berlin, "20261122T055959Z", "20261122T060000Z"),
        Case("when they end", 22, 7, berlin, "20261122T060000Z", nil),
        Case("within a day", 12, 14, berlin, "20261121T120000Z", "20261121T130000Z"),
        Case("within a day, at night", 12, 14, berlin, "20261121T230000Z", nil),
        Case("never", 7, 7, berlin, "20261121T060000Z", nil),
        Case("a night with an hour less", 22, 7, berlin, "20260329T000000Z", "20260329T050000Z"),
        Case("a night with an hour more", 22, 7, berlin, "20261025T000000Z", "20261025T060000Z"),
        Case("an end that the clock leaves out", 22, 2, berlin, "20260329T005959Z", "20260329T010000Z"),
        Case("an end shown twice, the first time", 22, 2, berlin, "20261024T235959Z", "20261025T000000Z"),
        Case("an end shown twice, the second time", 22, 2, berlin, "20261025T010000Z", nil),
        Case("over a day that was left out", 22, 7, "Pacific/Apia", "20111230T095900Z", "20111230T170000Z"),
    ]

    @Test("they have a beginning and an end in local time", arguments: cases)
    func table(_ test: Case) {
        let hours = QuietHours(
            from: ClockTime(secondsOfDay: test.from * 3600),
            to: ClockTime(secondsOfDay: test.to * 3600)
        )
        #expect(hours.end(at: at(test.now), zones: zones(test.local))?.wire == test.end)
    }
}

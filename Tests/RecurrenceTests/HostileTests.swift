import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport
import Testing

@Suite("hostile values, rules and zones")
struct HostileTests {
    static let pieces = [
        "FREQ=", "DAILY", "YEARLY", "SECONDLY", ";", ",", "=", "BYDAY=", "MO", "-53SU", "BYMONTHDAY=", "31", "-31",
        "BYSETPOS=",
        "-366", "366", "BYWEEKNO=", "53", "BYYEARDAY=", "UNTIL=", "00010101", "99991231T235959Z", "COUNT=", "INTERVAL=",
        "2147483647", "9223372036854775807", "-9223372036854775808", "BYHOUR=23", "BYSECOND=60", "WKST=SA", "P", "T",
        "W",
        "999999999", "+", "-", "+5730", "é", "\u{0}", "\\", "\\n", "BYMONTH=2", "BYMINUTE=0,59",
    ]

    @Test(
        "no text makes a parser trap, and a parsed value survives a round trip",
        arguments: [1, 2, 3] as [UInt64]
    )
    func readers(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<4000 {
            let count = Int.random(in: 0...8, using: &random)
            let text = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
            _ = RFC3339.parse(text)
            _ = TextValue.split(text)
            #expect(
                TextValue.unescape(TextValue.escape(TextValue.unescape(text))) == Self.visible(TextValue.unescape(text))
            )
            if let value = CalendarDuration(wire: text) { #expect(CalendarDuration(wire: value.wire) == value) }
            if let value = CalendarDateOrDateTime(wire: text, tzid: nil) {
                #expect(CalendarDateOrDateTime(wire: value.wire, tzid: nil) == value)
            }
            if let value = UTCOffset(wire: text) { #expect(UTCOffset(wire: value.wire) == value) }
            if let value = try? RecurrenceRule(wire: text) { #expect(try RecurrenceRule(wire: value.wire) == value) }
        }
    }

    private static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 || $0 == "\n" || $0 == "\t" }))
    }

    @Test(
        "any rule at either end of the calendar terminates",
        arguments: ["00010101T000000", "99991231T235959", "20000229T120000"]
    )
    func ends(start: String) throws {
        var random = SeededGenerator(7)
        let parts = [
            "BYMONTH=1,12", "BYMONTHDAY=1,-1", "BYYEARDAY=-366,1,366", "BYWEEKNO=1,53,-53", "BYDAY=MO,-1SU,53FR",
            "BYHOUR=0,23",
            "BYMINUTE=59", "BYSECOND=0,60", "BYSETPOS=-366,1", "INTERVAL=2147483647", "INTERVAL=7", "COUNT=2147483647",
            "COUNT=2",
            "UNTIL=99991231T235959Z", "UNTIL=00010101", "WKST=SU",
        ]
        for frequency in ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"] {
            for _ in 0..<12 {
                let chosen = parts.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
                guard let rule = try? RecurrenceRule(wire: (["FREQ=\(frequency)"] + chosen).joined(separator: ";"))
                else { continue }
                let set = RecurrenceSet(start: try moment(start, "Europe/Berlin"), rules: [rule], resolver: resolver())
                var last: CalendarDateOrDateTime?
                for next in (try? set.first(3)) ?? [] {
                    #expect(last.map { $0.localSeconds < next.localSeconds } ?? true)
                    last = next
                }
                _ = try? set.next(after: Instant(secondsSince1970: .max))
                _ = try? set.next(after: Instant(secondsSince1970: .min))
            }
        }
    }
}

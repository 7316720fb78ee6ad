import RemindavDatePhrases
import RemindavICalendar
import Testing

@testable import RemindavCLI

@Suite("--from and --to")
struct TimeBoundTests {
    @Test(
        "the phrases of WHEN are understood, and a day without a time stays a day",
        arguments: [
            // Friday, 20 November 2026, 18:05 in Berlin
            ("2026-12-01", "20261201"), ("2026-12-01 9am", "20261201T090000"), ("tomorrow", "20261121"),
            ("friday", "20261127"), ("noon", "20261121T120000"), ("19:00", "20261120T190000"),
            ("20 nov", "20261120"), ("19 nov", "20271119"), ("end of month", "20261130"), ("in 3 days", "20261123"),
            ("in 2 hours", "20261120T190500Z"), ("20261201T080000Z", "20261201T080000Z"),
        ]
    )
    func phrases(text: String, expected: String) throws {
        #expect(try TimeBound(text, option: "--from").moment(now: .test, zone: .berlin).wire == expected)
    }

    @Test(
        "the zone is asked for only where it matters which day it is",
        arguments: [
            ("2026-12-01", false), ("24 dec 2026 9am", false), ("in 2 hours", false), ("20261201", false),
            ("2026-12-01T08:00:00Z", false), ("today", true), ("friday", true), ("24 dec", true), ("9am", true),
        ]
    )
    func zone(text: String, isNeeded: Bool) throws {
        #expect(try TimeBound(text, option: "--to").needsToday == isNeeded)
    }

    @Test("no date is no bound", arguments: ["none", "someday", ""])
    func refused(text: String) {
        #expect(throws: UsageError(.badWhen, "")) { try TimeBound(text, option: "--to") }
    }

    @Test(
        "an error names the option and the unknown word",
        arguments: [
            ("next fryday", "'--to': 'fryday' in 'next fryday' is not understood. Did you mean 'friday'?"),
            ("03/04/2027", "'--to': '03/04/2027' can mean different days: write 2027-04-03 or 2027-03-04."),
            ("none", "'--to' must be a time such as 2026-12-01"),
        ]
    )
    func sentence(text: String, beginning: String) {
        let error = #expect(throws: UsageError.self) { try TimeBound(text, option: "--to") }
        #expect(error?.sentence.hasPrefix(beginning) == true, "\(error?.sentence ?? "")")
    }
}

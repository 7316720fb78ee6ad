import RemindavICalendar
import RemindavRecurrence
import Testing

@Suite("RFC 5545 3.8.5: series of occurrences")
struct RecurrenceSetTests {
    /// A rule, and the first occurrences after a moment.
    struct Case: CustomTestStringConvertible, Sendable {
        let start: String
        let rule: String
        let after: String
        let expected: [String]
        var testDescription: String { "\(self.start) \(self.rule) after \(self.after)" }

        init(_ start: String, _ rule: String, after: String, _ expected: [String]) {
            self.start = start
            self.rule = rule
            self.after = after
            self.expected = expected
        }
    }

    // swift-format-ignore
    static let cases = [
        // Leap days
        Case("20240229", "FREQ=YEARLY", after: "20240229", ["20280229", "20320229"]),
        Case("20240229", "FREQ=YEARLY", after: "20960229", ["21040229"]),
        Case("20240229", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", after: "20240301", ["20440229", "20720229"]),
        Case("20240229", "FREQ=YEARLY;BYYEARDAY=366", after: "20240229", ["20241231", "20281231"]),
        Case("20240229", "FREQ=YEARLY;BYYEARDAY=-366", after: "20240229", ["20280101"]),
        Case("20260101", "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", after: "20260101", []),
        // Ends of months
        Case("20260131", "FREQ=MONTHLY", after: "20260131", ["20260331", "20260531", "20260731", "20260831"]),
        Case("20260131", "FREQ=MONTHLY;BYMONTHDAY=-1", after: "20260131", ["20260228", "20260331", "20260430"]),
        Case("20260131", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", after: "20260131", ["20260228", "20260331"]),
        Case("20260131", "FREQ=MONTHLY;INTERVAL=13;BYDAY=5SA", after: "20260131", ["20320731", "20340930"]),
        // Far from the start, without walking
        Case("19900101T090000", "FREQ=DAILY;INTERVAL=3", after: "20260101T000000", ["20260101T090000", "20260104T090000"]),
        Case("19900101T090000", "FREQ=SECONDLY;INTERVAL=7", after: "20260101T090000", ["20260101T090003"]),
        Case("00010101", "FREQ=WEEKLY;BYDAY=SU", after: "99991220", ["99991226"]),
        // Years of weeks
        Case("20200101", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=FR", after: "20200101", ["20210101", "20270101"]),
        Case("20200101", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO", after: "20230301", ["20240101", "20241230", "20251229"]),
        Case("19971229", "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO", after: "19971229", ["20000103", "20011231"]),
        Case("20200103", "FREQ=YEARLY;BYWEEKNO=-1", after: "20200103", ["20210101", "20211231"]),
        // A plain weekday and one with a number are a union
        Case("20260101", "FREQ=MONTHLY;BYDAY=MO,2TU", after: "20260101", ["20260105", "20260112", "20260113", "20260119"]),
        // BYSETPOS counts the whole first week
        Case("20260107", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2", after: "20260101", ["20260107", "20260114"]),
        Case("20260109", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2", after: "20260101", ["20260114"]),
        // Missing parts come from the start
        Case("20260315", "FREQ=YEARLY;BYMONTHDAY=15", after: "20260315", ["20270315"]),
        Case("20260107T093015", "FREQ=DAILY;BYHOUR=8,9", after: "20260107T093015", ["20260108T083015", "20260108T093015"]),
        // A leap second is the 59th
        Case("20260107T093000", "FREQ=MINUTELY;BYSECOND=0,60", after: "20260107T093000", ["20260107T093059"]),
        // Parts below the unit of a short frequency
        Case("20260107T093000", "FREQ=HOURLY;BYMINUTE=0,30;BYHOUR=9", after: "20260107T093000", ["20260108T090000"]),
        Case("20260107T090000", "FREQ=MINUTELY;BYMINUTE=6,18", after: "20260107T090000", ["20260107T090600"]),
        Case("20260107T090000", "FREQ=SECONDLY;BYMONTH=12;BYHOUR=23;BYMINUTE=59;BYSECOND=59", after: "20260107T090000",
             ["20261201T235959", "20261202T235959"]),
        // SKIP moves a date to the day on which the search begins
        Case("20140131T090000", "FREQ=MONTHLY;SKIP=FORWARD", after: "20140301T080000", ["20140301T090000", "20140331T090000"]),
        Case("20141231T090000", "FREQ=YEARLY;BYYEARDAY=366;SKIP=FORWARD", after: "20150101T000000", ["20150101T090000", "20160101T090000"]),
        Case("20150101T090000", "FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=BACKWARD", after: "20150131T080000", ["20150131T090000", "20150301T090000"]),
        // UNTIL in each form
        Case("20260107T090000", "FREQ=DAILY;UNTIL=20260109", after: "20260107T090000", ["20260108T090000", "20260109T090000"]),
        Case("20260107T090000", "FREQ=DAILY;UNTIL=20260109T080000Z", after: "20260108T090000", ["20260109T090000"]),
        Case("20260107T090000", "FREQ=DAILY;UNTIL=20260109T075959Z", after: "20260108T090000", []),
        Case("20260107T090000", "FREQ=DAILY;UNTIL=20260109T085959", after: "20260108T090000", []),
        Case("20260107", "FREQ=DAILY;UNTIL=20260109T000000Z", after: "20260107", ["20260108", "20260109"]),
        // COUNT
        Case("20260107", "FREQ=DAILY;COUNT=3", after: "20260107", ["20260108", "20260109"]),
        Case("20260107", "FREQ=DAILY;COUNT=2000000000", after: "20300101", ["20300102"]),
        Case("20260107T090000", "FREQ=SECONDLY;COUNT=2147483647;BYSECOND=0;BYDAY=MO", after: "99981129T120000", ["99981130T000000"]),
        Case("20260107T090000", "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10;COUNT=2192", after: "20270107T090000", ["20270107T092000"]),
        Case("20260107T090000", "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10;COUNT=2192", after: "20270107T092000", []),
        Case("20260107", "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3", after: "20260112", ["20260114"]),
        Case("20260107", "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3", after: "20260114", []),
        // A start that does not match the rule is no occurrence and is not counted
        Case("20260108", "FREQ=WEEKLY;BYDAY=MO;COUNT=2", after: "20260101", ["20260112", "20260119"]),
    ]

    @Test("the occurrences after a moment are known", arguments: cases)
    func next(_ test: Case) throws {
        let set = try series(test.start, test.rule, tzid: "Europe/Berlin")
        var after = try moment(test.after, "Europe/Berlin")
        for expected in test.expected {
            let next = try set.next(after: after)
            #expect(next?.wire == expected)
            guard let next else { return }
            after = next
        }
        if test.expected.isEmpty { #expect(try set.next(after: after) == nil) }
    }

    @Test("dates are added, exceptions removed, and a day excludes the whole day")
    func datesAndExceptions() throws {
        let start = try moment("20260105T090000", "Europe/Berlin")
        let set = RecurrenceSet(
            start: start,
            rules: [try RecurrenceRule(wire: "FREQ=DAILY;COUNT=6")],
            dates: [
                try moment("20260106T120000", "Europe/Berlin"), try moment("20260107T080000Z"), try moment("20260120"),
            ],
            exceptions: [
                try moment("20260106T090000", "Europe/Berlin"), try moment("20260108"), try moment("20260109T080000Z"),
            ],
            resolver: resolver()
        )
        let expected = ["20260105T090000", "20260106T120000", "20260107T090000", "20260110T090000", "20260120T090000"]
        #expect(try set.first(10).map(\.wire) == expected)
    }

    @Test("without rules the start is an occurrence beside the dates")
    func datesOnly() throws {
        let set = RecurrenceSet(
            start: try moment("20260105"),
            rules: [],
            dates: [try moment("20260103"), try moment("20260105"), try moment("20260107T120000Z")],
            exceptions: [],
            resolver: resolver()
        )
        #expect(try set.first(5).map(\.wire) == ["20260103", "20260105", "20260107"])
    }

    @Test("several rules are one series without duplicates")
    func severalRules() throws {
        let set = RecurrenceSet(
            start: try moment("20260105"),
            rules: [
                try RecurrenceRule(wire: "FREQ=WEEKLY;COUNT=3"),
                try RecurrenceRule(wire: "FREQ=DAILY;INTERVAL=7;COUNT=4"),
            ],
            resolver: resolver()
        )
        #expect(try set.first(9).map(\.wire) == ["20260105", "20260112", "20260119", "20260126"])
    }

    @Test("a daily time keeps its local time when the clocks change")
    func wallClock() throws {
        let set = try series("20260328T090000", "FREQ=DAILY", tzid: "Europe/Berlin")
        let moments = try set.first(3).compactMap { resolver().instant(of: $0)?.wire }
        #expect(moments == ["20260328T080000Z", "20260329T070000Z", "20260330T070000Z"])
    }

    @Test("the search after a moment is correct in skipped and repeated hours")
    func afterInstant() throws {
        let gap = try series("20260301T023000", "FREQ=DAILY", tzid: "Europe/Berlin")
        // 02:30 does not exist on 29 March and counts as 03:30, 01:30 UTC.
        let shortlyBefore = try #require(Instant(wire: "20260329T011000Z"))
        #expect(try gap.next(after: shortlyBefore)?.wire == "20260329T023000")
        let atIt = try #require(Instant(wire: "20260329T013000Z"))
        #expect(try gap.next(after: atIt)?.wire == "20260330T023000")
        // 02:30 is repeated on 25 October; the first one counts, 00:30 UTC, so that 01:15 UTC is after it.
        let second = try #require(Instant(wire: "20261025T011500Z"))
        #expect(try gap.next(after: second)?.wire == "20261026T023000")
    }

    @Test("UNTIL in UTC with an unknown zone is refused")
    func unknownZone() throws {
        let set = try series("20260105T090000", "FREQ=DAILY;UNTIL=20260109T080000Z", tzid: "Nowhere/Special")
        #expect(throws: RecurrenceError.unknownZone) { try set.first(1) }
        let open = try series("20260105T090000", "FREQ=DAILY", tzid: "Nowhere/Special")
        #expect(try open.first(2).map(\.wire) == ["20260105T090000", "20260106T090000"])
    }

    static let hostile = [
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MINUTELY;BYMONTH=1;BYYEARDAY=366",
        "FREQ=MONTHLY;BYDAY=1TH;BYSETPOS=2",
        "FREQ=DAILY;INTERVAL=2147483647",
        "FREQ=SECONDLY;INTERVAL=7200;BYMINUTE=30",
        "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
        "FREQ=YEARLY;INTERVAL=2147483647;BYWEEKNO=1",
    ]

    @Test("a rule without a match ends soon, with no result or with an error", arguments: hostile)
    func hostileRules(_ rule: String) throws {
        let set = try series("20260105T090000", rule)
        let took = ContinuousClock().measure {
            do {
                let next = try set.next(after: .date(CalendarDate(dayNumber: CalendarDate.lastDayNumber - 400)))
                #expect(next == nil)
            } catch {
                #expect((error as? RecurrenceError) == .budgetExceeded)
            }
        }
        // This limit is for a debug build on a busy machine; a release build needs a fiftieth.
        #expect(took < .seconds(3))
    }

    /// A start, a rule, and the first occurrences if the start always counts.
    static let countedStarts = [
        ("20260107", "FREQ=WEEKLY;BYDAY=MO;COUNT=3", ["20260107", "20260112", "20260119"]),
        ("20260112", "FREQ=WEEKLY;BYDAY=MO;COUNT=3", ["20260112", "20260119", "20260126"]),
        ("20260107", "FREQ=WEEKLY;BYDAY=MO;COUNT=1", ["20260107"]),
        ("20260107", "FREQ=WEEKLY;BYDAY=MO;UNTIL=20260112", ["20260107", "20260112"]),
        ("20260107T090000", "FREQ=DAILY;BYHOUR=8;COUNT=2", ["20260107T090000", "20260108T080000"]),
    ]

    @Test("3.3.10: if DTSTART always counts, it is the first that COUNT counts", arguments: countedStarts)
    func countedStart(start: String, rule: String, expected: [String]) throws {
        let moment = try #require(CalendarDateOrDateTime(wire: start, tzid: nil))
        let set = RecurrenceSet(
            start: moment,
            rules: [try RecurrenceRule(wire: rule)],
            countsStart: true,
            resolver: resolver()
        )
        #expect(try set.first(4).map(\.wire) == expected)
        for (index, wire) in expected.enumerated() {
            let occurrence = try #require(CalendarDateOrDateTime(wire: wire, tzid: nil))
            #expect(try set.contains(occurrence))
            #expect(try set.count(before: occurrence, limit: 10) == index)
            #expect(try set.count(before: occurrence, limit: 1) == min(index, 1))
        }
        #expect(try !set.contains(.date(CalendarDate(dayNumber: moment.day.dayNumber + 3))))
    }
}

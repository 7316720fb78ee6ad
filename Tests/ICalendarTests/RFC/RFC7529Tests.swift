import RemindavICalendar
import Testing

@Suite("RFC 7529 4.3: the examples of RSCALE, as text; their dates are in Fixtures/rrule/rfc7529.txt")
struct RFC7529Tests {
    /// The rule of an example.
    private static func rule(
        _ frequency: RecurrenceRule.Frequency,
        _ rscale: String?,
        _ skip: RecurrenceRule.Skip = .omit,
        months: [Int] = [],
        leapMonths: [Int] = [],
        monthDays: [Int] = []
    ) -> PropertyValue {
        var rule = RecurrenceRule(frequency: frequency)
        rule.rscale = rscale
        rule.skip = skip
        rule.byMonth = months
        rule.byLeapMonth = leapMonths
        rule.byMonthDay = monthDays
        return .recur(rule)
    }

    // swift-format-ignore
    static let examples: [Example] = [
        Example("4.3.1", "DTSTART;VALUE=DATE:20130210", .date, .date(Example.day(2013, 2, 10))),
        Example("4.3.1", "RRULE:RSCALE=CHINESE;FREQ=YEARLY", .recur, rule(.yearly, "CHINESE")),
        Example("4.3.1", "SUMMARY:Chinese New Year", "Chinese New Year"),
        Example("4.3.2", "DTSTART;VALUE=DATE:20130906", .date, .date(Example.day(2013, 9, 6))),
        Example("4.3.2", "RRULE:RSCALE=ETHIOPIC;FREQ=MONTHLY;BYMONTH=13", .recur, rule(.monthly, "ETHIOPIC", months: [13])),
        Example("4.3.2", "SUMMARY:First day of 13th month", "First day of 13th month"),
        Example("4.3.3", "DTSTART;VALUE=DATE:20140208", .date, .date(Example.day(2014, 2, 8))),
        Example("4.3.3", "RRULE:RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD", .recur, rule(.yearly, "HEBREW", .forward, leapMonths: [5], monthDays: [8])),
        Example("4.3.3", "SUMMARY:Anniversary", "Anniversary"),
        Example("4.3.4", "DTSTART;VALUE=DATE:20120229", .date, .date(Example.day(2012, 2, 29))),
        Example("4.3.4", "RRULE:FREQ=YEARLY", .recur, rule(.yearly, nil)),
        Example("4.3.4", "RRULE:RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD", .recur, rule(.yearly, "GREGORIAN", .forward)),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }

    @Test("the RSCALE part of a rule is kept for an unknown calendar")
    func calendars() throws {
        let rules = try Self.examples.flatMap { example in
            try example.values.compactMap { value -> (Bool, String)? in
                guard case .recur(let rule) = value else { return nil }
                return (rule.isGregorian, try RecurrenceRule(wire: rule.wire).wire)
            }
        }
        #expect(rules.map(\.0) == [false, false, false, true, true])
        #expect(
            rules.map(\.1) == [
                "RSCALE=CHINESE;FREQ=YEARLY", "RSCALE=ETHIOPIC;FREQ=MONTHLY;BYMONTH=13",
                "RSCALE=HEBREW;FREQ=YEARLY;BYMONTHDAY=8;BYMONTH=5L;SKIP=FORWARD", "FREQ=YEARLY",
                "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD",
            ]
        )
    }
}

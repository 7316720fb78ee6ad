import RemindavICalendar
import Testing

@Suite("RFC 5545 3.3.6, 3.3.14, 3.8.6.3: durations, offsets, triggers")
struct DurationTests {
    /// The text of a value, its meaning, and its canonical form.
    static let durations: [(wire: String, days: Int, seconds: Int, canonical: String)] = [
        ("P15DT5H0M20S", 15, 18020, "P15DT5H0M20S"),
        ("P7W", 49, 0, "P7W"),
        ("P14D", 14, 0, "P2W"),
        ("-PT15M", 0, -900, "-PT15M"),
        ("+PT15M", 0, 900, "PT15M"),
        ("PT0S", 0, 0, "PT0S"),
        ("-P0D", 0, 0, "PT0S"),
        ("PT90M", 0, 5400, "PT1H30M"),
        ("PT24H", 0, 86400, "PT24H"),
        ("P1D", 1, 0, "P1D"),
        ("PT1H30S", 0, 3630, "PT1H0M30S"),
        ("pt1h", 0, 3600, "PT1H"),
        ("P1W2DT3H", 9, 10800, "P9DT3H"),
        ("P", 0, 0, "PT0S"),
        ("PT", 0, 0, "PT0S"),
        ("-T15M", 0, -900, "-PT15M"),
        ("-15M", 0, -900, "-PT15M"),
        ("1D", 1, 0, "P1D"),
        ("P999999999W", 3_700_000, 0, "P3700000D"),
    ]

    @Test("days and seconds are stored separately and written in one form", arguments: durations)
    func read(_ test: (wire: String, days: Int, seconds: Int, canonical: String)) throws {
        let duration = try #require(CalendarDuration(wire: test.wire))
        #expect(duration.days == test.days)
        #expect(duration.seconds == test.seconds)
        #expect(duration.wire == test.canonical)
        #expect(CalendarDuration(wire: duration.wire) == duration)
    }

    static let refused = [
        "", "-", "15", "P15", "PT15", "P1Y", "P15M", "PT1D", "PT1M1H", "P1D1D", "P9999999999D", "P-1D", "P1.5D",
        "PTT1H", "soon",
    ]

    @Test("an invalid duration is refused", arguments: refused)
    func refuse(_ wire: String) {
        #expect(CalendarDuration(wire: wire) == nil)
    }

    @Test("mixed signs become exact time without overflow")
    func bounds() {
        #expect(CalendarDuration(days: 1, seconds: -3600).wire == "PT23H")
        #expect(CalendarDuration(days: .min, seconds: .min).days == -CalendarDuration.maximumDays)
    }

    static let offsets: [(wire: String, seconds: Int?, canonical: String?)] = [
        ("+0100", 3600, "+0100"),
        ("-0500", -18000, "-0500"),
        ("+053000", 19800, "+0530"),
        ("+005328", 3208, "+005328"),
        ("+5730", 3450, "+005730"),
        ("+5328", 3208, "+005328"),
        ("0200", 7200, "+0200"),
        ("-0000", 0, "+0000"),
        ("+1400", 50400, "+1400"),
        ("+01:00", nil, nil),
        ("+240000", nil, nil),
        ("+0160", nil, nil),
        ("+01", nil, nil),
        ("+9999", nil, nil),
        ("", nil, nil),
    ]

    @Test("an offset is parsed, also without hours", arguments: offsets)
    func offset(_ test: (wire: String, seconds: Int?, canonical: String?)) {
        #expect(UTCOffset(wire: test.wire)?.seconds == test.seconds)
        #expect(UTCOffset(wire: test.wire)?.wire == test.canonical)
    }

    @Test("a trigger is relative or absolute by its form")
    func triggers() throws {
        let moment = try #require(Instant(wire: "19760401T005545Z"))
        #expect(Trigger(wire: "-PT15M", related: nil) == .relative(CalendarDuration(seconds: -900), to: .start))
        #expect(Trigger(wire: "PT0S", related: "end") == .relative(.zero, to: .end))
        #expect(Trigger(wire: "-15M", related: "OTHER") == .relative(CalendarDuration(seconds: -900), to: .start))
        #expect(Trigger(wire: "19760401T005545Z", related: nil) == .absolute(moment))
        #expect(Trigger(wire: "19760401T005545", related: nil) == .absolute(moment))
        #expect(Trigger(wire: "tomorrow", related: nil) == nil)
        #expect(Trigger.absolute(moment).wire == "19760401T005545Z")
    }
}

@Suite("RFC 5545 3.3.8, 3.3.11: integers and texts")
struct TextTests {
    static let texts: [(raw: String, text: String, canonical: String)] = [
        (#"Milk\, eggs\; bread"#, "Milk, eggs; bread", #"Milk\, eggs\; bread"#),
        (#"one\ntwo\Nthree"#, "one\ntwo\nthree", #"one\ntwo\nthree"#),
        (#"back\\slash\\n"#, #"back\slash\n"#, #"back\\slash\\n"#),
        (#"say \"hi\" at 9\:00"#, #"say "hi" at 9:00"#, #"say "hi" at 9:00"#),
        (#"C:\temp"#, #"C:\temp"#, #"C:\\temp"#),
        (#"end\"#, #"end\"#, #"end\\"#),
        ("Ärger, 🎉", "Ärger, 🎉", #"Ärger\, 🎉"#),
        ("", "", ""),
    ]

    @Test("escapes are read and written", arguments: texts)
    func escapes(_ test: (raw: String, text: String, canonical: String)) {
        #expect(TextValue.unescape(test.raw) == test.text)
        #expect(TextValue.escape(test.text) == test.canonical)
        #expect(TextValue.unescape(TextValue.escape(test.text)) == test.text)
    }

    @Test("all line ends become one form, and control characters are removed")
    func controls() {
        #expect(TextValue.escape("a\r\nb\rc\nd\te\u{0}\u{7}\u{7F}f\n\r\n") == #"a\nb\nc\nd"# + "\te" + #"f\n\n"#)
    }

    static let lists: [(raw: String, texts: [String])] = [
        (#"Travel\, abroad,Home"#, ["Travel, abroad", "Home"]),
        (#"a\\,b"#, [#"a\"#, "b"]),
        ("a,,b", ["a", "", "b"]),
        ("", [""]),
        (#"a\"#, [#"a\"#]),
    ]

    @Test("a list is split only at commas without a backslash", arguments: lists)
    func split(_ test: (raw: String, texts: [String])) {
        #expect(TextValue.split(test.raw) == test.texts)
        #expect(TextValue.split(TextValue.join(test.texts)) == test.texts)
    }

    @Test("an integer has 32 bits")
    func integers() {
        #expect(IntegerValue.parse("+01") == 1)
        #expect(IntegerValue.parse("-2147483648") == -2_147_483_648)
        for wire in ["2147483648", "", "+", "1.0", "1 ", String(repeating: "9", count: 100_000)] {
            #expect(IntegerValue.parse(wire) == nil)
        }
    }
}

@Suite("RFC 5545 3.3.10: the text of a rule")
struct RecurrenceRuleTests {
    static let rules: [(wire: String, canonical: String)] = [
        ("FREQ=DAILY", "FREQ=DAILY"),
        ("freq=weekly;byday=tu,mo;interval=1;wkst=mo", "FREQ=WEEKLY;BYDAY=MO,TU"),
        ("FREQ=MONTHLY; BYDAY = -1FR, +2MO ;", "FREQ=MONTHLY;BYDAY=2MO,-1FR"),
        ("BYMONTHDAY=-1,15,1,15;FREQ=MONTHLY;COUNT=05", "FREQ=MONTHLY;COUNT=5;BYMONTHDAY=1,15,-1"),
        ("FREQ=YEARLY;rscale=gregorian;SKIP=OMIT;X-A=b", "RSCALE=GREGORIAN;FREQ=YEARLY;X-A=b"),
        ("FREQ=MONTHLY;BYMONTHDAY=31;SKIP=backward", "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD"),
        (
            "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L,13;BYMONTHDAY=8;SKIP=FORWARD",
            "RSCALE=HEBREW;FREQ=YEARLY;BYMONTHDAY=8;BYMONTH=13,5L;SKIP=FORWARD"
        ),
        ("FREQ=DAILY;UNTIL=20261231;COUNT=3", "FREQ=DAILY;UNTIL=20261231;COUNT=3"),
        ("FREQ=DAILY;UNTIL=20261231T090000Z", "FREQ=DAILY;UNTIL=20261231T090000Z"),
        ("FREQ=DAILY;UNTIL=20261231T090000", "FREQ=DAILY;UNTIL=20261231T090000"),
        (
            "FREQ=YEARLY;BYSETPOS=-1;BYWEEKNO=20;BYYEARDAY=-366;BYHOUR=9;BYMINUTE=0;BYSECOND=60;BYMONTH=2;WKST=SU",
            "FREQ=YEARLY;BYSECOND=60;BYMINUTE=0;BYHOUR=9;BYYEARDAY=-366;BYWEEKNO=20;BYMONTH=2;BYSETPOS=-1;WKST=SU"
        ),
    ]

    @Test("a rule has one canonical form and equals a rule with the same meaning", arguments: rules)
    func canonical(_ test: (wire: String, canonical: String)) throws {
        let rule = try RecurrenceRule(wire: test.wire)
        #expect(rule.wire == test.canonical)
        #expect(try RecurrenceRule(wire: rule.wire) == rule)
    }

    static let refused: [(wire: String, code: ValueError.Code)] = [
        ("", .missingFrequency),
        ("COUNT=3", .missingFrequency),
        ("FREQ=FORTNIGHTLY", .unknownFrequency),
        ("FREQ=DAILY;COUNT", .malformedPart),
        ("=1;FREQ=DAILY", .malformedPart),
        ("FREQ=DAILY;INTERVAL=0", .numberOutOfRange),
        ("FREQ=DAILY;COUNT=0", .numberOutOfRange),
        ("FREQ=DAILY;COUNT=-1", .numberOutOfRange),
        ("FREQ=DAILY;COUNT=99999999999999999999", .numberOutOfRange),
        ("FREQ=DAILY;COUNT=many", .invalidNumber),
        ("FREQ=DAILY;FREQ=WEEKLY", .duplicatePart),
        ("FREQ=MONTHLY;BYMONTHDAY=32", .numberOutOfRange),
        ("FREQ=MONTHLY;BYMONTHDAY=0", .numberOutOfRange),
        ("FREQ=YEARLY;BYMONTH=-1", .numberOutOfRange),
        ("FREQ=YEARLY;BYMONTH=", .invalidNumber),
        ("FREQ=YEARLY;BYMONTH=L", .invalidNumber),
        ("FREQ=YEARLY;BYMONTH=13", .numberOutOfRange),
        ("RSCALE=;FREQ=YEARLY", .malformedPart),
        ("RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=AWAY", .unknownSkip),
        ("FREQ=MONTHLY;BYDAY=54MO", .numberOutOfRange),
        ("FREQ=MONTHLY;BYDAY=0MO", .numberOutOfRange),
        ("FREQ=MONTHLY;BYDAY=XX", .invalidWeekday),
        ("FREQ=MONTHLY;BYDAY=-2147483648MO", .numberOutOfRange),
        ("FREQ=DAILY;WKST=1MO", .invalidWeekday),
        ("FREQ=\u{0}DAILY", .unknownFrequency),
        ("FREQ=DAILY;WKST=\u{0}MO", .invalidWeekday),
        ("\u{0}FREQ=DAILY", .missingFrequency),
        ("FREQ=DAILY;UNTIL=tomorrow", .invalidDate),
        ("FREQ=DAILY;BYHOUR=" + String(repeating: "1,", count: 1000) + "1", .listTooLong),
        ("FREQ=DAILY;X=" + String(repeating: "1", count: 20_000), .tooLong),
    ]

    @Test("a rule with an invalid part is refused with the reason", arguments: refused)
    func refuse(_ test: (wire: String, code: ValueError.Code)) {
        let error = #expect(throws: ValueError.self) { try RecurrenceRule(wire: test.wire) }
        #expect(error?.code == test.code)
    }

    @Test("an error names the part and is a sentence")
    func sentence() {
        let error = #expect(throws: ValueError.self) { try RecurrenceRule(wire: "FREQ=DAILY;INTERVAL=0") }
        #expect(error?.description == "INTERVAL: a number is outside the range of its part")
    }
}

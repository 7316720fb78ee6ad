import RemindavICalendar
import RemindavJSON
import Testing

@testable import RemindavTaskFormats

@Suite("values of other programs: repetitions, dates and texts")
struct ForeignValueTests {
    @Test(
        "Taskwarrior's lengths of time (taskwarrior.org/docs/durations)",
        arguments: [
            ("daily", "FREQ=DAILY"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("biweekly", "FREQ=WEEKLY;INTERVAL=2"),
            ("fortnight", "FREQ=WEEKLY;INTERVAL=2"), ("monthly", "FREQ=MONTHLY"),
            ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
            ("semiannual", "FREQ=MONTHLY;INTERVAL=6"), ("annual", "FREQ=YEARLY"),
            ("biyearly", "FREQ=YEARLY;INTERVAL=2"),
            ("3days", "FREQ=DAILY;INTERVAL=3"), ("3 days", "FREQ=DAILY;INTERVAL=3"), ("2wks", "FREQ=WEEKLY;INTERVAL=2"),
            ("2q", "FREQ=MONTHLY;INTERVAL=6"), ("day", "FREQ=DAILY"), ("4h", "FREQ=HOURLY;INTERVAL=4"),
            ("P1M", "FREQ=MONTHLY"), ("P2W", "FREQ=WEEKLY;INTERVAL=2"), ("PT12H", "FREQ=HOURLY;INTERVAL=12"),
            ("PT5M", "FREQ=MINUTELY;INTERVAL=5"), ("P1Y2M", nil), ("whenever", nil), ("0days", nil), ("", nil),
            ("99999999999999999999d", nil), ("P", nil), ("-3d", nil),
        ] as [(String, String?)]
    )
    func taskwarrior(text: String, rule: String?) {
        #expect(TaskwarriorRecurrence.rule(text)?.wire == rule)
    }

    private static func object(_ text: String) throws -> JSONObject {
        try #require(try JSONValue(parsing: Array(text.utf8)).object)
    }

    @Test(
        "Microsoft's six patterns and three ranges (recurrencePattern, recurrenceRange)",
        arguments: [
            (#"{"type":"daily","interval":3}"#, #"{"type":"noEnd"}"#, "FREQ=DAILY;INTERVAL=3"),
            (
                #"{"type":"weekly","interval":1,"daysOfWeek":["monday","thursday"],"firstDayOfWeek":"sunday"}"#,
                #"{"type":"numbered","numberOfOccurrences":4}"#, "FREQ=WEEKLY;COUNT=4;BYDAY=MO,TH"
            ),
            (
                #"{"type":"weekly","interval":2,"daysOfWeek":["monday"],"firstDayOfWeek":"sunday"}"#,
                #"{"type":"endDate","endDate":"2027-01-31"}"#, "FREQ=WEEKLY;UNTIL=20270131;INTERVAL=2;BYDAY=MO;WKST=SU"
            ),
            (#"{"type":"absoluteMonthly","interval":1,"dayOfMonth":31}"#, "{}", "FREQ=MONTHLY;BYMONTHDAY=31"),
            (
                #"{"type":"relativeMonthly","interval":1,"daysOfWeek":["tuesday"],"index":"second"}"#, "{}",
                "FREQ=MONTHLY;BYDAY=2TU"
            ),
            (
                #"{"type":"relativeMonthly","interval":1,"daysOfWeek":["saturday","sunday"],"index":"last"}"#, "{}",
                "FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=-1"
            ),
            (
                #"{"type":"absoluteYearly","interval":1,"dayOfMonth":24,"month":12}"#, "{}",
                "FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=12"
            ),
            (
                #"{"type":"relativeYearly","interval":1,"daysOfWeek":["sunday"],"index":"last","month":3}"#, "{}",
                "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"
            ),
            (#"{"type":"absoluteMonthly","interval":1}"#, "{}", nil),
            (#"{"type":"absoluteMonthly","interval":1,"dayOfMonth":32}"#, "{}", nil),
            (#"{"type":"lunar","interval":1}"#, "{}", nil), (#"{"type":"daily","interval":0}"#, "{}", nil),
            (#"{"type":"daily","interval":1}"#, #"{"type":"endDate","endDate":"soon"}"#, nil), ("{}", "{}", nil),
        ] as [(String, String, String?)]
    )
    func microsoft(pattern: String, range: String, rule: String?) throws {
        let object = try Self.object(#"{"pattern":\#(pattern),"range":\#(range)}"#)
        #expect(MicrosoftRecurrence.rule(object)?.wire == rule)
    }

    @Test(
        "the order of day and month is derived from all dates of a file",
        arguments: [
            (["1/2/2026", "12/24/2026"], "2026-01-02", nil), (["1/2/2026", "24/12/2026"], "2026-02-01", nil),
            (["1.2.2026"], "2026-02-01", nil), (["2026-01-02"], "2026-01-02", nil),
            (["3/3/2026", "1/2/2026"], nil, 2), (["1/2/2026"], nil, 1), (["3/3/2026"], "2026-03-03", nil),
            (["1/2/2026", "13/13/2026"], nil, 1), (["1/2/2026", "30/2/2026"], nil, 1), (["1/2/2026", "n.a."], nil, 1),
            (["1/2/2026", "13/1/2026", "1/13/2026"], nil, 3), (["1/2/26", "24/12/26"], "2026-02-01", nil),
            (["x"], nil, nil),
        ] as [([String], String?, Int?)]
    )
    func dateOrder(texts: [String], first: String?, ambiguousLine: Int?) {
        switch DateOrder.finding(texts.enumerated().map { (line: $0.offset + 1, text: $0.element) }) {
        case .order(let order):
            #expect(order.date(texts[0])?.description == first)
            #expect(ambiguousLine == nil)
        case .ambiguous(let line): #expect(line == ambiguousLine)
        }
    }

    @Test(
        "words that begin with @ are Todoist's labels",
        arguments: [
            ("Buy milk @shop @home", "Buy milk", ["shop", "home"]),
            ("Mail ada@example.org", "Mail ada@example.org", []),
            ("@waiting", "@waiting", []), ("  two \n lines ", "two   lines", []), ("a @ b", "a @ b", []), ("", nil, []),
        ] as [(String, String?, [String])]
    )
    func todoistLabels(text: String, title: String?, labels: [String]) {
        let content = TodoistContent(text)
        #expect(content.title == title)
        #expect(content.labels == labels)
    }

    @Test(
        "a text with HTML is converted to its visible text",
        arguments: [
            ("<p>a</p><p>b &lt;c&gt; &amp;amp;</p>", "a\nb <c> &amp;"), ("plain", "plain"), ("a<br>b", "a\nb"),
            ("<unclosed", ""), ("x <b", "x"),
        ]
    )
    func html(text: String, expected: String) {
        #expect(HTMLText.plain(text) == expected)
    }
}

import RemindavJSON
import RemindavTestSupport
import Testing

@testable import RemindavICalendar

@Suite("jCal (RFC 7265)")
struct JCalTests {
    private func jCal(_ text: String) -> String {
        var bytes: [UInt8] = []
        ICalendarDocument(text).writeJCal { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the JSON of a property, from a component with only this property.
    private func property(_ line: String) -> String {
        let text = self.jCal("BEGIN:X\r\n\(line)\r\nEND:X\r\n")
        #expect(text.hasPrefix(#"["x", ["#))
        #expect(text.hasSuffix("], []]\n"))
        return String(text.dropFirst(7).dropLast(7))
    }

    static let properties: [(line: String, expected: String)] = [
        // 3.4: a name and a type in small letters, parameters, a value.
        ("SUMMARY:Meeting with Fred", #"["summary", {}, "text", "Meeting with Fred"]"#),
        ("summary:a\\, b\\; c\\nd\\\\", #"["summary", {}, "text", "a, b; c\nd\\"]"#),
        // 3.4.1.2: several values.
        ("CATEGORIES:Meetings,Work", #"["categories", {}, "text", "Meetings", "Work"]"#),
        ("CATEGORIES:Travel\\, abroad,Home", #"["categories", {}, "text", "Travel, abroad", "Home"]"#),
        ("EXDATE;VALUE=DATE:20260101,20260102", #"["exdate", {}, "date", "2026-01-01", "2026-01-02"]"#),
        // 3.4.1.3: parts of one value.
        ("GEO:37.386013;-122.082932", #"["geo", {}, "float", [37.386013, -122.082932]]"#),
        ("REQUEST-STATUS:2.0;Success", #"["request-status", {}, "text", ["2.0", "Success"]]"#),
        (
            "REQUEST-STATUS:3.7;Invalid calendar user;ATTENDEE:mailto:jsmith@example.org",
            #"["request-status", {}, "text", ["3.7", "Invalid calendar user", "ATTENDEE:mailto:jsmith@example.org"]]"#
        ),
        // 3.5: parameters; VALUE is the type.
        (
            "ATTENDEE;PARTSTAT=ACCEPTED;RSVP=TRUE;ROLE=REQ-PARTICIPANT:mailto:jsmith@example.org",
            #"["attendee", {"partstat": "ACCEPTED", "rsvp": "TRUE", "role": "REQ-PARTICIPANT"}, "cal-address", "#
                + #""mailto:jsmith@example.org"]"#
        ),
        (
            #"ATTENDEE;DELEGATED-TO="mailto:jdoe@example.com","mailto:jqpublic@example.com":mailto:jsmith@example.com"#,
            #"["attendee", {"delegated-to": ["mailto:jdoe@example.com", "mailto:jqpublic@example.com"]}, "#
                + #""cal-address", "mailto:jsmith@example.com"]"#
        ),
        ("DTSTART;X-SLACK=30.3;VALUE=DATE:20110512", #"["dtstart", {"x-slack": "30.3"}, "date", "2011-05-12"]"#),
        (
            "X-COMPLAINT-DEADLINE;VALUE=DATE-TIME:20110512T120000Z",
            #"["x-complaint-deadline", {}, "date-time", "2011-05-12T12:00:00Z"]"#
        ),
        ("LOCATION;X-NOTE=a^nb^'c^^:x", #"["location", {"x-note": "a\nb\"c^"}, "text", "x"]"#),
        // 3.6: each type.
        (
            "ATTACH;ENCODING=BASE64;VALUE=BINARY:SGVsbG8gV29ybGQh",
            #"["attach", {}, "binary", "SGVsbG8gV29ybGQh"]"#
        ),
        ("X-NON-SMOKING;VALUE=BOOLEAN:TRUE", #"["x-non-smoking", {}, "boolean", true]"#),
        ("ATTENDEE:mailto:kewisch@example.com", #"["attendee", {}, "cal-address", "mailto:kewisch@example.com"]"#),
        ("DTSTART;VALUE=DATE:20110517", #"["dtstart", {}, "date", "2011-05-17"]"#),
        ("DTSTART:20121017T120000", #"["dtstart", {}, "date-time", "2012-10-17T12:00:00"]"#),
        ("DTSTAMP:20121117T120000Z", #"["dtstamp", {}, "date-time", "2012-11-17T12:00:00Z"]"#),
        (
            "DTEND;TZID=Europe/Berlin:20111217T130000",
            #"["dtend", {"tzid": "Europe/Berlin"}, "date-time", "2011-12-17T13:00:00"]"#
        ),
        ("DURATION:P1D", #"["duration", {}, "duration", "P1D"]"#),
        ("X-GRADE;VALUE=FLOAT:1.3", #"["x-grade", {}, "float", 1.3]"#),
        ("PERCENT-COMPLETE:42", #"["percent-complete", {}, "integer", 42]"#),
        (
            "FREEBUSY;FBTYPE=FREE:19970308T160000Z/P1D",
            #"["freebusy", {"fbtype": "FREE"}, "period", ["1997-03-08T16:00:00Z", "P1D"]]"#
        ),
        (
            "FREEBUSY:19970308T160000Z/19970308T160001Z",
            #"["freebusy", {}, "period", ["1997-03-08T16:00:00Z", "1997-03-08T16:00:01Z"]]"#
        ),
        (
            "RRULE:FREQ=YEARLY;COUNT=5;BYDAY=-1SU,2MO;BYMONTH=10",
            #"["rrule", {}, "recur", {"freq": "YEARLY", "count": 5, "byday": ["-1SU", "2MO"], "bymonth": 10}]"#
        ),
        (
            "RRULE:FREQ=DAILY;X-A=1;X-B=2;x-a=3",
            #"["rrule", {}, "recur", {"freq": "DAILY", "x-a": ["1", "3"], "x-b": "2"}]"#
        ),
        (
            "RRULE:FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1,15,-1;UNTIL=20131001",
            #"["rrule", {}, "recur", {"freq": "MONTHLY", "until": "2013-10-01", "interval": 2, "bymonthday": [1, 15, -1]}]"#
        ),
        ("COMMENT:hello\\, world", #"["comment", {}, "text", "hello, world"]"#),
        ("X-TIME-LOCAL;VALUE=TIME:123000", #"["x-time-local", {}, "time", "12:30:00"]"#),
        ("X-TIME-UTC;VALUE=TIME:123100Z", #"["x-time-utc", {}, "time", "12:31:00Z"]"#),
        (
            "TZURL:http://example.org/tz/Europe-Berlin.ics",
            #"["tzurl", {}, "uri", "http://example.org/tz/Europe-Berlin.ics"]"#
        ),
        ("TZOFFSETFROM:-0500", #"["tzoffsetfrom", {}, "utc-offset", "-05:00"]"#),
        ("TZOFFSETTO:+1245", #"["tzoffsetto", {}, "utc-offset", "+12:45"]"#),
        ("TZOFFSETTO:+005328", #"["tzoffsetto", {}, "utc-offset", "+00:53:28"]"#),
        ("TRIGGER;VALUE=DATE-TIME:19760401T005545Z", #"["trigger", {}, "date-time", "1976-04-01T00:55:45Z"]"#),
        ("TRIGGER;RELATED=END:-PT5M", #"["trigger", {"related": "END"}, "duration", "-PT5M"]"#),
        // 5.1: unknown values keep their text.
        (
            "X-COFFEE-DATA:Stenophylla;Guinea\\,Africa",
            #"["x-coffee-data", {}, "unknown", "Stenophylla;Guinea\\,Africa"]"#
        ),
        ("DUE:tomorrow", #"["due", {}, "unknown", "tomorrow"]"#),
        // RFC 7529 9: its example; then a day that is not there, and a leap month.
        (
            "RRULE:RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD",
            #"["rrule", {}, "recur", {"freq": "YEARLY", "rscale": "GREGORIAN", "skip": "FORWARD"}]"#
        ),
        (
            "RRULE:RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD",
            #"["rrule", {}, "recur", {"freq": "YEARLY", "rscale": "HEBREW", "bymonthday": 8, "bymonth": "5L", "#
                + #""skip": "FORWARD"}]"#
        ),
        (
            "RRULE:RSCALE=GREGORIAN;FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;SKIP=FORWARD",
            #"["rrule", {}, "recur", {"freq": "YEARLY", "rscale": "GREGORIAN", "bymonthday": 29, "bymonth": 2, "#
                + #""skip": "FORWARD"}]"#
        ),
        // RFC 8259 7, and characters that control a terminal.
        ("SUMMARY:\"\u{1B}[31m\u{202E}ü\t\u{7F}", #"["summary", {}, "text", "\"\u001b[31m\u202eü\t\u007f"]"#),
    ]

    @Test("a property has the form in the text of the RFC", arguments: properties.map(\.line))
    func eachProperty(line: String) throws {
        let expected = try #require(Self.properties.first { $0.line == line }).expected
        #expect(self.property(line) == expected)
    }

    @Test("appendix B.1: a date, and nothing lost")
    func first() throws {
        let text = """
            BEGIN:VCALENDAR\r\nCALSCALE:GREGORIAN\r\nPRODID:-//Example Inc.//Example Calendar//EN\r\nVERSION:2.0\r\n\
            BEGIN:VEVENT\r\nDTSTAMP:20080205T191224Z\r\nDTSTART;VALUE=DATE:20081006\r\nSUMMARY:Planning meeting\r\n\
            UID:4088E990AD89CB3DBB484909\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
            """
        #expect(
            self.jCal(text) == """
                ["vcalendar", [["calscale", {}, "text", "GREGORIAN"], \
                ["prodid", {}, "text", "-//Example Inc.//Example Calendar//EN"], ["version", {}, "text", "2.0"]], [
                ["vevent", [["dtstamp", {}, "date-time", "2008-02-05T19:12:24Z"], \
                ["dtstart", {}, "date", "2008-10-06"], ["summary", {}, "text", "Planning meeting"], \
                ["uid", {}, "text", "4088E990AD89CB3DBB484909"]], []]
                ]]

                """
        )
    }

    @Test("several objects are an array; an empty one has empty lists")
    func shapes() {
        #expect(self.jCal("BEGIN:VTODO\r\nEND:VTODO\r\n") == #"["vtodo", [], []]"# + "\n")
        let two = "BEGIN:VTODO\r\nEND:VTODO\r\n"
        #expect(self.jCal(two + two) == "[\n[\"vtodo\", [], []],\n[\"vtodo\", [], []]\n]\n")
        #expect(self.jCal("") == "[\n\n]\n")
    }

    @Test("text that is not UTF-8 is converted to UTF-8")
    func latin() {
        let bytes = Array("BEGIN:VTODO\r\nSUMMARY:M".utf8) + [0xFC] + Array("ll\r\nEND:VTODO\r\n".utf8)
        var answer: [UInt8] = []
        ICalendarDocument(bytes).writeJCal { answer += $0 }
        #expect(
            String(validating: answer, as: UTF8.self) == #"["vtodo", [["summary", {}, "text", "Müll"]], []]"# + "\n"
        )
    }

    @Test("a large stream is written in pieces")
    func pieces() {
        let todo = "BEGIN:VTODO\r\nSUMMARY:\(String(repeating: "x", count: 1000))\r\nEND:VTODO\r\n"
        let text = "BEGIN:VCALENDAR\r\n\(String(repeating: todo, count: 300))END:VCALENDAR\r\n"
        var sizes: [Int] = []
        ICalendarDocument(text).writeJCal { sizes.append($0.count) }
        #expect(sizes.count > 3)
        #expect(sizes.allSatisfy { $0 < 2 * JSONWriter.pieceBytes })
    }

    @Test("the plain form groups the lines of a property under its name")
    func plain() {
        let text = """
            BEGIN:VTODO\r\nSUMMARY:A\r\nCOMMENT:1\r\nX-N;VALUE=INTEGER:3\r\nCOMMENT:2\r\nCATEGORIES:C\r\n\
            DUE;TZID=Europe/Berlin:20260101T090000\r\nBEGIN:VALARM\r\nEND:VALARM\r\nEND:VTODO\r\n
            """
        var bytes: [UInt8] = []
        ICalendarDocument(text).writePlainJSON { bytes += $0 }
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                [
                {"component": "vtodo", "properties": {\
                "summary": [{"type": "text", "value": "A", "parameters": {}}], \
                "comment": [{"type": "text", "value": "1", "parameters": {}}, \
                {"type": "text", "value": "2", "parameters": {}}], \
                "x-n": [{"type": "integer", "value": 3, "parameters": {}}], \
                "categories": [{"type": "text", "value": ["C"], "parameters": {}}], \
                "due": [{"type": "date-time", "value": "2026-01-01T09:00:00", \
                "parameters": {"tzid": "Europe/Berlin"}}]}, "components": [
                {"component": "valarm", "properties": {}, "components": []}
                ]}
                ]

                """
        )
    }
}

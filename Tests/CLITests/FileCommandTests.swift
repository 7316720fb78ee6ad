import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("commands on files")
struct FileCommandTests: CommandSuite {
    let world = TestWorld()

    private func answer(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async -> String {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        #expect(status == .success, "\(self.world.complaints)", sourceLocation: sourceLocation)
        return self.world.takeAnswers()
    }

}

// Expanding a rule.
extension FileCommandTests {
    @Test(
        "dates come one a line, in the form of the start",
        arguments: [
            (["--dtstart", "19970902T090000", "--rrule", "FREQ=DAILY;COUNT=2"], "19970902T090000 19970903T090000"),
            (["--dtstart", "19970902T090000Z", "--rrule", "RRULE:FREQ=DAILY;COUNT=1"], "19970902T090000Z"),
            (["--dtstart", "20260130", "--rrule", "FREQ=MONTHLY;BYDAY=-1FR", "--limit", "2"], "20260130 20260227"),
            (["--dtstart", "20260101T080000"], "20260101T080000"), (["--dtstart", "2026-01-30"], "20260130"),
            (["--dtstart", "2026-01-30 9:00"], "20260130T090000"),
            (["--dtstart", "20260101", "--rdate", "20260105,20260103", "--exdate", "20260101"], "20260103 20260105"),
            (["--dtstart", "20260101T080000", "--rdate", "20260103T090000/PT1H"], "20260101T080000 20260103T090000"),
            (
                ["--dtstart", "20260101", "--rrule", "FREQ=DAILY", "--from", "2026-12-24", "--to", "20261226"],
                "20261224 20261225"
            ),
            (["--dtstart", "20261101", "--rrule", "FREQ=DAILY", "--from", "today", "--limit", "1"], "20261120"),
            (
                [
                    "--dtstart", "20260101T090000", "--tzid", "Europe/Berlin", "--rrule", "FREQ=DAILY",
                    "--from", "2026-07-01T07:00:00Z", "--to", "20260703T070000Z",
                ],
                "20260701T090000 20260702T090000"
            ),
            (
                [
                    "--dtstart", "20260101", "--rrule", "FREQ=YEARLY;COUNT=2", "--rrule", "FREQ=YEARLY;BYMONTH=7",
                    "--to", "20280101",
                ],
                "20260101 20260701 20270101 20270701"
            ),
        ]
    )
    func expandRule(words: [String], dates: String) async {
        #expect(await RemindavCommand.run(["expand"] + words) { self.world.context($0) } == .success)
        #expect(self.world.takeAnswers().split(separator: "\n").joined(separator: " ") == dates)
        #expect(self.world.takeComplaints() == "")
    }

    @Test("the output of a rule without an end stops with a message; one with an end has none")
    func endless() async {
        let dates = await self.answer("expand", "--dtstart", "20260101", "--rrule", "FREQ=DAILY")
        #expect(dates.split(separator: "\n").count == ExpandRule.defaultLimit)
        #expect(self.world.takeComplaints().contains("--limit"))
        let counted = await self.answer("expand", "--dtstart", "20260101", "--rrule", "FREQ=DAILY;COUNT=1234")
        #expect(counted.split(separator: "\n").count == 1234)
        #expect(self.world.takeComplaints() == "")
    }

    @Test(
        "an invalid value is reported with its option",
        arguments: [
            (["--rrule", "FREQ=DAILY"], "--dtstart"),
            (["--dtstart", "soon"], "--dtstart"),
            (["--dtstart", "20260230"], "--dtstart"),
            (["--dtstart", "20260101", "--rrule", "FREQ=DAILY;INTERVAL=0"], "INTERVAL"),
            (["--dtstart", "20260101", "--rrule", "DAILY"], "--rrule"),
            (["--dtstart", "20260101", "--rdate", "x"], "--rdate"),
            (["--dtstart", "20260101", "--exdate", "20260101,"], "--exdate"),
            (["--dtstart", "20260101", "--limit", "0"], "--limit"),
            (["--dtstart", "20260101", "--limit", "many"], "--limit"),
            (["--dtstart", "20260101", "--from", "none"], "--from"),
            (["--dtstart", "20260101", "--to", "soon"], "--to"),
            (["--dtstart", "20260101T090000", "--tzid", "Nowhere/Land"], "--tzid"),
            (["--dtstart", "20260101T090000", "--tzid", ""], "--tzid"),
            (["--dtstart", "20260101T090000Z", "--tzid", "Europe/Berlin"], "--tzid"),
            (["--dtstart", "20260101", "--tzid", "Europe/Berlin"], "--tzid"),
        ]
    )
    func badRule(words: [String], option: String) async {
        for command in [["expand"], ["ics", "expand"]] {
            let complaint = await self.complaint(command + words, status: .usage)
            #expect(complaint.contains(option))
            #expect(complaint.hasSuffix("See 'remindav help \(command.joined(separator: " "))'.\n"), "\(complaint)")
            #expect(self.world.takeAnswers() == "")
        }
    }
}

// Comparing.
extension FileCommandTests {
    private func todo(_ name: String, _ lines: String...) {
        let whole =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:a"] + lines + ["END:VTODO", "END:VCALENDAR"]
        self.world.setFile(name, Array(whole.map { $0 + "\r\n" }.joined().utf8))
    }

    @Test("two spellings of one value are no difference")
    func sameMeaning() async {
        self.todo("a.ics", "SUMMARY:Milk", "DURATION:PT90M", "CATEGORIES:A,B", "DTSTAMP:20260101T000000Z")
        self.todo("b.ics", "DTSTAMP:20270101T000000Z", "categories:B,A", "DURATION:PT1H30M", "SUMMARY:Mi", " lk")
        #expect(await self.answer("ics", "diff", "a.ics", "b.ics") == "Both files have the same content.\n")
        #expect(await self.answer("ics", "diff", "a.ics", "b.ics", "--json") == "[]\n")
    }

    @Test("a change is shown by property, inside alarms as well")
    func changes() async {
        self.todo(
            "a.ics",
            "SUMMARY:Milk",
            "LOCATION:Here",
            "CATEGORIES:A,B",
            "BEGIN:VALARM",
            "TRIGGER:-PT5M",
            "END:VALARM"
        )
        self.todo(
            "b.ics",
            "SUMMARY:Bread\\, \\nbutter",
            "CATEGORIES:A,C",
            "DUE;VALUE=DATE:20261201",
            "BEGIN:VALARM",
            "TRIGGER:-PT9M",
            "END:VALARM"
        )
        #expect(await RemindavCommand.run(["ics", "diff", "a.ics", "b.ics"]) { self.world.context($0) } == .failure)
        #expect(
            self.world.takeAnswers() == #"""
                ~ VTODO a Bread, \nbutter
                    ~ SUMMARY: Milk -> Bread, \nbutter
                    ~ CATEGORIES: B -> C
                    + DUE: 20261201
                    - LOCATION: Here
                    ~ VALARM
                        ~ TRIGGER: -PT5M -> -PT9M

                """#
        )
    }

    @Test("components are paired by UID and RECURRENCE-ID, calendars and zones too")
    func pairs() async {
        self.file(
            "a.ics",
            """
            BEGIN:VCALENDAR | VERSION:2.0 | BEGIN:VTODO | UID:a | END:VTODO | BEGIN:VTODO | UID:b\
             | RECURRENCE-ID:20260102 | SUMMARY:Other | END:VTODO | BEGIN:VTODO | UID:b | SUMMARY:All\
             | END:VTODO | BEGIN:VTIMEZONE | TZID:X | BEGIN:STANDARD | TZOFFSETTO:+0100 | END:STANDARD\
             | END:VTIMEZONE | END:VCALENDAR
            """
        )
        self.file(
            "b.ics",
            """
            BEGIN:VCALENDAR | VERSION:2.0 | X-WR-CALNAME:New | BEGIN:VTIMEZONE | TZID:X | BEGIN:STANDARD\
             | TZOFFSETTO:+0200 | END:STANDARD | END:VTIMEZONE | BEGIN:VTODO | UID:b | SUMMARY:All\
             | END:VTODO | BEGIN:VTODO | UID:c | END:VTODO | BEGIN:VTODO | UID:b | RECURRENCE-ID:20260102\
             | SUMMARY:Else | END:VTODO | END:VCALENDAR
            """
        )
        #expect(await RemindavCommand.run(["ics", "diff", "a.ics", "b.ics"]) { self.world.context($0) } == .failure)
        #expect(
            self.world.takeAnswers() == """
                ~ VCALENDAR
                    + X-WR-CALNAME: New
                ~ VTIMEZONE X
                    ~ STANDARD
                        ~ TZOFFSETTO: +0100 -> +0200
                + VTODO c
                ~ VTODO b 20260102 Else
                    ~ SUMMARY: Other -> Else
                - VTODO a

                """
        )
    }

    @Test("of several components with one identity, equal ones are paired first")
    func sameIdentity() async {
        self.file(
            "a.ics",
            """
            BEGIN:VTODO | SUMMARY:1 | END:VTODO | BEGIN:VTODO | SUMMARY:2 | END:VTODO
            """
        )
        self.file(
            "b.ics",
            """
            BEGIN:VTODO | SUMMARY:2 | END:VTODO | BEGIN:VTODO | SUMMARY:3 | END:VTODO | BEGIN:VTODO\
             | SUMMARY:4 | END:VTODO
            """
        )
        #expect(await RemindavCommand.run(["ics", "diff", "a.ics", "b.ics"]) { self.world.context($0) } == .failure)
        #expect(self.world.takeAnswers() == "~ VTODO 3\n    ~ SUMMARY: 1 -> 3\n+ VTODO 4\n")
    }

    @Test("an unreadable file is not a difference")
    func unreadable() async {
        self.todo("a.ics")
        self.world.setFile("letter.txt", Array("Dear all,\n".utf8))
        #expect(await self.complaint(["ics", "diff", "a.ics", "none.ics"], status: .usage).contains("none.ics"))
        #expect(await self.complaint(["ics", "diff", "letter.txt", "a.ics"], status: .usage).contains("letter.txt"))
        #expect(await self.complaint(["ics", "diff", "-", "-"], status: .usage).contains("standard input"))
        #expect(await self.complaint(["ics", "diff", "a.ics"], status: .usage).contains("B is missing"))
    }
}

// Checking and formatting.
extension FileCommandTests {
    @Test("a finding has position, severity, description, code and remedy")
    func check() async {
        self.file(
            "a.ics",
            """
            BEGIN:VCALENDAR | BEGIN:VTODO | UID:a | SUMMARY A | END:VTODO | END:VCALENDAR
            """
        )
        let words = ["ics", "check", "a.ics"]
        #expect(await RemindavCommand.run(words) { self.world.context($0) } == .failure)
        let line = self.world.takeAnswers().split(separator: "\n").first { $0.contains("missingColon") }
        #expect(
            line == """
                a.ics:4: error: there is no ':' between the name and the value; the line is skipped \
                (missingColon). Write NAME:value, or begin the line with a space if it continues the previous line.
                """
        )
        #expect(await RemindavCommand.run(words + ["--json"]) { self.world.context($0) } == .failure)
        let json = self.world.takeAnswers()
        #expect(json.contains(#""line": 4, "code": "missingColon", "severity": "error", "subject": "#))
        #expect(json.contains(#""advice": "Write NAME:value"#))
    }

    @Test("formatting goes to a file, or in the place of the file")
    func formatTo() async {
        self.world.setFile("a.ics", Array("BEGIN:VTODO\nUID:a\nEND:VTODO".utf8))
        let tidy = await self.answer("ics", "format", "a.ics")
        #expect(tidy.hasSuffix("END:VTODO\r\n"))
        #expect(await self.answer("ics", "format", "a.ics", "-o", "b.ics") == "")
        #expect(self.world.file("b.ics") == Array(tidy.utf8))
        #expect(await self.answer("ics", "format", "--in-place", "a.ics") == "")
        #expect(self.world.file("a.ics") == Array(tidy.utf8))
        for words in [["-", "-i"], ["a.ics", "-i", "-o", "b.ics"], ["a.ics", "-o", ""]] {
            _ = await self.complaint(["ics", "format"] + words, status: .usage)
        }
    }
}

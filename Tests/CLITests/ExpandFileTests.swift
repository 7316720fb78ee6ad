import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("ics expand")
struct ExpandFileTests: CommandSuite {
    let world = TestWorld()

    private func expand(_ words: String...) async -> [String] {
        let status = await RemindavCommand.run(["ics", "expand"] + words) { self.world.context($0) }
        #expect(status == .success, "\(self.world.complaints)")
        return self.world.takeAnswers().split(separator: "\n").map(String.init)
    }

    @Test("events and to-dos are in order of time, each with its identifiers")
    func expandFile() async {
        self.file(
            "a.ics",
            """
            BEGIN:VCALENDAR | BEGIN:VEVENT | UID:a | DTSTART;TZID=Europe/Berlin:20260328T090000 | DURATION:PT1H\
             | RRULE:FREQ=DAILY;COUNT=4 | EXDATE;TZID=Europe/Berlin:20260330T090000 | SUMMARY:Walk\\, \u{1B}run\
             | END:VEVENT | BEGIN:VTODO | UID:b | DUE:20260329T080000Z | END:VTODO | BEGIN:VTODO | UID:none\
             | END:VTODO | BEGIN:VEVENT | UID:c | DTSTART:20260329 | END:VEVENT | END:VCALENDAR
            """
        )
        #expect(
            await self.expand("a.ics") == [
                "2026-03-28T09:00:00+01:00\t2026-03-28T10:00:00+01:00\tVEVENT\ta\t2026-03-28T09:00:00+01:00\t-\tWalk, \\x1brun",
                "2026-03-29\t-\tVEVENT\tc\t-\t-\t-",
                "2026-03-29T09:00:00+02:00\t2026-03-29T10:00:00+02:00\tVEVENT\ta\t2026-03-29T09:00:00+02:00\t-\tWalk, \\x1brun",
                "2026-03-29T08:00:00Z\t-\tVTODO\tb\t-\t-\t-",
                "2026-03-31T09:00:00+02:00\t2026-03-31T10:00:00+02:00\tVEVENT\ta\t2026-03-31T09:00:00+02:00\t-\tWalk, \\x1brun",
            ]
        )
        let range = ["--from", "2026-03-29T07:30:00Z", "--to", "2026-03-29T08:00:00Z"]
        let status = await RemindavCommand.run(["ics", "expand", "a.ics", "--json"] + range) { self.world.context($0) }
        #expect(status == .success)
        #expect(
            self.world.takeAnswers() == """
                [
                {"start": "2026-03-29", "end": null, "zone": null, "component": "VEVENT", "uid": "c", \
                "recurrenceId": null, "summary": null, "status": null, "overridden": false, "moved": false, "line": 17},
                {"start": "2026-03-29T09:00:00+02:00", "end": "2026-03-29T10:00:00+02:00", "zone": "Europe/Berlin", \
                "component": "VEVENT", "uid": "a", "recurrenceId": "2026-03-29T09:00:00+02:00", \
                "summary": "Walk, \\u001brun", "status": null, "overridden": false, "moved": false, "line": 2}
                ]

                """
        )
        #expect(await self.expand("a.ics", "--from", "20270101", "--json") == ["[]"])
    }

    @Test("overrides replace one occurrence, or all following occurrences")
    func overrides() async {
        self.file(
            "a.ics",
            """
            BEGIN:VTODO | UID:a | DTSTART:20260101T090000 | RRULE:FREQ=DAILY;COUNT=6 | RDATE;VALUE=PERIOD:20260110T120000/PT2H\
             | SUMMARY:Old | END:VTODO | BEGIN:VTODO | UID:a | RECURRENCE-ID:20260102T090000 | DTSTART:20260105T100000\
             | SUMMARY:Later | END:VTODO | BEGIN:VTODO | UID:a | RECURRENCE-ID;RANGE=THISANDFUTURE:20260104T090000\
             | DTSTART:20260104T080000 | DURATION:PT30M | SUMMARY:New | END:VTODO | BEGIN:VTODO | UID:a\
             | RECURRENCE-ID:20260103T090000 | SUMMARY:Same | END:VTODO
            """
        )
        #expect(
            await self.expand("a.ics") == [
                "2026-01-01T09:00:00\t-\tVTODO\ta\t2026-01-01T09:00:00\t-\tOld",
                "2026-01-03T09:00:00\t-\tVTODO\ta\t2026-01-03T09:00:00\tchanged\tSame",
                "2026-01-04T08:00:00\t2026-01-04T08:30:00\tVTODO\ta\t2026-01-04T09:00:00\tmoved\tNew",
                "2026-01-05T08:00:00\t2026-01-05T08:30:00\tVTODO\ta\t2026-01-05T09:00:00\tmoved\tNew",
                "2026-01-05T10:00:00\t-\tVTODO\ta\t2026-01-02T09:00:00\tmoved\tLater",
                "2026-01-06T08:00:00\t2026-01-06T08:30:00\tVTODO\ta\t2026-01-06T09:00:00\tmoved\tNew",
                "2026-01-10T11:00:00\t2026-01-10T13:00:00\tVTODO\ta\t2026-01-10T12:00:00\tmoved\tNew",
            ]
        )
        #expect(await self.expand("a.ics", "--limit", "2").count == 2)
        #expect(self.world.takeComplaints() == "")
    }

    @Test("a property without a value counts as missing, and a start after DUE is not read")
    func missingValues() async {
        self.file(
            "a.ics",
            """
            BEGIN:VCALENDAR | BEGIN:VTODO | UID:a | DUE: | DTSTART:20260101 | RRULE: | END:VTODO | BEGIN:VTODO | UID:b\
             | RECURRENCE-ID: | DUE:20260102 | END:VTODO | BEGIN:VTODO | UID:c | DTSTART:20260109 | DUE:20260103\
             | END:VTODO | END:VCALENDAR
            """
        )
        let shown = [("1", "a"), ("2", "b"), ("3", "c")].map { "2026-01-0\($0.0)\t-\tVTODO\t\($0.1)\t-\t-\t-\n" }
        #expect(await self.expand("a.ics").map { $0 + "\n" } == shown)
        #expect(self.world.takeComplaints() == "")
    }

    @Test("a component that cannot be expanded is reported with its line, and the others are shown")
    func expansionIssues() async {
        self.file(
            "a.ics",
            """
            BEGIN:VCALENDAR | BEGIN:VTODO | UID:a | DUE:20260101 | RRULE:FREQ=SOMETIMES | END:VTODO | BEGIN:VEVENT\
             | UID:b | END:VEVENT | BEGIN:VTODO | UID:c | DUE;TZID=Nowhere:20260101T090000 | END:VTODO\
             | BEGIN:VTODO | UID:d | DUE:20260101 | END:VTODO | BEGIN:VTODO | UID:e | DUE:2026 | END:VTODO\
             | END:VCALENDAR
            """
        )
        let complaint = await self.complaint(["ics", "expand", "a.ics"], status: .partial)
        let shown = ["a", "d"].map { "2026-01-01\t-\tVTODO\t\($0)\t-\t-\t-\n" }
        #expect(self.world.takeAnswers() == shown.joined())
        for line in [5, 7, 12, 20] { #expect(complaint.contains("a.ics, line \(line): "), "\(line)") }
        #expect(complaint.split(separator: "\n").count == 4)
    }

    @Test("the output of a series without an end stops with a message; a rule uses the same command")
    func expandWays() async {
        self.file("a.ics", "BEGIN:VTODO | UID:a | DUE:20260101 | RRULE:FREQ=DAILY | END:VTODO")
        #expect(await self.expand("a.ics").count == ExpandRule.defaultLimit)
        #expect(self.world.takeComplaints().contains("--limit"))
        #expect(await self.expand("a.ics", "--to", "20260103").count == 2)
        #expect(await self.expand("--dtstart", "20260101", "--rrule", "FREQ=DAILY;COUNT=1") == ["20260101"])
        for words in [
            [], ["a.ics", "--dtstart", "20260101"], ["--dtstart", "20260101", "--json"], ["a.ics", "b.ics"],
            ["a.ics", "--rrule", "FREQ=DAILY"], ["a.ics", "--from", "x"],
        ] {
            _ = await self.complaint(["ics", "expand"] + words, status: .usage)
        }
    }

    @Test("the dates of a rule in another calendar are computed, and an unknown calendar is named")
    func calendars() async {
        let rule = ["--dtstart", "20130210", "--rrule"]
        let chinese = await self.expand(rule[0], rule[1], rule[2], "RSCALE=CHINESE;FREQ=YEARLY;COUNT=3")
        #expect(chinese == ["20130210", "20140131", "20150219"])
        self.file("a.ics", "BEGIN:VTODO | UID:a | DUE:20130210 | RRULE:RSCALE=CHINESE;FREQ=YEARLY;COUNT=3 | END:VTODO")
        #expect(await self.expand("a.ics").map { $0.prefix(10) } == ["2013-02-10", "2014-01-31", "2015-02-19"])
        let complaint = await self.complaint(
            ["ics", "expand"] + rule + ["RSCALE=KLINGON;FREQ=YEARLY"],
            status: .failure
        )
        #expect(complaint.contains("uses a calendar that is not supported (KLINGON). These calendars are supported: "))
        #expect(complaint.contains("ETHIOPIC"))
    }

    /// A series with a change of each kind.
    ///
    /// A cancelled occurrence is still in the file.
    private static let cancelled = """
        BEGIN:VEVENT | UID:a | DTSTART:20260101T090000Z | RRULE:FREQ=DAILY;COUNT=3 | END:VEVENT | BEGIN:VEVENT | UID:a\
         | RECURRENCE-ID:20260102T090000Z | DTSTART:20260102T100000Z | STATUS:cancelled | END:VEVENT
        """

    @Test("a cancelled reminder is shown and marked")
    func cancelledOccurrence() async {
        self.file("a.ics", Self.cancelled)
        #expect(
            await self.expand("a.ics") == [
                "2026-01-01T09:00:00Z\t-\tVEVENT\ta\t2026-01-01T09:00:00Z\t-\t-",
                "2026-01-02T10:00:00Z\t-\tVEVENT\ta\t2026-01-02T09:00:00Z\tcancelled\t-",
                "2026-01-03T09:00:00Z\t-\tVEVENT\ta\t2026-01-03T09:00:00Z\t-\t-",
            ]
        )
        let lines = await self.expand("a.ics", "--json")
        #expect(lines[1].contains(#""status": null"#) && lines[1].contains(#""moved": false"#))
        #expect(lines[2].contains(#""status": "CANCELLED""#) && lines[2].contains(#""moved": true"#))
    }

    @Test("a skipped local hour is the hour after it, and is shown once")
    func gap() async {
        self.file(
            "a.ics",
            "BEGIN:VTODO | UID:a | DTSTART;TZID=Europe/Berlin:20260329T003000 | RRULE:FREQ=HOURLY;COUNT=5 | END:VTODO"
        )
        #expect(
            await self.expand("a.ics").map { String($0.prefix(25)) } == [
                "2026-03-29T00:30:00+01:00", "2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00",
                "2026-03-29T04:30:00+02:00",
            ]
        )
    }

    @Test("of two components of one UID the first is read, as in ics check, in one VCALENDAR or in two")
    func repeatedUID() async {
        for between in ["", " | END:VCALENDAR | BEGIN:VCALENDAR"] {
            self.file(
                "a.ics",
                """
                BEGIN:VCALENDAR | BEGIN:VTODO | UID:a | DUE:20260101 | RRULE:FREQ=DAILY;COUNT=2 | END:VTODO\(between)\
                 | BEGIN:VTODO | UID:a | DUE:20260201 | END:VTODO | BEGIN:VTODO | UID:a | RECURRENCE-ID:20260102\
                 | SUMMARY:First | END:VTODO | BEGIN:VTODO | UID:a | RECURRENCE-ID:20260102 | SEQUENCE:2\
                 | SUMMARY:Second | END:VTODO | END:VCALENDAR
                """
            )
            let complaint = await self.complaint(["ics", "expand", "a.ics"], status: .partial)
            let shown = self.world.takeAnswers().split(separator: "\n")
            #expect(
                shown == [
                    "2026-01-01\t-\tVTODO\ta\t2026-01-01\t-\t-",
                    "2026-01-02\t-\tVTODO\ta\t2026-01-02\tchanged\tFirst",
                ]
            )
            let lines = between.isEmpty ? [7, 16] : [9, 18]
            for line in lines { #expect(complaint.contains("a.ics, line \(line): "), "\(complaint)") }
            _ = await RemindavCommand.run(["ics", "check", "a.ics"]) { self.world.context($0) }
            let found = self.world.takeAnswers().split(separator: "\n").filter { $0.contains("duplicateUID") }
            #expect(found.map { $0.split(separator: ":")[1] } == lines.map { "\($0)" })
        }
    }

    @Test("a date that cannot be read is named, and the rest of the series is shown")
    func unreadableDates() async {
        self.file(
            "a.ics",
            """
            BEGIN:VTODO | UID:a | DUE:20260101 | RRULE:FREQ=DAILY;COUNT=2 | EXDATE:20260102,soon | RDATE:20260230\
             | END:VTODO
            """
        )
        let complaint = await self.complaint(["ics", "expand", "a.ics"], status: .partial)
        #expect(self.world.takeAnswers() == "2026-01-01\t-\tVTODO\ta\t2026-01-01\t-\t-\n")
        #expect(complaint.contains("line 5: EXDATE: ") && complaint.contains("line 6: RDATE: "))
    }
}

import Testing

@testable import RemindavCLI

@Suite("import, export and format")
struct ImportCommandTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    @Test("a file of an unknown format is an error that lists the known formats")
    func unknownFormat() async {
        self.world.setFile("x.txt", Array("hello\nworld\n".utf8))
        let unknown = await self.complaint("import", "x.txt", status: .failure)
        #expect(
            unknown.contains("The format of the file is unknown ('x.txt')")
                && unknown.contains("The known formats are iCalendar (ics) and json, csv,")
        )
        let columns = await self.complaint("import", "x.txt", "--format", "outlook-csv", status: .failure)
        #expect(columns.contains("'x.txt, line 1: its first line does not contain the column names of the format'"))
    }

    @Test("an export names the reminders whose repetition or time the format cannot contain, at most five of them")
    func losses() async {
        for number in 1...7 { _ = await self.answer("add", "R\(number)", "--due", "2027-05-31", "--repeat", "weekly") }
        _ = await self.answer("add", "Call", "--due", "2027-05-31 10:00")
        let end = ", because outlook-csv cannot contain it. The formats ics and json contain it.\n"
        #expect(
            await self.complaint("export", "--format", "outlook-csv", status: .success)
                == "'R1', 'R2', 'R3', 'R4', 'R5' and 2 more: the repetition is not in the output\(end)"
                + "'Call': the time of day is not in the output\(end)"
        )
        #expect(await self.complaint("export", "--format", "todoist-csv", status: .success) == "")
        #expect(await self.complaint("export", "--format", "taskwarrior", status: .success) == "")
    }

    @Test("an export names changes of one date, and titles with words that its format reads")
    func lossesOfDatesAndTitles() async {
        _ = await self.answer("add", "--literal", "Call Ben due:2027-01-01")
        _ = await self.answer("add", "Standup", "--due", "2027-05-31", "--repeat", "daily")
        _ = await RemindavCommand.run(["edit", "2", "2027-06-05", "--this-date-only"]) { self.world.context($0) }
        _ = self.world.takeAnswers() + self.world.takeComplaints()
        #expect(
            await self.complaint("export", "--format", "todotxt", status: .success) == """
                'Standup': the changes of one date only are not in the output, because todotxt cannot contain them. The \
                formats ics, json and markdown contain them.
                'Call Ben due:2027-01-01': a program that reads todotxt takes words of the title as other fields. Change \
                the title, or use ics or json.

                """
        )
    }

    @Test(
        "an export names the reminders that another program does not repeat, with their rules",
        arguments: ["taskwarrior", "todotxt"]
    )
    func keptRules(format: String) async {
        _ = await self.answer("add", "Bins", "--due", "2027-05-31", "--repeat", "every mon and thu")
        #expect(
            await self.complaint("export", "--format", format, status: .success) == """
                'Bins, every week on Mon and Thu': \(format) cannot repeat by this rule. The output keeps the rule only for \
                a later import. The formats ics and json contain it.

                """
        )
    }

    @Test("an exported file is imported identically, and a second time without changes")
    func exportAndImport() async throws {
        _ = await self.answer("add", "One", "--notes", "Line 1\nLine 2", "--label", "a,b", "--priority", "low")
        _ = await self.answer("add", "Two", "--due", "2027-05-31", "--repeat", "FREQ=YEARLY")
        #expect(await self.answer("export", "-o", "all.ics") == "2 reminders written to all.ics\n")
        #expect(
            await self.answer("import", "all.ics", "--json")
                == #"{"file": "all.ics", "added": 0, "updated": 0, "unchanged": 2, "deleted": 0, "skipped": 0, "#
                + #""format": "ics", "repeating": 1, "keptRules": [], "issues": [], "elsewhere": [], "run": null}"#
                + "\n"
        )
        let bytes = try #require(self.world.file("all.ics"))
        #expect(await self.answer("export") == String(decoding: bytes, as: UTF8.self))
        let other = TestWorld(input: String(decoding: bytes, as: UTF8.self), store: self.stage.path("other"))
        #expect(await other.run("import", "-") == .success)
        #expect(other.takeAnswers() == "2 added, 0 updated, 0 unchanged, 0 left out (list Reminders)\n")
        #expect(await other.run("list", "--json") == .success)
        #expect(other.takeAnswers() == (await self.answer("list", "--json")))
    }

    @Test("a dry run of an import counts and changes nothing")
    func dryRun() async {
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:A\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        self.world.setFile("a.ics", Array(text.utf8))
        #expect(await self.complaint("import", "a.ics", "-n", status: .success).contains("nothing is changed"))
        #expect(self.world.takeAnswers() == "1 added, 0 updated, 0 unchanged, 0 left out (list Reminders)\n")
        #expect(await self.answer("list", "--all").hasPrefix("No reminders yet"))
    }

    @Test("a list that an import creates is reported, and no empty list is created")
    func madeList() async {
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:A\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        self.world.setFile("a.ics", Array(text.utf8))
        let trial = await self.complaint("import", "a.ics", "--list", "Home", "-n", status: .success)
        #expect(trial.contains("It would create the list 'Home'.\n"))
        let made = await self.complaint("import", "a.ics", "--list", "Home", status: .success)
        #expect(made.hasPrefix("Created the list 'Home'.\n"))
        let again = await self.complaint("import", "a.ics", "--list", "Home", status: .success)
        #expect(!again.contains("Created"))
        let nothing = await self.complaint("import", "a.ics", "--list", "Nope", status: .success)
        #expect(nothing.contains("Already in other lists") && !nothing.contains("Created"))
        _ = self.world.takeAnswers()
        _ = self.world.takeAnswers()
        #expect(!(await self.answer("lists").contains("Nope")))
        #expect(
            await self.complaint("import", "a.ics", "--list", "More", "--copy", status: .success).contains("Created")
        )
    }

    @Test("a file with a bad line is imported without it, and the line is named")
    func badLine() async {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:a
            SUMMARY:A
            DTSTAMP 20260101T000000Z
            END:VTODO
            BEGIN:VEVENT
            UID:b
            END:VEVENT
            END:VCALENDAR

            """
        self.world.setFile("a.ics", Array(text.utf8))
        let complaint = await self.complaint("import", "a.ics", status: .partial)
        #expect(complaint.contains("a.ics, line 5: "))
        #expect(self.world.takeAnswers().hasPrefix("1 added, 0 updated, 0 unchanged, 1 left out"))
        #expect(await self.complaint("ics", "check", "a.ics", status: .failure).isEmpty)
        #expect(self.world.takeAnswers().contains("a.ics:5: error: "))
        #expect(await self.complaint("import", "none.ics", status: .failure).contains("none.ics"))
    }

    @Test("an import reports unused data")
    func importOfOthers() async {
        self.world.setFile("a.ics", Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nEND:VEVENT\nEND:VCALENDAR\n".utf8))
        #expect(
            await self.complaint("import", "a.ics", status: .success).contains(
                "Events and journal entries left out: 1."
            )
        )
        self.world.setFile("b.ics", Array("BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n".utf8))
        #expect(await self.complaint("import", "b.ics", status: .success).contains("b.ics contains no reminder."))
    }

    @Test("formatting folds and ends lines, and formatting again changes nothing")
    func format() async {
        let title = String(repeating: "long ", count: 40)
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:\(title)\nEND:VTODO\nEND:VCALENDAR"
        self.world.setFile("a.ics", Array(text.utf8))
        let once = await self.answer("ics", "format", "a.ics")
        #expect(once.utf8.split(separator: 0x0A).allSatisfy { $0.count <= 76 && $0.last == 0x0D })
        self.world.setFile("b.ics", Array(once.utf8))
        #expect(await self.answer("ics", "format", "b.ics") == once)
    }

    @Test("a truncated file is formatted up to its end, and the truncation is reported")
    func formatHalf() async {
        self.world.setFile("a.ics", Array("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMM".utf8))
        let complaint = await self.complaint("ics", "format", "a.ics", status: .partial)
        #expect(
            complaint == "remindav: a.ics is incomplete; the beginning was written. Get the complete file.\n"
        )
        #expect(self.world.takeAnswers() == "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMM\r\n")
    }
}

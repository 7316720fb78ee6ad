import Testing

@testable import RemindavCLI

@Suite("the command alarms")
struct AlarmCommandTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    @Test("no pending alarm is reported")
    func empty() async {
        #expect(await self.answer("alarms") == "No alarm is pending\n")
        #expect(await self.answer("alarms", "--json") == "[]\n")
        _ = await self.answer("add", "Milk", "--due", "tomorrow")
        #expect(await self.answer("alarms", "--until", "today") == "No alarm fires until then\n")
    }

    @Test("each reminder with a pending alarm has a row, the soonest first; a completed one has none")
    func rows() async {
        // Friday, 20 November 2026, 17:05
        _ = await self.answer("add", "Milk", "--due", "tomorrow")
        _ = await self.answer("add", "Call Ben", "--due", "today 18:00")
        _ = await self.answer("add", "Bins", "--due", "fri 7am", "--repeat", "weekly")
        _ = await self.answer("add", "Some day", "--due", "none")
        #expect(
            await self.answer("alarms") == """
                  2  2026-11-20 18:00  Call Ben
                  1  2026-11-21 09:00  Milk
                  3  2026-11-27 07:00  Bins \u{21BB}

                """
        )
        _ = await self.answer("snooze", "2", "5m")
        _ = await self.answer("done", "1")
        #expect(await self.answer("alarms", "--until", "tomorrow") == "  2  2026-11-20 17:10  Call Ben  snoozed\n")
    }

    @Test("a day includes all its hours, a time is exact, and a past time is an error")
    func until() async {
        _ = await self.answer("add", "Late", "--due", "tomorrow 23:59")
        #expect(await self.answer("alarms", "--until", "tomorrow").contains("Late"))
        #expect(await self.answer("alarms", "--until", "20261121").contains("Late"))
        #expect(await self.answer("alarms", "--until", "tomorrow 23:59").contains("Late"))
        #expect(await self.answer("alarms", "--until", "2026-11-21T23:59:00Z").contains("Late"))
        #expect(await self.answer("alarms", "--until", "tomorrow 23:58") == "No alarm fires until then\n")
        for over in ["2026-11-19", "2026-11-20 17:05", "2026-11-20T17:00:00Z"] {
            #expect(await self.complaint("alarms", "--until", over, status: .usage).contains("must be in the future"))
        }
        #expect(await self.complaint("alarms", "--until", "someday", status: .usage).contains("someday"))
        #expect(await self.complaint("alarms", "--list", "None", status: .notFound).contains("None"))
    }

    /// Adds reminders that are due before 17:05.
    private func rung(_ titles: String...) async {
        let todos = titles.map { "BEGIN:VTODO | UID:\($0) | SUMMARY:\($0) | DUE:20261120T160000Z | END:VTODO" }
        self.file("rung.ics", "BEGIN:VCALENDAR | VERSION:2.0 | \(todos.joined(separator: " | ")) | END:VCALENDAR")
        _ = await self.run("import", "rung.ics")
    }

    @Test("'clear' prints the number of fired alarms, asks, and can be undone (N17)")
    func clear() async {
        #expect(await self.answer("alarms", "clear") == "There are no unacknowledged alarms\n")
        #expect(await self.answer("alarms", "clear", "--json") == #"{"cleared": [], "kept": [], "run": null}"# + "\n")
        await self.rung("a", "b")
        _ = await self.answer("add", "later", "--due", "today 18:00")
        #expect(
            await self.complaint("alarms", "clear", status: .usage)
                == """
                remindav: There is no terminal for the question '2 reminders have unacknowledged alarms. Acknowledge \
                them?'. Add --yes to confirm.

                """
        )
        self.world.willReply("")
        let kept = await self.run("alarms", "clear")
        #expect((kept.status, kept.answer) == (.success, "Nothing was changed\n"))
        #expect(kept.remarks == "2 reminders have unacknowledged alarms. Acknowledge them? [y/N] \n")
        #expect(await self.answer("status").contains("unacknowledged  2\n"))
        self.world.willReply("y")
        #expect(
            await self.run("alarms", "clear").answer
                == "Cleared the alarms of 2 reminders. 'remindav undo' reverts this.\n"
        )
        #expect(await self.answer("status").contains("pending         1\nunacknowledged  0\n"))
        #expect(await self.answer("log", "--limit", "1").hasSuffix("by hand  cleared the alarms of 2 reminders\n"))
        #expect(await self.run("undo", "--last").status == .success)
        #expect(await self.answer("status").contains("unacknowledged  2\n"))
        let json = await self.answer("alarms", "clear", "--yes", "--json")
        #expect(json.hasPrefix(#"{"cleared": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}], "kept": [], "run": "#))
        await self.rung("c")
        self.world.willReply("n")
        #expect(
            await self.run("alarms", "clear").remarks
                == "1 reminder has an unacknowledged alarm. Acknowledge it? [y/N] \n"
        )
    }

    @Test("alarms that fire during the question are not acknowledged (N17)")
    func clearOnlyListed() async {
        await self.rung("a")
        _ = await self.answer("add", "meanwhile", "--due", "today 17:10")
        self.world.willThink(seconds: 600)
        self.world.willReply("y")
        let cleared = await self.run("alarms", "clear")
        #expect(cleared.remarks.contains("1 reminder has an unacknowledged alarm"))
        #expect(cleared.answer == "Cleared the alarms of 1 reminder. 'remindav undo' reverts this.\n")
        #expect(await self.answer("status").contains("unacknowledged  1\n"))
    }

    @Test("JSON contains the data that a program needs to show an alarm")
    func json() async throws {
        _ = await self.answer("add", "Milk & <b>bread</b>", "--due", "today 18:00", "--notes", "two\nlines")
        _ = await self.answer("add", "Bins", "--due", "fri 7am", "--repeat", "weekly")
        let lines = await self.answer("alarms", "--json").split(separator: "\n")
        try #require(lines.count == 4)
        let uid = try #require(lines[1].split(separator: "\"uid\": \"").last?.prefix { $0 != "\"" })
        #expect(
            lines[1] == """
                {"id": "1", "reminder": 1, "uid": "\(uid)", "occurrence": null, "list": "Reminders", \
                "fires": "2026-11-20T18:00:00Z", "cause": "alarm", "title": "Milk & <b>bread</b>", "notes": "two\\nlines", \
                "category": "REMINDER_CATEGORY", "sound": "alarm-clock-elapsed"},
                """
        )
        #expect(lines[2].hasPrefix(#"{"id": "2@20261127T070000Z", "reminder": 2, "#))
        #expect(lines[2].contains(#""occurrence": "20261127T070000Z", "list": "Reminders""#))
        #expect(lines[2].contains(#""notes": null"#))
    }

    @Test("control characters in titles and list names do not reach the terminal")
    func sanitised() async {
        _ = await self.answer("lists", "add", "Home")
        _ = await self.answer("lists", "add", "W\u{202E}")
        _ = await self.answer("add", "red \u{1B}[31m \u{202E}", "--due", "today 18:00", "--list", "W\u{202E}")
        _ = await self.answer("add", "plain", "--due", "today 19:00", "--list", "Home")
        let text = await self.answer("alarms")
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
        #expect(text.contains(#"\u202e  (W\u202e)"#))
        #expect(!(await self.answer("alarms", "--json")).contains("\u{1B}"))
    }
}

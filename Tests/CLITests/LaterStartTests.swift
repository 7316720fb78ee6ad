import Testing

@testable import RemindavCLI

/// The clock shows Friday, 20 November 2026, 17:05.
@Suite("reminders that start later")
struct LaterStartTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    private func fill() async {
        let reminders = [
            "Report|--start|monday|--due|2026-12-04", "Tax|--start|2026-12-01", "Milk|--due|tomorrow",
            "Call|--start|today 18:00|--due|today 20:00",
            "Trip|--start|monday|--due|2026-12-04|--alarm|2026-11-21 08:00",
        ]
        for reminder in reminders {
            let status = await RemindavCommand.run(["add"] + reminder.split(separator: "|").map(String.init)) {
                self.world.context($0)
            }
            #expect(status == .success, "\(self.world.complaints)")
        }
        _ = self.world.takeAnswers()
        _ = self.world.takeComplaints()
    }

    private static let titles = ["Report", "Tax", "Milk", "Call", "Trip"]

    /// The titles that a command shows, in their order.
    private func shown(_ words: String...) async -> (titles: [String], remarks: String) {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        #expect(status == .success, "\(words)")
        let rows = self.world.takeAnswers().split(separator: "\n")
        let titles = rows.compactMap { row in Self.titles.first { row.contains($0) } }
        return (titles, self.world.takeComplaints())
    }

    @Test("a listing hides them and says how many; options, --all and words show them")
    func listing() async {
        await self.fill()
        let rows: [(words: String, titles: [String], hidden: Int)] = [
            ("list", ["Call", "Milk"], 3), ("list --started", ["Call", "Milk"], 0),
            ("list --not-started", ["Report", "Trip", "Tax"], 0),
            ("list --started --not-started", ["Call", "Milk", "Report", "Trip", "Tax"], 0),
            ("list --all", ["Call", "Milk", "Report", "Trip", "Tax"], 0), ("list today", ["Call"], 0),
            ("list upcoming", ["Milk"], 3), ("list --no-date", [], 1), ("list --due-after 2026-12-01", [], 2),
            ("list --text report", ["Report"], 0), ("list /tax", ["Tax"], 0), ("search tax", ["Tax"], 0),
            ("search tax --started", [], 0), ("list --not-started --sort start,title", ["Report", "Trip", "Tax"], 0),
            ("list --not-started --sort=-start", ["Tax", "Report", "Trip"], 0),
            ("list --filter --not-started", ["Report", "Trip", "Tax"], 0), ("list --json", ["Milk", "Call"], 0),
            ("list --quiet", ["Call", "Milk"], 0), ("export --format csv", Self.titles, 0),
            ("export --format csv --not-started", ["Report", "Tax", "Trip"], 0),
        ]
        for (words, titles, hidden) in rows {
            let status = await RemindavCommand.run(words.split(separator: " ").map(String.init)) {
                self.world.context($0)
            }
            #expect(status == .success, "\(words)")
            let answer = self.world.takeAnswers()
            let found = answer.split(whereSeparator: \.isNewline).compactMap { row in
                Self.titles.first { row.contains($0) }
            }
            let isOrdered = !words.contains("json") && !words.hasPrefix("export")
            #expect(!isOrdered ? found.sorted() == titles.sorted() : found == titles, "\(words)")
            let remark =
                hidden == 0
                ? ""
                : hidden == 1
                    ? "1 reminder starts later and is hidden (--not-started).\n"
                    : "\(hidden) reminders start later and are hidden (--not-started).\n"
            #expect(self.world.takeComplaints() == remark, "\(words)")
            if titles.isEmpty, hidden > 0 { #expect(answer == "No matching reminder has started.\n") }
        }
    }

    @Test("a row names the start")
    func row() async {
        await self.fill()
        let list = await self.answer("list", "--not-started")
        #expect(list.contains("Report  starts Mon 23 Nov\n"), "\(list)")
        #expect(list.contains("Tax  starts Tue 1 Dec"), "\(list)")
        #expect(!(await self.answer("list", "today")).contains("starts"))
        #expect(await self.answer("list", "--all", "--json").contains("\"startsLater\": true"))
    }

    @Test("a reminder whose alarm has fired, that was snoozed or is in progress is not hidden")
    func attention() async {
        await self.fill()
        self.world.letPass(seconds: 16 * 3600)
        #expect(await self.shown("list").titles == ["Call", "Milk", "Trip"])
        #expect(await self.run("snooze", "1", "2 days").status == .success)
        #expect(await self.shown("list").titles == ["Call", "Milk", "Report", "Trip"])
        #expect(await self.shown("list").remarks == "1 reminder starts later and is hidden (--not-started).\n")
    }

    @Test("a command for the reminders of a filter changes only those that the listing shows")
    func actions() async {
        await self.fill()
        let done = await self.run("done", "--due-after", "2026-11-20", "--yes")
        #expect(done.answer.contains("Completed 3: Milk") && !done.answer.contains("Report"))
        #expect(
            done.remarks
                == "2 matching reminders start later and are left out. '--started --not-started' includes them.\n"
        )
        let later = await self.run("edit", "--not-started", "--label", "later", "--yes")
        #expect(later.answer.contains("Report") && later.answer.contains("Tax") && !later.answer.contains("Call"))
        #expect(await self.run("done", "Tax", "--yes").answer == "Completed 2: Tax\n")
    }

    @Test("the overview hides them, and says how to see them")
    func overview() async {
        await self.fill()
        let page = await self.answer()
        #expect(page.contains("Milk") && !page.contains("Report"))
        #expect(page.hasSuffix("\n3 start later: 'remindav list --not-started'. All commands: 'remindav help'.\n"))
        _ = await self.answer("done", "3,4")
        #expect(
            await self.answer() == """
                No open reminder has started. 3 start later: 'remindav list --not-started'. 'remindav help' shows commands.

                """
        )
    }
}

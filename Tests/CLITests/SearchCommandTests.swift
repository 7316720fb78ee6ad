import Testing

@testable import RemindavCLI

@Suite("finding and counting")
struct SearchCommandTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    @Test("all words must occur; titles with all words come first; completed reminders only with --all")
    func search() async {
        _ = await self.answer("add", "Milk later", "--due", "none")
        _ = await self.answer("add", "Shopping", "--notes", "bread,\nand MILK", "--due", "none")
        _ = await self.answer("add", "Buy milk", "--label", "Home")
        _ = await self.answer("add", "Old milk", "--due", "none")
        _ = await self.answer("done", "4")
        #expect(
            await self.answer("search", "mílk")
                == """
                  3  Sat 21 Nov 09:00  Buy milk  #Home
                  1                    Milk later
                  2                    Shopping \u{270E}
                     bread, and MILK

                """
        )
        #expect(await self.answer("search", "milk", "home") == "  3  Sat 21 Nov 09:00  Buy milk  #Home\n")
        #expect(await self.answer("search", "bread, and").hasPrefix("  2  "))
        #expect(await self.answer("search", "milk", "--all").contains("Old milk"))
        #expect(await self.answer("search", "milk", "--label", "HOME").split(separator: "\n").count == 1)
        #expect(await self.answer("search", "nothing") == "No reminder matches.\n")
        let json = await self.answer("search", "milk", "home", "--json")
        #expect(json.hasPrefix(#"[\#n{"id": 3, "uid": "#))
        #expect(json.hasSuffix(#", "matched": ["title", "label"]}\#n]\#n"#))
        #expect(await self.complaint("search", "milk", "--list", "Nowhere", status: .notFound).contains("no such list"))
        #expect(await self.complaint("search", " ", status: .usage).contains("cannot be empty"))
        #expect(await self.complaint("search", status: .usage).contains("WORD is missing"))
    }

    @Test("on a terminal the words are highlighted, and control characters of titles and notes are removed")
    func searchInColor() async {
        _ = await self.answer("add", "Buy \u{202E}milk", "--due", "none", "--priority", "high")
        _ = await self.answer(
            "add",
            "Other",
            "--due",
            "none",
            "--notes",
            String(repeating: "x ", count: 400) + "\u{202E}milk"
        )
        let text = await self.answer("search", "milk", "--color", "always")
        #expect(
            text == "  1  !!! \u{1B}[1mBuy \\u202e\u{1B}[0m\u{1B}[4mmilk\u{1B}[0m\n"
                + "  2      Other \u{270E}\n"
                + "     …" + String(repeating: "x ", count: 14) + "\\u202e\u{1B}[4mmilk\u{1B}[0m\n"
        )
    }

    @Test("open and completed reminders are counted by day, list and label")
    func statistics() async {
        _ = await self.answer("lists", "add", "Work\u{202E}")
        _ = await self.answer("add", "One", "--label", "Home")
        _ = await self.answer("add", "Two", "--due", "today 23:00", "--label", "home")
        _ = await self.answer("add", "Three", "--due", "none")
        _ = await self.answer("done", "3")
        #expect(
            await self.answer("stats")
                == """
                Open           2
                Overdue        0
                Due today      1
                Due this week  2
                No date        0

                Completed
                Fri 2026-11-20  1  #
                Thu 2026-11-19  0
                Wed 2026-11-18  0
                Tue 2026-11-17  0
                Mon 2026-11-16  0
                Sun 2026-11-15  0
                Sat 2026-11-14  0
                Last 7 days     1
                Last 30 days    1

                Lists
                Work\\u202e  2 open  0 overdue  1 completed

                Labels
                Home  2 open  0 overdue  0 completed

                """
        )
        let json = await self.answer("stats", "--list", "Work\u{202E}", "--json")
        #expect(
            json.hasPrefix(
                #"{"open": 2, "overdue": 0, "dueToday": 1, "dueThisWeek": 2, "undated": 0, "completed": 1, "cancelled": 0, "#
                    + #""completedLast7Days": 1, "completedLast30Days": 1, "completedByDay": [{"date": "2026-10-22", "#
            )
        )
        #expect(json.hasSuffix(#""labels": [{"name": "Home", "open": 2, "overdue": 0, "completed": 0}]}"# + "\n"))
        #expect(await self.complaint("stats", "--list", "Nowhere", status: .notFound).contains("no such list"))
    }
}

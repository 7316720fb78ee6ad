import Testing

@testable import RemindavCLI

@Suite("lists, feeds and accounts")
struct ListCommandTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    @Test("lists are created, shown with their counts, and not created twice")
    func lists() async {
        _ = await self.answer("lists", "add", "Work", "--color", "#ff5722")
        _ = await self.answer("add", "One", "--list", "Work")
        #expect(
            await self.answer("lists", "--json")
                == """
                [
                {"name": "Work", "account": null, "state": "local", "color": "#FF5722", "readOnly": false, "default": true, "open": 1, \
                "completed": 0, "unsent": 0, "due": null, "alarm": null}
                ]

                """
        )
        #expect(await self.answer("lists") == "Work  local  1 open, default\n")
        #expect(await self.complaint("lists", "add", "Work", status: .usage).contains("already a list"))
        #expect(await self.complaint("lists", "add", "WORK", status: .usage).contains("already a list"))
    }

    @Test("a local list is renamed, recoloured and deleted here, with a question")
    func changedLists() async {
        _ = await self.answer("lists", "add", "Work")
        _ = await self.answer("add", "One", "--list", "work")
        #expect(await self.answer("lists", "rename", "work", "Office") == "Renamed the list work to Office\n")
        let recolored = await self.answer("lists", "recolor", "Office", "#4caf50")
        #expect(recolored == "The list Office now has the colour #4CAF50\n")
        let named = await self.answer("lists", "recolor", "Office", "purple")
        #expect(named == "The list Office now has the colour #9C27B0\n", "the names of the colours of labels")
        #expect(
            await self.answer("lists", "recolor", "Office", "none", "--json")
                == """
                {"name": "Office", "account": null, "state": "local", "color": null, "readOnly": false, "default": true, \
                "open": 1, "completed": 0, "unsent": 0, "due": null, "alarm": null}

                """
        )
        #expect(
            await self.complaint("lists", "recolor", "Office", "grue", status: .usage).contains("A colour must be six")
        )
        #expect(await self.complaint("lists", "keep", "Nowhere", status: .notFound).contains("no such list"))
        self.world.willReply("n")
        #expect(
            await self.complaint("lists", "delete", "Office", status: .success)
                == "Delete the list Office with 1 reminder? [y/N] \n"
        )
        #expect(self.world.takeAnswers() == "Nothing was changed\n")
        #expect(await self.complaint("lists", "delete", "Office", status: .usage).contains("--yes"))
        #expect(
            await self.answer("lists", "delete", "Office", "--yes")
                == "Deleted the list Office with 1 reminder\n'remindav trash' shows its reminders.\n"
        )
        #expect(await self.answer("list", "--all").hasPrefix("No reminders yet"))
    }

    @Test("a feed's address is shown once, and revoked by its number")
    func feeds() async {
        let said = await self.complaint("feed", "create", "--label", "work", status: .success)
        #expect(said.contains("only once"))
        for way in ["'feed-address'", "feed write 1 -o FILE", "feed push 1 URL", "service install --web"] {
            #expect(said.contains(way))
        }
        let address = self.world.takeAnswers()
        #expect(address.wholeMatch(of: /http:\/\/127\.0\.0\.1:8737\/feed\/[0-9a-f]{32}\.ics\n/) != nil)
        let listed = await self.answer("feed", "list")
        #expect(listed.contains("#work"))
        #expect(!listed.contains("feed/"))
        #expect(listed.contains("visits     none yet"))
        #expect(await self.answer("feed", "rename", "work", "Office") == "Renamed feed 1 to Office\n")
        #expect(await self.answer("feed", "revoke", "office") == "Revoked feed 1, Office\n")
        #expect(await self.answer("feed", "list").hasPrefix("No feeds yet"))
    }

    @Test(
        "with 'feed-address', setting or option, the address is that of the web server, and a line for each program explains the set-up"
    )
    func publicFeed() async {
        let said = await self.complaint(
            "feed",
            "create",
            "--feed-address",
            "https://Cal.example.org/r/",
            status: .success
        )
        let address = self.world.takeAnswers()
        #expect(address.wholeMatch(of: /https:\/\/cal\.example\.org\/r\/feed\/[0-9a-f]{32}\.ics\n/) != nil)
        #expect(said.contains("webcal" + address.dropFirst("https".count)))
        for name in ["Google", "Outlook", "Apple", "Thunderbird"] {
            #expect(said.split(separator: "\n").contains { $0.hasPrefix(name) })
        }
        #expect(said.contains("only once"))
        let json = await self.answer(
            "feed",
            "create",
            "--feed-address",
            "cal.example.org",
            "--style",
            "both",
            "--private",
            "--json"
        )
        #expect(json.contains("\"url\": \"https://cal.example.org/feed/"))
        #expect(json.contains("\"webcal\": \"webcal://cal.example.org/feed/"))
        #expect(json.contains("\"style\": \"both\"") && json.contains("\"private\": true"))
        #expect(await self.answer("feed", "list").contains("all lists, as events and to-dos, private in full"))
        for wrong in ["http://cal.example.org", "https://a b", "https://x/?y"] {
            #expect(
                await self.complaint("serve", "--feed-address", wrong, status: .usage).contains(
                    "'--feed-address' must be an address"
                )
            )
        }
        #expect(await self.complaint("feed", "create", "--style", "x", status: .usage).contains("event, todo or both"))
    }

    @Test("the content of a feed is written once, and the same content is not written again")
    func writtenFeed() async {
        _ = await self.complaint("feed", "create", "--name", "Work", status: .success)
        _ = self.world.takeAnswers()
        _ = await self.answer("add", "Call Ben", "--due", "2030-01-01 09:00")
        let text = await self.answer("feed", "write", "work")
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.contains("SUMMARY:☐ Call Ben"))
        #expect(await self.answer("feed", "write", "1", "-o", "/w/x.ics") == "Wrote /w/x.ics\n")
        #expect(self.world.file("/w/x.ics") == Array(text.utf8))
        #expect(await self.answer("feed", "write", "1", "-o", "/w/x.ics") == "Unchanged: /w/x.ics\n")
        #expect(await self.complaint("feed", "write", "Home", status: .notFound).contains("'remindav feed list'"))
    }

    @Test(
        "the arguments of 'feed push' must fit together",
        arguments: [
            (["1", "https://localhost/x.ics"], "needs a user name: --user NAME"),
            (["1", "--user", "ada"], "need a FEED and a URL"), (["--forget"], "'--forget' needs a FEED"),
            (["1", "https://localhost/x.ics", "--user", "ada", "--forget"], "'--forget' cannot be combined"),
            (["1", "--password-command", "x", "--password-stdin"], "cannot be combined"),
        ]
    )
    func pushArguments(_ test: (words: [String], message: String)) async {
        #expect(await self.complaint(["feed", "push"] + test.words, status: .usage).contains(test.message))
    }

    @Test("without a push address nothing is sent")
    func noPush() async {
        _ = await self.complaint("feed", "create", status: .success)
        _ = self.world.takeAnswers()
        #expect(await self.answer("feed", "push").hasPrefix("No feed has a push address."))
        // The advice concerns the store of the command.
        _ = await self.answer("lists", "add", "Garden", "--store", "s")
        #expect(await self.answer("feed", "push", "--store", "s").contains("'remindav --store s feed push FEED URL"))
        let said = await self.complaint("feed", "push", "1", status: .notFound)
        #expect(said.contains("This feed has no push address ('Reminders')."))
    }

    @Test("an account without a password or a terminal is refused with the two ways")
    func passwordWays() async {
        let said = await self.complaint("account", "add", "https://127.0.0.1:1/", "--user", "ada", status: .usage)
        #expect(said.contains("--password-command"))
        #expect(said.contains("--password-stdin"))
        #expect(await self.answer("account", "list").hasPrefix("No accounts yet"))
    }
}

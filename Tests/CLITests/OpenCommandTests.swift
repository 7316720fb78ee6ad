import Testing

@testable import RemindavCLI

@Suite("addresses of reminders")
struct OpenCommandTests: StoreSuite {
    let stage: CommandStage
    init() throws { self.stage = try CommandStage() }

    @Test(
        "an address is the scheme, in any case, and a number",
        arguments: [
            ("reminders://12", 12), ("reminders:12", 12), ("REMINDERS://12/", 12), ("Reminders://007", 7),
            ("reminders://9223372036854775807", .max), ("reminders://9223372036854775808", nil), ("reminders://", nil),
            ("reminders:", nil), ("reminders", nil), ("reminders://x", nil), ("reminders://-1", nil),
            ("reminders://1 2", nil), ("reminders://1?a", nil), ("reminders://1//", nil), ("http://12", nil),
            ("12", nil),
            ("reminders://\u{0661}", nil), ("reminders:///12", nil), ("reminders\u{1A}//12", nil), ("", nil),
            ("reminders://" + String(repeating: "0", count: 1_000_000) + "1", nil),
        ] as [(String, Int64?)]
    )
    func address(text: String, id: Int64?) {
        #expect(OpenReminder.subject(of: text) == id.map(OpenReminder.Subject.reminder))
    }

    @Test("the address of the reminders for today has a word instead of a number")
    func todayAddress() {
        for text in ["reminders://today", "reminders:TODAY/"] {
            #expect(OpenReminder.subject(of: text) == .today)
        }
        for text in ["reminders://today1", "reminders://tomorrow", "today"] {
            #expect(OpenReminder.subject(of: text) == nil)
        }
    }

    @Test("the reminders for today are listed, and their numbers open them until Enter closes the list")
    func today() async {
        _ = await self.answer("add", "Buy milk", "--due", "today 23:00")
        _ = await self.answer("add", "Buy oats", "--due", "today 23:00")
        _ = await self.answer("add", "Buy rice", "--due", "tomorrow")
        let world = self.world("", isTerminal: true)
        world.willReply("x", "99", "2", "d", "")
        #expect(await world.run("open", "reminders://today") == .success)
        #expect(!world.answers.contains("Buy rice") && world.answers.contains("Completed 2"))
        #expect(world.complaints.contains("Type a number from above, or Enter."))
        #expect(world.complaints.contains("no such reminder"))
        #expect(await self.answer("list", "today").contains("Buy milk"))
    }

    @Test("a summary's address opens the settings' program with the word today, or a terminal with the address")
    func todayElsewhere() async {
        _ = await self.answer("add", "Buy milk")
        let world = self.world("open-command = [\"foot\"]\n")
        #expect(await world.run("open", "reminders://today") == .success)
        #expect(world.takeStarted() == [["foot", "today"]])
        let desktop = TestWorld(environment: ["HOME": "/h", "DISPLAY": ":0"], store: self.stage.path("store"))
        #expect(await desktop.run("open", "reminders://today") == .success)
        #expect(desktop.takeStarted().last?.suffix(3) == ["open", "--here", "reminders://today"])
    }

    private func world(_ settings: String, isTerminal: Bool = false) -> TestWorld {
        let world = TestWorld(environment: ["HOME": "/h"], isTerminal: isTerminal, store: self.stage.path("store"))
        world.setFile("/h/.config/remindav/config", Array(settings.utf8))
        return world
    }

    @Test("on a terminal the reminder is shown, and one key opens the editor as 'edit' does")
    func editor() async {
        _ = await self.answer("add", "Buy milk")
        let world = self.world("", isTerminal: true)
        world.willReply("x", "e")
        world.willEdit { $0.replacing("Buy milk", with: "Buy oats") }
        #expect(await world.run("open", "reminders://1") == .success)
        #expect(world.takeShownToEdit().count == 1)
        #expect(world.answers.contains("Buy milk"))
        #expect(world.complaints.contains("d done   s snooze   e edit   Enter closes"))
        #expect(await self.answer("list").contains("Buy oats"))
    }

    @Test("a key completes the reminder, another snoozes it, and Enter changes nothing")
    func keys() async {
        _ = await self.answer("add", "Buy milk")
        for (replies, shown) in [
            ([""], "pending"), (["s", "never", "s", "2h"], "19:05"), (["d"], "Completed 1"),
        ] {
            let world = self.world("", isTerminal: true)
            world.willReply(replies)
            #expect(await world.run("open", "reminders://1") == .success, "\(world.complaints)")
            #expect(shown == "pending" || world.answers.contains(shown), "\(world.answers)")
        }
        #expect(await self.answer("list", "--section", "completed").contains("Buy milk"))
    }

    @Test("without a terminal the first terminal program that opens a window gets the arguments of this command")
    func window() async {
        _ = await self.answer("add", "Buy milk")
        let store = self.stage.path("store")
        let desktop = ["HOME": "/h", "DISPLAY": ":0", "TERMINAL": "missing"]
        let world = TestWorld(environment: desktop, store: store)
        #expect(await world.run("--store", store, "open", "reminders://1") == .success)
        let words = ["/usr/bin/remindav", "--store", store, "open", "--here", "reminders://1"]
        #expect(world.takeStarted() == [["missing", "-e"] + words, ["xdg-terminal-exec"] + words])
        // With --here and without a terminal no second window is opened.
        #expect(await world.run("--store", store, "open", "--here", "reminders://1") == .usage)
        #expect(world.takeStarted() == [])
        #expect(
            TerminalPrograms.commands(for: ["x"], environment: ["DISPLAY": ":0", "TERMINAL": "foot --title a"]).first
                == ["foot", "--title", "a", "x"]
        )
    }

    @Test("with an 'open-command' the command is started with the number, once for each request")
    func command() async {
        _ = await self.answer("add", "Buy milk")
        let world = self.world("open-command = [\"foot\", \"remindav\", \"edit\"]\n")
        #expect(await world.run("open", "reminders://1") == .success)
        #expect(world.takeStarted() == [["foot", "remindav", "edit", "1"]])
        #expect(await world.run("open", "reminders://99") == .notFound)
        #expect(world.takeStarted().isEmpty)
        let missing = self.world("open-command = [\"missing\"]\n")
        #expect(await missing.run("open", "reminders://1") == .failure)
        #expect(
            missing.complaints.contains(
                "The program of the setting 'open-command' is missing or fails ('missing')."
            )
        )
    }

    @Test("without a terminal and without a command the missing value is an error")
    func nothing() async {
        _ = await self.answer("add", "One")
        #expect(await self.complaint("open", "reminders://99", status: .notFound).contains("no such reminder"))
        let complaint = await self.complaint("open", "reminders://1", status: .usage)
        #expect(complaint.contains("There is no terminal to show the reminder. Set a program with the setting"))
        let hostile = await self.complaint("open", "reminders://\u{1B}[2J", status: .usage)
        #expect(hostile.contains(#"not 'reminders://\x1b[2J'."#))
    }
}

import Testing

@testable import RemindavCLI

@Suite("lists default, and the list of new reminders")
struct DefaultListCommandTests: StoreSuite {
    let stage: CommandStage
    init() throws { self.stage = try CommandStage() }

    @Test("the default list is shown and chosen, and 'add' names the list where there are several")
    func chosen() async {
        #expect(await self.answer("lists", "default").hasPrefix("There is no default list yet."))
        #expect(await self.answer("add", "One") == "Added 1: One, due Sat 2026-11-21 09:00, tomorrow\n")
        #expect(await self.answer("lists", "default") == "New reminders go to Reminders\n")
        _ = await self.answer("lists", "add", "Work")
        #expect(await self.answer("add", "Two") == "Added 2: Two, due Sat 2026-11-21 09:00, tomorrow, in Reminders\n")
        #expect(await self.answer("lists", "default", "work") == "New reminders go to Work\n")
        #expect(await self.answer("add", "Three").hasSuffix(", in Work\n"))
        #expect(await self.answer("lists", "default", "--json").contains(#""name": "Work""#))
        #expect(await self.complaint("lists", "default", "Nowhere", status: .notFound).contains("no such list"))
    }

    @Test("after the deletion of the default list 'add' reports this, and on a terminal the user chooses another")
    func deleted() async {
        _ = await self.answer("add", "One")
        _ = await self.answer("lists", "add", "Work")
        _ = await self.answer("lists", "add", "Private")
        _ = await self.answer("lists", "delete", "Reminders", "--yes")
        let complaint = await self.complaint("add", "Two", status: .failure)
        #expect(
            complaint.contains(
                "The default list for new reminders was deleted ('Reminders'). Choose another with 'remindav lists default NAME'"
            )
        )
        #expect(await self.answer("list", "--all").hasPrefix("No reminders"))
        let lists = await self.run("lists")
        #expect(!lists.answer.contains("default") && lists.remarks.contains("'remindav lists default NAME'"))
        #expect(await self.complaint("lists", "default", status: .failure).contains("was deleted ('Reminders')"))

        let terminal = TestWorld(isTerminal: true, store: self.stage.path("store"))
        terminal.willReply("\u{4}")
        #expect(await terminal.run("add", "Two") == .failure)
        #expect(terminal.takeAnswers() == "Nothing was changed\n")
        terminal.willReply("7", "2")
        #expect(await terminal.run("add", "Two") == .success)
        #expect(terminal.takeAnswers().hasSuffix(", in Work\n"))
        #expect(terminal.complaints.contains("1  Private\n  2  Work\n"))
        #expect(await self.answer("lists", "default") == "New reminders go to Work\n")
    }

    @Test("the settings take precedence over the choice, and this is printed")
    func settings() async {
        let world = TestWorld(environment: ["HOME": "/h"], store: self.stage.path("store"))
        world.setFile("/h/.config/remindav/config", Array("list = Private\n".utf8))
        _ = await self.answer("lists", "add", "Work")
        _ = await self.answer("lists", "add", "Private")
        #expect(await world.run("lists", "default", "Work") == .success)
        #expect(world.takeComplaints().contains("The setting 'list = Private' takes precedence over this default."))
        #expect(await world.run("add", "One") == .success)
        #expect(world.takeAnswers().contains("go to Work") && !world.answers.contains("in Work"))
        #expect(await self.answer("lists").contains("Private  local  1 open"))
    }
}

@Suite("the arguments of 'add'")
struct AddArgumentsTests: StoreSuite {
    let stage: CommandStage
    init() throws { self.stage = try CommandStage() }

    private static let tomorrow = "due Sat 2026-11-21 09:00, tomorrow"

    @Test(
        "a title needs no quotation marks, options stand anywhere, and a date after --due may have several words",
        arguments: [
            ("Buy milk", "Added 1: Buy milk, \(tomorrow)"),
            ("Buy milk sunday 8pm", "Added 1: Buy milk, due Sun 2026-11-22 20:00"),
            ("Buy --priority high milk", "Added 1: Buy milk, \(tomorrow)"),
            ("--priority high Buy milk", "Added 1: Buy milk, \(tomorrow)"),
            ("Buy milk --due sunday 8pm", "Added 1: Buy milk, due Sun 2026-11-22 20:00"),
            ("Buy milk --due sunday 8pm --priority low", "Added 1: Buy milk, due Sun 2026-11-22 20:00"),
            ("-d sunday 8pm -p low Buy milk", "Added 1: Buy milk, due Sun 2026-11-22 20:00"),
            ("--due sunday Buy milk", "Added 1: Buy milk, due Sun 2026-11-22"),
            ("Rent --repeat every 2 weeks --literal", "Added 1: Rent, \(tomorrow), repeats every 2 weeks"),
            ("--literal -- -5 degrees --due", "Added 1: -5 degrees --due, \(tomorrow)"),
            ("--due sunday -- 8pm news", "Added 1: 8pm news, due Sun 2026-11-22"),
        ]
    )
    func unquotedTitle(line: String, answer: String) async {
        let status = await self.world.run(["add"] + line.split(separator: " ").map(String.init))
        #expect(status == .success, "\(self.world.complaints)")
        #expect(self.world.answers.hasPrefix(answer), "\(self.world.answers)")
    }

    @Test(
        "a value with an unclear end adds nothing, and the message has the correct form",
        arguments: [
            ("--due sunday 8pm Buy milk", "Write it in quotation marks: --due 'sunday 8pm'."),
            ("Buy milk --due next friday please", "Write it in quotation marks: --due 'next friday'."),
            ("Buy milk --notes two litres", "It is not clear where the notes end."),
            ("--due sunday 8pm", "TITLE is missing."),
        ]
    )
    func unclear(line: String, sentence: String) async {
        let words = ["add"] + line.split(separator: " ").map(String.init)
        #expect(await self.complaint(words, status: .usage).contains(sentence))
        #expect(await self.answer("list", "--all").hasPrefix("No reminders"))
    }

    private func piped(_ text: String, _ words: String...) async -> (RemindavCLI.ExitStatus, TestWorld) {
        let world = TestWorld(input: text, store: self.stage.path("store"))
        return (await world.run(["add"] + words), world)
    }

    @Test("'-' reads one title from each line of standard input, and its options hold for all")
    func standardInput() async {
        let (status, world) = await self.piped("Call bank\r\n\n  Buy milk sunday \n", "-", "--label", "home")
        #expect(status == .success, "\(world.complaints)")
        #expect(
            world.answers.hasPrefix(
                "Added 1: Call bank, \(Self.tomorrow), #home\nAdded 2: Buy milk, due Sun 2026-11-22"
            )
        )
        #expect(await self.answer("list", "--label", "home").contains("Buy milk"))
        let (_, json) = await self.piped("A\nB\n", "-", "--json")
        #expect(json.answers.contains(#""title": "A""#) && json.answers.hasPrefix("[\n"))
    }

    @Test("one reminder that cannot be added prevents the addition of all, and its line is named")
    func badReminder() async {
        let world = TestWorld(input: "Call Ben\n\nBuy milk tom\n", store: self.stage.path("store"))
        #expect(await world.run("add", "-", "--alarm", "15m") != .success)
        #expect(world.complaints.contains("Line 3 of standard input: "), "\(world.complaints)")
        #expect(world.complaints.contains("Nothing was added."), "\(world.complaints)")
        #expect(await self.answer("list", "--all").hasPrefix("No reminders"))
    }

    @Test("one unusable line prevents the addition of all")
    func badInput() async {
        let long = String(repeating: "x\n", count: AddReminder.maximumTitles + 1)
        let rows: [(String, [String], String)] = [
            ("Good\nBad today 8:00\n", ["-"], "Line 2 of standard input: "),
            ("", ["-"], "Standard input contains no title."), ("\n \n", ["-"], "Standard input contains no title."),
            (long, ["-"], "1001 titles, but the maximum is 1000."),
            ("A\n", ["-", "--id", "k"], "'--id' names one reminder"),
            ("A\n", ["-", "--notes", "-"], "cannot contain both"),
        ]
        for (text, words, sentence) in rows {
            let world = TestWorld(input: text, store: self.stage.path("store"))
            #expect(await world.run(["add"] + words) == .usage, "\(sentence)")
            #expect(world.complaints.contains(sentence), "\(world.complaints)")
        }
        #expect(await self.answer("list", "--all").hasPrefix("No reminders"))
    }
}

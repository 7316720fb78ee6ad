import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("words that stand for options")
struct QuickWordTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    private func add() async {
        for line in [
            "add Buy milk +shop --due none", "lists add Work", "add Call Ben p1 @Work today 8pm",
            "add Buy paint +shop p3",
        ] { #expect(await self.run(line: line).status == .success) }
    }

    @Test(
        "a word is one of the forms, or an ordinary word",
        arguments: [
            ("+home", .label("home")), ("#home", .label("home")), ("-+home", .noLabel("home")),
            ("@Work", .list("Work")),
            ("p1", .priority("p1")), ("p4", .priority("p4")), ("!high", .priority("high")), ("!!!", .priority("!!!")),
            ("!!", .priority("!!")), ("/milk", .text("milk")),
            ("/milk/", .text("milk")), ("/two words", .text("two words")), ("+1", nil), ("+1d", nil), ("#1", nil),
            ("+", nil), ("@", nil), ("/", nil), ("//", nil), ("-+", nil), ("p5", nil), ("p", nil), ("page", nil),
            ("!", nil), ("!x", nil), ("/tmp/file", nil), ("C++", nil), ("12", nil), ("", nil), ("-home", nil),
        ] as [(String, QuickWord?)]
    )
    func forms(word: String, expected: QuickWord?) { #expect(QuickWord(word) == expected) }

    @Test(
        "a command line is completed with the command that it means",
        arguments: [
            ("skip 12", "done --skip 12"), ("upcoming", "list"), ("+home p1", "list +home p1"),
            ("-+home", "list -+home"), ("/milk --json", "list /milk --json"),
            ("12", "show 12"), ("3,5 7-9", "show 3,5 7-9"), ("a Milk", "add Milk"),
            ("n 3 Call first", "edit 3 --add-notes=Call first"),
            ("note 3 - more --json", "edit 3 --add-notes=- more --json"),
            ("rename 3 Oat milk", "edit 3 --title=Oat milk"),
            ("rename 3", "edit 3"), ("rn", "edit"), ("note --json 3", "edit --json 3"),
            ("week", "list --due-before monday"),
            ("t +home", "list --section today +home"), ("li", "list"), ("un 6", "un 6"), ("und", "und"), ("ex", "ex"),
            ("exp", "export"), ("ren 3 x", "edit 3 --title=x"),
            ("lab", "labels"), ("acc list", "account list"), ("l", "l"), ("st", "st"), ("frob", "frob"), ("", ""),
        ]
    )
    func commands(line: String, expected: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(CommandTable.expanded(words).joined(separator: " ") == expected)
    }

    @Test("the value of 'config set' may be an option of a filter")
    func valueOfSetting() {
        #expect(ChangeSetting.marked(["filter.od", "--overdue"]) == ["filter.od", "--", "--overdue"])
        #expect(
            ChangeSetting.marked(["filter.od", "--overdue", "--json"]) == ["filter.od", "--json", "--", "--overdue"]
        )
        for words in [["due", "none", "--json"], ["due", "--json", "none"], ["--json", "due", "none"], ["due"]] {
            #expect(ChangeSetting.marked(words) == words)
        }
    }

    @Test("without a command, words select reminders, and a number shows one")
    func lists() async {
        await self.add()
        let rows = [
            ("+shop", ["Buy milk", "Buy paint"]), ("+shop p3", ["Buy paint"]), ("@work", ["Call Ben"]),
            ("p1", ["Call Ben"]),
            ("p4", ["Buy milk"]), ("/buy", ["Buy milk", "Buy paint"]), ("-+shop", ["Call Ben"]),
            ("nodate", ["Buy milk"]),
            ("week p1", ["Call Ben"]), ("list +shop --sort title --due-before next week", ["Buy paint"]),
        ]
        for (line, titles) in rows {
            let shown = await self.run(line: line)
            #expect(shown.status == .success && shown.complaints.isEmpty, "\(line): \(shown)")
            for title in ["Buy milk", "Call Ben", "Buy paint"] {
                #expect(shown.answers.contains(title) == titles.contains(title), "\(line): \(title)")
            }
        }
        #expect(await self.run(line: "2").answers.hasPrefix("Call Ben\n"))
        #expect(await self.run(line: "@nowhere").complaints.contains("There is no such list ('nowhere')"))
        #expect(await self.run(line: "+nothing").complaints.contains("There is no such label ('nothing')"))
    }

    @Test("words after the ID change a date, a repetition, labels, the priority and the list")
    func edits() async {
        await self.add()
        let all = await self.run(line: "edit 1 tomorrow 9am +home -+shop p2 @work").answers
        for part in [
            "due: none -> Sat 2026-11-21 09:00", "priority: none -> medium", "labels: #shop -> #home",
            "list: Reminders -> Work",
        ] { #expect(all.contains(part), "\(all)") }
        #expect(
            await self.run(line: "edit 1 every monday at 9am").answers.contains("repeat: none -> every week on Mon")
        )
        #expect(await self.run(line: "edit 1 p4").answers.contains("priority: medium -> none"))
        #expect(await self.run(line: "edit 2 none").answers.contains("due: Fri 2026-11-20 20:00, today -> none"))
        #expect(await self.run(line: "edit 2 +a +b").answers.contains("labels: none -> #a #b"))
        #expect(await self.run(line: "edit +shop p1 --yes").answers.contains("priority: low -> high"))
        #expect(await self.run(line: "edit --overdue tomorrow").answers == "No reminder matches. Nothing was changed\n")
        #expect(await self.run(line: "edit /milk +c +d --yes").answers.contains("#c #d"))
    }

    @Test(
        "a wrong change of 'edit' is an error, and nothing is changed",
        arguments: [
            (
                "edit 1 Buy oat milk",
                #"'Buy oat milk' is no date, repetition, +label, @list or p1 to p4. For a new title, "#
            ),
            ("edit 1 tomorow +home", "'tomorow' is no date"),
            ("edit 1 p1 p2", "'--priority' is given twice"),
            ("edit 1 tomorrow --due friday", "'tomorrow' is a second value of '--due', which"),
            ("edit 1 +home -+home", "both added and removed"), ("edit 1 @nowhere", "no such list"),
            ("edit 1 /milk tomorrow", "'/milk tomorrow' is no date"),
            ("edit 1 --due friday saturday", "'saturday' is a second value of '--due', which is 'friday'."),
            ("edit 1 --repeat daily weekly", "'weekly' is a second value of '--repeat', which is 'daily'."),
            ("add Foo --due friday saturday", "If it belongs to the title, write it before '--due'."),
            ("list no date", "'no date' is no section. Write 'remindav list --no-date'."),
            ("list in progress", "Write 'remindav list --in-progress'."), ("list no dates", "Unexpected word: 'dates'"),
            ("undone milk --yes", "No completed reminder matches 'milk'."),
            ("edit 5 --overdue", "Give either IDs or filter options"),
            ("edit 1 --notes a --add-notes b", "cannot be combined"),
            ("done +shop 1", "Give either IDs or filter options"),
        ]
    )
    func wrongChanges(line: String, sentence: String) async {
        await self.add()
        let before = await self.run(line: "list --json").answers
        let refused = await self.run(line: line)
        #expect(refused.status != .success && refused.complaints.contains(sentence), "\(refused)")
        #expect(await self.run(line: "list --json").answers == before)
    }

    @Test("done, snooze and delete accept the filters too")
    func actions() async {
        await self.add()
        #expect(await self.run(line: "snooze p1 1h --yes").answers.hasPrefix("Snoozed 2"))
        #expect(await self.run(line: "done +shop /milk --yes").answers.hasPrefix("Completed 1: Buy milk"))
        #expect(await self.run(line: "reopen /milk --yes").answers.hasPrefix("Reopened 1"))
        let none = "No completed reminder matches. Nothing was changed\n"
        #expect(await self.run(line: "reopen /milk --yes").answers == none)
        #expect(await self.run(line: "blocked").answers == "No open reminder is blocked.\n")
        #expect(await self.run(line: "rm @Work --yes").answers.hasPrefix("Deleted 2"))
    }

    @Test("words that resemble no command are searched, and an error says so if no reminder has them")
    func search() async {
        await self.add()
        #expect(await self.run(line: "milk").answers.contains("Buy milk"))
        #expect(await self.run(line: "buy paint").answers.contains("Buy paint"))
        #expect(await self.run(line: "milk --json").answers.contains(#""title": "Buy milk""#))
        let unknown = await self.run(line: "frobnicate")
        #expect(unknown.status == .usage && unknown.complaints.contains("There is no command 'frobnicate'."))
        #expect(await self.run(line: "milk --frob").status == .usage)
        // A word that resembles a command is not searched.
        _ = await self.run(line: "add lits")
        #expect(await self.run(line: "lits").complaints.contains("Did you mean 'list'?"))
    }

    @Test("'note' adds a line to the notes, and 'rename' sets the title")
    func texts() async {
        await self.add()
        _ = await self.run(line: "n 1 Ask for the price")
        _ = await self.run(line: "note 1 And buy two")
        #expect(await self.run(line: "1 --json").answers.contains(#""notes": "Ask for the price\nAnd buy two""#))
        #expect(await self.run(line: "rn 1 Buy oat milk").answers.contains("title: Buy milk -> Buy oat milk"))
        #expect(await self.run(line: "edit 1,3 --add-notes Cheap").status == .success)
        #expect(await self.run(line: "3 --json").answers.contains(#""notes": "Cheap""#))
    }
}

import RemindavTestSupport
import Testing

@testable import RemindavCLI

/// The habits of users of Todoist and taskwarrior that testers missed.
@Suite("words of Todoist and taskwarrior on the command line")
struct TesterWordTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    private func prepare(_ lines: String...) async {
        for line in lines { #expect(await self.run(line: line).status == .success, "\(line)") }
    }

    // MARK: skip and done

    @Test("'skip' goes beyond the due date, and 'done' completes each date, also within one second")
    func skipAndDone() async {
        _ = await self.run(words: ["add", "Floss", "--repeat", "every! 3 days", "--due", "2026-11-21"])
        for date in ["Tue 2026-11-24, in 4 days", "Fri 2026-11-27, in 7 days"] {
            #expect(await self.run(line: "skip 1").answers == "Skipped a date of 1: Floss. Next: \(date).\n")
        }
        for copy in 2...4 {
            let done = await self.run(line: "done 1")
            #expect(done.answers.contains("Completed 1: Floss. Next: Mon 2026-11-23"), "\(done)")
            #expect(done.answers.contains("The completed occurrence is"), "\(copy): \(done)")
        }
    }

    // MARK: parent

    @Test("a subtask in another list keeps its parent, and the confirmation names no change of it")
    func parentInOtherList() async {
        await self.prepare("lists add Other", "add Paper --due none @Other", "lists add Home")
        await self.prepare("add Kid --parent 1 --due none")
        let moved = await self.run(line: "edit 2 @Home")
        #expect(moved.answers.contains("list: Other -> Home") && !moved.answers.contains("parent:"), "\(moved)")
        #expect(moved.complaints.contains("Its parent 1 is in another list now."), "\(moved)")
        #expect(await self.run(line: "show 2").answers.contains("1: Paper"))
        #expect(await self.run(line: "edit 2 --parent none").answers.contains("parent: not in this list -> none"))
        #expect(!(await self.run(line: "show 2").answers.contains("Part of")))
    }

    // MARK: pairs

    @Test(
        "a pair of taskwarrior changes the field with this name",
        arguments: [
            ("due:friday", "due: none -> Fri 2026-11-27"), ("pri:H", "priority: none -> high"),
            ("priority:l", "priority: none -> low"), ("project:Home", "list: Reminders -> Home"),
            ("tags:a,b", "labels: #old -> #a #b"), ("tags:", "labels: #old -> none"),
            ("wait:monday", "start: none -> Mon 2026-11-23"), ("scheduled:monday", "start: none -> Mon 2026-11-23"),
            ("depends:2", "depends on: none -> 2"), ("status:active", "status: open -> in progress"),
            ("description:Butter", "title: Milk -> Butter"), ("due:friday recur:weekly", "repeat: none -> every week"),
        ]
    )
    func pairs(words: String, part: String) async {
        await self.prepare("add Milk --due none +old", "add Eggs --due none", "lists add Home")
        let edited = await self.run(line: "edit 1 \(words)")
        #expect(edited.status == .success && edited.answers.contains(part), "\(edited)")
    }

    @Test("a pair with an empty value clears the field, and a list or a title cannot be empty")
    func emptyPairs() async {
        await self.prepare("add Milk --due 2026-12-01 p1", "add Eggs --due none")
        #expect(await self.run(line: "edit 1 due: pri:").answers.contains("priority: high -> none"))
        #expect(await self.run(line: "edit 1 project:").status == .usage)
        #expect(await self.run(line: "edit 1 desc:").status == .usage)
        let kept = await self.run(line: "edit 1 odd:x")
        #expect(kept.complaints.contains("'odd:x' is no date"), "\(kept)")
    }

    @Test(
        "a pair of taskwarrior is a filter",
        arguments: [
            ("list project:Home", "Rose"), ("project:Home", "Rose"), ("list pri:H", "Milk"), ("list tag:x", "Eggs"),
            ("list due.before:2026-12-02", "Milk"), ("list due:2026-12-05", "Eggs"), ("list due:", "Rose"),
            ("list due.after:2026-12-02", "Eggs"), ("list status:completed", "Bread"),
            ("status:pending tag:x list", "Eggs"), ("export --format csv tag:x status:pending", "Eggs"),
            ("search --list Home o status:pending", "Rose"), ("list --filter status:pending pri:H", "Milk"),
        ]
    )
    func pairsOfFilters(line: String, title: String) async {
        await self.prepare("add Milk --due 2026-12-01 p1", "add Eggs --due 2026-12-05 +x", "lists add Home")
        await self.prepare("add Rose --due none @Home", "add Bread --due none", "done 4")
        let shown = await self.run(line: line)
        #expect(shown.status == .success, "\(shown)")
        for other in ["Milk", "Eggs", "Rose", "Bread"] {
            #expect(shown.answers.contains(other) == (other == title), "\(shown)")
        }
    }

    @Test("'status:pending' selects open reminders in each command, and contradicts '--all'")
    func pending() async {
        await self.prepare("add Milk --due none", "add Bread --due none", "done 2")
        let exported = await self.run(line: "export --format csv status:pending").answers
        #expect(exported.contains("Milk") && !exported.contains("Bread"), "\(exported)")
        let all = await self.run(line: "list --all status:pending")
        #expect(all.complaints.contains("'status:pending' and '--all' cannot be combined."), "\(all)")
        #expect(await self.run(line: "edit status:pending p1 --yes").complaints.contains("ID is missing"))
    }

    @Test(
        "a change where only filters may stand is refused, with the filters",
        arguments: [
            "list recur:weekly", "list *15m", "start:now", "stats status:deleted", "export wait:monday",
            "list --filter +home,recur:weekly", "list milk desc:x",
        ]
    )
    func noFilter(line: String) async {
        let refused = await self.run(words: line.split(separator: " ").map { String($0).replacing(",", with: " ") })
        #expect(refused.status == .usage, "\(refused)")
        let word = line.split { " ,".contains($0) }.last ?? ""
        #expect(refused.complaints.contains("'\(word)' is no filter. Filters are +label,"), "\(refused)")
    }

    @Test("a filter for a list that does not exist names the label with this name")
    func labelInPlaceOfList() async {
        await self.prepare("add Submit report project:Work")
        let refused = await self.run(line: "list project:work")
        #expect(
            refused.complaints.contains("There is no such list ('work'). For the label, write '+Work'."),
            "\(refused)"
        )
        #expect(!(await self.run(line: "list project:Wirk").complaints.contains("label")))
    }

    @Test(
        "the value of a pair is the whole word of the shell",
        arguments: [
            (["project:Home Garden"], "in Home Garden"), (["project:\"Home Garden\""], "in Home Garden"),
            (["project:'Home Garden'"], "in Home Garden"), (["@Home Garden"], "in Home Garden"),
            (["@Home", "Garden"], "in Home Garden"), (["@home", "shed"], "in Home"),
            (["due:in 3 days"], "due Mon 2026-11-23"), (["due:\"in 3 days\""], "due Mon 2026-11-23"),
            (["recur:every monday"], "repeats every week on Mon"), (["tags:diy,iron"], "#diy #iron"),
            (["+diy,iron"], "#diy #iron"), (["wait:monday"], "starts Mon 2026-11-23"),
            (["project:Ben's Garden"], "in Ben's Garden"), (["due:friday 9am"], "due Fri 2026-11-27 09:00"),
        ]
    )
    func wholeValues(words: [String], part: String) async {
        _ = await self.run(words: ["lists", "add", "Home"])
        _ = await self.run(words: ["lists", "add", "Home Garden"])
        _ = await self.run(words: ["lists", "add", "Ben's Garden"])
        let added = await self.run(words: ["add", "Roses"] + words)
        #expect(added.status == .success && added.answers.contains(part), "\(added)")
        #expect(added.answers.hasPrefix(words.last == "shed" ? "Added 1: Roses shed," : "Added 1: Roses,"), "\(added)")
    }

    @Test(
        "a word of the shell that is more than a pair has the pair at its beginning",
        arguments: [
            (["due:friday call Ben", "now"], "Added 1: call Ben now, due Fri 2026-11-27"),
            (["recur:weekly call Ben", "now"], "Added 1: call Ben now, due"),
            (["pri:H call", "Ben"], "Added 1: call Ben, "),
            (["tag:x call", "Ben"], "Added 1: call Ben, "),
        ]
    )
    func pairWithTitle(words: [String], beginning: String) async {
        let added = await self.run(words: ["add"] + words)
        #expect(added.status == .success && added.answers.hasPrefix(beginning), "\(added)")
    }

    @Test("the confirmation names the pairs that it removed from the title")
    func removedPairs() async {
        await self.prepare("add Milk")
        let added = await self.run(line: "add Bread +x sched:monday depends:1")
        #expect(added.answers.contains("Removed from the title: '+x', 'sched:monday', 'depends:1'."), "\(added)")
        let one = await self.run(line: "add Bread wait:monday")
        #expect(one.answers.contains("Removed from the title: 'wait:monday'. '--literal' keeps it"), "\(one)")
    }

    @Test("a pair whose value is no time stays in the title")
    func wordsWithColon() async {
        let added = await self.run(words: ["add", "Press", "start:button"])
        #expect(added.status == .success && added.answers.hasPrefix("Added 1: Press start:button"), "\(added)")
    }

    @Test("a pair that a title cannot contain is refused with the form to write instead")
    func refusedPairs() async {
        for (title, advice) in [
            ("Milk entry:2026-11-01", "creation time"),
            ("Milk end:yesterday", "remindav done"), ("Milk wait:friday", "'--start'"),
            ("Milk sched:friday", "'--start'"), ("Milk dep:3", "'--depends 3'"),
            ("Milk tags:,", "'tags:,' names no label."), ("Milk start:friday", "marks a reminder as in progress."),
        ] {
            let refused = await self.run(words: ["add", title])
            #expect(refused.status == .usage && refused.complaints.contains(advice), "\(refused)")
        }
        let kept = await self.run(words: ["add", "Press start:button"])
        #expect(kept.answers.contains("Added 1: Press start:button"), "\(kept)")
    }

    // MARK: phrases

    @Test(
        "repetitions of Todoist are read",
        arguments: [
            ("Swim every jan, may, sep 15th", "Swim", "every year on 15 Jan, 15 May and 15 Sep"),
            ("Swim every jan, apr, jul and oct 15", "Swim", "every year on 15 Jan, 15 Apr, 15 Jul and 15 Oct"),
            ("Swim every mon-fri", "Swim", "every weekday"),
            ("Swim every fri-mon", "Swim", "every week on Mon, Fri, Sat and Sun"),
            ("Swim every 1st and 3rd mon", "Swim", "every month on the 1st Mon and the 3rd Mon"),
            ("Swim every last fri of month", "Swim", "every month on the last Fri"),
            ("Swim every mon starting dec 7 until feb 1", "Swim", "every week on Mon until 1 Feb 2027"),
            ("Swim every mon at 9am starting dec 7 until feb 1", "Swim", "every week on Mon until 1 Feb 2027"),
            ("Swim every day from dec 7 until dec 20", "Swim", "every day until 20 Dec 2026"),
        ]
    )
    func repetitions(line: String, title: String, rule: String) async {
        let added = await self.run(words: ["add", line])
        #expect(added.answers.hasPrefix("Added 1: \(title), due"), "\(added)")
        #expect(added.answers.contains("repeats \(rule)"), "\(added)")
    }

    @Test(
        "the alarm of Todoist is read in a title",
        arguments: [
            ("Gym !30m", "Gym, due Sat 2026-11-21 09:00"), ("Gym !30m tomorrow 3pm", "Gym, due Sat 2026-11-21 15:00"),
            ("Gym tomorrow 3pm", "Gym, due Sat 2026-11-21 15:00"),
        ]
    )
    func titles(line: String, part: String) async {
        let added = await self.run(words: ["add", line])
        #expect(added.answers.hasPrefix("Added 1: \(part)"), "\(added)")
        #expect(added.answers.contains("30 minutes before") == line.contains("!"), "\(added)")
    }

    @Test("the label '#Work' beside a list 'Work' gets a hint, and '*15m' sets an alarm in 'edit'")
    func labelOfList() async {
        await self.prepare("lists add Reminders2", "lists add Work")
        let added = await self.run(words: ["add", "Slides #Work"])
        #expect(added.complaints.contains("For the list 'Work', write '@Work'."), "\(added)")
        #expect(!(await self.run(words: ["add", "Slides +Work"]).complaints.contains("For the list")))
        #expect(await self.run(line: "edit 1 *15m").answers.contains("15 minutes before"))
    }

    @Test("a command says which reminders of its filter it leaves out, and 'edit' which it hides")
    func leftOut() async {
        await self.prepare("add Milk --due none +x", "add Eggs --due 2026-12-20 --start 2026-12-10 +x")
        let done = await self.run(line: "done +x --yes")
        #expect(done.complaints.contains("1 matching reminder starts later and is left out."), "\(done)")
        await self.prepare("add Rice --due 2026-11-25 --start 2026-11-19")
        let moved = await self.run(line: "edit 3 2026-12-24")
        #expect(moved.complaints.contains("It starts later now, so lists hide it until then"), "\(moved)")
    }

    // MARK: -tag

    @Test("'-home' is refused with the form for a label to remove, and changes no title")
    func minusTag() async {
        await self.prepare("add Milk --due none +tag")
        for (line, beginning) in [
            ("edit 1 -tag", "'-tag' has two meanings. For '--title ag', write '-t ag'."),
            ("edit 1 -later", "'-later' has two meanings. For '--label ater', write '-l ater'."),
            ("list -shopping", "There is no option '-shopping'."), ("edit 1 -home", "There is no option '-home'."),
            ("list -home", "There is no option '-home'."), ("done -work", "There is no option '-work'."),
        ] {
            let refused = await self.run(line: line)
            let name = line.split(separator: "-").last ?? ""
            #expect(refused.status == .usage && refused.complaints.contains(beginning), "\(refused)")
            #expect(refused.complaints.contains("write '-+\(name)'"), "\(refused)")
        }
        #expect(await self.run(line: "list -ltag").answers.contains("Milk"))
        #expect(await self.run(line: "add Bread -lshop").answers.contains("#shop"))
        #expect(await self.run(line: "show 1").answers.hasPrefix("Milk\n"))
        #expect(await self.run(line: "edit 1 -t Bread").answers.contains("title: Milk -> Bread"))
    }

    // MARK: other orders and names

    @Test("a filter may precede the command, short filters work in each command, and 'all' lists all")
    func filterFirst() async {
        await self.prepare("add Milk --due none +x", "add Eggs --due none", "lists add Home")
        await self.prepare("add Rose --due none @Home")
        #expect(await self.run(line: "+x edit p1 --yes").answers.contains("priority: none -> high"))
        let listed = await self.run(line: "+x list").answers
        #expect(listed.contains("Milk") && !listed.contains("Eggs"))
        #expect(await self.run(line: "+x done --yes").answers.contains("Completed 1: Milk"))
        let all = await self.run(line: "all").answers
        #expect(all.contains("Milk") && all.contains("Eggs"), "\(all)")
        let exported = await self.run(line: "export @Home --format csv").answers
        #expect(exported.contains("Rose") && !exported.contains("Eggs"), "\(exported)")
        let counted = await self.run(line: "stats @Home").answers
        #expect(counted.contains("Open           1"), "\(counted)")
        #expect(await self.run(line: "stats +x").answers.contains("Open           0"))
        #expect(await self.run(line: "stats +hoem").complaints.contains("There is no such label ('hoem')"))
        for line in ["search o @Home", "@Home search o", "p4 @Home search o --json"] {
            let found = await self.run(line: line).answers
            #expect(found.contains("Rose"), "\(line): \(found)")
        }
    }
}

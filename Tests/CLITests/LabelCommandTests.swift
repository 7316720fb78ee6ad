import RemindavReminders
import Testing

@testable import RemindavCLI

@Suite("labels")
struct LabelCommandTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    /// Adds two reminders with a label, one of them completed.
    private func fill() async {
        _ = await self.run("add", "Write the report", "--label", "work", "--label", "Desk")
        _ = await self.run("add", "Call Ben", "--label", "Work")
        _ = await self.run("done", "2")
    }

    @Test("without labels the command for the first one is printed")
    func empty() async {
        let words = "No labels yet\nAdd your first label: remindav labels add Work\n"
        #expect(await self.run("labels").answer == words)
        #expect(await self.run("labels", "--json").answer == "[]\n")
        #expect(await self.run("labels", "add", "Work").answer == "Created the label ● Work, #FF5722 deep orange\n")
    }

    @Test("each label has a line: the dot, the name, the colour and the number of its reminders")
    func listed() async {
        await self.fill()
        _ = await self.run("labels", "add", "Garden \u{1B}[31m", "--color", "#4CAF5080")
        _ = await self.run("labels", "recolor", "WORK", "tomato")
        #expect(
            await self.run("labels").answer == """
                ● Desk         #FF5722 deep orange  1 open
                ● Garden [31m  #4CAF50 green        0 open
                ● work         #FF6347              1 open, 1 completed

                """
        )
    }

    @Test("a long name takes no room from others, and two long names with an equal beginning are printed differently")
    func longNames() async {
        let long = String(repeating: "x", count: 250)
        let todos = ["A", "B"].map { "BEGIN:VTODO\nUID:\($0)\nSUMMARY:\($0)\nCATEGORIES:a,\(long)\($0)\nEND:VTODO\n" }
        self.world.setFile("a.ics", Array("BEGIN:VCALENDAR\n\(todos.joined())END:VCALENDAR\n".utf8))
        _ = await self.run("import", "a.ics")
        let lines = await self.run("labels").answer.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && Set(lines).count == 3)
        #expect(lines[0] == "● a" + String(repeating: " ", count: 41) + "#FF5722 deep orange  2 open")
        #expect(lines[1].contains("x…x") && lines[1].contains("xA  #FF5722") && lines[1].count < 240)
    }

    @Test("a renaming to the current name is reported as such")
    func sameName() async {
        await self.fill()
        let plan = await self.run("labels", "rename", "Desk", "Desk", "--dry-run")
        let words = "The label Desk already has this name; nothing was changed\n"
        #expect(plan.answer == words)
        #expect(await self.run("labels", "rename", "Desk", "Desk").answer == words)
        #expect(await self.run("log", "--limit", "1").answer.hasSuffix("completed Call Ben\n"))
        // One of the two has another spelling of the label.
        #expect(
            await self.run("labels", "rename", "work", "work").answer
                == "Renamed the label work to work, in 1 reminder\n"
        )
    }

    @Test("the dot has the label's colour where colours are shown, with the number of colours of the terminal")
    func colored() async {
        _ = await self.run("labels", "add", "Work")
        let forced = TestWorld(environment: ["CLICOLOR_FORCE": "1"], store: self.world.store)
        #expect(await forced.run("labels", "add", "Home", "--color", "#4CAF50") == .success)
        #expect(forced.answers == "Created the label \u{1B}[38;5;28m●\u{1B}[0m Home, #4CAF50 green\n")
        _ = await self.run("labels", "delete", "Home", "--yes")
        let words = (before: "\u{1B}[", after: "m●\u{1B}[0m Work  #FF5722 deep orange  0 open\n")
        #expect(await self.run("--color", "always", "labels").answer == "\(words.before)38;5;202\(words.after)")
        let full = TestWorld(environment: ["COLORTERM": "truecolor"], isTerminal: true, store: self.world.store)
        #expect(await full.run("labels") == .success)
        #expect(full.answers == "\(words.before)38;2;255;87;34\(words.after)")
        let plain = ["COLORTERM": "truecolor", "NO_COLOR": "1"]
        let none = TestWorld(environment: plain, isTerminal: true, store: self.world.store)
        #expect(await none.run("labels") == .success)
        #expect(none.answers == "● Work  #FF5722 deep orange  0 open\n")
    }

    @Test("the colours of the palette have these cells of 256, which are readable on white and on black")
    func cells() {
        let cells = LabelColor.palette.map { TerminalPalette.cell(nearest: $0.color) }
        #expect(cells == [160, 161, 127, 98, 26, 32, 32, 31, 30, 28, 64, 100, 136, 136, 166, 202])
        #expect(TerminalPalette.cell(nearest: LabelColor(rgb: 0)) == 59)
        #expect(TerminalPalette.cell(nearest: LabelColor(rgb: 0xFFFFFF)) == 246)
    }

    @Test("JSON has these members")
    func json() async {
        await self.fill()
        #expect(
            await self.run("labels", "--json").answer == """
                [
                {"id": null, "name": "Desk", "color": "#FF5722", "colorName": "deep orange", "open": 1, "completed": 0, \
                "createdAt": null, "updatedAt": null},
                {"id": null, "name": "work", "color": "#FF5722", "colorName": "deep orange", "open": 1, "completed": 1, \
                "createdAt": null, "updatedAt": null}
                ]

                """
        )
        let added = await self.run("labels", "add", "New", "--json").answer
        #expect(added.hasSuffix("\"createdAt\": \"2026-11-20T17:05:00Z\", \"updatedAt\": \"2026-11-20T17:05:00Z\"}\n"))
        let renamed = await self.run("labels", "rename", "work", "Job", "--json").answer
        #expect(renamed.hasPrefix("{\"name\": \"work\", \"label\": {\"id\": \""))
        #expect(
            renamed.hasSuffix(
                """
                "changed": [{"id": 1, "title": "Write the report"}, {"id": 2, "title": "Call Ben"}], "kept": [], "run": 5, \
                "feeds": []}

                """
            )
        )
    }

    @Test("a renamed label is renamed in its reminders, and undone as one run")
    func renamed() async {
        await self.fill()
        let plan = await self.run("labels", "rename", "WORK", "Office", "--dry-run")
        #expect(
            plan.answer == """
                Would rename the label work to Office, in 2 reminders
                  1: Write the report
                  2: Call Ben

                """
        )
        #expect(plan.remarks == "Dry run: nothing is changed.\n")
        let renamed = await self.run("labels", "rename", "WORK", "Office")
        #expect(renamed.answer == "Renamed the label work to Office, in 2 reminders\n")
        #expect(renamed.remarks == "'remindav undo --run 4' reverts this.\n")
        #expect(await self.run("list", "--label", "office").answer.contains("#Office #Desk"))
        let last = await self.run("log", "--limit", "1").answer
        #expect(last == "4  2026-11-20 17:05  by hand  2 changed, 1 label changed\n")
        _ = await self.run("undo", "--last")
        #expect(await self.run("list", "--label", "work").answer.contains("#work #Desk"))
        #expect(await self.run("-q", "labels", "rename", "Desk", "Table").answer == "")
    }

    @Test("a deletion asks with this question, and any answer but yes keeps the label")
    func deleted() async {
        await self.fill()
        self.world.willReply("")
        let refused = await self.run("labels", "delete", "work")
        #expect(
            refused.remarks == """
                Are you sure you want to delete 'work'? Reminders with this label will keep their data but lose the label \
                association. It is removed from 2 reminders. [y/N] \n
                """
        )
        _ = await self.run("labels", "add", "Unused")
        self.world.willReply("y")
        let unused = await self.run("labels", "delete", "Unused").remarks
        #expect(unused.hasPrefix("Are you sure you want to delete 'Unused'?") && !unused.contains("It is removed from"))
        #expect(refused.answer == "Nothing was changed\n")
        let withoutTerminal = await self.run("labels", "delete", "work")
        #expect(
            withoutTerminal.status == .usage && withoutTerminal.remarks.contains("--yes")
                && withoutTerminal.answer.isEmpty
        )
        #expect(await self.run("labels").answer.contains("● work"))
        let deleted = await self.run("labels", "delete", "work", "--yes")
        #expect(deleted.answer == "Deleted the label work, in 2 reminders\n")
        #expect(await self.run("labels").answer == "● Desk  #FF5722 deep orange  1 open\n")
        #expect(await self.run("list", "--all").answer.contains("Call Ben"))
    }

    @Test("two labels become one, and typing mistakes are reported with the correct command")
    func merged() async {
        await self.fill()
        let clash = await self.run("labels", "rename", "Desk", "WORK")
        #expect(clash.status == .usage && clash.remarks.contains("labels merge"))
        let merged = await self.run("labels", "merge", "desk", "WORK")
        #expect(merged.answer == "Merged the label Desk into work, in 1 reminder\n")
        #expect(await self.run("labels", "merge", "work", "WORK").status == .usage)
        #expect(await self.run("labels", "merge", "nothing", "work").status == .notFound)
        #expect(await self.run("labels", "recolor", "nothing", "red").status == .notFound)
        #expect(await self.run("labels", "recolor", "work", "reddish").remarks.contains("'#FF5722'"))
        #expect(await self.run("labels", "add", " ").status == .usage)
        #expect(await self.run("labels", "add", "Work").status == .success)
        let twice = await self.run("labels", "add", "wORK")
        #expect(twice.status == .usage && twice.remarks.contains("labels recolor"))
        #expect(await self.run("labels", "rm", "work").remarks.contains("labels delete"))
    }

    @Test("a reminder matches any of several labels, ignoring case")
    func filter() async {
        await self.fill()
        _ = await self.run("add", "Fix the roof", "--label", "STRASSE")
        _ = await self.run("add", "Neither")
        let found = await self.run("list", "--label", "DESK", "--label", "straße").answer
        #expect(found.contains("Write the report") && found.contains("Fix the roof") && !found.contains("Neither"))
    }
}

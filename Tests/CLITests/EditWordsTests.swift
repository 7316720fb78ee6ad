import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("words of 'edit', and shifts of the due time")
struct EditWordsTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    @Test(
        "words of a title select the reminder, and a change follows them",
        arguments: [
            ("edit milk friday --yes", "due: none -> Fri 2026-11-27"),
            ("edit buy milk p1 --yes", "priority: none -> high"),
            ("edit milk +x --yes", "labels: none -> #x"), ("edit milk tomorrow 9am +x p2 --yes", "2026-11-21 09:00"),
            ("edit milk every monday at 9am --yes", "repeat: none -> every week on Mon"),
            ("edit milk friday 10am weekly --yes", "due: none -> Fri 2026-11-27 10:00"),
            ("edit 1 friday 10am weekly", "repeat: none -> every week"),
            ("edit 1 weekly friday 10am", "due: none -> Fri 2026-11-27 10:00"),
            ("start milk --yes", "status: open -> in progress"),
        ]
    )
    func titleWords(line: String, part: String) async {
        #expect(await self.run(line: "add Buy milk --due none").status == .success)
        let edited = await self.run(line: line)
        #expect(edited.status == .success && edited.answers.contains(part), "\(edited)")
    }

    @Test("a title asks without a change of its last word, and a change without a terminal needs --yes")
    func titleAlone() async {
        #expect(await self.run(line: "add Buy milk --due none").status == .success)
        let refused = await self.run(line: "edit milk friday")
        #expect(refused.complaints.contains("'milk' is reminder 1 (Buy milk)."), "\(refused)")
        #expect(
            await self.run(line: "edit honey friday --yes").complaints.contains("There is no such reminder ('honey')")
        )
    }

    @Test("a shift moves each reminder from its own due time")
    func shifts() async {
        for line in [
            "add A --due 2026-12-10", "add B --due 2026-12-20 --literal", "add C --due 2026-12-31 10:00",
        ] { #expect(await self.run(line: line).status == .success) }
        let rows = [
            ("edit 1 2 +1w", ["Thu 2026-12-17", "Sun 2026-12-27"]), ("edit 1 -1d", ["Wed 2026-12-16"]),
            ("edit 1 2 later 2 weeks", ["Wed 2026-12-30", "Sun 2027-01-10"]), ("edit 1 due-3d", ["Sun 2026-12-27"]),
            ("edit 3 --due +2h", ["Thu 2026-12-31 12:00"]), ("edit 3 later 2 months", ["Sun 2027-02-28 12:00"]),
            ("edit 3 --due earlier 1 day", ["Sat 2027-02-27 12:00"]), ("edit 3 in 1 week", ["Fri 2026-11-27"]),
        ]
        for (line, dates) in rows {
            let edited = await self.run(line: line)
            #expect(edited.status == .success, "\(line): \(edited)")
            for date in dates { #expect(edited.answers.contains("-> \(date)"), "\(line): \(edited.answers)") }
        }
    }

    @Test(
        "a shift that has no result is refused, and other reminders still move",
        arguments: [
            ("edit 1 2 +1w", 3, "Reminder 2: A reminder without a due time cannot move"),
            ("edit 1 +3h", 2, "can only move by days"), ("edit 1 -1y", 2, "ust be in the future"),
            ("edit 3 -1d", 2, "ust be in the future"),
            ("edit 1 later", 2, "'later' states no time. Write 'later 3h'"),
            ("edit 1 +3m", 2, "can mean months or minutes"), ("edit 1 +1", 2, "'+1' is no shift"),
            ("edit 1 +1w --repeat daily", 2, "cannot be combined. Use two commands."),
        ]
    )
    func refusedShifts(line: String, status: Int32, sentence: String) async {
        for line in ["add A --due 2026-12-10", "add B --due none", "add C --due today"] {
            #expect(await self.run(line: line).status == .success)
        }
        let edited = await self.run(line: line)
        #expect(edited.status.rawValue == status && edited.complaints.contains(sentence), "\(edited)")
    }

    @Test("'start' and 'stop' change the progress, and a filter selects reminders in progress")
    func progress() async {
        for line in ["add A --due none", "add B --due none", "add C --due none"] {
            #expect(await self.run(line: line).status == .success)
        }
        #expect(await self.run(line: "start 1").answers.contains("status: open -> in progress"))
        #expect(await self.run(line: "edit 2 --status in-process").status == .success)
        #expect(await self.run(line: "export").answers.contains("STATUS:IN-PROCESS"))
        let shown = await self.run(line: "list --in-progress").answers
        #expect(shown.contains("A") && shown.contains("B") && !shown.contains("C"), "\(shown)")
        #expect(await self.run(line: "stop 1").answers.contains("status: in progress -> open"))
        #expect(!(await self.run(line: "list --in-progress").answers.contains("A")))
        #expect(await self.run(line: "done 2").status == .success)
        #expect(await self.run(line: "start 2").complaints.contains("undone"))
        #expect(await self.run(line: "edit 1 --status done").complaints.contains("Use 'remindav done'"))
        #expect(
            await self.run(line: "edit 1 --status odd").complaints.contains("must be in-progress or pending, not 'odd'")
        )
    }

    @Test("'edit' says which word is the filter")
    func filterWord() async {
        #expect(await self.run(line: "add A --due none +errand").status == .success)
        let edited = await self.run(line: "edit +errand p1 --yes")
        #expect(edited.answers.contains("priority: none -> high"))
        #expect(edited.complaints.contains("'+errand' selects the reminders"), "\(edited)")
    }
}

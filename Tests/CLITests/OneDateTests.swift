import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("one date of a series in edit")
struct OneDateTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    private func run(_ words: String...) async -> (status: RemindavCLI.ExitStatus, answers: String, complaints: String)
    {
        await self.run(words: words)
    }

    @Test("one date of a series is postponed, shown as changed, completed, and undone to the exact text")
    func postponedDate() async {
        _ = await self.run("add", "Yoga", "--due", "2026-12-01 19:00", "--repeat", "weekly")
        let before = await self.run("export").answers
        let moved = await self.run("edit", "1", "2026-12-02", "8pm", "--this-date-only")
        #expect(moved.status == .success && moved.answers.contains("-> Wed 2026-12-02 20:00"), "\(moved)")
        #expect(moved.complaints == "Only this date was changed. The other dates of the repetition stay.\n")
        let shown = await self.run("show", "1").answers
        #expect(shown.contains("Replaces    Tue 2026-12-01 19:00, in 11 days; only this date was changed"), "\(shown)")
        #expect(await self.run("show", "1", "--json").answers.contains(#""replacedDate": "2026-12-01T19:00:00Z""#))
        // A further change of the date does not move the later dates either.
        let again = await self.run("edit", "1", "--due", "2026-12-03 20:00")
        #expect(again.complaints == "Only this date was changed. The other dates of the repetition stay.\n")
        #expect(await self.run("done", "1").answers.contains("Next: Tue 2026-12-08 19:00"))
        for _ in 0..<3 { _ = await self.run("undo", "--last") }
        #expect(await self.run("export").answers == before)
    }

    @Test("a date that is postponed past the next one is reported")
    func passedDate() async {
        _ = await self.run("add", "Walk", "--due", "2026-12-01 08:00", "--repeat", "daily")
        let moved = await self.run("edit", "1", "--due", "2026-12-02 19:00", "--this-date-only")
        #expect(moved.answers.contains("-> Wed 2026-12-02 08:00"), "\(moved)")
        #expect(
            moved.complaints
                == "The date was moved behind the next date of the repetition, so the reminder shows the next date now.\n"
        )
    }

    @Test("a date after a moved one moves alone, so that it gets the stated day; a moved date may move behind it again")
    func dateBehindMovedOne() async {
        _ = await self.run("add", "Walk", "--due", "2026-12-01 08:00", "--repeat", "daily")
        _ = await self.run("edit", "1", "--due", "2026-12-02 19:00", "--this-date-only")
        let moved = await self.run("edit", "1", "--due", "2026-12-02 10:00")
        #expect(moved.answers.contains("-> Wed 2026-12-02 10:00"), "\(moved)")
        #expect(
            moved.complaints == """
                An earlier date of the repetition was moved alone and is still open. Only this date was changed. The \
                other dates of the repetition stay.

                """
        )
        let behind = await self.run("edit", "1", "--due", "2026-12-05 10:00")
        #expect(behind.complaints.hasPrefix("The date was moved behind the next date"), "\(behind)")
        #expect(behind.answers.contains("due Wed 2026-12-02 19:00"), "\(behind)")
        var dates: [String] = []
        for _ in 0..<4 { dates.append(await self.run("done", "1").answers) }
        for (answer, date) in zip(dates, ["12-03 08:00", "12-04 08:00", "12-05 08:00", "12-05 10:00"]) {
            #expect(answer.contains("Next: ") && answer.contains("2026-\(date)"), "\(answer)")
        }
    }

    @Test("a new date behind a moved one concerns that date alone, and a new title concerns the series")
    func dateAndTitle() async {
        _ = await self.run("add", "Walk", "--due", "2026-12-01 08:00", "--repeat", "daily")
        _ = await self.run("edit", "1", "--due", "2026-12-02 19:00", "--this-date-only")
        let edited = await self.run("edit", "1", "--due", "2026-12-02 10:00", "--title", "Run", "--label", "sport")
        #expect(edited.answers.contains("-> Wed 2026-12-02 10:00"), "\(edited)")
        let lines = await self.run("export").answers.split(whereSeparator: \.isNewline)
        // The series and the changed date; the date that was moved before keeps its own title.
        #expect(lines.count { $0 == "SUMMARY:Run" } == 2 && lines.count { $0 == "CATEGORIES:sport" } == 2, "\(lines)")
        #expect(lines.count { $0 == "SUMMARY:Walk" } == 1)
        for _ in 0..<3 { _ = await self.run("done", "1") }
        #expect(await self.run("show", "1").answers.contains("Run"))
    }

    @Test("an overdue reminder is shifted by a day, also to a past day")
    func shiftInThePast() async {
        _ = await self.run("add", "Form", "--due", "2026-11-10")
        let shifted = await self.run("edit", "1", "+1d")
        #expect(shifted.status == .success && shifted.answers.contains("2026-11-11"), "\(shifted)")
        #expect(shifted.complaints == "The due time is already past, so the reminder is overdue.\n")
    }

    @Test(
        "one date cannot have a rule, a list, a parent or a start of its own, and cannot lose its due time",
        arguments: [
            (["--repeat", "daily"], "This field belongs to all dates of a repeating reminder ('repeat')."),
            (["--list", "Work"], "('list')"), (["--parent", "2"], "('parent')"),
            (["--start", "2026-12-01 08:00"], "cannot have a start of its own"),
            (["--due", "none"], "one date of a repeating reminder cannot lose its due time"),
        ]
    )
    func fieldsOfSeries(_ options: [String], _ sentence: String) async {
        _ = await self.run("add", "Walk", "--due", "2026-12-01 08:00", "--repeat", "daily")
        _ = await self.run("add", "Sport", "--due", "none")
        _ = await self.run("lists", "add", "Work")
        let before = await self.run("export").answers
        let status = await RemindavCommand.run(["edit", "1", "--this-date-only"] + options) { self.world.context($0) }
        let complaints = self.world.takeComplaints()
        #expect(status == .usage && complaints.lowercased().contains(sentence.lowercased()), "\(complaints)")
        _ = self.world.takeAnswers()
        #expect(await self.run("export").answers == before)
    }

    @Test("a series that counts from the completion has no other planned date, and says so")
    func countedSeries() async {
        _ = await self.run("add", "Water", "--due", "2026-12-01 08:00", "--repeat", "every 3 days after done")
        let refused = await self.run("edit", "1", "--due", "2026-12-02 08:00", "--this-date-only")
        #expect(refused.status == .usage, "\(refused)")
        #expect(refused.complaints.contains("No later date is planned yet, so leave out --this-date-only."))
        let moved = await self.run("edit", "1", "--due", "2026-12-02 08:00")
        #expect(moved.status == .success && moved.complaints == "")
    }
}

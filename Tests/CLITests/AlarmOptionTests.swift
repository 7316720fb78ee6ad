import RemindavDatePhrases
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("alarms and default dates on the command line")
struct AlarmOptionTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: "\(self.folder.path)/store", zone: .berlin)
    }

    private func run(_ words: String...) async -> (status: RemindavCLI.ExitStatus, answers: String, complaints: String)
    {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }

    /// Returns the TRIGGER lines of all reminders in an export.
    private func triggers() async -> [String] {
        let text = await self.run("export").answers
        return text.split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasPrefix("TRIGGER") }
    }

    @Test("an added reminder has one alarm at its due time, and an undated one has none")
    func usual() async {
        let added = await self.run("add", "Parcel", "--due", "2026-12-01 17:00")
        #expect(added.answers == "Added 1: Parcel, due Tue 2026-12-01 17:00, in 11 days\n")
        #expect(await self.triggers() == ["TRIGGER;VALUE=DATE-TIME:20261201T160000Z"])
        _ = await self.run("add", "Juggle", "--due", "none")
        #expect(await self.triggers().count == 1)
        #expect(await self.run("show", "1").answers.contains("Alarms      when it is due"))
        #expect(await self.run("show", "1", "--json").answers.contains("\"alarms\": [\"PT0S\"]"))
        #expect(await !self.run("show", "1").answers.contains("X-REMINDAV"))
    }

    @Test(
        "--alarm accepts times before the due time, absolute times, several values, and none",
        arguments: [
            (["15m"], ["TRIGGER;RELATED=END:-PT15M"], "alarm 15 minutes before"),
            (
                ["1h,due"], ["TRIGGER;RELATED=END:-PT1H", "TRIGGER;VALUE=DATE-TIME:20261201T160000Z"],
                "alarms 1 hour before and when due"
            ),
            (
                ["1d", "1w"], ["TRIGGER;RELATED=END:-P1D", "TRIGGER;RELATED=END:-P1W"],
                "alarms 1 day before and 1 week before"
            ),
            (["2026-11-30 8:00"], ["TRIGGER;VALUE=DATE-TIME:20261130T070000Z"], "alarm 2026-11-30 08:00"),
            (["nov 30, 2026 8:00"], ["TRIGGER;VALUE=DATE-TIME:20261130T070000Z"], "alarm 2026-11-30 08:00"),
            (
                ["tomorrow 8:00, 2h"], ["TRIGGER;VALUE=DATE-TIME:20261121T070000Z", "TRIGGER;RELATED=END:-PT2H"],
                "alarms 2026-11-21 08:00 and 2 hours before"
            ),
            (["15 minutes"], ["TRIGGER;RELATED=END:-PT15M"], "alarm 15 minutes before"),
            (["1h30m"], ["TRIGGER;RELATED=END:-PT1H30M"], "alarm 1 hour, 30 minutes before"),
            (["none"], [], "no alarm"), (["15m", "15m"], ["TRIGGER;RELATED=END:-PT15M"], "alarm 15 minutes before"),
            (["0m"], ["TRIGGER;VALUE=DATE-TIME:20261201T160000Z"], "alarm when due"),
        ]
    )
    func option(_ values: [String], _ triggers: [String], _ words: String) async {
        let options = values.flatMap { ["--alarm", $0] }
        let status = await RemindavCommand.run(["add", "Parcel", "--due", "2026-12-01 17:00"] + options) {
            self.world.context($0)
        }
        #expect(status == .success)
        #expect(self.world.takeAnswers() == "Added 1: Parcel, due Tue 2026-12-01 17:00, in 11 days, \(words)\n")
        #expect(await self.triggers() == triggers)
        #expect(await self.run("edit", "1", "--alarm", "none").status == .success)
        #expect(await self.triggers().isEmpty)
        _ = await RemindavCommand.run(["edit", "1"] + options) { self.world.context($0) }
        #expect(await self.triggers() == triggers)
    }

    @Test(
        "an invalid alarm is an error with the correct form",
        arguments: [
            (["--alarm", "soon"], "'--alarm' must be due, a time before the due time such as 15m, 1h or 1d"),
            (["--alarm", "15m,"], "not ''"), (["--alarm", "400d"], "at most a year"),
            (["--alarm", "15 parsecs"], "such as 15m"), (["--alarm", "1h, 2 moons"], "not '2 moons'"),
            (["--alarm", "none", "--alarm", "15m"], "Remove the other --alarm"),
            (["--alarm", "today 9:00"], "Must be in the future"),
            (["--alarm", "15m", "--due", "none"], "an alarm before the due time requires a due time"),
            (["--alarm", (1...21).map { "\($0)m" }.joined(separator: ",")], "at most 20 alarms, not 21."),
        ]
    )
    func refused(_ options: [String], _ sentence: String) async {
        let status = await RemindavCommand.run(["add", "Parcel"] + options) { self.world.context($0) }
        #expect(status == .usage)
        let complaints = self.world.takeComplaints()
        #expect(complaints.lowercased().contains(sentence.lowercased()), "\(complaints)")
        #expect(await self.run("list", "--json").answers == "[]\n")
    }

    @Test("an edit that sets a date adds the default alarm, and one that clears it removes the alarm")
    func edits() async {
        _ = await self.run("add", "Parcel", "--due", "none")
        let dated = await self.run("edit", "1", "--due", "2026-12-01 17:00")
        #expect(dated.answers.hasSuffix("  alarms: none -> when due\n"), "\(dated)")
        #expect(await self.triggers() == ["TRIGGER;VALUE=DATE-TIME:20261201T160000Z"])
        let moved = await self.run("edit", "1", "--due", "2026-12-02 all day")
        #expect(!moved.answers.contains("alarms:"), "\(moved)")
        #expect(await self.triggers() == ["TRIGGER;VALUE=DATE-TIME:20261202T080000Z"])
        let undated = await self.run("edit", "1", "--due", "none")
        #expect(undated.answers.hasSuffix("  alarms: when due -> none\n"), "\(undated)")
        #expect(await self.triggers().isEmpty)
        let todo = "UID:a\nSUMMARY:Pills\nDUE:20261201T080000Z\n"
        self.world.setFile("a.ics", Array("BEGIN:VCALENDAR\nBEGIN:VTODO\n\(todo)END:VTODO\nEND:VCALENDAR\n".utf8))
        _ = await self.run("import", "a.ics")
        #expect(await self.triggers().isEmpty)
        _ = await self.run("edit", "2", "--due", "2026-12-02 9:00")
        #expect(await self.triggers().isEmpty)
    }

    @Test("an edit of the alarms shows those before and after it")
    func summary() async {
        _ = await self.run("add", "Parcel", "--due", "2026-12-01 17:00")
        let several = await self.run("edit", "1", "--alarm", "1w,15m", "--alarm", "2026-11-30 8:00")
        #expect(
            several.answers == """
                Changed 1: Parcel, due Tue 2026-12-01 17:00, in 11 days, alarms 1 week before, 15 minutes before and \
                2026-11-30 08:00
                  alarms: when due -> 1 week before, 15 minutes before, 2026-11-30 08:00

                """
        )
        let none = await self.run("edit", "1", "--alarm", "none")
        #expect(none.answers.hasSuffix("  alarms: 1 week before, 15 minutes before, 2026-11-30 08:00 -> none\n"))
        #expect(await self.run("edit", "1", "--alarm", "none").answers.hasPrefix("Unchanged 1"))
    }

    @Test("the alarms of an all-day reminder count from the same time in both lines")
    func allDaySummary() async {
        _ = await self.run("add", "Parcel", "--due", "2026-12-01")
        let edited = await self.run("edit", "1", "--alarm", "15m,1h")
        #expect(edited.answers.contains("alarms 15 minutes before and 1 hour before\n"), "\(edited)")
        #expect(edited.answers.contains("-> 15 minutes before, 1 hour before\n"), "\(edited)")
    }

    @Test("a snooze until a time before an alarm does not make this alarm an acknowledged one")
    func snoozedEarly() async {
        _ = await self.run("add", "Parcel", "--due", "2026-12-01 17:00", "--alarm", "1h")
        _ = await self.run("snooze", "1", "1h")
        let shown = await self.run("show", "1").answers
        #expect(shown.contains("1 hour before it is due") && !shown.contains("acknowledged"), "\(shown)")
    }

    @Test("an addition with a key is not repeated, for all alarms")
    func keyed() async {
        let words = ["add", "Backup", "--literal", "--id", "backup", "--due", "2026-12-01 17:00", "--alarm", "1h"]
        _ = await RemindavCommand.run(words) { self.world.context($0) }
        _ = self.world.takeAnswers()
        let again = await RemindavCommand.run(words) { self.world.context($0) }
        #expect(again == .success)
        #expect(!self.world.takeAnswers().contains("otherwise"))
        _ = await RemindavCommand.run(words.dropLast() + ["2h"]) { self.world.context($0) }
        #expect(self.world.takeAnswers().contains("differs in: alarms"))
        #expect(await self.triggers() == ["TRIGGER;RELATED=END:-PT1H"])
    }

    @Test("settings and lists set the defaults of a new reminder; the list has priority")
    func defaults() async {
        self.world.setFile("config", Array("due = none\nalarm = 15m,due\n".utf8))
        let undated = await self.run("--config", "config", "add", "Juggle")
        #expect(undated.answers == "Added 1: Juggle\n")
        _ = await self.run("--config", "config", "add", "Parcel", "--due", "2026-12-01 17:00")
        #expect(
            await self.triggers() == ["TRIGGER;RELATED=END:-PT15M", "TRIGGER;VALUE=DATE-TIME:20261201T160000Z"]
        )
        _ = await self.run("lists", "add", "Groceries")
        let set = await self.run("lists", "set", "Groceries", "--due", "none", "--alarm", "none")
        #expect(set.answers == "New reminders in Groceries: due none, alarm none\n")
        #expect(await self.run("add", "Milk @Groceries").answers.hasPrefix("Added 3: Milk, in Groceries"))
        #expect(await self.run("add", "Eggs", "--list", "Groceries", "--due", "2026-12-02").status == .success)
        #expect(await self.triggers().count == 2)
        // A rule needs a date.
        let rule = await self.run("add", "Bread", "--list", "Groceries", "--repeat", "daily")
        #expect(rule.answers.contains("due Sat 2026-11-21 09:00"))
        let json = await self.run("lists", "set", "Groceries", "--due", "default", "--json")
        #expect(json.answers == "{\"list\": \"Groceries\", \"due\": null, \"alarm\": \"none\"}\n")
        #expect(await self.run("lists", "set", "Nowhere", "--due", "none").status == .notFound)
        #expect(await self.run("lists", "set", "Groceries", "--due", "friday").status == .usage)
        let shown = await self.run("lists", "set", "Groceries")
        #expect(shown.answers == "New reminders in Groceries: due tomorrow (setting), alarm none\n")
        // 'lists' shows the defaults that were set.
        #expect(await self.run("lists").answers.contains("3 open, new reminders: alarm none\n"))
        _ = await self.run("lists", "set", "Groceries", "--due", "none", "--alarm", "1h,due")
        let lists = await self.run("lists").answers
        #expect(lists.contains("Groceries  local  3 open, new reminders: due none, alarm 1h,due\n"), "\(lists)")
        let listsAsJSON = await self.run("lists", "--json").answers
        #expect(listsAsJSON.contains("\"unsent\": 0, \"due\": \"none\", \"alarm\": \"1h,due\"}"))
        #expect(listsAsJSON.contains("\"unsent\": 0, \"due\": null, \"alarm\": null}"))
    }

    @Test("undo restores the alarms with the rest")
    func undo() async {
        _ = await self.run("add", "Parcel", "--due", "2026-12-01 17:00", "--alarm", "15m")
        let before = await self.run("export").answers
        _ = await self.run("edit", "1", "--alarm", "1h,due")
        #expect(await self.run("undo", "--last", "--yes").status == .success)
        let stamps = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"]
        func plain(_ text: String) -> [Substring] {
            text.split(whereSeparator: \.isNewline).filter { line in !stamps.contains { line.hasPrefix($0) } }
        }
        #expect(plain(await self.run("export").answers) == plain(before))
    }
}

import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("common mistakes of new users")
struct CommonMistakeTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: "\(self.folder.path)/store")
    }

    private func run(_ words: String...) async -> (status: RemindavCLI.ExitStatus, answers: String, complaints: String)
    {
        await self.run(words: words)
    }

    private func run(words: [String]) async -> (status: RemindavCLI.ExitStatus, answers: String, complaints: String) {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }

    @Test(
        "without --format the file name extension determines the format",
        arguments: [
            ("a.json", "{"), ("A.JSON", "{"), ("a.csv", "uid,"), ("a.md", "# Reminders"), ("a.markdown", "# Reminders"),
            ("a.ics", "BEGIN:VCALENDAR"), ("a.txt", "20"), ("json", "BEGIN:VCALENDAR"),
            (".json", "BEGIN:VCALENDAR"), ("a.json/b", "BEGIN:VCALENDAR"),
        ]
    )
    func formatOfFile(_ path: String, _ beginning: String) async {
        _ = await self.run("add", "Milk")
        #expect(await self.run("export", "-o", path).status == .success)
        let text = String(decoding: self.world.file(path) ?? [], as: UTF8.self)
        #expect(text.hasPrefix(beginning), "\(text.prefix(40))")
    }

    @Test("an ending that means no format is refused, and nothing is written")
    func unknownEnding() async {
        _ = await self.run("add", "Milk")
        let refused = await self.run("export", "-o", "a.xlsx")
        #expect(refused.status == .usage && self.world.file("a.xlsx") == nil)
        #expect(
            refused.complaints.contains(
                "The ending '.xlsx' means no format of an export. Use one of .ics, .json, .csv, .md, .markdown, .txt, or"
            )
        )
        #expect(await self.run("export", "-o", "a.xlsx", "--format", "csv").status == .success)
    }

    @Test("--format takes precedence over the file name extension, and --style requires iCalendar")
    func formatOption() async {
        _ = await self.run("add", "Milk")
        #expect(await self.run("export", "-o", "a.json", "--format", "ics").status == .success)
        #expect(self.world.file("a.json")?.starts(with: Array("BEGIN:VCALENDAR".utf8)) == true)
        let (status, _, complaints) = await self.run("export", "-o", "a.csv", "--style", "event")
        #expect(status == .usage)
        #expect(complaints.contains("'--style' is only for ics and cannot be combined with a csv file."))
    }

    @Test("delete and snooze answer in JSON")
    func json() async {
        _ = await self.run("add", "Milk")
        _ = await self.run("add", "Bread")
        let snoozed = await self.run("snooze", "1", "5m", "--json")
        #expect(snoozed.status == .success)
        #expect(snoozed.answers.hasPrefix("{\"id\": 1,"))
        #expect(!snoozed.answers.contains("\"snoozedUntil\": null"))
        let deleted = await self.run("delete", "2", "1", "--yes", "--json")
        #expect(deleted.status == .success)
        #expect(deleted.complaints == "")
        #expect(deleted.answers.hasPrefix("["))
        #expect(deleted.answers.contains("\"id\": 2,"))
        #expect(deleted.answers.contains("\"id\": 1,"))
        #expect(!deleted.answers.contains("Deleted"))
        let none = await self.run("delete", "3", "--yes", "--json")
        #expect(none.status == .notFound)
        #expect(none.answers == "[]\n")
        _ = await self.run("add", "Tea")
        self.world.willReply("n")
        #expect(await self.run("delete", "3", "--json").answers == "[]\n")
    }

    @Test("a title that may name a date gets none, with a note, but not with --json")
    func hint() async {
        let added = await self.run("add", "Buy milk tom")
        #expect(added.answers == "Added 1: Buy milk tom\n")
        #expect(
            added.complaints == """
                The title may contain a date that was not understood ('tom'), so the reminder has no date. Set it with \
                'remindav edit 1 tom'.

                """
        )
        #expect(await self.run("add", "Buy milk tom", "--json").complaints == "")
        #expect(await self.run("add", "Buy milk tom", "--due", "tomorrow").complaints == "")
        let refused = await self.run("add", "Call Ben", "--due", "friday 24:00")
        let sentence = "'24:00' in 'friday 24:00' is not understood. Write '23:59', or '00:00' of the next day. "
        #expect(refused.complaints.contains(sentence))
    }

    @Test(
        "a rule that skips months or years is reported as such",
        arguments: [
            ("2026-12-31", "monthly", "Months without a 31st are skipped; 'every month on the last day' means"),
            ("2026-12-01", "monthly on the 1st and 31st", "The 31st is skipped in shorter months; 'every month"),
            ("2026-12-01", "FREQ=MONTHLY;BYMONTHDAY=1,30,31", "The 30th and the 31st are skipped in shorter months;"),
            ("2027-02-01", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=1,29", "The 29th is skipped in February when"),
            ("2027-01-31", "FREQ=YEARLY;BYMONTHDAY=31", "Months without a 31st are skipped"),
            ("2027-01-31", "FREQ=MONTHLY;BYMONTH=1,2", "Months without a 31st are skipped"),
            ("2027-01-31", "FREQ=MONTHLY;INTERVAL=2;BYMONTH=1,3", ""), ("2027-01-31", "FREQ=WEEKLY;BYMONTH=1,2", ""),
            ("2028-02-29", "FREQ=DAILY;BYMONTH=2", ""), ("2027-01-28", "FREQ=YEARLY;BYMONTHDAY=28", ""),
            ("2026-12-30", "monthly", "February is skipped: it has no 30th"),
            ("2026-12-29", "every 2 months", "February is skipped except in leap years"),
            ("2028-02-29", "yearly", "Years without 29 February are skipped."),
            ("2026-12-28", "monthly", ""), ("2026-12-31", "monthly on the last day", ""), ("2026-12-31", "yearly", ""),
            ("2026-12-31", "every 12 months", ""), ("2026-12-31", "every month on the last weekday", ""),
            ("2026-12-31", "daily", ""), ("2027-01-30", "every 3 months", ""),
        ]
    )
    func leftOut(_ due: String, _ rule: String, _ beginning: String) async {
        let (status, _, complaints) = await self.run("add", "Rent", "--due", due, "--repeat", rule)
        #expect(status == .success)
        #expect(beginning.isEmpty ? complaints.isEmpty : complaints.hasPrefix(beginning), "\(complaints)")
    }

    @Test("a reminder that was completed late and is overdue again is reported with the remedy")
    func doneLate() async {
        let todo = "UID:a\nSUMMARY:Pills\nDTSTART:20261031T080000Z\nDUE:20261031T080000Z\nRRULE:FREQ=DAILY\n"
        self.world.setFile("a.ics", Array("BEGIN:VCALENDAR\nBEGIN:VTODO\n\(todo)END:VTODO\nEND:VCALENDAR\n".utf8))
        _ = await self.run("import", "a.ics")
        let late = await self.run("done", "1")
        #expect(late.answers.hasPrefix("Completed 1: Pills. Next: Sun 2026-11-01 08:00, 3 weeks ago."))
        #expect(
            late.complaints == """
                The next date is already past, so the reminder is still overdue. 'remindav done 1 --missed' \
                completes all dates up to now.

                """
        )
        let all = await self.run("done", "1", "--missed")
        #expect(all.answers.hasPrefix("Completed 1: Pills. Next: Sat 2026-11-21 08:00, "), "\(all.answers)")
        #expect(all.complaints == "")
        #expect(await self.run("undo", "--last", "--yes").status == .success)
        #expect(await self.run("edit", "1", "--due", "today 18:00").status == .success)
        #expect(await self.run("done", "1").complaints == "")
    }

    @Test("edit --due keeps the day or the time that is not stated, although the kept time of today is past")
    func keptParts() async {
        _ = await self.run("add", "Doctor", "--due", "2026-12-15 14:00")
        let time = await self.run("edit", "1", "--due", "16:00")
        #expect(time.answers.contains("-> Tue 2026-12-15 16:00"), "\(time)")
        _ = await self.run("add", "Pills", "--due", "2026-11-10 08:00")
        let day = await self.run("edit", "2", "--due", "today")
        #expect(day.status == .success && day.answers.contains("-> Fri 2026-11-20 08:00"), "\(day)")
        #expect(await self.run("edit", "2", "--due", "today 9am").status == .usage)
    }

    @Test("a moved date of a series is reported, because the later dates move too")
    func movedSeries() async {
        _ = await self.run("add", "Yoga", "--due", "2026-12-01 19:00", "--repeat", "weekly")
        let moved = await self.run("edit", "1", "--due", "2026-12-02 20:00")
        #expect(
            moved.complaints == """
                The later dates of the repetition are counted from the new due time. To move one date only, run \
                'remindav undo' and add --this-date-only.

                """
        )
        #expect(await self.run("edit", "1", "--title", "Pilates").complaints == "")
    }

    @Test("the later dates of a rule that names its days stay on them, and the remark says so")
    func daysStay() async {
        _ = await self.run("add", "Rent", "--repeat", "every 1st", "--due", "dec 1")
        let moved = await self.run("edit", "1", "27.12.")
        #expect(moved.complaints == "The later dates stay on the days of the repetition: every month on the 1st.\n")
        #expect(await self.run("done", "1").answers.contains("Next: Fri 2027-01-01"))
    }

    @Test("skip goes to the next date without a completion, and refuses a reminder without one")
    func skip() async {
        _ = await self.run("add", "Yoga", "--due", "2026-12-01 19:00", "--repeat", "every tue, 2 times")
        #expect(
            await self.run("skip", "1").answers.hasPrefix("Skipped a date of 1: Yoga. Next: Tue 2026-12-08 19:00, ")
        )
        let last = await self.run("skip", "1")
        #expect(last.status == .usage && last.complaints.contains("has no later date"), "\(last)")
        #expect(await self.run("list", "--section", "completed", "--json").answers == "[]\n")
        #expect(await self.run("log").answers.contains("skipped a date of Yoga"))
        _ = await self.run("undo", "--last")
        #expect(await self.run("done", "1").answers.contains("Next: Tue 2026-12-08"))
        _ = await self.run("add", "Milk")
        #expect(await self.run("skip", "3").status == .usage)
    }

    @Test(
        "edit reads a date that begins with a number",
        arguments: [
            ("24 dec", "2026-12-24"), ("6 dec", "2026-12-06"), ("5 dec 9am", "2026-12-05 09:00"),
            ("3 days", "2026-11-23"),
            ("2 weeks", "2026-12-04"), ("2 hours", "2026-11-20"), ("1 week", "2026-11-27"), ("7.12.", "2026-12-07"),
        ]
    )
    func dateWithNumber(words: String, day: String) async {
        _ = await self.run("add", "Call Ben", "--due", "tomorrow")
        let edited = await self.run(words: ["edit", "1"] + words.split(separator: " ").map(String.init))
        #expect(
            edited.status == .success && edited.answers.contains(" -> ") && edited.answers.contains(day),
            "\(edited)"
        )
    }

    @Test("several IDs before a date, a date without an ID, and an ambiguous date")
    func numbersBeforeDate() async {
        for title in ["Milk", "Bread"] { _ = await self.run("add", title, "--due", "tomorrow") }
        let both = await self.run("edit", "1", "2", "3", "days")
        #expect(both.answers.contains("Changed 1: Milk") && both.answers.contains("Changed 2: Bread"), "\(both)")
        let without = await self.run("edit", "24", "dec")
        #expect(without.complaints.contains("Write the ID of the reminder before '24 dec'"), "\(without)")
        let unclear = await self.run("edit", "1", "03/04/2027")
        #expect(unclear.complaints.contains("can mean different days"), "\(unclear)")
    }

    @Test("an unknown list is named, not blamed on the date")
    func unknownList() async {
        _ = await self.run("lists", "add", "Household")
        let added = await self.run("add", "Milk", "friday", "@Hosehold")
        #expect(added.answers.contains("Milk @Hosehold, due Fri 2026-11-27"), "\(added)")
        #expect(
            added.complaints
                == "There is no list 'Hosehold', so '@Hosehold' stays in the title. Did you mean '@Household'?\n"
        )
    }

    @Test("saved filters accept the short words")
    func shortWordsInFilters() async {
        _ = await self.run("add", "Milk", "+home", "p1")
        _ = await self.run("add", "Bread", "p1")
        let found = await self.run("list", "--filter", "+home /mil p1")
        #expect(found.answers.contains("Milk") && !found.answers.contains("Bread"), "\(found)")
    }

    @Test("a command that waits for text on a terminal says so, and one without a terminal is silent")
    func waitingForInput() async {
        for isTerminal in [true, false] {
            let world = TestWorld(
                input: "Buy milk\nCall Ben\n",
                isTerminal: isTerminal,
                store: "\(self.folder.path)/store\(isTerminal)"
            )
            #expect(await RemindavCommand.run(["add", "-"]) { world.context($0) } == .success)
            let remark = "Type the text; Ctrl-D on an empty line ends it.\n"
            #expect(world.takeComplaints().hasPrefix(remark) == isTerminal)
            #expect(world.takeAnswers().contains("Call Ben"))
        }
    }

    @Test("a reminder gets at most as many alarms as can fire, also one by one")
    func tooManyAlarms() async {
        let twenty = (1...20).map { "\($0)m" }.joined(separator: ",")
        let more =
            "remindav: More alarms of a reminder would never fire. A reminder can have 20 alarms; '--alarm -15m' "
            + "removes one.\n"
        let refused = await self.run("add", "Dentist", "--due", "2026-12-01 17:00", "--alarm", twenty + ",21m")
        #expect(refused.status == .usage && refused.complaints.contains("at most 20 alarms, not 21"), "\(refused)")
        #expect(await self.run("add", "Dentist", "--due", "2026-12-01 17:00", "--alarm", twenty).status == .success)
        let before = await self.run("export").answers
        let added = await self.run("edit", "1", "--alarm", "+30m")
        #expect(added.status == .usage && added.complaints == more, "\(added)")
        #expect(await self.run("export").answers == before)
        // An alarm that the reminder has already, and an exchange of two alarms, keep the number.
        #expect(await self.run("edit", "1", "--alarm", "+15m").status == .success)
        #expect(await self.run("edit", "1", "--alarm", "+30m,-15m").status == .success)
    }

    @Test(
        "a word that is an option of list gets this option as advice",
        arguments: [
            ("overdue", "Write 'remindav list --overdue'."), ("high", "Write 'remindav list --priority high'."),
            ("week", "Write 'remindav list --due-before monday'."), ("nodate", "Write 'remindav list --no-date'."),
            ("upcomming", "Did you mean 'upcoming'?"), ("work", "For a list, write '--list NAME';"),
        ]
    )
    func wordsOfList(_ word: String, _ advice: String) async {
        let refused = await self.run("list", word)
        #expect(refused.status == .usage && refused.complaints.contains(advice), "\(refused)")
    }

    @Test("an unknown word that a reminder contains is a search, and its filter may hide the reminder")
    func unknownWord() async {
        _ = await self.run("add", "Oat milk", "--due", "none")
        #expect(await self.run("oat").answers.contains("Oat milk"))
        #expect(await self.run("oat", "--overdue").answers == "No reminder matches.\n")
        #expect(await self.run("bread", "--overdue").status == .usage)
        #expect(await self.run("bread").status == .usage)
    }

    @Test("the message about a date in the title names the words that keep it there")
    func obstacles() async {
        let behind = await self.run("add", "Buy milk tomorrow at the shop 5pm").complaints
        #expect(
            behind == """
                'tomorrow' stays in the title, because 'at the shop' stands behind it, so the reminder has no date. Set \
                it with 'remindav edit 1 tomorrow'.

                """
        )
        let before = await self.run("add", "Prepare for friday").complaints
        #expect(before.hasPrefix("'friday' stays in the title, because 'for' stands before it, so"), "\(before)")
        let unknown = await self.run("add", "Call Ben at 25:00").complaints
        #expect(
            unknown.hasPrefix("The title may contain a date that was not understood ('at 25:00'), so"),
            "\(unknown)"
        )
    }

    @Test("in filters, a comma means 'or', and a misspelled selection names the correct command")
    func commas() async {
        _ = await self.run("add", "Milk", "--priority", "high")
        _ = await self.run("add", "Bread", "--priority", "low")
        _ = await self.run("add", "Salt")
        for words in [["p1,p3"], ["--priority", "high,low"], ["--filter", "p1,p3"]] {
            let shown = await self.run(words: ["list"] + words).answers
            #expect(shown.contains("Milk") && shown.contains("Bread") && !shown.contains("Salt"), "\(words)")
        }
        _ = await self.run("lists", "add", "Work")
        _ = await self.run("lists", "add", "Home")
        _ = await self.run("add", "Desk", "--list", "Work")
        _ = await self.run("add", "Lamp", "--list", "Home")
        let lists = await self.run("list", "--list", "work,home").answers
        #expect(lists.contains("Desk") && lists.contains("Lamp") && !lists.contains("Salt"), "\(lists)")
        #expect(await self.run("list", "--list", "work,hime").complaints.contains("Did you mean 'Home'?"))
        #expect(await self.run("list", "overdu").complaints.contains("Did you mean 'list --overdue'?"))
    }

    @Test("a whole title selects its reminder, although other titles contain it")
    func exactTitle() async {
        for title in ["Call Ben", "Call Ben again"] { _ = await self.run("add", title, "--due", "none") }
        #expect(await self.run("done", "call ben", "--yes").answers.hasPrefix("Completed 1: Call Ben\n"))
    }

    @Test("a label is given as it is shown")
    func shownForms() async {
        _ = await self.run("add", "Milk", "--due", "none", "--label", "#office")
        #expect(await self.run("list", "--label", "office").answers.contains("Milk"))
    }

    @Test("a short unknown name gets a guess for one wrong letter only")
    func shortNames() async {
        _ = await self.run("add", "Milk", "--due", "none", "--label", "home")
        #expect(await self.run("labels", "delete", "nope").complaints.contains("Did you mean") == false)
        #expect(await self.run("labels", "delete", "hone").complaints.contains("Did you mean 'home'?"))
        let option = await self.run("list", "--limt", "3")
        #expect(option.complaints.contains("Did you mean '--limit'?"), "\(option)")
    }

    @Test("a list without a server stays a local list")
    func keptList() async {
        _ = await self.run("add", "Milk")
        #expect(await self.run("lists", "keep", "Reminders").answers == "The list Reminders is a local list\n")
    }

    @Test("a time zone that does not exist is named, with the zone that is used instead")
    func unknownZone() async {
        let todo = "BEGIN:VTODO\nUID:a\nSUMMARY:x\nDUE;TZID=Mars/Phobos:20261201T090000\nEND:VTODO\n"
        self.world.setFile("a.ics", Array("BEGIN:VCALENDAR\n\(todo)END:VCALENDAR\n".utf8))
        let shown = await self.run("import", "a.ics").complaints
        #expect(
            shown.contains("no time zone has this name, so its times count as local times")
                && shown.contains("'Mars/Phobos'"),
            "\(shown)"
        )
    }

    @Test("an unknown time zone in JSON or a table has the line of its reminder, and ends with the status for a loss")
    func unknownZoneOfTask() async {
        let object = #"{"uid":"U","title":"x","due":"2026-12-01T09:00:00Z","dueZone":"Z","labels":[]}"#
        let known = object.replacing("U", with: "a").replacing("\"Z\"", with: "null")
        let unknown = object.replacing("U", with: "b").replacing("\"Z\"", with: "\"Mars/Phobos\"")
        self.world.setFile("a.json", Array("[\n\(known),\n\(unknown)\n]\n".utf8))
        let json = await self.run("import", "a.json", "--format", "json")
        #expect(json.status == .partial && json.complaints.contains("line 3: "), "\(json)")
        _ = await self.run("add", "Milk", "--due", "2026-12-01 09:00")
        let rows = await self.run("export", "--format", "csv").answers.split(separator: "\r\n")
        let row = rows[1].replacing(",UTC,", with: ",Mars/Phobos,").replacing("Milk", with: "Bread")
        #expect(row.contains("Mars"))
        self.world.setFile("a.csv", Array("\(rows[0])\r\n\(row.drop { $0 != "," })\r\n".utf8))
        let table = await self.run("import", "a.csv", "--format", "csv")
        #expect(table.status == .partial && table.complaints.contains("line 2: "), "\(table)")
    }

    @Test("the bookkeeping of a snooze is no other data of a reminder")
    func bookkeeping() async {
        _ = await self.run("add", "Milk", "--due", "2026-12-01 09:00")
        _ = await self.run("snooze", "1", "1h")
        let shown = await self.run("show", "1").answers
        #expect(shown.contains("Snoozed") && !shown.contains("X-MOZ") && !shown.contains("Other data"), "\(shown)")
        #expect(await self.run("export").answers.contains("X-MOZ-SNOOZE-TIME"))
    }

    @Test("phrases of a file that are not understood are printed with their task, without control characters")
    func unknownPhrases() async {
        let table = "TYPE,CONTENT,INDENT,DATE\ntask,Pay\u{1B}[31m rent,1,every blue moon\n"
        self.world.setFile("a.csv", Array(table.utf8))
        let (status, _, complaints) = await self.run("import", "a.csv")
        #expect(status == .partial)
        #expect(complaints.hasPrefix("a.csv, line 2: DATE: this phrase is not understood; it is kept in"))
        #expect(complaints.contains(" ('every blue moon', of 'Pay"))
        #expect(!complaints.contains("\u{1B}"))
    }

    @Test("a quiet import prints nothing")
    func quietImport() async {
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:A\nEND:VTODO\nEND:VCALENDAR\n"
        self.world.setFile("a.ics", Array(text.utf8))
        let (status, answers, complaints) = await self.run("-q", "import", "a.ics")
        #expect(status == .success)
        #expect(answers + complaints == "")
    }

    @Test(
        "a name with a typing mistake is reported with the correct name",
        arguments: [
            (["lists", "delete", "Garten", "--yes"], "Garden"), (["lists", "rename", "Garten", "x"], "Garden"),
            (["lists", "keep", "Garten"], "Garden"), (["add", "Milk", "--list", "Garten"], "Garden"),
            (["edit", "1", "--list", "Garten"], "Garden"), (["stats", "--list", "Garten"], "Garden"),
            (["alarms", "--list", "Garten"], "Garden"), (["feed", "create", "--list", "Garten"], "Garden"),
            (["labels", "rename", "hme", "x"], "home"), (["labels", "merge", "hme", "home"], "home"),
            (["labels", "merge", "home", "hme"], "home"), (["labels", "delete", "hme", "--yes"], "home"),
            (["labels", "recolor", "hme", "red"], "home"), (["list", "--list", "Garten"], "Garden"),
        ]
    )
    func nearestName(_ words: [String], _ name: String) async {
        _ = await self.run("lists", "add", "Garden")
        _ = await self.run("add", "Rake", "--list", "Garden", "--label", "home")
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        #expect(status == .notFound)
        #expect(self.world.takeComplaints().contains("Did you mean '\(name)'?"))
    }

    @Test("a renaming to the current name is not reported as a renaming")
    func sameName() async {
        _ = await self.run("add", "Report", "--label", "work")
        #expect(
            await self.run("labels", "rename", "work", "work").answers
                == "The label work already has this name; nothing was changed\n"
        )
        #expect(await self.run("labels", "rename", "work", "Work").answers.hasPrefix("Renamed the label work to Work"))
    }
}

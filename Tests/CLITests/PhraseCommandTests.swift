import RemindavDatePhrases
import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("commands with date and repeat phrases")
struct PhraseCommandTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    @Test("the repetition 'never' removes a rule, and adds none")
    func neverRepeats() async {
        #expect(
            await self.answer("add", "x", "--repeat", "never") == "Added 1: x, due Sat 2026-11-21 09:00, tomorrow\n"
        )
        _ = await self.answer("edit", "1", "--repeat", "weekly")
        #expect(await self.answer("list", "--json").contains("\"repeat\": \"FREQ=WEEKLY\""))
        _ = await self.answer("edit", "1", "--repeat", "Never")
        #expect(await self.answer("list", "--json").contains("\"repeat\": null"))
        #expect(await self.answer("export").contains("RRULE") == false)
    }

    @Test("the interpretation of a time phrase is printed, also if it was moved to a later date")
    func timePhrase() async {
        // Friday, 20 November 2026, 17:05
        #expect(
            await self.answer("add", "x", "--due", "fri 9am") == "Added 1: x, due Fri 2026-11-27 09:00, in 7 days\n"
        )
        #expect(
            await self.answer("edit", "1", "--due", "noon")
                .hasPrefix("Changed 1: x, due Fri 2026-11-27 12:00, in 7 days\n  due: ")
        )
        #expect(
            await self.answer("edit", "1", "--due", "24 dec") == """
                Changed 1: x, due Thu 2026-12-24 12:00, in 5 weeks
                  due: Fri 2026-11-27 12:00, in 7 days -> Thu 2026-12-24 12:00, in 5 weeks

                """
        )
        #expect(
            await self.answer("edit", "1", "--due", "25 dec all day").hasPrefix("Changed 1: x, due Fri 2026-12-25, in")
        )
        #expect(await self.answer("edit", "1", "--due", "24", "dec").hasPrefix("Changed 1: x, due Thu 2026-12-24, in"))
        #expect(
            await self.complaint("edit", "1", "--due", "today noon", status: .usage).contains("Must be in the future")
        )
        let complaint = await self.complaint("add", "y", "--due", "next fryday", status: .usage)
        #expect(complaint.contains("'fryday' in 'next fryday' is not understood. Did you mean 'friday'?"))
    }

    @Test("the output of a rule is valid input for the same rule, as a phrase or as an RRULE")
    func shownRule() async throws {
        _ = await self.answer("add", "x", "--due", "2026-12-01 09:00")
        var generator = SeededGenerator(7)
        var (said, unsaid) = (0, 0)
        for _ in 0..<150 {
            let rule = RecurrenceRule.random(&generator)
            let status = await self.world.run("edit", "1", "--repeat", rule.wire)
            _ = self.world.takeAnswers()
            _ = self.world.takeComplaints()
            // The rule ends before the date, or has no date.
            guard status == .success else { continue }
            let stored = await self.storedRule()
            let shown = await self.answer("show", "1").split(separator: "\n").first { $0.hasPrefix("  Repeats") }
            let line = try #require(shown).dropFirst("  Repeats".count).drop { $0 == " " }
            let note = RuleSentence.withoutWords
            let hasNoWords = line.hasSuffix(note)
            #expect(hasNoWords == line.hasPrefix("FREQ="), "\(rule.wire)")
            if hasNoWords { unsaid += 1 } else { said += 1 }
            _ = await self.answer("edit", "1", "--repeat", String(hasNoWords ? line.dropLast(note.count) : line))
            #expect(await self.storedRule() == stored, "\(rule.wire): \(line)")
        }
        #expect(said > 30 && unsaid > 10)
    }

    private func storedRule() async -> Substring? {
        await self.answer("list", "--json").split(separator: "\"repeat\": \"").last?.prefix { $0 != "\"" }
    }

    @Test("parts of a title are parsed, and the removed parts are printed")
    func oneLine() async {
        #expect(await self.world.run("add", "Call Ben tomorrow 9am #home !high every monday") == .success)
        #expect(self.world.takeComplaints().contains("no occurrence at the stated time (Sat 2026-11-21)"))
        #expect(
            self.world.takeAnswers() == """
                Added 1: Call Ben, due Mon 2026-11-23 09:00, in 3 days, repeats every week on Mon, high priority, #home
                Removed from the title: 'tomorrow 9am', '#home', '!high', 'every monday'. '--literal' keeps them in the \
                title.

                """
        )
        #expect(await self.answer("add", "Call Ben friday", "--literal").hasPrefix("Added 2: Call Ben friday, due Sat"))
        // Options take precedence, and the words stay in the title; labels are combined.
        #expect(
            await self.answer("add", "Read Friday #book friday", "--due", "monday", "--label", "home") == """
                Added 3: Read Friday friday, due Mon 2026-11-23, in 3 days, #home #book
                Removed from the title: '#book'. '--literal' keeps it in the title.

                """
        )
        #expect(await self.answer("add", "Nap every day", "--due", "none") == "Added 4: Nap every day\n")
        #expect(await self.answer("add", "Milk !low", "--priority", "high").hasPrefix("Added 5: Milk !low, due"))
        #expect(await self.answer("add", "Milk #x", "--label", "none").hasPrefix("Added 6: Milk #x, due"))
        // The first dates of the rules after now.
        #expect(
            await self.answer("add", "Gym every monday at 9:30").hasPrefix("Added 7: Gym, due Mon 2026-11-23 09:30, ")
        )
        #expect(
            await self.answer("add", "Gym every monday starting 1 dec").hasPrefix("Added 8: Gym, due Mon 2026-12-07, ")
        )
        #expect(await self.answer("add", "Gym every monday").hasPrefix("Added 9: Gym, due Mon 2026-11-23 09:00, "))
        let complaint = await self.complaint("add", "Team call every second friday", status: .usage)
        #expect(complaint.contains("'every second friday' can mean several things"))
        #expect(complaint.contains("See 'remindav help add'."))
        _ = await self.answer("lists", "add", "Groceries")
        let unknownList = await self.run("add", "Milk @groceries @nobody")
        #expect(unknownList.status == .success)
        #expect(
            unknownList.answer.hasPrefix(
                "Added 10: Milk @nobody, due Sat 2026-11-21 09:00, tomorrow, in Groceries\n"
            )
        )
        #expect(unknownList.remarks.hasPrefix("There is no list 'nobody', so '@nobody' stays in the title."))
    }

    @Test("the interpretation of a repetition is printed; a rule without a phrase is printed as it is")
    func rulePhrase() async {
        #expect(
            await self.answer("add", "x", "--due", "mon 9am", "--repeat", "every 2 weeks on mon,thu until 2027-06-01")
                == "Added 1: x, due Mon 2026-11-23 09:00, in 3 days, repeats every 2 weeks on Mon and Thu until 1 Jun 2027\n"
        )
        // The end of that day in UTC, as in a rule with a start time.
        #expect(await self.answer("show", "1").contains("Repeats     every 2 weeks on Mon and Thu until 1 Jun 2027\n"))
        #expect(
            await self.answer("list", "--json").contains("FREQ=WEEKLY;UNTIL=20270601T235959Z;INTERVAL=2;BYDAY=MO,TH")
        )
        let timed = await self.answer("edit", "1", "--repeat", "daily until 2027-06-01 9am")
        #expect(timed.contains(", in 3 days, repeats every day until 1 Jun 2027 09:00\n"))
        #expect(await self.answer("list", "--json").contains("UNTIL=20270601T090000Z"))
        let day = await self.answer("edit", "1", "--due", "tomorrow all day", "--repeat", "daily until 2027-06-01 9am")
        #expect(day.contains(", tomorrow, repeats every day until 1 Jun 2027\n"))
        #expect(await self.answer("list", "--json").contains("UNTIL=20270601\""))
        let raw = await self.answer("edit", "1", "--repeat", "FREQ=DAILY;BYDAY=SA")
        #expect(raw.contains(", tomorrow, repeats FREQ=DAILY;BYDAY=SA\n"))
        #expect(await self.answer("edit", "1", "--title", "y").hasSuffix("tomorrow\n  title: x -> y\n"))
        let over = await self.complaint(
            "add",
            "y",
            "--due",
            "24 dec 2026",
            "--repeat",
            "weekly until 2026-12-01",
            status: .usage
        )
        #expect(over.contains("The repetition ends before the first date ('2026-12-24'). Use a later 'until'"))
        let complaint = await self.complaint("edit", "1", "--repeat", "every mon at 25", status: .usage)
        #expect(complaint.contains("'25' in 'every mon at 25' is not understood. '--repeat' is"))
    }

    @Test(
        "a repeating reminder without a date is due on the first day of its rule, from tomorrow",
        arguments: [
            // Friday, 20 November 2026
            ("daily", "Sat 2026-11-21 09:00"), ("weekly", "Sat 2026-11-21 09:00"),
            ("every wed", "Wed 2026-11-25 09:00"),
            ("every 2 weeks on mon", "Mon 2026-11-23 09:00"), ("every 2 weeks on mon,fri", "Mon 2026-11-23 09:00"),
            ("every fri", "Fri 2026-11-27 09:00"), ("every weekday", "Mon 2026-11-23 09:00"),
            ("every weekend, 3 times", "Sat 2026-11-21 09:00"), ("monthly on the 1st", "Tue 2026-12-01 09:00"),
            ("every 3 months on the 15th", "Tue 2026-12-15 09:00"), ("every last friday", "Fri 2026-11-27 09:00"),
            ("every 4 years on 29 feb", "Tue 2028-02-29 09:00"),
            ("every year in mar", "Sun 2027-03-21 09:00"), ("FREQ=DAILY;BYHOUR=18", "Sat 2026-11-21 18:00"),
            ("RSCALE=CHINESE;FREQ=YEARLY", "Sat 2026-11-21 09:00"),
        ]
    )
    func firstDate(rule: String, expected: String) async {
        #expect(await self.answer("add", "x", "--repeat", rule).hasPrefix("Added 1: x, due \(expected), "))
    }

    @Test(
        "a stated date that the rule excludes moves to the next date of the rule, and a remark names the stated day",
        arguments: [
            ("2 jan 12:00", "every mon", "Mon 2027-01-04 12:00", true),
            ("2 jan 12:00", "every weekend", "Sat 2027-01-02 12:00", false),
            ("2 jan", "monthly on the 1st", "Mon 2027-02-01", true), ("2 jan", "every 2 days", "Sat 2027-01-02", false),
            ("2 jan", "every mon at 9am", "Mon 2027-01-04 09:00", true),
            ("4 jan", "every mon at 9am", "Mon 2027-01-04 09:00", false),
            ("2026-11-18", "every mon", "Mon 2026-11-23", true),
        ]
    )
    func alignedStart(due: String, rule: String, expected: String, isMoved: Bool) async {
        #expect(await self.world.run("add", "x", "--due", due, "--repeat", rule) == .success)
        #expect(self.world.takeAnswers().hasPrefix("Added 1: x, due \(expected), "))
        #expect(self.world.takeComplaints().contains("has no occurrence at the stated time") == isMoved)
    }

    @Test("a time of day in --repeat is the time of the due date, in add and in edit, but not besides another time")
    func repeatWithTime() async {
        // Friday, 20 November 2026, 17:05
        let added = await self.answer("add", "Gym", "--repeat", "every", "monday", "at", "9am")
        #expect(added == "Added 1: Gym, due Mon 2026-11-23 09:00, in 3 days, repeats every week on Mon\n")
        let later = await self.answer("edit", "1", "--repeat", "mon,wed at 8")
        #expect(later.hasPrefix("Changed 1: Gym, due Mon 2026-11-23 08:00, in 3 days, repeats every week on Mon and"))
        #expect(await self.world.run("edit", "1", "--repeat", "every fri") == .success)
        #expect(self.world.takeAnswers().hasPrefix("Changed 1: Gym, due Fri 2026-11-27 08:00, "))
        #expect(self.world.takeComplaints().contains("stated time (Mon 2026-11-23)"))
        let twice = await self.complaint(
            "add",
            "x",
            "--due",
            "tomorrow 9am",
            "--repeat",
            "every day at 8",
            status: .usage
        )
        #expect(twice.contains("The due time and the repetition both contain a date or a time of day."))
    }

    @Test("a past day that the option states is recorded, and a remark says so; a past time of today is refused")
    func pastDay() async {
        #expect(await self.world.run("add", "Call", "--due", "yesterday") == .success)
        #expect(self.world.takeAnswers() == "Added 1: Call, due Thu 2026-11-19, yesterday\n")
        #expect(self.world.takeComplaints() == "The due time is already past, so the reminder is overdue.\n")
        #expect(await self.world.run("edit", "1", "--due", "2026-11-18 9am") == .success)
        #expect(self.world.takeComplaints() == "The due time is already past, so the reminder is overdue.\n")
        let refused = await self.complaint("edit", "1", "--due", "today 9am", status: .usage)
        #expect(refused.contains("Must be in the future"))
        #expect(await self.complaint("add", "x today 9am", status: .usage).contains("Must be in the future"))
    }

    @Test("on a terminal, add asks for the date of a title that may contain one; an empty answer means no date")
    func question() async throws {
        let folder = try TemporaryFolder()
        let world = TestWorld(isTerminal: true, store: "\(folder.path)/store", zone: .berlin)
        world.willReply("what", "fri 9am")
        #expect(await world.run("add", "Report last friday-ish tom") == .success)
        #expect(
            world.takeAnswers().contains("Added 1: Report last friday-ish tom, due Fri 2026-11-27 09:00, in 7 days")
        )
        #expect(world.takeComplaints().contains("'what' is not understood"))
        world.willReply("")
        #expect(await world.run("add", "Boil eggs 10 min") == .success)
        #expect(world.takeAnswers().contains("Added 2: Boil eggs 10 min\n"))
    }

    @Test("edit --due says that it removes the snooze")
    func snoozeRemoved() async {
        _ = await self.answer("add", "Call", "--due", "tomorrow 9am")
        _ = await self.answer("snooze", "1", "1h")
        #expect(await self.world.run("edit", "1", "--due", "friday") == .success)
        #expect(self.world.takeAnswers().hasPrefix("Changed 1: Call, due Fri 2026-11-27 09:00"))
        #expect(self.world.takeComplaints() == "The snooze was removed, because the due time changed.\n")
        let bare = await self.complaint("add", "Tea", "--due", "10", status: .usage)
        #expect(bare.contains("Try '10m' for 10 minutes or 'at 10' for 10:00."))
    }

    @Test("the 29th of February too, with the years without this date")
    func leapDay() async {
        #expect(await self.world.run("add", "x", "--repeat", "every year on 29 feb") == .success)
        #expect(self.world.takeAnswers().hasPrefix("Added 1: x, due Tue 2028-02-29 09:00, "))
        #expect(self.world.takeComplaints() == "Years without 29 February are skipped.\n")
    }

    @Test("a day with a past alarm time is reported as without an alarm")
    func pastAlarmTime() async {
        // It is 17:05.
        #expect(await self.world.run("add", "Milk", "--due", "today") == .success)
        #expect(self.world.takeAnswers() == "Added 1: Milk, due Fri 2026-11-20, today\n")
        #expect(
            self.world.takeComplaints()
                == "No notification will appear: alarms of all-day reminders fire at 09:00, and this is past. "
                + "Set a time: remindav edit 1 --due 'today 18:00'.\n"
        )
        #expect(await self.answer("edit", "1", "--due", "tomorrow").hasPrefix("Changed 1"))
        _ = await self.answer("add", "Tea", "--due", "today", "--repeat", "daily")
        #expect(await self.world.run("edit", "1", "--due", "today") == .success)
        #expect(self.world.takeComplaints().hasPrefix("No notification will appear"))
        #expect(await self.answer("edit", "1", "--title", "Oat milk").hasPrefix("Changed 1"))
    }
}

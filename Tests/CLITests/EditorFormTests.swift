import Dispatch
import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavCLI
@testable import RemindavPlatform

@Suite("the form in an editor")
struct EditorFormTests {
    private static let form = EditorForm(.sample, now: .test, zone: .berlin)

    private func change(_ edit: (inout String) -> Void) throws -> ReminderChange {
        var text = Self.form.text
        edit(&text)
        return try Self.form.reading(text).change
    }

    private func problems(_ text: String) -> [EditorForm.Problem] {
        do {
            _ = try Self.form.reading(text).change
            return []
        } catch {
            return error.all
        }
    }

    @Test("it has a line for each field, and the notes unchanged")
    func text() {
        #expect(
            Self.form.text == """
                # Reminder 12. Change the values after the colons, save the file, and close the editor.
                # An empty value clears the field. A deleted line leaves the field unchanged.
                # The notes extend from their line to the end. If you edit nothing, nothing is changed.

                Title: Call Ben
                Due: 2026-11-20 09:00
                Start: 2026-11-19 09:00
                Repeat: every week
                Alarms:
                Priority: high
                Labels: work, phone
                Location:
                Link:
                Parent:
                Depends on:
                Status: in progress
                List: Work
                Notes:
                About the "offer"
                Room 5

                """
        )
        let bare = EditorForm(.bare, now: .test, zone: .berlin).text
        #expect(
            bare.hasSuffix(
                "\n\nTitle: Learn to juggle\nDue:\nStart:\nRepeat:\nAlarms:\nPriority:\nLabels:\nLocation:\nLink:\nParent:\n"
                    + "Depends on:\nStatus: open\nList: Inbox\nNotes:\n"
            )
        )
    }

    @Test("an unchanged form changes nothing, for all reminders and all line ends")
    func untouched() throws {
        var odd = ReminderView.sample
        odd.title = " \u{1B}[2J title:\nof # two lines "
        odd.notes = "# no comment\n\nTitle: no field\r\nend\n\n"
        odd.repeatRule = "FREQ=NEVER;X=\u{7}"
        odd.labels = ["a,b", "c\"d", "\"e\"", "  f", "none", "#g", "\u{202E}h"]
        odd.list = "none"
        odd.dueInstant = .utc(2001, 1, 1, 0, 0)
        for view in [.sample, .bare, odd] {
            let form = EditorForm(view, now: .test, zone: .berlin)
            #expect(try form.reading(form.text).change == ReminderChange())
            let lines = form.text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(try form.reading(lines.joined(separator: "\r\n")).change == ReminderChange())
            let spaced = form.text.replacing("\nTitle: ", with: "\n  TITLE :   ", maxReplacements: 1)
                .replacing("\nList:", with: "  \n\n# x\nList:", maxReplacements: 1)
            #expect(try form.reading(spaced).change == ReminderChange())
            // One editor omits the line end of the last line, another one adds it.
            #expect(try form.reading(String(form.text.dropLast())).change == ReminderChange())
            #expect(try form.reading(form.text + "\n\n").change == ReminderChange())
        }
        #expect(!EditorForm(odd, now: .test, zone: .berlin).text.unicodeScalars.contains("\u{202E}"))
    }

    @Test("another day keeps the time of day, and the present day without a time removes it")
    func keptTime() throws {
        let form = { (text: String) in
            try self.change { $0 = $0.replacing("Due: 2026-11-20 09:00", with: "Due: \(text)") }
        }
        let berlin = { CalendarDateOrDateTime(wire: $0, tzid: "Europe/Berlin").map { ReminderChange(due: .set($0)) } }
        let day = { CalendarDateOrDateTime(wire: $0, tzid: nil).map { ReminderChange(due: .set($0)) } }
        #expect(try form("tuesday") == berlin("20261124T090000"))
        #expect(try form("24 dec") == berlin("20261224T090000"))
        #expect(try form("tuesday 14:00") == berlin("20261124T140000"))
        #expect(try form("2026-11-20") == day("20261120"))
        #expect(try form("tuesday all day") == day("20261124"))
    }

    @Test("a new rule moves the due time to its first date, as in 'edit --repeat'")
    func movedByRule() throws {
        let form = { (rule: String) in
            try Self.form.reading(Self.form.text.replacing("Repeat: every week", with: "Repeat: \(rule)"))
        }
        let due = { CalendarDateOrDateTime(wire: $0, tzid: "Europe/Berlin").map { FieldChange.set($0) } }
        // The present due time is Friday 2026-11-20 09:00.
        let moved = try form("every 2nd tue")
        #expect(moved.change.due == due("20261208T090000"))
        #expect(moved.moved == CalendarDate(year: 2026, month: 11, day: 20))
        let kept = try form("every friday")
        #expect(kept.change.due == .keep && kept.moved == nil)
        let timed = try form("every morning at 7:30")
        #expect(timed.change.due == due("20261121T073000"), "\(timed)")
        let start = try form("every monday at 8am starting 7 dec")
        #expect(start.change.due == due("20261207T080000"), "\(start)")
        let ended = try form("daily until 31 dec")
        #expect(ended.change.recurrenceRule == .set(try RecurrenceRule(wire: "FREQ=DAILY;UNTIL=20261231")))
        let both = Self.form.text.replacing("Repeat: every week", with: "Repeat: every tue")
            .replacing("Due: 2026-11-20 09:00", with: "Due: 2 dec")
        #expect(try Self.form.reading(both).change.due == due("20261208T090000"))
        let twice = both.replacing("every tue", with: "every tue at 8").replacing("2 dec", with: "2 dec 9am")
        #expect(self.problems(twice).map(\.line) == [8])
    }

    @Test("only changed fields are part of the request, and an empty value clears a field")
    func changes() throws {
        #expect(
            try self.change { $0 = $0.replacing("Call Ben", with: "Call  Ada") } == ReminderChange(title: "Call  Ada")
        )
        #expect(
            try self.change { $0 = $0.replacing("2026-11-20 09:00", with: "tomorrow 10:00") }
                == ReminderChange(
                    due: .set(try #require(CalendarDateOrDateTime(wire: "20261121T100000", tzid: "Europe/Berlin")))
                )
        )
        #expect(
            try self.change { $0 = $0.replacing(" every week", with: "") } == ReminderChange(recurrenceRule: .clear)
        )
        #expect(
            try self.change { $0 = $0.replacing("every week", with: "none") } == ReminderChange(recurrenceRule: .clear)
        )
        #expect(try self.change { $0 = $0.replacing("high", with: "LOW") } == ReminderChange(priority: .set(.low)))
        #expect(try self.change { $0 = $0.replacing(" high", with: "") } == ReminderChange(priority: .clear))
        #expect(try self.change { $0 = $0.replacing("work, phone", with: "") } == ReminderChange(labels: .clear))
        #expect(
            try self.change { $0 = $0.replacing(", phone", with: ",, a b") }
                == ReminderChange(labels: .set(["work", "a b"]))
        )
        #expect(try self.change { $0 = $0.replacing("List: Work", with: "List: Home") } == ReminderChange(list: "Home"))
        #expect(
            try self.change { $0 = $0.replacing("Due: 2026-11-20 09:00", with: "Due:") } == ReminderChange(due: .clear)
        )
        #expect(try self.change { $0 = $0.replacing("Due: 2026-11-20 09:00\n", with: "") } == ReminderChange())
        #expect(
            try self.change { $0 = $0.replacing("\nRoom 5", with: "") }
                == ReminderChange(notes: .set("About the \"offer\""))
        )
        #expect(
            try self.change { $0 += "# three" } == ReminderChange(notes: .set("About the \"offer\"\nRoom 5\n# three"))
        )
        let crlf = try self.change { $0 = ($0 + "three\u{2028}\n").replacing("\n", with: "\r\n") }
        #expect(crlf == ReminderChange(notes: .set("About the \"offer\"\nRoom 5\nthree\u{2028}")))
        let bare = EditorForm(.bare, now: .test, zone: .berlin)
        #expect(try bare.reading(bare.text + "One\n\ntwo\n").change == ReminderChange(notes: .set("One\n\ntwo")))
        #expect(try bare.reading(bare.text.dropLast() + " One\n").change == ReminderChange(notes: .set("One")))
        #expect(try bare.reading(bare.text + " \n\n").change == ReminderChange(notes: .clear))
        #expect(try self.change { $0 = $0.replacing("\nAbout the \"offer\"\nRoom 5", with: "") }.notes == .clear)
    }

    @Test(
        "labels with commas and quotation marks are read as they are written",
        arguments: [
            ("\"a,b\", c", ["a,b", "c"]), ("\"a\"\"b\"", ["a\"b"]), ("a\"b", ["a\"b"]), ("\"\"", []), (" , ,x", ["x"]),
            ("x, X", ["x"]),
        ]
    )
    func labels(text: String, expected: [String]) throws {
        let change = try self.change { $0 = $0.replacing("work, phone", with: text) }
        #expect(change.labels == (expected.isEmpty ? .clear : .set(expected)))
    }

    @Test("an unedited label stays as it is stored, also when another one is added or the text was escaped")
    func labelsStay() throws {
        var odd = ReminderView.sample
        odd.labels = ["\u{200F}a", "b\u{FEFF}, c", "  d", "e\u{1}"]
        let form = EditorForm(odd, now: .test, zone: .berlin)
        let more = form.text.replacing("\nLocation:", with: ", new\nLocation:", maxReplacements: 1)
        #expect(try form.reading(more).change.labels == .set(odd.labels + ["new"]))
        let less = form.text.replacing("\\u200fa, ", with: "", maxReplacements: 1)
        #expect(try form.reading(less).change.labels == .set(Array(odd.labels.dropFirst())))
        // Two labels with the same appearance.
        odd.labels = ["\\u200f", "\u{200F}x", "\\u200fx"]
        let alike = EditorForm(odd, now: .test, zone: .berlin)
        let text = alike.text.replacing("\nLocation:", with: ", new\nLocation:", maxReplacements: 1)
        #expect(try alike.reading(text).change.labels == .set(odd.labels + ["new"]))
    }

    @Test("a small change of a title keeps its escaped characters")
    func titleStays() throws {
        func changed(_ title: String, _ edit: (String) -> String) throws -> String? {
            var odd = ReminderView.sample
            odd.title = title
            let form = EditorForm(odd, now: .test, zone: .berlin)
            return try form.reading(edit(form.text)).change.title
        }
        let title = "\u{200F}Call\u{FEFF} Ben\u{200E}\u{301}"
        #expect(
            try changed(title) { $0.replacing("Ben", with: "Ada") } == "\u{200F}Call\u{FEFF} Ada\u{200E}\u{301}"
        )
        #expect(try changed(title) { $0.replacing("\\ufeff Ben", with: "") } == "\u{200F}Call\u{200E}\u{301}")
        // No escaped character of this title: typed and existing text stays literal.
        #expect(try changed(title) { $0.replacing("Ben", with: "\\u202e") }?.contains("\\u202e") == true)
        #expect(try changed("Say \\u200f") { $0.replacing("Say", with: "Type") } == "Type \\u200f")
        // Both forms are in the text: the intended one is unknown, and typed letters do not become a character.
        #expect(
            try changed("\\u200f \u{200F}a\u{200E}") { $0.replacing("fa", with: "fb") } == "\\u200f \\u200fb\u{200E}"
        )
    }

    @Test("all mistakes are reported together, sorted by line")
    func mistakes() {
        let text = Self.form.text.replacing("Call Ben", with: " ").replacing(
            "high",
            with: "urgent\nno colon\nLables: x"
        )
        .replacing("2026-11-20 09:00", with: "blursday").replacing("work, phone", with: "\"a").replacing(
            "every week",
            with: "sometimes\nTitle: again"
        )
        let problems = self.problems(text)
        #expect(problems.map(\.line) == [5, 6, 8, 9, 11, 12, 13, 14])
        #expect(problems[0].sentence == "Title is required")
        #expect(problems[1].sentence.contains("'blursday'"))
        #expect(problems[3].sentence.contains("occurs twice"))
        #expect(problems[4].sentence == "Priority must be low, medium or high, not 'urgent'.")
        #expect(problems[5].sentence.contains("no colon"))
        #expect(problems[6].sentence == "There is no field 'Lables'. Did you mean 'labels'?")
        #expect(problems[7].sentence.contains("not closed"))
        #expect(self.problems("x\n" + Self.form.text).map(\.line) == [1])
        #expect(self.problems(Self.form.text.replacing("List: Work", with: "List:")).map(\.line) == [17])
    }
}

@Suite("edit in an editor")
struct EditingSessionTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(isTerminal: true, columns: 500, store: "\(self.folder.path)/store")
    }

    private func run(_ words: String...) async -> (status: RemindavCLI.ExitStatus, answers: String, complaints: String)
    {
        let status = await RemindavCommand.run(["--color", "never"] + words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }

    @Test("edited fields change, and an unchanged text changes nothing")
    func changed() async {
        _ = await self.run("add", "Buy milk", "--notes", "Line 1\nLine 2")
        let before = await self.run("export").answers
        #expect(await self.run("edit", "1").answers == "Nothing was changed\n")
        self.world.willEdit { _ in "\n" }
        #expect(await self.run("edit", "1").answers == "Nothing was changed\n")
        #expect(await self.run("export").answers == before)
        self.world.willEdit { $0.replacing("milk", with: "bread").replacing("Repeat:", with: "Repeat: every sat") }
        let changed = await self.run("edit", "1")
        #expect(changed.status == .success)
        #expect(
            changed.answers.hasPrefix(
                "Changed 1: Buy bread, due Sat 2026-11-21 09:00, tomorrow, repeats every week on Sat\n  title: "
            )
        )
        #expect(await self.run("show", "1").answers.contains("\n  Line 1\n  Line 2\n"))
        #expect(await self.run("edit", "9").status == .notFound)
    }

    @Test("a past date is accepted if its text states it, and a past time of today is refused, except the current one")
    func past() async throws {
        let overdue =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:Late\r\n"
            + "DUE:20261119T090000Z\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        self.world.setFile("late.ics", Array(overdue.utf8))
        #expect(await self.run("import", "late.ics").status == .success)
        self.world.willEdit { $0.replacing("Late", with: "Soon").replacing("-19 09:00", with: "-19 9:00") }
        #expect(await self.run("edit", "1").answers.hasPrefix("Changed 1: Soon, due Thu 2026-11-19 09:00"))
        self.world.willEdit { $0.replacing("-19 09:00", with: "-18 09:00") }
        let stated = await self.run("edit", "1")
        #expect(stated.answers.hasPrefix("Changed 1: Soon, due Wed 2026-11-18 09:00"))
        #expect(stated.complaints == "The due time is already past, so the reminder is overdue.\n")
        self.world.willReply("n")
        self.world.willEdit { $0.replacing("2026-11-18 09:00", with: "today 08:00") }
        let (status, _, complaints) = await self.run("edit", "1")
        #expect(status == .usage)
        #expect(complaints.hasPrefix("remindav: Must be in the future"))
        #expect(try self.contents("\(self.folder.path)/store/edit-1.txt").contains("Due: today 08:00"))
    }

    @Test("a chosen day with a past alarm time is reported as without an alarm")
    func pastAlarmTime() async {
        _ = await self.run("add", "Milk", "--due", "tomorrow")
        self.world.willEdit { $0.replacing("Due: 2026-11-21", with: "Due: today") }
        #expect(await self.run("edit", "1").complaints.hasPrefix("No notification will appear"))
        self.world.willEdit { $0.replacing("Milk", with: "Oat milk") }
        #expect(await self.run("edit", "1").complaints == "")
    }

    @Test("an error names its line, and the typed text is kept for the next edit")
    func again() async {
        _ = await self.run("add", "Buy milk")
        self.world.willReply("")
        self.world.willEdit({ $0.replacing("Priority:", with: "Priority: now") }, { $0.replacing("now", with: "high") })
        let (status, answers, complaints) = await self.run("edit", "1")
        #expect(status == .success)
        #expect(
            complaints.hasPrefix(
                """
                remindav: line 10: Priority must be low, medium or high, not 'now'.
                remindav: Your text is in \(self.folder.path)/store/edit-1.txt until it is saved.
                Edit it again? [Y/n]
                """
            )
        )
        #expect(!TemporaryFolder.names(below: "\(self.folder.path)/store").contains("edit-1.txt"))
        #expect(answers.hasPrefix("Changed 1: Buy milk"))
        let shown = self.world.takeShownToEdit()
        #expect(shown.count == 2)
        #expect(shown.last?.contains("Priority: now") == true)
    }

    @Test("the end of input means no, and the last text is kept")
    func endOfInput() async throws {
        _ = await self.run("add", "Buy milk")
        self.world.willReply("y", Terminal.endOfInput)
        self.world.willEdit({ $0.replacing("Priority:", with: "Priority: now") }, { $0.replacing("now", with: "soon") })
        let (status, _, complaints) = await self.run("edit", "1")
        #expect(status == .usage)
        let path = "\(self.folder.path)/store/edit-1.txt"
        #expect(complaints.hasSuffix("remindav: Nothing was changed. Your text is in \(path).\n"))
        #expect(try self.contents(path).contains("Priority: soon"))
        #expect(!TemporaryFolder.names(below: "\(self.folder.path)/store").contains("edit-1-2.txt"))
    }

    @Test("without another edit the text is saved in a file of this user, and nothing changes")
    func kept() async throws {
        _ = await self.run("add", "Buy milk")
        self.world.willReply("n")
        self.world.willEdit { $0.replacing("Due: 2026-11-21 09:00", with: "Due: yore") }
        let (status, answers, complaints) = await self.run("edit", "1")
        #expect(status == .usage)
        #expect(answers == "")
        let path = "\(self.folder.path)/store/edit-1.txt"
        #expect(complaints.contains("Your text is in \(path)."))
        #expect(try self.contents(path).contains("Due: yore"))
        // Without an answer: the same, in another file.
        self.world.willEdit { $0.replacing("List: Reminders", with: "List: Nowhere") }
        let second = await self.run("edit", "1")
        #expect(second.status == .notFound)
        #expect(second.complaints.contains("There is no such list ('Nowhere')."))
        #expect(try self.contents("\(self.folder.path)/store/edit-1-2.txt").contains("Nowhere"))
        #expect(await self.run("list").answers.contains("Sat 21 Nov 09:00  Buy milk"))
    }

    @Test("typed text is kept if the editor fails the second time; the first time there is none")
    func brokenOff() async throws {
        _ = await self.run("add", "Buy milk")
        self.world.willEdit { _ in throw EditorError(.failed, subject: "vi") }
        let first = await self.run("edit", "1")
        #expect(first.status == .failure)
        #expect(first.complaints == "remindav: The editor ended with an error ('vi'). Nothing was changed.\n")
        self.world.willEdit { throw EditorError(.failed, subject: "vi", text: Array($0.utf8)) }
        #expect(await self.run("edit", "1").complaints == first.complaints)
        self.world.willReply("y")
        self.world.willEdit(
            { $0.replacing("Priority:", with: "Priority: now") },
            { _ in throw EditorError(.interrupted) }
        )
        #expect(await self.run("edit", "1").status == .interrupted)
        #expect(try self.contents("\(self.folder.path)/store/edit-1.txt").contains("Priority: now"))
    }

    @Test("a saved text is kept if the editor fails; if it is empty, the text before")
    func brokenOffWithText() async throws {
        _ = await self.run("add", "Buy milk")
        self.world.willEdit { text in
            throw EditorError(.tooLarge, text: Array(text.replacing("milk", with: "bread").utf8))
        }
        let (status, _, complaints) = await self.run("edit", "1")
        #expect(status == .failure)
        #expect(complaints.contains("Your text is in \(self.folder.path)/store/edit-1.txt."))
        #expect(try self.contents("\(self.folder.path)/store/edit-1.txt").contains("Title: Buy bread"))
        self.world.willReply("y")
        self.world.willEdit(
            { $0.replacing("Priority:", with: "Priority: now") },
            { _ in throw EditorError(.failed, text: []) }
        )
        #expect(await self.run("edit", "1").status == .failure)
        #expect(try self.contents("\(self.folder.path)/store/edit-1-2.txt").contains("Priority: now"))
        #expect(await self.run("list").answers.contains("Buy milk"))
    }

    @Test("concurrent changes are kept; for the same field nothing changes and the text is saved")
    func meanwhile() async throws {
        _ = await self.run("add", "Buy milk", "--label", "home")
        let world = self.world
        let other = TestWorld(store: world.store)
        @Sendable func meanwhile(_ words: String...) {
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                _ = await RemindavCommand.run(words) { other.context($0) }
                done.signal()
            }
            done.wait()
        }
        self.world.willEdit { text in
            meanwhile("edit", "1", "--title", "Buy bread", "--priority", "high")
            return text.replacing("home", with: "shop")
        }
        #expect(await self.run("edit", "1").answers.hasPrefix("Changed 1: Buy bread"))
        #expect(await self.run("list").answers.contains("!!! Buy bread  #shop"))
        self.world.willEdit { text in
            meanwhile("edit", "1", "--title", "Buy cheese")
            return text.replacing("Buy bread", with: "Buy butter").replacing("high", with: "low")
        }
        let (status, _, complaints) = await self.run("edit", "1")
        #expect(status == .conflict)
        #expect(complaints.contains("A sync or another command changed the same field ('title')."))
        #expect(try self.contents("\(self.folder.path)/store/edit-1.txt").contains("Buy butter"))
        #expect(await self.run("list").answers.contains("!!! Buy cheese  #shop"))
    }

    @Test("without a terminal the options for a change are named")
    func noTerminal() async {
        let world = TestWorld(store: "\(self.folder.path)/store")
        #expect(await world.run("add", "x") == .success)
        #expect(await world.run("edit", "1") == .usage)
        let complaint = world.takeComplaints()
        #expect(
            complaint.contains(
                "Give --title, --notes, --due, --start, --repeat, --alarm, --priority, --label, --location, --link, "
                    + "--parent, --depends, --status or --list."
            )
        )
    }

    private func contents(_ path: String) throws -> String {
        let source = try Files.ofTheMachine.source(path)
        return String(decoding: try source.read(1 << 16), as: UTF8.self)
    }
}

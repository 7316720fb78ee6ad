import RemindavICalendar
import RemindavReminders
import RemindavTaskFormats
import RemindavTestSupport
import Testing

@testable import RemindavBridge

@Suite("newer files of other programs")
struct NewerImportTests {
    private static func only(_ useCases: UseCases) throws -> ReminderView {
        let all = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
        #expect(all.count == 1)
        return try #require(all.first)
    }

    /// A file of one task; `others` are further members.
    private static func task(_ title: String, modified: String, _ others: String = "") -> String {
        """
        [{"uuid":"a360fc44-315c-4366-b70c-ea7e7520b749","description":"\(title)","entry":"20261001T000000Z",\
        "modified":"\(modified)","status":"pending"\(others)}]
        """
    }

    @Test("a newer task changes only its changed fields; edits and a completion here stay")
    func taskwarrior() throws {
        let useCases = try Workplace.open()
        let first = Self.task("Doc", modified: "20261001T000000Z", #","tags":["old","both"]"#)
        #expect(try Workplace.take(first, into: useCases).added == 1)
        let id = try Self.only(useCases).id
        var change = ReminderChange(title: "Doc local")
        change.priority = .set(.high)
        change.notes = .set("my long local note")
        change.labels = .set(["old", "both", "mine"])
        _ = try useCases.edit(id, change)
        _ = try useCases.complete(id)

        let newer = Self.task("Doc", modified: "20261201T000000Z", #","project":"new","tags":["both","theirs"]"#)
        let report = try Workplace.take(newer, into: useCases)
        #expect(report.updated == 1 && report.issues.isEmpty)
        let reminder = try Self.only(useCases)
        #expect(reminder.title == "Doc local" && reminder.notes == "my long local note")
        #expect(reminder.priority == .high && reminder.status == .completed)
        #expect(Set(reminder.labels) == ["both", "mine", "theirs", "new"])
        #expect(try Workplace.take(newer, into: useCases).unchanged == 1)
        // The edits are newer than the file, so the next export contains them.
        let exported = try Workplace.export(useCases, .taskwarrior)
        #expect(exported.contains(#""description": "Doc local""#) && exported.contains(#""status": "completed""#))
        #expect(exported.contains(#""project": "new""#))
    }

    @Test("a field with different changes in the file and here keeps its value, and the report names the field")
    func conflict() throws {
        let useCases = try Workplace.open()
        _ = try Workplace.take(Self.task("Doc", modified: "20261001T000000Z"), into: useCases)
        _ = try useCases.edit(try Self.only(useCases).id, ReminderChange(title: "Mine"))
        let newer = Self.task("Theirs", modified: "20261201T000000Z", #","priority":"H""#)
        let report = try Workplace.take(newer, into: useCases)
        #expect(report.issues.map(\.code) == ["changedTwice"] && report.isWhole)
        #expect(report.issues.first?.message.hasPrefix("title: ") == true)
        #expect(try Self.only(useCases).title == "Mine" && Self.only(useCases).priority == .high)
        // The conflict is decided, so the next change of another field does not report it again.
        let third = Self.task("Theirs", modified: "20261202T000000Z")
        #expect(try Workplace.take(third, into: useCases).issues.isEmpty)
        #expect(try Self.only(useCases).priority == .undefined)
    }

    @Test("an equal change here and in the file is no conflict; two completions are equal")
    func equal() throws {
        let useCases = try Workplace.open()
        _ = try Workplace.take(Self.task("Doc", modified: "20261001T000000Z"), into: useCases)
        let id = try Self.only(useCases).id
        _ = try useCases.edit(id, ReminderChange(title: "New"))
        _ = try useCases.complete(id)
        let newer = Self.task("New", modified: "20261201T000000Z", #","end":"20261130T000000Z""#)
            .replacing("pending", with: "completed")
        #expect(try Workplace.take(newer, into: useCases).issues.isEmpty)
        #expect(try Self.only(useCases).status == .completed)
    }

    @Test("a changed due date moves a task with a rule, and a completed occurrence here stays completed")
    func rule() throws {
        let useCases = try Workplace.open()
        let rule = #","recur":"weekly","due":"20261201T080000Z""#
        _ = try Workplace.take(Self.task("Doc", modified: "20261001T000000Z", rule), into: useCases)
        let moved = rule.replacing("20261201", with: "20261202")
        _ = try Workplace.take(Self.task("Doc", modified: "20261101T000000Z", moved), into: useCases)
        var reminder = try Self.only(useCases)
        #expect(reminder.due?.hasPrefix("2026-12-02") == true && reminder.repeatRule == "FREQ=WEEKLY")
        let completed = try useCases.complete(reminder.id)
        #expect(completed.due?.hasPrefix("2026-12-09") == true)
        let text = Self.task("Doc", modified: "20261201T000000Z", moved + #","tags":["x"]"#)
        #expect(try Workplace.take(text, into: useCases).issues.isEmpty)
        reminder = try #require(
            try useCases.reminders(matching: ReminderFilter()).first { $0.repeatRule != nil }
        )
        #expect(reminder.due?.hasPrefix("2026-12-09") == true && reminder.labels == ["x"])
    }

    @Test("a record of an older version, with a digest of the change time, is a base too")
    func olderRecord() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        let task = """
            {"description":"Buy a ticket","due":"20261205T110000Z","entry":"20261001T083000Z",\
            "modified":"20261120T101500Z","status":"pending","uuid":"5e71e522-90ab-4def-9234-567800000001"}
            """
        let state = """
            {"CREATED":"69db9e87","DUE":"eecb815a","LAST-MODIFIED":"9ab4301","STATUS":"f06cd1d2","SUMMARY":"b4cc7a81"}
            """
        let record = #"{"format":"taskwarrior","state":\#(state),"tasks":[\#(task)]}"#.replacing(",", with: #"\,"#)
        let text = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//a//b//EN
            BEGIN:VTODO
            UID:b00004b2-990e-51b8-9a25-724b50f20ef7
            DTSTAMP:20261120T101500Z
            CREATED:20261001T083000Z
            LAST-MODIFIED:20261120T101500Z
            SUMMARY:Buy a ticket
            DUE;TZID=Europe/Berlin:20261205T120000
            STATUS:NEEDS-ACTION
            X-REMINDAV-RECORD:\(record)
            END:VTODO
            END:VCALENDAR
            """
        try Workplace.load(text.replacing("\n", with: "\r\n"), into: useCases)
        _ = try useCases.edit(try Self.only(useCases).id, ReminderChange(title: "Mine"))
        let newer = task.replacing("20261120T101500Z", with: "20261201T101500Z")
            .replacing("pending\"", with: "pending\",\"priority\":\"H\"")
        let report = try Workplace.take("[\(newer)]", into: useCases)
        #expect(report.updated == 1 && report.issues.isEmpty)
        #expect(try Self.only(useCases).title == "Mine" && Self.only(useCases).priority == .high)
    }

    @Test("a newer project of Todoist without change times changes the changed fields")
    func todoist() throws {
        let useCases = try Workplace.open()
        func table(_ notes: String, _ priority: Int, _ date: String) -> String {
            "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE\ntask,One,\(notes),\(priority),1,\(date)\n"
        }
        _ = try Workplace.take(table("a", 4, "tomorrow"), into: useCases)
        let due = try Self.only(useCases).due
        _ = try useCases.edit(try Self.only(useCases).id, ReminderChange(title: "Mine"))
        #expect(try Workplace.take(table("a", 4, "tomorrow"), into: useCases).unchanged == 1)
        let report = try Workplace.take(table("b", 1, "tomorrow"), into: useCases)
        #expect(report.updated == 1 && report.issues.isEmpty)
        let reminder = try Self.only(useCases)
        #expect(reminder.title == "Mine" && reminder.notes == "b" && reminder.priority == .high && reminder.due == due)
    }

    @Test("a newer line of todo.txt changes the changed fields")
    func todoTxt() throws {
        let useCases = try Workplace.open()
        func take(_ line: String) throws -> ImportReport {
            try Workplace.take(line + "\n", into: useCases, ImportOptions(format: .other(.todoTxt)))
        }
        _ = try take("(A) Call Mom due:2026-12-01 @phone")
        var change = ReminderChange()
        change.notes = .set("number in the book")
        change.labels = .set(["phone", "mine"])
        _ = try useCases.edit(try Self.only(useCases).id, change)
        let report = try take("(B) Call Mom due:2026-12-03 @home")
        #expect(report.updated == 1 && report.issues.isEmpty)
        let reminder = try Self.only(useCases)
        #expect(reminder.notes == "number in the book" && reminder.due == "2026-12-03")
        #expect(reminder.priority == .medium && Set(reminder.labels) == ["mine", "home"])
        #expect(try take("(B) Call Mom due:2026-12-03 @home").unchanged == 1)
        let line = try Workplace.export(useCases, .todoTxt)
        #expect(line == "(B) Call Mom @home @mine due:2026-12-03\n")
    }

    /// 5 December 2026.
    private static let day = CalendarDate(year: 2026, month: 12, day: 5).map { CalendarDateOrDateTime.date($0) }

    private static func take(lines: String, _ useCases: UseCases) throws -> ImportReport {
        try Workplace.take(lines, into: useCases, ImportOptions(format: .other(.todoTxt)))
    }

    @Test("an own export to todo.txt adds nothing, also after edits and completions here")
    func ownLines() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        _ = try Self.take(
            lines: "(A) 2026-11-01 Call Mom due:2026-12-01\n2026-11-02 Pay rec:+1w due:2026-12-01\n",
            useCases
        )
        for title in ["Own", "Same", "Same", "Done", "Every"] {
            let rule = title == "Every" ? RecurrenceRule(frequency: .weekly) : nil
            _ = try useCases.add(ReminderDraft(title: title, due: Self.day, recurrenceRule: rule))
        }
        _ = try useCases.edit(1, ReminderChange(title: "Call Mum"))
        for reminder in try useCases.reminders(matching: ReminderFilter())
        where ["Pay", "Done", "Every"].contains(reminder.title) { _ = try useCases.complete(reminder.id) }
        let lines = try Workplace.export(useCases, .todoTxt)
        let report = try Self.take(lines: lines, useCases)
        // The completion of the imported task is in its line now, which becomes the base of the next merge.
        #expect(report.added == 0 && report.updated == 1 && report.issues.isEmpty)
        #expect(try Self.take(lines: lines, useCases).unchanged == lines.split(separator: "\n").count)
        #expect(try Workplace.export(useCases, .todoTxt) == lines)
    }

    @Test("a line that a todo.txt program completed completes its reminder, and a second import changes nothing")
    func completedLines() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        _ = try Self.take(lines: "2026-11-01 Call Mom +Family due:2026-12-01\n", useCases)
        _ = try useCases.add(ReminderDraft(title: "Own"))
        let lines = try Workplace.export(useCases, .todoTxt).split(separator: "\n").map { "x 2026-12-24 \($0)\n" }
            .joined()
        let report = try Self.take(lines: lines, useCases)
        #expect(report.added == 0 && report.updated == 2 && report.issues.isEmpty)
        let all = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
        #expect(all.count == 2 && all.allSatisfy { $0.status == .completed })
        #expect(try Self.take(lines: lines, useCases).unchanged == 2)
        #expect(try Workplace.export(useCases, .todoTxt) == lines)
    }

    @Test("a completed line is a new task if the file also has the open line, or if it repeats")
    func otherLines() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        let open = "2026-11-01 Call Mom\n2026-11-01 Pay rec:1w due:2026-12-01\n"
        _ = try Self.take(lines: open, useCases)
        let report = try Self.take(
            lines: open + "x 2026-11-20 2026-11-01 Call Mom\nx 2026-11-20 2026-11-01 Pay rec:1w due:2026-11-24\n",
            useCases
        )
        #expect(report.added == 2 && report.unchanged == 2)
    }

    @Test("another change of a line of another origin is reported, and an older completion changes nothing")
    func unclearLines() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        _ = try useCases.add(ReminderDraft(title: "Own", due: Self.day))
        let line = try Workplace.export(useCases, .todoTxt)
        for text in [line.replacing("12-05", with: "12-06"), "x 2026-11-01 \(line)"] {
            let report = try Self.take(lines: text, useCases)
            #expect(report.added == 0 && report.updated == 0 && report.issues.map(\.code) == ["differsHere"])
        }
        #expect(try Workplace.export(useCases, .todoTxt) == line)
    }

    /// A store with reminders of one title and one day, each in the list of its name.
    private static func equalTitles(in lists: [String], _ useCases: UseCases) throws {
        let tasks = lists.enumerated().map { place, list in
            #"{"uid":"\#(place)","title":"Buy milk","list":"\#(list)","createdAt":"2026-11-01T10:00:00Z","labels":[]}"#
        }
        var options = ImportOptions()
        options.makesLists = true
        _ = try Workplace.take("[\(tasks.joined(separator: ","))]", into: useCases, options)
    }

    private static func completed(_ useCases: UseCases) throws -> [String] {
        try useCases.reminders(matching: ReminderFilter(includesCompleted: true)).filter { $0.status == .completed }
            .map(\.list)
    }

    @Test(
        "of several lines with one title and one day, the project shows which reminder was completed",
        arguments: [false, true],
        [
            // Another program writes the lines in another order, removes the priority, or sorts completed lines.
            ["x 2026-12-24 2026-11-01 Buy milk +Work"],
            ["2026-11-01 Buy milk +Home", "x 2026-12-24 2026-11-01 Buy milk +Work"],
            ["x 2026-12-24 2026-11-01 Buy milk +Work", "2026-11-01 Buy milk +Home"],
        ]
    )
    func equalTitles(hasPriority: Bool, lines: [String]) throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        try Self.equalTitles(in: ["Home", "Work"], useCases)
        var change = ReminderChange()
        change.priority = .set(.high)
        for reminder in try useCases.reminders(matching: ReminderFilter()) where hasPriority {
            _ = try useCases.edit(reminder.id, change)
        }
        let report = try Self.take(lines: lines.joined(separator: "\n"), useCases)
        #expect(report.added == 0 && report.updated == 1)
        #expect(try Self.completed(useCases) == ["Work"])
    }

    @Test("of two equal lines, the completion of one completes one reminder", arguments: [0, 1])
    func equalLines(place: Int) throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        try Self.equalTitles(in: ["Home", "Home"], useCases)
        var lines = try Workplace.export(useCases, .todoTxt).split(separator: "\n").map(String.init)
        lines[place] = "x 2026-12-24 \(lines[place])"
        let report = try Self.take(lines: lines.joined(separator: "\n"), useCases)
        #expect(report.added == 0 && report.updated == 1 && report.unchanged == 1)
        #expect(try Self.completed(useCases) == ["Home"])
    }

    @Test("a completed line without a day of creation completes the reminder of its project")
    func undatedLines() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        _ = try Self.take(lines: "Buy milk +Home\nBuy milk +Work\n", useCases)
        let report = try Self.take(lines: "Buy milk +Home\nx 2026-12-24 Buy milk +Work\n", useCases)
        #expect(report.added == 0 && report.updated == 1 && report.unchanged == 1)
        let all = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
        #expect(all.filter { $0.status == .completed }.map(\.labels) == [["Work"]])
    }

    @Test("a changed line with the title and the day of several reminders is a new task")
    func unclearTitle() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        try Self.equalTitles(in: ["Home", "Work"], useCases)
        let report = try Self.take(lines: "2026-11-01 Buy milk +Shop", useCases)
        #expect(report.added == 1 && report.updated == 0)
    }

    @Test("a copy of an own export finds the reminders of each list")
    func copiedLines() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        try Self.equalTitles(in: ["Home", "Work"], useCases)
        var options = ImportOptions(format: .other(.todoTxt), copies: true)
        options.makesLists = true
        let lines = try Workplace.export(useCases, .todoTxt)
        let report = try Workplace.take(lines, into: useCases, options)
        #expect(report.added == 0 && report.unchanged == 2)
        let other = "2026-11-01 Buy milk +Home\n2026-11-01 Buy milk +Shop\n"
        #expect(try Workplace.take(other, into: useCases, options).added == 1)
    }

    @Test("a second import names the lists of its reminders, and a project of the list's name is no label")
    func listsOfReport() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        var options = ImportOptions(format: .other(.todoTxt))
        options.makesLists = true
        let lines = "Rake +Garden\nSweep +House\n"
        for _ in 0..<2 { #expect(try Workplace.take(lines, into: useCases, options).lists == ["Garden", "House"]) }
        let other = try Workplace.open(localZone: "Europe/Berlin")
        for _ in 0..<2 {
            let source = Workplace.source(Array(lines.utf8))
            options.makesLists = false
            _ = try other.importCalendar(source, list: "Garden", dryRun: false, options: options, progress: { _ in })
            let all = try other.reminders(matching: ReminderFilter())
            #expect(Set(all.map { "\($0.title) \($0.labels)" }) == ["Rake []", #"Sweep ["House"]"#])
        }
    }
}

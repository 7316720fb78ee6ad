import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavTaskFormats

@Suite("todo.txt")
struct TodoTxtTests {
    @Test(
        "the parts of a line follow the rules of the format",
        arguments: [
            ("(A) Call", "A", false, "Call"), ("(a) Call", nil, false, "(a) Call"), ("(A)Call", nil, false, "(A)Call"),
            ("x 2026-01-02 2026-01-01 Call", nil, true, "Call"), ("X Call", nil, false, "X Call"),
            ("xylophone", nil, false, "xylophone"), ("x (C) 2026-01-02 Call", "C", true, "Call"),
            ("x 2026-01-02 Call pri:B", "B", true, "Call"), ("Call +P @c", nil, false, "Call"),
            ("Ask @Ben about +P now", nil, false, "Ask @Ben about +P now"), ("+P @c", nil, false, "+P @c"),
            ("a+b c@d", nil, false, "a+b c@d"), ("Read a:b", nil, false, "Read a:b"),
        ] as [(String, Character?, Bool, String)]
    )
    func parts(line: String, priority: Character?, isCompleted: Bool, title: String) {
        let parts = TodoTxtLine(line)
        #expect(parts.priority == priority && parts.isCompleted == isCompleted && parts.title == title)
    }

    @Test("a line in the order of the format is written as it was read")
    func roundTrip() {
        for line in [
            "(A) 2026-01-01 Call mum +Home @phone due:2026-02-01 t:2026-01-15 rec:+1w", "Plain",
            "x 2026-01-02 2026-01-01 Done +P pri:A", "x Done", "Ask @Ben about +P now",
        ] {
            #expect(TodoTxtLine(line).text == line)
        }
    }

    @Test(
        "periods become rules and rules become periods",
        arguments: [
            ("1d", "FREQ=DAILY", "+1d"), ("2w", "FREQ=WEEKLY;INTERVAL=2", "+2w"), ("m", "FREQ=MONTHLY", "+1m"),
            ("1b", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "+1b"), ("2b", nil, nil), ("0d", nil, nil), ("often", nil, nil),
            ("9999d", nil, nil), ("", nil, nil),
        ] as [(String, String?, String?)]
    )
    func recurrence(text: String, wire: String?, written: String?) {
        let rule = TodoTxtRecurrence.rule(text)
        #expect(rule?.wire == wire)
        #expect(rule.flatMap { TodoTxtRecurrence.text($0, fromCompletion: false) } == written)
    }

    @Test(
        "a period without a plus sign counts from the completion, and comes out as it went in",
        arguments: [("rec:3m", true), ("rec:+3m", false), ("rec:w", true), ("rec:1b", false)]
    )
    func completionPeriods(word: String, isCounted: Bool) throws {
        let line = "Rake \(word) due:2026-12-01"
        let parsed = try ParsedTasks(Array(line.utf8), format: .todoTxt, in: FormatTests.context)
        let task = try #require(parsed.todos.first)
        #expect(task.rule?.countsFromCompletion == isCounted)
        #expect(task.properties(now: Instant(secondsSince1970: 0)).contains(.repeatFromCompletion) == isCounted)
        // A rule of business days names its days, so it cannot count from the completion.
        #expect(parsed.findings.contains { $0.code == .repeatsAfterCompletion } == (word == "rec:1b"))
        let writer = TodoTxtWriter(context: FormatTests.context, firstList: "Reminders")
        #expect(writer.line(Self.reminder(task) { _, _ in }).text == line)
    }

    @Test("a reminder that counts from the completion has a period without a plus sign, also after an edit")
    func completionRule() throws {
        let writer = TodoTxtWriter(context: FormatTests.context, firstList: nil)
        var reminder = ExportedReminder(uid: "1", list: "L", title: "Rake", status: "pending", priority: "none")
        reminder.list = ""
        reminder.repeatRule = "FREQ=DAILY;INTERVAL=3"
        reminder.repeatsFromCompletion = true
        #expect(writer.line(reminder).text.hasSuffix(" rec:3d"))
        let line = "Rake rec:+3d due:2026-12-01"
        let task = try #require(
            try ParsedTasks(Array(line.utf8), format: .todoTxt, in: FormatTests.context).todos.first
        )
        let edited = Self.reminder(task) { reminder, todo in
            reminder.repeatRule = "FREQ=DAILY;INTERVAL=3"
            reminder.repeatsFromCompletion = true
            let counted = todo.replacing("STATUS:", with: "X-REMINDAV-REPEAT-FROM:COMPLETION\r\nSTATUS:")
            reminder.source = "BEGIN:VCALENDAR\r\n\(counted)END:VCALENDAR\r\n"
        }
        #expect(
            writer.line(edited).text == "Rake due:2026-12-01 rec:3d"
                || writer.line(edited).text == "Rake rec:3d due:2026-12-01"
        )
    }

    private static func reminder(_ task: ImportedTask, change: (inout ExportedReminder, String) -> Void)
        -> ExportedReminder
    {
        let todo = String(decoding: task.bytes(now: Instant(secondsSince1970: 0)), as: UTF8.self)
        var reminder = ExportedReminder(
            uid: task.uid,
            list: "Reminders",
            title: task.title,
            status: task.status.rawValue,
            priority: task.priority.rawValue
        )
        reminder.labels = task.labels
        if case .date(let date)? = task.due { reminder.due = date.description }
        reminder.source = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(todo)END:VCALENDAR\r\n"
        change(&reminder, todo)
        return reminder
    }

    @Test("each line of the fixture comes out as it went in")
    func fixture() throws {
        let bytes = try Fixture.bytes("task-formats/todo.txt")
        let context = FormatTests.context
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let tasks = try ParsedTasks(bytes, format: .todoTxt, in: context).todos
        let writer = TodoTxtWriter(context: context, firstList: "Reminders")
        #expect(tasks.map { writer.line(Self.reminder($0) { _, _ in }).text } == lines)
    }

    @Test("an edit changes only its part of the original line")
    func edited() throws {
        let context = FormatTests.context
        let line = "(D) Ask @Ben about +P now rec:+2w due:2026-12-01 +Home"
        let task = try #require(try ParsedTasks(Array(line.utf8), format: .todoTxt, in: context).todos.first)
        let writer = TodoTxtWriter(context: context, firstList: "Reminders")
        let renamed = Self.reminder(task) { reminder, todo in
            reminder.title = "Ask @Ben"
            let edited = todo.replacing("SUMMARY:Ask @Ben about +P now", with: "SUMMARY:Ask @Ben")
            reminder.source = "BEGIN:VCALENDAR\r\n\(edited)END:VCALENDAR\r\n"
        }
        #expect(writer.line(renamed).text == "(D) Ask @Ben +P +Home due:2026-12-01 rec:+2w")
        let labelled = Self.reminder(task) { reminder, _ in reminder.labels += ["at work"] }
        #expect(writer.line(labelled).text == "(D) Ask @Ben about +P now +Home @at_work due:2026-12-01 rec:+2w")
    }

    @Test("a reminder of another origin becomes a line; another list than the default one becomes a project")
    func other() {
        let writer = TodoTxtWriter(context: FormatTests.context, firstList: "Reminders")
        var reminder = ExportedReminder(
            uid: "1",
            list: "Home stuff",
            title: "Rake",
            status: "pending",
            priority: "medium"
        )
        reminder.due = "2026-12-01T09:00:00+01:00"
        reminder.repeatRule = "FREQ=WEEKLY"
        reminder.labels = ["garden"]
        #expect(writer.line(reminder).text == "(B) Rake +Home_stuff @garden due:2026-12-01 rec:+1w")
        reminder.status = "completed"
        reminder.completedAt = "2026-12-01T10:00:00Z"
        reminder.list = "Reminders"
        #expect(writer.line(reminder).text == "x 2026-12-01 Rake @garden due:2026-12-01 rec:+1w pri:B")
    }
}

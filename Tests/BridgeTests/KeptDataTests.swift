import RemindavICalendar
import RemindavJSON
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavBridge
@testable import RemindavTaskFormats

@Suite("data of other programs that stay after an edit")
struct KeptDataTests {
    private static func fixture(_ name: String) throws -> String {
        String(decoding: try Fixture.bytes("task-formats/\(name)"), as: UTF8.self)
    }

    private static func store(_ text: String, makesLists: Bool = false) throws -> UseCases {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        var options = ImportOptions()
        options.makesLists = makesLists
        _ = try Workplace.take(text, into: useCases, options)
        return useCases
    }

    private static func reminder(_ title: String, _ useCases: UseCases) throws -> ReminderView {
        try #require(
            try useCases.reminders(matching: ReminderFilter(includesCompleted: true)).first { $0.title == title }
        )
    }

    /// The rows without their header.
    private static func rows(_ useCases: UseCases, _ form: ExportForm) throws -> [String] {
        try Workplace.export(useCases, form).split(separator: "\r\n").dropFirst().map(String.init)
    }

    // MARK: Google Tasks

    @Test("a task of Google without a title keeps its notes and subtasks; without any data it is left out")
    func untitled() throws {
        let useCases = try Self.store(Self.fixture("google-takeout-times.json"))
        let parent = try Self.reminder("(no title)", useCases)
        #expect(parent.notes == "phone 1234")
        #expect(try Self.reminder("Ask for the key", useCases).parent == parent.uid)
        let text = try Workplace.export(useCases, .google)
        #expect(text.contains(#""title": """#))
        #expect(try Workplace.take(Self.fixture("google-takeout.json"), into: useCases).skipped == 2)
    }

    @Test("the time of a task of Google is its scheduled time in the local zone")
    func scheduledTimes() throws {
        let useCases = try Self.store(Self.fixture("google-takeout-times.json"))
        #expect(try Self.reminder("Ask for the key", useCases).due == "2026-11-28T18:00:00+01:00")
        #expect(try Self.reminder("Only a scheduled day", useCases).due == "2026-11-29")
        let other = try Self.reminder("Scheduled before its date", useCases)
        #expect(other.due == "2026-12-03T09:30:00+01:00" && other.notes == "Google Tasks, due: 2026-12-05")
        #expect(try Self.reminder("Unreadable time", useCases).due == "2026-12-06")
        #expect(try Self.reminder("Report", useCases).due == nil)
    }

    @Test(
        "midnight in UTC, or in the local zone, is an all-day date; any other time of due is a time",
        arguments: [
            ("2026-12-01T00:00:00.000Z", "2026-12-01"), ("2026-11-30T23:00:00Z", "2026-12-01"),
            ("2026-12-01T08:15:00Z", "2026-12-01T09:15:00+01:00"), ("2026-12-01", "2026-12-01"),
        ]
    )
    func googleDates(text: String, due: String) throws {
        let task = #"{"kind":"tasks#task","id":"1","title":"a","status":"needsAction","due":"\#(text)"}"#
        let useCases = try Self.store(#"{"kind":"tasks#tasks","items":[\#(task)]}"#)
        #expect(try Workplace.only(useCases).due == due)
    }

    @Test("a new time of a task of Google replaces its present time and keeps the earlier ones")
    func newTime() throws {
        let useCases = try Self.store(Self.fixture("google-takeout-times.json"))
        let time = try #require(
            ClockTime(hour: 7, minute: 30, second: 0).flatMap { clock in
                CalendarDate(year: 2026, month: 12, day: 24).map {
                    CalendarDateTime(date: $0, time: clock, zone: .named("Europe/Berlin"))
                }
            }
        )
        let task = try Self.reminder("Ask for the key", useCases)
        _ = try useCases.edit(task.id, ReminderChange(due: .set(.dateTime(time))))
        let text = try Workplace.export(useCases, .google)
        #expect(text.contains(#"{"current": false, "start": "2026-11-25T08:00:00Z"}"#))
        #expect(text.contains(#"{"current": true, "start": "2026-12-24T06:30:00.000Z"}"#))
        #expect(!text.contains("2026-11-28T17:00:00Z"))
        #expect(try Self.reminder("Ask for the key", Self.store(text)).due == "2026-12-24T07:30:00+01:00")
        // A date has no scheduled time.
        _ = try useCases.edit(task.id, ReminderChange(due: .set(.date(time.date))))
        #expect(try !Workplace.export(useCases, .google).contains("2026-11-25T08:00:00Z"))
    }

    @Test("a new subtask is in the list of its parent in Google's file", arguments: [false, true])
    func subtask(makesLists: Bool) throws {
        let useCases = try Self.store(Self.fixture("google-takeout-times.json"), makesLists: makesLists)
        let parent = try Self.reminder("Ask for the key", useCases)
        var list: String? = nil
        if makesLists { list = parent.list }
        let text = ImportTests.calendar(
            ImportTests.todo("1", "SUMMARY:Sesame\r\nRELATED-TO:\(parent.uid)"),
            ImportTests.todo("2", "SUMMARY:Seed\r\nRELATED-TO:1")
        )
        try Workplace.load(text, into: useCases, list: list)
        let file = try Workplace.export(useCases, .google)
        let lists = try JSONValue(parsing: Array(file.utf8))["items"]?.array ?? []
        #expect(lists.map { $0["id"]?.scalar } == ["MDEx", "MDEy"])
        let titles = lists[0]["items"]?.array?.compactMap { $0["title"]?.scalar } ?? []
        #expect(titles.suffix(2) == ["Sesame", "Seed"])
        let copy = try Self.store(file, makesLists: true)
        let sesame = try Self.reminder("Sesame", copy)
        #expect(sesame.list == "Private" && sesame.parent == parent.uid)
        #expect(try Self.reminder("Seed", copy).parent == sesame.uid)
    }

    // MARK: Todoist

    private static let project = """
        TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,DATE,DATE_LANG,DEADLINE,DEADLINE_LANG
        task,Call,First line,4,1,Ada (1),,,2026-12-05,en
        note,"one

        two",,,,Ben (2),2026-11-01T10:00:00Z,,,
        note,three,,,,Ada (1),2026-11-02T10:00:00Z,,,

        """

    @Test(
        "comments of Todoist keep their authors and dates after an edit of the notes",
        arguments: [
            ("First line\n\none\n\ntwo\n\nthree\n\nX", "First line", ["one\n\ntwo|Ben (2)", "three|Ada (1)", "X|"]),
            ("New\n\none\n\ntwo\n\nthree", "New", ["one\n\ntwo|Ben (2)", "three|Ada (1)"]),
            ("First line\n\none\n\ntwo\n\nY\n\nthree", "First line", ["one\n\ntwo|Ben (2)", "Y|", "three|Ada (1)"]),
            ("First line\n\nthree", "First line", ["three|Ada (1)"]), ("other", "other", []),
            ("one\n\ntwo\n\nthree", nil, ["one\n\ntwo|Ben (2)", "three|Ada (1)"]),
        ] as [(String, String?, [String])]
    )
    func comments(notes: String, description: String?, comments: [String]) throws {
        let useCases = try Self.store(Self.project)
        let reminder = try Workplace.only(useCases)
        #expect(reminder.notes == "First line\n\none\n\ntwo\n\nthree")
        var change = ReminderChange()
        change.notes = .set(notes)
        _ = try useCases.edit(reminder.id, change)
        let text = try Workplace.export(useCases, .todoist)
        var reader = TableReader(Array(text.utf8), limits: .standard)
        let rows = try reader.rows()
        let header = try #require(rows.first).fields
        let objects = rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0.fields)) }
        #expect(objects[0]["DESCRIPTION"] == description ?? "")
        let written = objects.dropFirst().map { "\($0["CONTENT"] ?? "")|\($0["AUTHOR"] ?? "")" }
        #expect(written == comments)
        #expect(objects.dropFirst().allSatisfy { ($0["AUTHOR"] == "") == ($0["DATE"] == "") })
        #expect(try Workplace.only(Self.store(text)).notes == notes)
    }

    @Test("a task of Todoist that is due at its deadline has its new date as the deadline, unless it has a time")
    func deadline() throws {
        let useCases = try Self.store(Self.project)
        let reminder = try Workplace.only(useCases)
        #expect(reminder.due == "2026-12-05")
        let date = try #require(CalendarDate(year: 2026, month: 12, day: 24))
        _ = try useCases.edit(reminder.id, ReminderChange(due: .set(.date(date))))
        #expect(try Self.rows(useCases, .todoist)[0] == "task,Call,First line,4,1,Ada (1),,,,,,,2026-12-24,en,,")
        let time = try #require(ClockTime(hour: 9, minute: 0, second: 0))
        let moment = CalendarDateTime(date: date, time: time, zone: .named("Europe/Berlin"))
        _ = try useCases.edit(reminder.id, ReminderChange(due: .set(.dateTime(moment))))
        let row = try Self.rows(useCases, .todoist)[0]
        #expect(row == "task,Call,First line,4,1,Ada (1),,2026-12-24 09:00,en,Europe/Berlin,,,,,,")
    }

    // MARK: Outlook

    /// An edit of a table with the columns Subject, Due Date, Date Completed, % Complete and Status.
    struct OutlookCase: Sendable {
        let rows: [String]
        let edit: @Sendable (UseCases) throws -> Void
        let written: [String]
    }

    private static func due(_ title: String, _ day: Int?) -> @Sendable (UseCases) throws -> Void {
        { useCases in
            let date = day.flatMap { CalendarDate(year: 2026, month: 12, day: $0) }
            let edit = ReminderChange(due: date.map { .set(.date($0)) } ?? .clear)
            _ = try useCases.edit(try self.reminder(title, useCases).id, edit)
        }
    }

    private static let outlook: [OutlookCase] = [
        OutlookCase(
            rows: ["a,12/3/2026,,0,Not Started", "b,12/24/2026,,0,Not Started"],
            edit: due("a", 2),
            written: ["a,12/2/2026,,0,Not Started", "b,12/24/2026,,0,Not Started"]
        ),
        OutlookCase(
            rows: ["a,03.12.2026,,0,Not Started", "b,24.12.2026,,0,Not Started"],
            edit: due("a", 2),
            written: ["a,02.12.2026,,0,Not Started", "b,24.12.2026,,0,Not Started"]
        ),
        // Without the 24th, no date shows the order of day and month.
        OutlookCase(
            rows: ["a,12/3/2026,,0,Not Started", "b,12/24/2026,,0,Not Started"],
            edit: due("b", 5),
            written: ["a,2026-12-03,,0,Not Started", "b,2026-12-05,,0,Not Started"]
        ),
        OutlookCase(
            rows: ["a,12/3/2026,,0,Not Started", "b,12/24/2026,,0,Not Started"],
            edit: due("b", nil),
            written: ["a,2026-12-03,,0,Not Started", "b,,,0,Not Started"]
        ),
        OutlookCase(
            rows: ["a,12/24/2026,,0,Not Started", "b,10/2/2026,10/2/2026,100,Complete"],
            edit: { _ = try $0.complete(try reminder("a", $0).id) },
            written: ["a,12/24/2026,11/20/2026,100,Complete", "b,10/2/2026,10/2/2026,100,Complete"]
        ),
        OutlookCase(
            rows: ["a,12/24/2026,,0,Not Started", "b,10/2/2026,10/2/2026,1,Completed"],
            edit: { _ = try $0.complete(try reminder("a", $0).id) },
            written: ["a,12/24/2026,11/20/2026,1,Completed", "b,10/2/2026,10/2/2026,1,Completed"]
        ),
    ]

    @Test(
        "new values in Outlook's table have the form of the old ones, and an import reads them",
        arguments: outlook.indices
    )
    func outlookForms(index: Int) throws {
        let test = Self.outlook[index]
        let head = "Subject,Due Date,Priority,Date Completed,% Complete,Status\n"
        func table(_ rows: [String]) -> String {
            rows.reduce(head) { text, row in
                var fields = row.split(separator: ",", omittingEmptySubsequences: false)
                fields.insert("Normal", at: 2)
                return text + fields.joined(separator: ",") + "\n"
            }
        }
        let useCases = try Self.store(table(test.rows))
        try test.edit(useCases)
        let text = try Workplace.export(useCases, .outlook)
        var reader = TableReader(Array(text.utf8), limits: .standard)
        let rows = try reader.rows()
        let header = try #require(rows.first).fields
        let places = ["Subject", "Due Date", "Date Completed", "% Complete", "Status"].compactMap {
            header.firstIndex(of: $0)
        }
        #expect(rows.dropFirst().map { row in places.map { row.fields[$0] }.joined(separator: ",") } == test.written)
        let dues = try [useCases, Self.store(text)].map { useCases in
            try ["a", "b"].map { try Self.reminder($0, useCases).due }
        }
        #expect(dues[0] == dues[1])
    }

    @Test("a task of Outlook without a subject keeps its notes")
    func outlookUntitled() throws {
        let useCases = try Self.store("Subject,Due Date,Priority,Notes\n,,Normal,phone 1234\n,,Normal,\n")
        #expect(try Self.reminder("(no title)", useCases).notes == "phone 1234")
        #expect(try useCases.reminders(matching: ReminderFilter()).count == 1)
    }

    // MARK: Sections and settings of Todoist

    private static let board = """
        TYPE,CONTENT,INDENT,meta
        meta,,,view_style=board
        task,Top,1,
        section,First,,
        task,F1,1,
        task,F2,1,
        section,Second,,
        task,S1,1,

        """

    /// The types and contents of the rows in Todoist's file, such as `task,Top`.
    private static func contents(_ useCases: UseCases) throws -> [String] {
        try Self.rows(useCases, .todoist).map { $0.split(separator: ",").prefix(2).joined(separator: ",") }
    }

    private static func labels(_ labels: [String]) -> ReminderChange {
        var change = ReminderChange()
        change.labels = .set(labels)
        return change
    }

    @Test("a reminder that gets the label of a section is in this section, and a new section name is written")
    func sections() throws {
        let useCases = try Self.store(Self.board)
        _ = try useCases.add(ReminderDraft(title: "New", labels: ["Second", "work"]))
        _ = try useCases.edit(try Self.reminder("F2", useCases).id, Self.labels(["Second"]))
        let rows = try Self.contents(useCases)
        #expect(
            rows == [
                "meta,view_style=board", "task,Top", "section,First", "task,F1", "section,Second", "task,F2", "task,S1",
                "task,New @work",
            ]
        )
        for title in ["F1", "F2", "S1", "New"] {
            let old = try Self.reminder(title, useCases)
            _ = try useCases.edit(old.id, Self.labels(old.labels.map { $0 == "Second" ? "Zweite" : $0 }))
        }
        #expect(try Self.contents(useCases).contains("section,Zweite"))
        #expect(try !Self.contents(useCases).contains("section,Second"))
        #expect(try Self.contents(useCases).contains("task,S1"))
    }

    @Test("the settings of a project stay in Todoist's file after its first task is completed")
    func settings() throws {
        let useCases = try Self.store(Self.board)
        _ = try useCases.complete(try Self.reminder("Top", useCases).id)
        #expect(try Self.contents(useCases).first == "meta,view_style=board")
    }

    // MARK: Dates of Todoist

    @Test("an imported rule that skips months is reported", arguments: [("every 31st", true), ("every 28th", false)])
    func skippedDates(phrase: String, isReported: Bool) throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        let report = try Workplace.take("TYPE,CONTENT,INDENT,DATE\ntask,Rent,1,\(phrase)\n", into: useCases)
        #expect(report.issues.map(\.code) == (isReported ? ["datesSkipped"] : []) && report.isWhole)
    }
}

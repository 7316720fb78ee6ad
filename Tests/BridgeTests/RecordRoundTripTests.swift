import RemindavDatePhrases
import RemindavICalendar
import RemindavJSON
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavBridge
@testable import RemindavTaskFormats

@Suite("round trips of other programs' files")
struct RecordRoundTripTests {
    private static func fixture(_ name: String) throws -> String {
        String(decoding: try Fixture.bytes("task-formats/\(name)"), as: UTF8.self)
    }

    private static func store(_ text: String) throws -> UseCases {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        _ = try Workplace.take(text, into: useCases)
        return useCases
    }

    /// Exports the store, with rules in words.
    private static func text(_ useCases: UseCases, _ form: ExportForm) throws -> String {
        let zones = Configuration.systemZones(environment: [:])
        let sentence = RuleSentence(
            zone: try #require(LocalZone.named("Europe/Berlin", zones: zones, now: Workplace.now))
        )
        var bytes: [UInt8] = []
        _ = try useCases.exportReminders(as: form, words: { sentence.text($0) }) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Exports the store, imports the export into an empty one, and compares all visible fields of both.
    private static func exported(_ useCases: UseCases, _ form: ExportForm) throws -> String {
        let text = try self.text(useCases, form)
        #expect(try Workplace.export(self.store(text), .csv) == Workplace.export(useCases, .csv))
        #expect(try self.text(self.store(text), form) == text)
        return text
    }

    /// The fields with a value of each row, by the names of their columns, with LF as line ends.
    private static func rows(_ text: String) throws -> [[String: String]] {
        var reader = TableReader(Array(text.utf8), limits: .standard)
        let rows = try reader.rows()
        let header = try #require(rows.first).fields
        return rows.dropFirst().map { row in
            let fields = zip(header, row.fields).filter { !$1.isEmpty }
            return Dictionary(uniqueKeysWithValues: fields.map { ($0, $1.withLineFeeds) })
        }
    }

    @Test("each field of a project of Todoist comes out as it went in; a task without a title is left out")
    func todoist() throws {
        let text = try Self.fixture("todoist-project.csv")
        let expected = try Self.rows(text).filter { $0["TYPE"] != "task" || $0["CONTENT"] != nil }
        #expect(try Self.rows(Self.exported(Self.store(text), .todoist)) == expected)
    }

    @Test("each field of a table of Outlook comes out as it went in")
    func outlook() throws {
        let text = try Self.fixture("outlook-tasks.csv")
        #expect(try Self.rows(Self.exported(Self.store(text), .outlook)) == Self.rows(text))
    }

    /// The members of each list and each task by their identifiers, without deleted and untitled tasks.
    private static func google(_ text: String) throws -> [String: [String: String]] {
        var objects: [String: [String: String]] = [:]
        for list in try JSONValue(parsing: Array(text.utf8))["items"]?.array ?? [] {
            let tasks = (list["items"]?.array ?? []).compactMap(\.object)
                .filter { $0["deleted"] == nil && $0["title"] != .string("") }
            if tasks.isEmpty { continue }
            for object in tasks + [try #require(list.object?.removing(["items"]))] {
                let members = object.sortedMembers.map { ($0.name, $0.value.text) }
                objects[try #require(object["id"]?.string)] = Dictionary(uniqueKeysWithValues: members)
            }
        }
        return objects
    }

    @Test("each member of Google's lists and tasks comes out as it went in")
    func google() throws {
        let text = try Self.fixture("google-takeout.json")
        #expect(try Self.google(Self.exported(Self.store(text), .google)) == Self.google(text))
    }

    @Test("each member of a task of Microsoft To Do is in the record of its reminder")
    func microsoft() throws {
        let text = try Self.fixture("microsoft-graph.json")
        let lists = try JSONValue(parsing: Array(text.utf8))["value"]?.array?.compactMap(\.object) ?? []
        let expected = lists.flatMap { list in
            (list["tasks"]?.array ?? []).filter { $0["title"] != .string("") }.map { [$0.text, list["id"]?.text] }
        }
        let data = try Workplace.export(Self.store(text))
        let records = try ICalendarDocument(data).components.flatMap { $0.components(.vtodo) }
            .compactMap { $0.first(TaskRecord.property)?.text }
            .map { try JSONValue(parsing: Array($0.utf8))["tasks"]?.array ?? [] }
        #expect(!expected.isEmpty && records.map { [$0[0].text, $0[1]["id"]?.text] } == expected)
    }

    /// An edit of one reminder of a fixture, with the new values of the fields in the export.
    struct FieldEdit: Sendable, CustomTestStringConvertible {
        let form: ExportForm
        /// The title of the reminder; the first one of this title is edited.
        let title: String
        let name: String
        let edit: @Sendable (UseCases, Int64) throws -> Void
        let fields: [String: String]

        var testDescription: String { "\(self.form.rawValue) \(self.title): \(self.name)" }

        private static func change(
            _ form: ExportForm,
            _ title: String,
            _ name: String,
            _ fields: [String: String],
            _ change: @escaping @Sendable (inout ReminderChange) throws -> Void
        ) -> Self {
            let edit: @Sendable (UseCases, Int64) throws -> Void = { useCases, id in
                var edit = ReminderChange()
                try change(&edit)
                _ = try useCases.edit(id, edit)
            }
            return Self(form: form, title: title, name: name, edit: edit, fields: fields)
        }

        private static func completion(_ form: ExportForm, _ title: String, _ fields: [String: String]) -> Self {
            let edit: @Sendable (UseCases, Int64) throws -> Void = { _ = try $0.complete($1) }
            return Self(form: form, title: title, name: "completion", edit: edit, fields: fields)
        }

        static let christmas = CalendarDate(year: 2026, month: 12, day: 24).map { CalendarDateOrDateTime.date($0) }

        static let todoist: [Self] = [
            .change(.todoist, "Buy milk", "title", ["CONTENT": "Oat @errands @home"]) { $0.title = "Oat" },
            .change(.todoist, "Buy milk", "labels", ["CONTENT": "Buy milk @home @new_one"]) {
                $0.labels = .set(["home", "new one"])
            },
            .change(.todoist, "Buy milk", "notes", ["DESCRIPTION": "Other"]) {
                $0.notes = .set("Other\n\nOrganic, if there is any")
            },
            .change(.todoist, "Buy milk", "priority", ["PRIORITY": "3"]) { $0.priority = .set(.low) },
            .change(.todoist, "Buy milk", "due", ["DATE": "2026-12-24"]) { $0.due = .set(try #require(christmas)) },
            .change(.todoist, "Buy milk", "no due", ["DATE": "", "DATE_LANG": ""]) { $0.due = .clear },
            .change(.todoist, "Backup", "due of a rule", ["DATE": "every! 3 days starting 2026-12-24"]) {
                $0.due = .set(try #require(christmas))
            },
            .change(.todoist, "Water the plants", "rule", ["DATE": "every! 2 weeks starting 2026-11-23"]) {
                $0.recurrenceRule = .set(
                    try #require(RecurrenceRule(frequency: .weekly, interval: 2).countedFromCompletion())
                )
            },
            .change(
                .todoist,
                "Stand-up",
                "overdue date of a rule",
                ["DATE": "every weekday at 09:15 starting 2026-11-19"]
            ) {
                let day = try #require(CalendarDate(year: 2026, month: 11, day: 19))
                let time = try #require(ClockTime(hour: 9, minute: 15, second: 0))
                $0.due = .set(.dateTime(CalendarDateTime(date: day, time: time, zone: .named("Europe/Berlin"))))
                $0.allowsPastDue = true
            },
            .change(.todoist, "Backup", "rule from the due date", ["DATE": "every 3 days starting 2026-11-20"]) {
                $0.recurrenceRule = .set(RecurrenceRule(frequency: .daily, interval: 3))
            },
        ]

        static let outlook: [Self] = [
            .change(.outlook, "Prepare the budget", "title", ["Subject": "Oat"]) { $0.title = "Oat" },
            .change(.outlook, "Prepare the budget", "labels", ["Categories": "Work;new"]) {
                $0.labels = .set(["Work", "new"])
            },
            .change(.outlook, "Prepare the budget", "notes", ["Notes": "Other"]) { $0.notes = .set("Other") },
            .change(.outlook, "Prepare the budget", "priority", ["Priority": "Low"]) { $0.priority = .set(.low) },
            .change(.outlook, "Prepare the budget", "start", ["Start Date": ""]) { $0.start = .clear },
            .change(
                .outlook,
                "Prepare the budget",
                "alarm",
                ["Reminder Date": "11/20/2026", "Reminder Time": "10:00:00 PM"]
            ) { $0.alarms = .set([.at(Workplace.now.adding(seconds: 3600))]) },
            .change(.outlook, "Send cards", "due", ["Due Date": "12/24/2026"]) {
                $0.due = .set(try #require(christmas))
            },
            .completion(
                .outlook,
                "Send cards",
                ["Date Completed": "11/20/2026", "% Complete": "1", "Status": "Completed"]
            ),
        ]

        /// Each change of a task of Google changes `updated` too.
        static let google: [Self] = [
            .change(.google, "Bake a cake", "title", ["title": "\"Oat\"", "updated": now]) { $0.title = "Oat" },
            .change(.google, "Bake a cake", "notes", ["notes": "\"Other\"", "updated": now]) {
                $0.notes = .set("Other\n\nRecipe")
            },
            .change(.google, "Bake a cake", "due", ["due": "\"2026-12-24T00:00:00.000Z\"", "updated": now]) {
                $0.due = .set(try #require(christmas))
            },
            .change(.google, "Bake a cake", "priority and labels", ["updated": now]) {
                $0.priority = .set(.high)
                $0.labels = .set(["My Tasks", "new"])
            },
            .completion(
                .google,
                "Bake a cake",
                ["status": "\"completed\"", "completed": now, "updated": now]
            ),
        ]

        private static let now = "\"2026-11-20T20:00:00.000Z\""
    }

    /// The fields of each row, or of each task of Google's lists, in the order of the file.
    private static func fields(_ text: String, _ form: ExportForm) throws -> [[String: String]] {
        guard form == .google else { return try self.rows(text) }
        return try (JSONValue(parsing: Array(text.utf8))["items"]?.array ?? []).flatMap { list in
            (list["items"]?.array ?? []).compactMap(\.object).map { task in
                Dictionary(uniqueKeysWithValues: task.sortedMembers.map { ($0.name, $0.value.text) })
            }
        }
    }

    private static let files: [ExportForm: String] = [
        .todoist: "todoist-project.csv", .outlook: "outlook-tasks.csv", .google: "google-takeout.json",
    ]

    @Test(
        "an edit of one field changes only the fields of the file that depend on it",
        arguments: FieldEdit.todoist + FieldEdit.outlook + FieldEdit.google
    )
    func edited(one: FieldEdit) throws {
        let useCases = try Self.store(Self.fixture(try #require(Self.files[one.form])))
        var expected = try Self.fields(Self.text(useCases, one.form), one.form)
        let place = try #require(
            expected.firstIndex { row in
                let title = row["CONTENT"] ?? row["Subject"] ?? String(row["title"]?.dropFirst() ?? "")
                return title.hasPrefix(one.title)
            }
        )
        for (name, value) in one.fields { expected[place][name] = value == "" ? nil : value }
        let all = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
        try one.edit(useCases, try #require(all.filter { $0.title == one.title }.map(\.id).min()))
        #expect(try Self.fields(Self.text(useCases, one.form), one.form) == expected)
    }

    @Test(
        "reminders of another origin keep the fields that the format has",
        arguments: [ExportForm.todoist, .outlook, .google]
    )
    func other(form: ExportForm) throws {
        var random = SeededGenerator(65)
        func pick<Element>(_ values: [Element]) -> Element { values[Int(random.next() % UInt64(values.count))] }
        let hasTime = form == .todoist
        for round in 0..<Cases.count(100) {
            let day = "2027-0\(1 + round % 9)-\(10 + round % 19)"
            let time = hasTime && round % 3 == 0 ? "T09:30:00+0\((4...9).contains(1 + round % 9) ? 2 : 1):00" : ""
            let status = form == .todoist ? "pending" : pick(["pending", "completed"])
            let repeats = form == .todoist ? pick(["null", "FREQ=DAILY;INTERVAL=3", "FREQ=MONTHLY"]) : "null"
            let (rule, from) =
                repeats == "null" ? ("null", "null") : ("\"\(repeats)\"", pick(["null", "\"completion\""]))
            let due = "\"\(day)\(time)\""
            let text = """
                [{"uid":"\(round)","title":\(pick(["\"Call\"", "\"a, b; \\\"c\\\" ü\"", "\"=1+1\""])),\
                "notes":\(pick(["null", "\"one\"", "\"one\\ntwo\\n\\nthree\""])),\
                "due":\(rule == "null" ? pick(["null", due]) : due),\
                "dueZone":\(time == "" ? "null" : "\"Europe/Berlin\""),\
                "repeat":\(rule),"repeatFrom":\(from),"status":"\(status)",\
                "completedAt":\(status == "completed" ? "\"2026-11-02T11:00:00Z\"" : "null"),\
                "priority":"\(form == .google ? "none" : pick(["none", "low", "high"]))",\
                "labels":\(form == .google ? "[]" : pick(["[]", "[\"a\",\"b\"]"])),\
                "createdAt":"2026-11-01T00:00:00Z","updatedAt":"2026-11-02T00:00:00Z"}]
                """
            let useCases = try Self.store(text)
            let copy = try Self.store(Self.text(useCases, form))
            let fields = try [useCases, copy].map { useCases -> [String?] in
                let reminder = try Workplace.only(useCases)
                let labels = reminder.labels.joined(separator: ",")
                return [
                    reminder.title, reminder.notes, reminder.due, reminder.status.rawValue, reminder.completedAt,
                    reminder.priority.rawValue, labels, form == .google ? reminder.uid : nil, reminder.repeatRule,
                    reminder.repeatsFromCompletion ? "completion" : nil,
                ]
            }
            #expect(fields[0] == fields[1])
        }
    }

    @Test("values that a spreadsheet would compute are written as they are, because these programs read them literally")
    func literal() throws {
        let useCases = try Self.store("[{\"uid\":\"1\",\"title\":\"=1+1\",\"labels\":[]}]")
        #expect(try Workplace.export(useCases, .todoist).contains("\r\ntask,=1+1,"))
        #expect(try Workplace.export(useCases, .outlook).contains("\r\n=1+1,"))
    }

    @Test("Todoist's file has no completed reminders, and subtasks follow their parents")
    func trees() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        let text = ImportTests.calendar(
            ImportTests.todo("1", "SUMMARY:inner\r\nRELATED-TO:3"),
            ImportTests.todo("2", "SUMMARY:done\r\nSTATUS:COMPLETED"),
            ImportTests.todo("3", "SUMMARY:outer")
        )
        try Workplace.load(text, into: useCases)
        let rows = try Self.rows(Workplace.export(useCases, .todoist))
        #expect(rows.map { $0["CONTENT"] } == ["outer", "inner"] && rows.map { $0["INDENT"] } == ["1", "2"])
    }

    @Test("in Todoist's file, an open subtask of a completed reminder belongs to no other reminder")
    func completedParent() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        let text = ImportTests.calendar(
            ImportTests.todo("1", "SUMMARY:other"),
            ImportTests.todo("2", "SUMMARY:done\r\nSTATUS:COMPLETED"),
            ImportTests.todo("3", "SUMMARY:open\r\nRELATED-TO:2"),
            ImportTests.todo("4", "SUMMARY:inner\r\nRELATED-TO:3")
        )
        try Workplace.load(text, into: useCases)
        let rows = try Self.rows(Self.text(useCases, .todoist))
        #expect(rows.map { $0["CONTENT"] } == ["other", "open", "inner"])
        #expect(rows.map { $0["INDENT"] } == ["1", "1", "2"])
    }

    @Test("a task of a section that became a subtask of a task without a section leaves the section")
    func otherSection() throws {
        let text = "TYPE,CONTENT,INDENT\ntask,a,1\nsection,S,\ntask,b,1\ntask,c,1\nsection,T,\ntask,d,1\ntask,e,7\n"
        let useCases = try Self.store(text)
        let all = try useCases.reminders(matching: ReminderFilter())
        var change = ReminderChange()
        change.parent = .set(.number(try #require(all.first { $0.title == "a" }).id))
        _ = try useCases.edit(try #require(all.first { $0.title == "b" }).id, change)
        let rows = try Self.rows(Self.text(useCases, .todoist))
        let lines = rows.map { ($0["INDENT"] ?? "") + ($0["CONTENT"] ?? "") }
        #expect(lines == ["1a", "2b", "S", "1c", "T", "1d", "7e"])
    }

    @Test("a Google export names each list and is detected, also if it has no task")
    func detected() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        let empty = Array(try Self.text(useCases, .google).utf8)
        #expect(try ParsedTasks(empty, format: nil, in: useCases.importContext()).format == .googleJSON)
        try Workplace.load(ImportTests.calendar(ImportTests.todo("1", "SUMMARY:a")), into: useCases)
        let text = try Self.text(useCases, .google)
        #expect(text.contains(#""kind": "tasks#taskList", "title": "Reminders""#) && !text.contains("tasks#tasks\""))
        let copy = try Workplace.only(Self.store(text))
        #expect(copy.uid == "1" && copy.labels.isEmpty && copy.list == "Reminders")
    }

    @Test("a task of Google that repeats here is exported once for each completion, with its identifier once")
    func repeatingGoogleTask() throws {
        let useCases = try Self.store(Self.fixture("google-takeout.json"))
        let cake = try #require(try useCases.reminders(matching: ReminderFilter()).first { $0.title == "Bake a cake" })
        _ = try useCases.edit(cake.id, ReminderChange(recurrenceRule: .set(RecurrenceRule(frequency: .weekly))))
        _ = try useCases.complete(cake.id)
        let tasks = try Self.fields(Self.text(useCases, .google), .google).filter { $0["title"] == "\"Bake a cake\"" }
        #expect(tasks.map { $0["status"] } == ["\"needsAction\"", "\"completed\""])
        #expect(tasks.map { $0["due"]?.prefix(11) } == ["\"2026-12-08", "\"2026-12-01"])
        #expect(Set(tasks.map { $0["id"] }).count == 2 && tasks[0]["links"] == tasks[1]["links"])
        #expect(tasks[0]["notes"] == tasks[1]["notes"])
    }

    @Test("a new reminder in a list that came from Google is exported into this list")
    func sameList() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        var options = ImportOptions()
        options.makesLists = true
        _ = try Workplace.take(Self.fixture("google-takeout.json"), into: useCases, options)
        try Workplace.load(ImportTests.calendar(ImportTests.todo("1", "SUMMARY:new")), into: useCases, list: "My Tasks")
        let lists = try JSONValue(parsing: Array(Self.text(useCases, .google).utf8))["items"]?.array ?? []
        #expect(lists.map { $0["id"]?.scalar } == ["MDEx", "MDEy"])
        #expect(lists[0]["items"]?.array?.last?["title"] == .string("new"))
    }

    @Test("each row of a random project of Todoist comes out as it went in")
    func randomProject() throws {
        var random = SeededGenerator(18)
        func pick(_ values: [String]) -> String { values[Int(random.next() % UInt64(values.count))] }
        let header = "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE,DATE_LANG,TIMEZONE,DEADLINE,Odd\r\n"
        for _ in 0..<20 {
            var text = header
            var kind = ""
            for number in 0..<12 {
                // A note belongs to the task above.
                let notes = ["task", "note"].contains(kind) ? ["note"] : []
                kind = pick(["section", "task", "task", "task", "meta"] + notes)
                switch kind {
                case "section": text += "section,S\(number),,,,,,,,\r\n"
                case "note":
                    text += "note,\(pick(["b", "\"c\r\n\r\nd\"", "e @f"])) \(number),,,,,,,,\r\n"
                case "meta": text += "meta,v=\(number),,,,,,,,x\r\n"
                default:
                    text += pick(["task,", "Task,"])
                    text += pick(["a", "a @b @c", "@b", "\"a, \"\"b\"\"\"", "a @b x"]) + ","
                    text += pick(["", "d", "\"d\r\ne\"", "\"d\n\nTodoist, x\""]) + ","
                    text += pick(["1", "2", "3", "4", "5", ""]) + "," + pick(["1", "2", "3", "9", "x", ""]) + ","
                    text += pick(["", "tomorrow", "2026-12-01", "every! 2 weeks", "every monday", "bald"]) + ","
                    text += pick(["en", "de", ""]) + "," + pick(["", "Europe/Berlin", "US/Pacific", "Mars"]) + ","
                    text += pick(["", "2026-12-05"]) + "," + pick(["", "x"]) + "\r\n"
                }
            }
            #expect(try Self.rows(Self.text(Self.store(text), .todoist)) == Self.rows(text), "\(text)")
        }
    }
}

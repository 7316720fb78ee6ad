import RemindavICalendar
import RemindavRecurrence
import Testing

@testable import RemindavTaskFormats

@Suite("detection of formats")
struct FormatTests {
    static let context = ImportContext(localZone: "UTC", zones: ZoneDatabase { _ in nil }) { _ in nil }

    @Test(
        "the content determines the format",
        arguments: [
            ("TYPE,CONTENT,INDENT\ntask,a,1\n", .todoistCSV), ("\u{FEFF}type;content;indent\ntask;a;1\n", .todoistCSV),
            ("\"Subject\",\"Due Date\",\"Priority\"\n\"a\",,\n", .outlookCSV),
            ("uid,title,status,labels\n1,a,,\n", .csv),
            (#"[{"uuid":"1","description":"a","status":"pending"}]"#, .taskwarrior),
            (#"{"description":"a","entry":"20260101T000000Z","status":"pending"}"#, .taskwarrior),
            (#"[{"uid":"1","title":"a","labels":[]}]"#, .json),
            (#"{"items":[{"content":"a","checked":false}]}"#, .todoistJSON),
            (#"{"results":[{"content":"a","priority":1}],"next_cursor":null}"#, .todoistJSON),
            (#"{"value":[{"title":"a","importance":"low"}]}"#, .microsoftJSON),
            (#"{"value":[{"displayName":"L","tasks":[]}]}"#, .microsoftJSON), ("[]", .json),
            (#"{"kind":"tasks#taskLists","items":[{"kind":"tasks#taskList","title":"L","items":[]}]}"#, .googleJSON),
            (#"{"kind":"tasks#taskLists","items":[{"kind":"tasks#tasks","items":[]}]}"#, .googleJSON),
            (
                #"{"kind":"tasks#tasks","items":[{"kind":"tasks#task","title":"a","status":"needsAction"}]}"#,
                .googleJSON
            ),
            ("title,due\na,\n", .namedColumns), ("Due date\tTask\n\ta\n", .namedColumns),
            ("(A) Call mum @phone\n", .todoTxt), ("x 2026-01-02 2026-01-01 Call\n", .todoTxt),
        ] as [(String, TaskFormat)]
    )
    func detection(text: String, format: TaskFormat) throws {
        let bytes = Array(text.utf8)
        #expect(TaskFormat.isForeign(bytes))
        let reading = try ParsedTasks(bytes, format: nil, in: Self.context)
        #expect(reading.format == format)
    }

    @Test(
        "a deadline of Todoist is the due date of a task without one; beside a due date it is copied to the notes and reported",
        arguments: [
            ("TYPE,CONTENT,INDENT,DATE,DEADLINE\ntask,a,1,2026-12-01,2026-12-05\n", "20261201", true),
            ("TYPE,CONTENT,INDENT,DATE,DEADLINE\ntask,a,1,,2026-12-05\n", "20261205", false),
            (
                #"[{"content":"a","priority":1,"due":{"date":"2026-12-01"},"deadline":{"date":"2026-12-05","lang":"en"}}]"#,
                "20261201", true
            ),
            (
                #"[{"content":"a","priority":1,"due":null,"deadline":{"date":"2026-12-05","lang":"en"}}]"#, "20261205",
                false
            ),
        ]
    )
    func deadline(text: String, due: String, isBeside: Bool) throws {
        let reading = try ParsedTasks(Array(text.utf8), format: nil, in: Self.context)
        let todo = try #require(reading.todos.first)
        #expect(todo.due?.wire == due)
        #expect(todo.notes == (isBeside ? ["Todoist, deadline: 2026-12-05"] : []))
        #expect(reading.findings.map(\.code) == (isBeside ? [.deadlineBesideDate] : []))
        let kept = todo.extra.filter { $0.name != TaskRecord.property }
        #expect(kept.map(\.value) == (isBeside ? ["2026-12-05"] : []))
    }

    @Test(
        "a task of Todoist with a date that cannot be read is due at its deadline",
        arguments: [
            "TYPE,CONTENT,INDENT,DATE,DATE_LANG,DEADLINE\ntask,a,1,24. Dez,de,2026-12-24\n",
            #"""
            [{"content":"a","priority":1,"due":{"string":"24. Dez","lang":"de"},"deadline":{"date":"2026-12-24"}}]
            """#,
        ]
    )
    func deadlineOnly(text: String) throws {
        let reading = try ParsedTasks(Array(text.utf8), format: nil, in: Self.context)
        let todo = try #require(reading.todos.first)
        #expect(todo.due?.wire == "20261224")
        #expect(todo.notes == [text.hasPrefix("TYPE") ? "Todoist, date: 24. Dez" : "Todoist, due: 24. Dez"])
        #expect(reading.findings.map(\.code) == [.phraseNotEnglish])
    }

    @Test(
        "a file of no known format is read as iCalendar, or refused",
        arguments: ["BEGIN:VCALENDAR\r\n", "", "a,b\n1,2\n", "hello", #"["vcalendar",[],[]]"#, "<html>", "\0\0\0"]
    )
    func none(text: String) {
        #expect(!TaskFormat.isForeign(Array(text.utf8)))
    }

    @Test("JSON of an unknown program, and a table with a wrong name, are refused")
    func refused() {
        let cases: [(String, TaskFormat?)] = [
            (#"{"a":1}"#, nil), ("a,b\n", .csv), ("TYPE,CONTENT,INDENT\n", .outlookCSV), ("", .todoistCSV),
            ("x", .json),
        ]
        for (text, format) in cases {
            #expect(throws: TaskFormatError.self) {
                try ParsedTasks(Array(text.utf8), format: format, in: Self.context)
            }
        }
    }

    @Test("letters of Windows-1252 are read, and reported")
    func windows1252() throws {
        let bytes = Array("Subject,Due Date,Priority\nM".utf8) + [0xFC] + Array("ll,,\n".utf8)
        let reading = try ParsedTasks(bytes, format: nil, in: Self.context)
        #expect(reading.todos.map(\.title) == ["Müll"])
        #expect(reading.findings.map(\.code) == [.notUTF8])
    }

    @Test("any text in any format is read or refused, and never crashes", arguments: TaskFormat.all)
    func hostile(format: TaskFormat) {
        let values = ["null", "1", "\"x\"", "[]", "{}", "[[]]", "true", "\"2026-13-45\"", "-1e999", "[{\"a\":[1]}]"]
        let names = [
            "uuid", "description", "status", "due", "recur", "tags", "annotations", "depends", "entry", "parent",
            "content",
            "priority", "labels", "id", "items", "notes", "reminders", "sections", "title", "dueDateTime", "recurrence",
            "checklistItems", "body", "categories", "linkedResources", "value", "tasks", "uid", "repeat", "alarms",
            "icalendar", "dueZone",
        ]
        for value in values {
            let members = names.map { "\"\($0)\":\(value)" }.joined(separator: ",")
            let task = "{\"title\":\"a\",\"description\":\"a\",\"content\":\"a\",\(members)}"
            for text in [task, "[\(task)]", "{\"value\":[\(task)],\"items\":[\(task)]}", "[\(value)]"] {
                _ = try? ParsedTasks(Array(text.utf8), format: format, in: Self.context)
            }
            let row = names.map { _ in value.replacing("\"", with: "") }.joined(separator: ",")
            let table = "type,subject,indent,\(names.joined(separator: ","))\ntask,a,9,\(row)\nnote,a,x\n"
            _ = try? ParsedTasks(Array(table.utf8), format: format, in: Self.context)
        }
    }
}

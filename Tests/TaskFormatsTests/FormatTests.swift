import ICalendar
import JSON
import Recurrence
import Reminders
import Testing

@testable import TaskFormats

@Suite("how other programs repeat")
struct RepeatTests {
    @Test(
        "Taskwarrior's lengths of time (taskwarrior.org/docs/durations)",
        arguments: [
            ("daily", "FREQ=DAILY"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("biweekly", "FREQ=WEEKLY;INTERVAL=2"),
            ("fortnight", "FREQ=WEEKLY;INTERVAL=2"), ("monthly", "FREQ=MONTHLY"),
            ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
            ("semiannual", "FREQ=MONTHLY;INTERVAL=6"), ("annual", "FREQ=YEARLY"),
            ("biyearly", "FREQ=YEARLY;INTERVAL=2"),
            ("3days", "FREQ=DAILY;INTERVAL=3"), ("3 days", "FREQ=DAILY;INTERVAL=3"), ("2wks", "FREQ=WEEKLY;INTERVAL=2"),
            ("2q", "FREQ=MONTHLY;INTERVAL=6"), ("day", "FREQ=DAILY"), ("4h", "FREQ=HOURLY;INTERVAL=4"),
            ("P1M", "FREQ=MONTHLY"), ("P2W", "FREQ=WEEKLY;INTERVAL=2"), ("PT12H", "FREQ=HOURLY;INTERVAL=12"),
            ("PT5M", "FREQ=MINUTELY;INTERVAL=5"), ("P1Y2M", nil), ("whenever", nil), ("0days", nil), ("", nil),
            ("99999999999999999999d", nil), ("P", nil), ("-3d", nil),
        ] as [(String, String?)]
    )
    func taskwarrior(text: String, rule: String?) {
        #expect(TaskwarriorRecurrence.rule(text)?.wire == rule)
    }

    private static func object(_ text: String) throws -> JSONObject {
        try #require(try JSONValue(parsing: Array(text.utf8)).object)
    }

    @Test(
        "Microsoft's six patterns and three ranges (recurrencePattern, recurrenceRange)",
        arguments: [
            (#"{"type":"daily","interval":3}"#, #"{"type":"noEnd"}"#, "FREQ=DAILY;INTERVAL=3"),
            (
                #"{"type":"weekly","interval":1,"daysOfWeek":["monday","thursday"],"firstDayOfWeek":"sunday"}"#,
                #"{"type":"numbered","numberOfOccurrences":4}"#, "FREQ=WEEKLY;COUNT=4;BYDAY=MO,TH"
            ),
            (
                #"{"type":"weekly","interval":2,"daysOfWeek":["monday"],"firstDayOfWeek":"sunday"}"#,
                #"{"type":"endDate","endDate":"2027-01-31"}"#, "FREQ=WEEKLY;UNTIL=20270131;INTERVAL=2;BYDAY=MO;WKST=SU"
            ),
            (#"{"type":"absoluteMonthly","interval":1,"dayOfMonth":31}"#, "{}", "FREQ=MONTHLY;BYMONTHDAY=31"),
            (
                #"{"type":"relativeMonthly","interval":1,"daysOfWeek":["tuesday"],"index":"second"}"#, "{}",
                "FREQ=MONTHLY;BYDAY=2TU"
            ),
            (
                #"{"type":"relativeMonthly","interval":1,"daysOfWeek":["saturday","sunday"],"index":"last"}"#, "{}",
                "FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=-1"
            ),
            (
                #"{"type":"absoluteYearly","interval":1,"dayOfMonth":24,"month":12}"#, "{}",
                "FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=12"
            ),
            (
                #"{"type":"relativeYearly","interval":1,"daysOfWeek":["sunday"],"index":"last","month":3}"#, "{}",
                "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"
            ),
            (#"{"type":"absoluteMonthly","interval":1}"#, "{}", nil),
            (#"{"type":"absoluteMonthly","interval":1,"dayOfMonth":32}"#, "{}", nil),
            (#"{"type":"lunar","interval":1}"#, "{}", nil), (#"{"type":"daily","interval":0}"#, "{}", nil),
            (#"{"type":"daily","interval":1}"#, #"{"type":"endDate","endDate":"soon"}"#, nil), ("{}", "{}", nil),
        ] as [(String, String, String?)]
    )
    func microsoft(pattern: String, range: String, rule: String?) throws {
        let object = try Self.object(#"{"pattern":\#(pattern),"range":\#(range)}"#)
        #expect(MicrosoftRecurrence.rule(object)?.wire == rule)
    }

    @Test(
        "the order of day and month is told by all dates of a file",
        arguments: [
            (["1/2/2026", "12/24/2026"], "2026-01-02", false), (["1/2/2026", "24/12/2026"], "2026-02-01", false),
            (["1.2.2026"], "2026-02-01", false), (["2026-01-02"], "2026-01-02", false),
            (["1/2/2026"], "2026-01-02", true),
            (["3/3/2026"], "2026-03-03", false), (["1/2/2026", "13/13/2026"], "2026-01-02", true),
            (["1/2/2026", "30/2/2026"], "2026-01-02", true), (["1/2/2026", "n.a."], "2026-01-02", true),
            (["1/2/2026", "13/1/2026", "1/13/2026"], "2026-01-02", true),
            (["1/2/26", "24/12/26"], "2026-02-01", false), (["x"], nil, false),
        ] as [([String], String?, Bool)]
    )
    func dateOrder(texts: [String], first: String?, isGuess: Bool) {
        let order = DateOrder(texts)
        #expect(order.date(texts[0])?.description == first)
        #expect(order.isGuess == isGuess)
    }

    @Test(
        "words that begin with @ are Todoist's labels",
        arguments: [
            ("Buy milk @shop @home", "Buy milk", ["shop", "home"]),
            ("Mail ada@example.org", "Mail ada@example.org", []),
            ("@waiting", "@waiting", []), ("  two \n lines ", "two   lines", []), ("a @ b", "a @ b", []), ("", nil, []),
        ] as [(String, String?, [String])]
    )
    func todoistLabels(text: String, title: String?, labels: [String]) {
        let content = TodoistContent(text)
        #expect(content.title == title)
        #expect(content.labels == labels)
    }

    @Test(
        "a text with HTML in it is what a person reads",
        arguments: [
            ("<p>a</p><p>b &lt;c&gt; &amp;amp;</p>", "a\nb <c> &amp;"), ("plain", "plain"), ("a<br>b", "a\nb"),
            ("<unclosed", ""), ("x <b", "x"),
        ]
    )
    func html(text: String, expected: String) {
        #expect(HTMLText.plain(text) == expected)
    }
}

@Suite("telling formats apart")
struct FormatTests {
    static let context = ImportContext(localZone: "UTC", zones: ZoneDatabase { _ in nil }) { _ in nil }

    @Test(
        "the content tells",
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
        ] as [(String, TaskFormat)]
    )
    func detection(text: String, format: TaskFormat) throws {
        let bytes = Array(text.utf8)
        #expect(TaskFormat.isForeign(bytes))
        let reading = try ParsedTasks(bytes, format: nil, in: Self.context)
        #expect(reading.format == format)
    }

    @Test(
        "a deadline of Todoist is when a task is due that has no date; beside a date it is kept, seen and told",
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
        #expect(todo.extra.map(\.value) == (isBeside ? ["2026-12-05"] : []))
    }

    @Test(
        "what is none of them is left to iCalendar, or refused",
        arguments: ["BEGIN:VCALENDAR\r\n", "", "a,b\n1,2\n", "hello", #"["vcalendar",[],[]]"#, "<html>", "\0\0\0"]
    )
    func none(text: String) {
        #expect(!TaskFormat.isForeign(Array(text.utf8)))
    }

    @Test("JSON of no program, and a table that is called by another name, are refused")
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

    @Test("letters of Windows-1252 are read, and told of")
    func windows1252() throws {
        let bytes = Array("Subject,Due Date,Priority\nM".utf8) + [0xFC] + Array("ll,,\n".utf8)
        let reading = try ParsedTasks(bytes, format: nil, in: Self.context)
        #expect(reading.todos.map(\.title) == ["Müll"])
        #expect(reading.findings.map(\.code) == [.notUTF8])
    }

    @Test("any text under any format is read or refused, and never more", arguments: TaskFormat.all)
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

@Suite("texts that try to be more")
struct InjectionTests {
    @Test("no text of any field adds a line or a component of its own", arguments: TaskFormat.all)
    func lines(format: TaskFormat) throws {
        let evil = #"x\r\nATTACH:file:///etc/passwd\nEND:VTODO\nBEGIN:VTODO\u0001\u2028"#
        let names = [
            "uuid", "description", "entry", "due", "recur", "project", "content", "title", "uid", "notes", "repeat",
            "link",
            "location", "parent", "url", "timezone", "dueZone", "id", "parent_id", "X-odd \\r\\nname", "extra",
        ]
        let rule = #""repeat":"FREQ=DAILY;X-A=\#(evil)","due":"2026-12-01""#
        let plain = names.map { "\"\($0)\":\"\(evil)\"" }.joined(separator: ",")
        let lists = ["tags", "labels", "categories", "depends", "alarms"].map { "\"\($0)\":[\"\(evil)\"]" }
        let json = "[{\(plain),\(lists.joined(separator: ",")),\"status\":\"pending\"},{\"title\":\"a\",\(rule)}]"
        let columns =
            switch format {
            case .outlookCSV: ["Subject", "Due Date", "Priority", "Categories", "Notes", "Reminder Date", "other"]
            case .csv: ["uid", "title", "status", "labels", "repeat", "link", "due", "parent", "alarms"]
            default: ["TYPE", "CONTENT", "INDENT", "DATE", "TIMEZONE", "DESCRIPTION", "other \"\" name"]
            }
        let field = "\"" + evil.replacing(#"\r"#, with: "\r").replacing(#"\n"#, with: "\n") + "\""
        let fields = columns.map { $0 == "TYPE" ? "task" : field }
        let head = columns.map { "\"\($0)\"" }.joined(separator: ",")
        let table = "\(head)\n\(fields.joined(separator: ","))\n"
        let text = format.isJSON ? json : table
        let reading = try ParsedTasks(Array(text.utf8), format: format, in: FormatTests.context)
        #expect(!reading.todos.isEmpty)
        for todo in reading.todos {
            let document = ICalendarDocument(todo.bytes(now: Instant(secondsSince1970: 0)))
            #expect(document.components.map(\.name) == [.vtodo])
            #expect(document.issues.isEmpty)
            #expect(document.components[0].first(.attach) == nil)
        }
    }
}

@Suite("files that want too much")
struct GrowthTests {
    private static func seconds(_ text: String, _ format: TaskFormat) -> Double {
        let bytes = Array(text.utf8)
        let clock = ContinuousClock()
        let duration = clock.measure { _ = try? ParsedTasks(bytes, format: format, in: FormatTests.context) }
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    // A square of these sizes would take minutes.
    @Test("time grows as the file does")
    func growth() {
        let count = 10_000
        let many = { (part: (Int) -> String) in (0..<count).map(part).joined(separator: ",") }
        let cases: [(String, TaskFormat)] = [
            (
                "[\(many { #"{"uuid":"\#($0)","description":"a","status":"pending","parent":"p","recur":"daily"}"# })]",
                .taskwarrior
            ),
            ("[{\"description\":\"a\",\"tags\":[\(many { "\"t\($0)\"" })]}]", .taskwarrior),
            ("[{\"content\":\"a\",\(many { "\"k\($0)\":1" })}]", .todoistJSON),
            ("TYPE,CONTENT,INDENT\n" + (1...count).map { "task,a title,\($0)\n" }.joined(), .todoistCSV),
            ("TYPE,CONTENT,INDENT\n" + (1...count).map { _ in "task,same,1\n" }.joined(), .todoistCSV),
        ]
        for (text, format) in cases { #expect(Self.seconds(text, format) < 20) }
    }

    @Test("a task with more members than anybody has is left out")
    func members() throws {
        let members = (0..<300).map { "\"k\($0)\":1" }.joined(separator: ",")
        let text = "[{\"content\":\"a\",\(members)},{\"content\":\"b\",\"k\":1}]"
        let reading = try ParsedTasks(Array(text.utf8), format: .todoistJSON, in: FormatTests.context)
        #expect(reading.todos.map(\.title) == ["b"])
        #expect(reading.findings.map(\.code) == [.tooManyFields] && reading.skipped == 1)
    }
}

@Suite("tasks of hostile files")
struct TaskLimitTests {
    private static func read(_ text: String, _ format: TaskFormat) throws -> ParsedTasks {
        try ParsedTasks(Array(text.utf8), format: format, in: FormatTests.context)
    }

    @Test(
        "a task with more labels, reminders or dependencies than anybody has is left out",
        arguments: [
            (256, 256, 256, []), (257, 1, 1, [.tooManyValues]), (1, 257, 1, [.tooManyValues]),
        ] as [(Int, Int, Int, [ImportIssue.Code])]
    )
    func counts(labels: Int, alarms: Int, dependencies: Int, codes: [ImportIssue.Code]) throws {
        func list(_ count: Int, _ text: (Int) -> String) -> String {
            (0..<count).map { "\"\(text($0))\"" }.joined(separator: ",")
        }
        let own = """
            [{"uid":"1","title":"a","labels":[\(list(labels) { "l\($0)" })],\
            "alarms":[\(list(alarms) { "-PT\($0)M" })]},{"uid":"2","title":"b"}]
            """
        let reading = try Self.read(own, .json)
        #expect(reading.findings.map(\.code) == codes && reading.skipped == codes.count)
        #expect(reading.todos.last?.title == "b")
    }

    @Test("a task that waits for more tasks than anybody has, a long label, and long texts are left out")
    func lengths() throws {
        let depends = (0..<257).map { "\"\($0)\"" }.joined(separator: ",")
        let many = try Self.read(#"[{"uuid":"1","description":"a","depends":[\#(depends)]}]"#, .taskwarrior)
        #expect(many.todos.isEmpty && many.findings.map(\.code) == [.tooManyValues])
        let label = String(repeating: "x", count: ImportLimits.standard.labelBytes + 1)
        let long = try Self.read(#"[{"uuid":"1","description":"a","project":"\#(label)"}]"#, .taskwarrior)
        #expect(long.todos.isEmpty && long.findings.map(\.code) == [.tooManyValues])
        let text = String(repeating: "x", count: 1_000_000)
        let rows = String(repeating: "note,\(text),\n", count: 3)
        let notes = try Self.read("TYPE,CONTENT,INDENT\ntask,a,1\n\(rows)task,b,1\n", .todoistCSV)
        #expect(notes.todos.map(\.title) == ["b"] && notes.findings.map(\.code) == [.taskTooLong])
    }

    @Test("an alarm repeats no more than the beginning of the title")
    func alarmText() throws {
        let title = String(repeating: "x", count: 10_000)
        let reading = try Self.read(#"[{"uid":"1","title":"\#(title)","alarms":["-PT1M","-PT2M"]}]"#, .json)
        let todo = try #require(reading.todos.first)
        #expect(todo.title == title && todo.bytes(now: Instant(secondsSince1970: 0)).count < 12_000)
    }

    @Test("a title of the task above makes the names of those below no longer")
    func path() throws {
        let title = String(repeating: "x", count: 500_000)
        let below = (1...2000).map { "task,t\($0),2\n" }.joined()
        let clock = ContinuousClock()
        let time = try clock.measure {
            let reading = try Self.read("TYPE,CONTENT,INDENT\ntask,\(title),1\n\(below)", .todoistCSV)
            #expect(Set(reading.todos.map(\.uid)).count == 2001)
        }
        #expect(time < .seconds(20))
    }

    @Test("an open task that repeats and is of no series repeats")
    func loneRepeat() throws {
        let text = #"[{"uuid":"1","description":"a","status":"pending","recur":"weekly","due":"20261201T090000Z"}]"#
        let reading = try Self.read(text, .taskwarrior)
        #expect(reading.todos.first?.rule?.wire == "FREQ=WEEKLY" && reading.findings.isEmpty)
        let dateless = try Self.read(text.replacing(#""due""#, with: #""x""#), .taskwarrior)
        #expect(dateless.findings.map(\.code) == [.repeatWithoutDate])
        let done = try Self.read(text.replacing("pending", with: "completed"), .taskwarrior)
        #expect(done.todos.first?.rule == nil)
    }

    @Test(
        "a value that is not known is kept and told of",
        arguments: [
            ("TYPE,CONTENT,INDENT,PRIORITY\ntask,a,abc,x\n", .todoistCSV, ["PRIORITY", "INDENT"]),
            (#"[{"content":"a","priority":9}]"#, .todoistJSON, ["priority"]),
            (
                "Subject,Due Date,Priority,% Complete,Status\na,,urgent,lots,odd\n", .outlookCSV,
                ["Priority", "Complete", "Status"]
            ),
            (#"[{"title":"a","importance":"huge","status":"odd"}]"#, .microsoftJSON, ["importance", "status"]),
            (#"[{"uid":"1","title":"a","priority":"huge","status":"odd"}]"#, .json, ["priority", "status"]),
            ("TYPE,CONTENT,INDENT,PRIORITY\ntask,a,1,4\n", .todoistCSV, []),
            ("Subject,Due Date,Priority,% Complete,Status\na,,Normal,0%,Deferred\n", .outlookCSV, []),
            (#"[{"title":"a","importance":"normal","status":"notStarted"}]"#, .microsoftJSON, []),
        ] as [(String, TaskFormat, [String])]
    )
    func unknownValues(text: String, format: TaskFormat, subjects: [String]) throws {
        let reading = try Self.read(text, format)
        let told = reading.findings.filter { $0.code == .badValue }
        #expect(Set(told.compactMap(\.subject)) == Set(subjects) && told.count == subjects.count)
        #expect(told.allSatisfy { $0.line == (format.isJSON ? 1 : 2) })
        let kept = reading.todos.first?.extra.map(\.name.canonical) ?? []
        #expect(subjects.allSatisfy { subject in kept.contains { $0.hasSuffix("-\(subject.uppercased())") } })
    }

    @Test("what waits for an occurrence waits for its series, and the series for what its first occurrence waits for")
    func dependenciesOfOccurrences() throws {
        let series = #""description":"Water","status":"pending","recur":"weekly","parent":"t""#
        let tasks = [
            #"{"uuid":"t","description":"Water","status":"recurring","recur":"weekly","due":"20261201T090000Z"}"#,
            #"{"uuid":"i2","due":"20261215T090000Z","imask":1,\#(series)}"#,
            #"{"uuid":"i1","due":"20261208T090000Z","imask":0,"depends":["can"],\#(series)}"#,
            #"{"uuid":"can","description":"Buy a can","status":"pending"}"#,
            #"{"uuid":"pick","description":"Pick","status":"pending","depends":"i1,i2,can"}"#,
        ]
        func dependencies(_ tasks: [String]) throws -> [String: [String]] {
            let todos = try Self.read("[\(tasks.joined(separator: ","))]", .taskwarrior).todos
            let names = Dictionary(uniqueKeysWithValues: todos.map { ($0.uid, $0.title) })
            return Dictionary(
                uniqueKeysWithValues: todos.map { ($0.title, $0.dependencies.map { names[$0] ?? "nobody" }) }
            )
        }
        let expected = ["Water": ["Buy a can"], "Buy a can": [], "Pick": ["Water", "Buy a can"]]
        #expect(try dependencies(tasks) == expected)
        // Without its template the first occurrence is the series.
        #expect(try dependencies(Array(tasks.dropFirst())) == expected)
        // Nothing waits for itself.
        let chain = tasks.map { $0.replacing("\"can\"]", with: "\"i2\"]") }
        #expect(try dependencies(chain)["Water"] == [])
    }

    @Test("labels are one as they are everywhere else")
    func labels() throws {
        let reading = try Self.read(#"[{"uid":"1","title":"a","labels":["Straße","STRASSE","b"]}]"#, .json)
        #expect(reading.todos.first?.labels == ["Straße", "b"])
    }
}

@Suite("exports")
struct ExportTests {
    @Test(
        "a field that a spreadsheet would work out is not one, and comes back",
        arguments: [
            ("=1+1", "'=1+1"), ("+49", "'+49"), ("-PT15M", "'-PT15M"), ("@a", "'@a"), ("\tx", "\"'\tx\""),
            ("\rx", "\"'\rx\""),
            ("'=x", "''=x"), ("'x", "'x"), ("''+", "'''+"), ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""), ("two\nlines", "\"two\nlines\""), ("a;b", "\"a;b\""),
        ]
    )
    func field(text: String, expected: String) throws {
        #expect(TableText.field(text) == expected)
        var reader = TableReader(Array("x,\(TableText.field(text))\r\n".utf8), limits: .standard)
        let read = try #require(try reader.rows().first?.fields.last)
        #expect(TableText.restored(read) == text)
    }

    @Test(
        "no Markdown, no HTML and no terminal finds anything in a text",
        arguments: [
            ("a *b* _c_ `d`", #"a \*b\* \_c\_ \`d\`"#), ("<script>", #"\<script\>"#), ("[x](y)", #"\[x\](y)"#),
            ("# head", "\\# head"), ("- item", #"\- item"#), ("1. one", #"1\. one"#), ("12) x", #"12\) x"#),
            ("+ a", #"\+ a"#), ("=====", #"\====="#), ("    code", "code"), ("a\u{1B}[31mb", "a\u{FFFD}\\[31mb"),
            ("a\u{202E}b", "a\u{FFFD}b"), ("a|b & c", #"a\|b \& c"#), ("2026-12-01", "2026-12-01"),
        ]
    )
    func markdown(text: String, expected: String) {
        #expect(MarkdownText.line(text) == expected)
    }

    @Test("the columns keep their order, and each field with one line of text comes back", arguments: ["json", "csv"])
    func lines(form: String) throws {
        var writer = ExportWriter(try #require(ExportForm(rawValue: form))) { $0 }
        var bytes = writer.beginning
        if form == "csv" {
            let columns =
                "uid,list,title,notes,due,dueZone,start,repeat,status,completedAt,snoozedUntil,priority,parent,"
                + "location,link,createdAt,updatedAt,labels,alarms\r\n"
            #expect(String(decoding: bytes, as: UTF8.self) == columns)
        }
        var reminder = ExportedReminder(uid: "1", list: "a", title: "b", status: "pending", priority: "none")
        for field in ReminderField.lines { reminder.lines[field.name] = "some \(field.name)" }
        bytes += writer.text(reminder) + writer.end
        let task = try #require(try ParsedTasks(bytes, format: nil, in: FormatTests.context).todos.first)
        for (name, property) in ReminderField.lineProperties {
            #expect(task.lines[property] == "some \(name)")
            #expect(task.properties(now: Instant(secondsSince1970: 0)).contains { $0.name == property })
        }
    }
}

@Suite("events as reminders")
struct EventConversionTests {
    private static func todo(_ lines: String...) -> [String] {
        let text = "BEGIN:VEVENT\r\n" + lines.map { $0 + "\r\n" }.joined() + "END:VEVENT\r\n"
        let bytes = EventConversion.todo(Array(text.utf8)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    @Test("an event is due when it starts, and what a to-do may not have is kept")
    func properties() {
        let uid = EventConversion.uid(of: "e1")
        #expect(
            Self.todo(
                "UID:e1",
                "DTSTART;TZID=Europe/Berlin:20261201T090000",
                "DTEND;TZID=Europe/Berlin:20261201T100000",
                "SUMMARY;LANGUAGE=en:Dentist",
                "STATUS:CONFIRMED",
                "TRANSP:OPAQUE",
                "RRULE:FREQ=YEARLY",
                "X-A;B=c:d"
            ) == [
                "BEGIN:VTODO", "UID:\(uid)", "DTSTART;TZID=Europe/Berlin:20261201T090000",
                "X-REMINDAV-EVENT-DTEND;TZID=Europe/Berlin:20261201T100000", "SUMMARY;LANGUAGE=en:Dentist",
                "X-REMINDAV-EVENT-STATUS:CONFIRMED", "X-REMINDAV-EVENT-TRANSP:OPAQUE", "RRULE:FREQ=YEARLY", "X-A;B=c:d",
                "DUE;TZID=Europe/Berlin:20261201T090000", "END:VTODO",
            ]
        )
    }

    @Test(
        "an alarm that counts from the end counts from the start",
        arguments: [
            (["DTEND:20261201T100000Z"], "TRIGGER;RELATED=END:-PT5M", "TRIGGER:PT55M"),
            (["DURATION:PT30M"], "TRIGGER;RELATED=END:PT0S", "TRIGGER:PT30M"),
            ([], "TRIGGER;RELATED=END:-PT5M", "TRIGGER:-PT5M"),
            (["DTEND:20261201T100000Z"], "TRIGGER:-PT5M", "TRIGGER:-PT5M"),
        ] as [([String], String, String)]
    )
    func alarms(lines: [String], trigger: String, expected: String) {
        let text =
            ["UID:1", "DTSTART:20261201T090000Z"] + lines + [
                "BEGIN:VALARM", "ACTION:DISPLAY", trigger,
                "END:VALARM",
            ]
        #expect(Self.todo(text.joined(separator: "\r\n")).contains(expected))
    }

    @Test("nobody is invited again or written to, and who was is kept")
    func people() throws {
        let lines = Self.todo(
            "UID:1",
            "DTSTART:20261201T090000Z",
            "ORGANIZER;CN=Ada:mailto:a@example.org",
            "ATTENDEE;RSVP=TRUE:mailto:b@example.org",
            "BEGIN:VALARM",
            "ACTION:Email",
            "ATTENDEE:mailto:c@example.org",
            "TRIGGER:-PT5M",
            "END:VALARM",
            "BEGIN:VALARM",
            "ACTION:PROCEDURE",
            "ATTACH:file:///bin/sh",
            "TRIGGER:-PT6M",
            "END:VALARM",
            "BEGIN:VALARM",
            "ACTION:DISPLAY",
            "TRIGGER:-PT7M",
            "END:VALARM"
        )
        #expect(lines.contains("X-REMINDAV-EVENT-ORGANIZER;CN=Ada:mailto:a@example.org"))
        #expect(lines.contains("X-REMINDAV-EVENT-ATTENDEE;RSVP=TRUE:mailto:b@example.org"))
        #expect(!lines.contains { $0.hasPrefix("ORGANIZER") || $0.hasPrefix("ATTENDEE") })
        #expect(lines.filter { $0 == "BEGIN:VALARM" }.count == 1 && lines.contains("TRIGGER:-PT7M"))
        #expect(lines.filter { $0.hasPrefix("X-REMINDAV-EVENT-ALARM:BEGIN:VALARM\\nACTION:") }.count == 2)
    }

    @Test("a cancelled event is a cancelled reminder, and what is no event is nothing")
    func others() {
        #expect(Self.todo("UID:1", "STATUS:CANCELLED").contains("STATUS:CANCELLED"))
        #expect(EventConversion.todo(Array("BEGIN:VTODO\r\nEND:VTODO\r\n".utf8)) == nil)
        #expect(EventConversion.todo([]) == nil)
    }
}

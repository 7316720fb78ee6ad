import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavTaskFormats

@Suite("texts with injected lines")
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
            case .namedColumns:
                ["title", "notes", "due", "labels", "repeat", "link", "location", "id", "status", "odd"]
            default: ["TYPE", "CONTENT", "INDENT", "DATE", "TIMEZONE", "DESCRIPTION", "other \"\" name"]
            }
        let field = "\"" + evil.replacing(#"\r"#, with: "\r").replacing(#"\n"#, with: "\n") + "\""
        let fields = columns.map { $0 == "TYPE" ? "task" : field }
        let head = columns.map { "\"\($0)\"" }.joined(separator: ",")
        let table = "\(head)\n\(fields.joined(separator: ","))\n"
        let line = "(A) \(field.replacing("\"", with: "")) +\(evil) @a\rb due:\(evil) t:\(evil) rec:\(evil)"
        let text = format.isJSON ? json : format == .todoTxt ? line : table
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

@Suite("files with an expensive content")
struct GrowthTests {
    private static func seconds(_ text: String, _ format: TaskFormat) -> Double {
        let bytes = Array(text.utf8)
        let clock = ContinuousClock()
        let duration = clock.measure { _ = try? ParsedTasks(bytes, format: format, in: FormatTests.context) }
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    // A square of these sizes would take minutes.
    @Test("time grows in proportion to the file")
    func growth() {
        let count = Cases.count(10_000)
        let many = { (part: (Int) -> String) in (0..<count).map(part).joined(separator: ",") }
        let long = String(repeating: "x", count: 1 << 20)
        let cases: [(String, TaskFormat)] = [
            (
                """
                {"kind":"tasks#taskList","title":"list","etag":"\(long)","items":[\(many { #"{"title":"\#($0)"}"# })]}
                """,
                .googleJSON
            ),
            (
                #"{"displayName":"list","etag":"\#(long)","tasks":[\#(many { #"{"title":"\#($0)"}"# })]}"#,
                .microsoftJSON
            ),
            (
                "TYPE,CONTENT,DESCRIPTION\nsection,list,\(long)\n" + (1...count).map { "task,title \($0),\n" }.joined(),
                .todoistCSV
            ),
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

    @Test("a task with more members than the limit is left out")
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
        "a task with more labels, reminders or dependencies than the limit is left out",
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

    @Test("a task with too many dependencies, a long label, and long texts are left out")
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

    @Test("the title of a parent task does not lengthen the names of its parts")
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

    @Test("a repeating open task without a series repeats")
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
        "an unknown value is kept and reported",
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
        let reported = reading.findings.filter { $0.code == .badValue }
        #expect(Set(reported.compactMap(\.subject)) == Set(subjects) && reported.count == subjects.count)
        #expect(reported.allSatisfy { $0.line == (format.isJSON ? 1 : 2) })
        let kept = reading.todos.first?.extra.map(\.name.canonical) ?? []
        #expect(subjects.allSatisfy { subject in kept.contains { $0.hasSuffix("-\(subject.uppercased())") } })
    }

    @Test("a dependency on an occurrence becomes one on its series, and a series has those of its first occurrence")
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
                uniqueKeysWithValues: todos.map { ($0.title, $0.dependencies.map { names[$0] ?? "unknown" }) }
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

    @Test("labels with one key are one label")
    func labels() throws {
        let reading = try Self.read(#"[{"uid":"1","title":"a","labels":["Straße","STRASSE","b"]}]"#, .json)
        #expect(reading.todos.first?.labels == ["Straße", "b"])
    }
}

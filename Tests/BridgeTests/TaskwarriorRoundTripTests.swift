import RemindavICalendar
import RemindavJSON
import RemindavReminders
import RemindavTaskFormats
import RemindavTestSupport
import Testing

@testable import RemindavBridge

@Suite("round trip of Taskwarrior")
struct TaskwarriorRoundTripTests {
    private static let zone = "Europe/Berlin"

    /// The members of the tasks by their UUIDs, without those that Taskwarrior computes and without deleted tasks.
    private static func tasks(_ text: String) throws -> [String: [String: String]] {
        let elements = try #require(try JSONValue(parsing: Array(text.utf8)).array)
        var tasks: [String: [String: String]] = [:]
        for object in elements.compactMap(\.object) where object["status"]?.string != "deleted" {
            let uuid = try #require(object["uuid"]?.string)
            #expect(tasks[uuid] == nil)
            let members = object.sortedMembers.map { ($0.name, $0.value.text) }
            tasks[uuid] = Dictionary(uniqueKeysWithValues: members)
                .filter { !["id", "urgency"].contains($0.key) }
        }
        return tasks
    }

    private static func store(_ text: String, lists: Bool = false) throws -> UseCases {
        let useCases = try Workplace.open(localZone: self.zone)
        var options = ImportOptions()
        options.makesLists = lists
        _ = try Workplace.take(text, into: useCases, options)
        return useCases
    }

    /// Exports the store, imports the export into an empty one, and compares all visible fields of both.
    private static func exported(_ useCases: UseCases) throws -> String {
        let text = try Workplace.export(useCases, .taskwarrior)
        #expect(try Workplace.export(self.store(text), .csv) == Workplace.export(useCases, .csv))
        #expect(try Workplace.export(self.store(text), .taskwarrior) == text)
        return text
    }

    private static func reminder(_ title: String, _ useCases: UseCases) throws -> ReminderView {
        let all = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
        return try #require(all.first { $0.title == title })
    }

    @Test("a completed occurrence of a series without its template is exported once")
    func withoutTemplate() throws {
        let ids = (1...3).map { "0000000\($0)-0000-4000-8000-000000000000" }
        let tasks = zip(ids, ["20261201", "20261208", "20261215"]).enumerated().map { place, task in
            #"{"uuid":"\#(task.0)","description":"Rent","status":"pending","entry":"20261101T080000Z","recur":"weekly","#
                + #""parent":"0000000a-0000-4000-8000-000000000000","imask":\#(place),"due":"\#(task.1)T080000Z"}"#
        }
        let useCases = try Self.store("[\(tasks.joined(separator: ","))]")
        let rent = try Self.reminder("Rent", useCases)
        _ = try useCases.complete(rent.id)
        // The function fails if two tasks have one UUID.
        let exported = try Self.tasks(Workplace.export(useCases, .taskwarrior))
        let open = exported.values.filter { $0["status"]?.contains("pending") == true }
        #expect(Set(open.map { $0["due"] ?? "" }).count == open.count, "\(exported)")
        #expect(exported.values.contains { $0["status"]?.contains("completed") == true })
    }

    @Test(
        "each member of an export of Taskwarrior comes out as it went in",
        arguments: ["taskwarrior-2.6-export.json", "taskwarrior-2.6-lines.json", "taskwarrior-2.6-series.json"]
    )
    func fixture(name: String) throws {
        var text = String(decoding: try Fixture.bytes("task-formats/\(name)"), as: UTF8.self)
        let useCases = try Self.store(text)
        if !text.hasPrefix("[") { text = "[\(text.split(separator: "\n").joined(separator: ","))]" }
        let tasks = try Self.tasks(text)
        #expect(try !tasks.isEmpty && Self.tasks(Self.exported(useCases)) == tasks)
        #expect(try Self.tasks(Workplace.export(Self.store(text, lists: true), .taskwarrior)) == tasks)
    }

    @Test("an edit changes only the members of the edited fields")
    func edited() throws {
        let text = String(decoding: try Fixture.bytes("task-formats/taskwarrior-2.6-export.json"), as: UTF8.self)
        let useCases = try Self.store(text)
        var expected = try Self.tasks(text)
        let milk = "da917aff-11a7-453b-bd67-b25157b6696f"
        var change = ReminderChange(title: "Buy oat milk")
        change.priority = .set(.low)
        change.labels = .set(["Home.Kitchen", "at home"])
        _ = try useCases.edit(try Self.reminder("Buy milk", useCases).id, change)
        expected[milk]?["description"] = "\"Buy oat milk\""
        expected[milk]?["priority"] = "\"L\""
        expected[milk]?["tags"] = "[\"at home\"]"
        expected[milk]?["modified"] = "\"\(Workplace.now.wire)\""
        var tasks = try Self.tasks(Workplace.export(useCases, .taskwarrior))
        #expect(tasks[milk]?.removeValue(forKey: "remindavbase") != nil)
        #expect(tasks == expected)
    }

    @Test("an occurrence of a series that was completed here is completed in Taskwarrior, and the next one is open")
    func occurrence() throws {
        let text = String(decoding: try Fixture.bytes("task-formats/taskwarrior-2.6-export.json"), as: UTF8.self)
        let useCases = try Self.store(text)
        _ = try useCases.complete(try Self.reminder("Pay rent", useCases).id)
        let tasks = try Self.tasks(Self.exported(useCases))
        let done = try #require(tasks["82afade3-e662-4774-90ef-f2dfa8215441"])
        #expect(done["status"] == "\"completed\"" && done["end"] == "\"\(Workplace.now.wire)\"")
        #expect(done["recur"] == "\"monthly\"" && done["imask"] == "0")
        let parent = "bf564313-7a89-4b1f-a7fc-ba8f1d92fbd0"
        #expect(tasks[parent]?["mask"] == "\"+-\"" && tasks[parent]?["due"] == "\"20261201T070000Z\"")
        let open = tasks.values.filter { $0["parent"] == "\"\(parent)\"" && $0["status"] == "\"pending\"" }
        #expect(open.map { $0["due"] } == ["\"20270101T070000Z\""] && open.map { $0["imask"] } == ["1"])
    }

    @Test("each completion of a series completes the occurrence that the export before it made")
    func secondCompletion() throws {
        let text = String(decoding: try Fixture.bytes("task-formats/taskwarrior-2.6-export.json"), as: UTF8.self)
        let useCases = try Self.store(text)
        let parent = "bf564313-7a89-4b1f-a7fc-ba8f1d92fbd0"
        var made: [String] = []
        for place in 1...3 {
            _ = try useCases.complete(try Self.reminder("Pay rent", useCases).id)
            let tasks = try Self.tasks(Self.exported(useCases))
            let own = tasks.filter { $0.value["parent"] == "\"\(parent)\"" }
            let open = own.filter { $0.value["status"] == "\"pending\"" }
            #expect(open.map(\.value["imask"]) == ["\(place)"] && own.count == place + 1)
            #expect(Set(own.compactMap(\.value["imask"])).count == own.count)
            for id in made { #expect(tasks[id]?["status"] == "\"completed\"") }
            for (index, id) in made.enumerated() { #expect(tasks[id]?["imask"] == "\(index + 1)") }
            #expect(tasks[parent]?["mask"] == "\"\(String(repeating: "+", count: place))-\"")
            made += open.keys
        }
    }

    @Test("a tag with the name of the project stays, and the project stays without a tag of its name")
    func projectAndTag() throws {
        let text = """
            [{"uuid":"00000001-0000-4000-8000-000000000000","description":"a","status":"pending",\
            "entry":"20261101T000000Z","project":"Work","tags":["work","x"]},
            {"uuid":"00000002-0000-4000-8000-000000000000","description":"b","status":"pending",\
            "entry":"20261101T000000Z","project":"Work"}]
            """
        for lists in [false, true] {
            let useCases = try Self.store(text, lists: lists)
            #expect(try Self.tasks(Workplace.export(useCases, .taskwarrior)) == Self.tasks(text))
            let change = ReminderChange(labels: .set(["work", "y"]))
            _ = try useCases.edit(try Self.reminder("a", useCases).id, change)
            let tasks = try Self.tasks(Workplace.export(useCases, .taskwarrior))
            let edited = tasks["00000001-0000-4000-8000-000000000000"]
            #expect(edited?["project"] == "\"Work\"" && edited?["tags"] == "[\"work\",\"y\"]")
        }
    }

    @Test("a completed occurrence keeps a tag with the name of a project of another task")
    func tagOfOccurrence() throws {
        let text = """
            [{"uuid":"00000001-0000-4000-8000-000000000000","description":"Rake","project":"home","status":"pending",\
            "entry":"20261101T000000Z"},{"uuid":"00000002-0000-4000-8000-000000000000","description":"Water",\
            "tags":["home"],"status":"recurring","recur":"weekly","due":"20261201T080000Z","mask":"",\
            "entry":"20261101T000000Z"}]
            """
        let useCases = try Self.store(text)
        _ = try useCases.complete(try Self.reminder("Water", useCases).id)
        let tasks = try Self.tasks(Workplace.export(useCases, .taskwarrior)).values.filter {
            $0["description"] == "\"Water\""
        }
        #expect(tasks.contains { $0["status"] == "\"completed\"" })
        #expect(tasks.allSatisfy { $0["tags"] == #"["home"]"# && $0["project"] == nil })
    }

    @Test("the times of annotations without a date are those of the same task, also if its template has others")
    func undatedOfOccurrence() throws {
        let common = #""description":"Water","recur":"weekly","entry":"20261101T000000Z""#
        let useCases = try Self.store(
            """
            [{"uuid":"00000001-0000-4000-8000-000000000000","status":"recurring","due":"20261201T080000Z","mask":"-",\
            "annotations":[{"entry":"20261110T100000Z","description":"can"}],\(common)},\
            {"uuid":"00000002-0000-4000-8000-000000000000","parent":"00000001-0000-4000-8000-000000000000",\
            "status":"pending","imask":0,"due":"20261201T080000Z",\(common)}]
            """
        )
        let water = try Self.reminder("Water", useCases)
        _ = try useCases.edit(water.id, ReminderChange(notes: .set("\(water.notes ?? "")\nhose")))
        let objects = try #require(
            try JSONValue(parsing: Array(Workplace.export(useCases, .taskwarrior).utf8)).array
        ).compactMap(\.object)
        #expect(objects.count == 2)
        for object in objects {
            let times = (object["annotations"]?.array ?? []).compactMap { $0.object?["entry"]?.string }
            let undated = object["remindavundated"]?.string?.split(separator: ",").map(String.init)
            #expect(undated == times.filter { $0 != "20261110T100000Z" })
        }
    }

    @Test("a rule that was edited here stays, also if a newer task has another rule", arguments: [false, true])
    func repeatFrom(isRule: Bool) throws {
        func task(_ recur: String, _ modified: String) -> String {
            """
            [{"uuid":"00000001-0000-4000-8000-000000000000","description":"a","status":"pending","recur":"\(recur)",\
            "entry":"20261101T000000Z","due":"20261201T080000Z","modified":"\(modified)"}]
            """
        }
        let useCases = try Self.store(task("weekly", "20261101T000000Z"))
        var change = ReminderChange()
        change.recurrenceRule = .set(try #require(RecurrenceRule(frequency: .weekly).countedFromCompletion()))
        _ = try useCases.edit(try Self.reminder("a", useCases).id, change)
        #expect(try Self.reminder("a", useCases).repeatsFromCompletion)
        let report = try Workplace.take(task(isRule ? "weekdays" : "weekly", "20270101T000000Z"), into: useCases)
        #expect(try Self.reminder("a", useCases).repeatsFromCompletion)
        #expect(report.issues.map(\.code) == (isRule ? ["changedTwice"] : []))
    }

    @Test("an open occurrence with another title than its series becomes a reminder; the series keeps its title")
    func renamedOccurrence() throws {
        let text = """
            [{"uuid":"bf564313-7a89-4b1f-a7fc-ba8f1d92fbd0","description":"Pay rent","status":"recurring",\
            "recur":"monthly","due":"20261201T070000Z","entry":"20260101T000000Z","mask":"-"},
            {"uuid":"82afade3-e662-4774-90ef-f2dfa8215441","description":"Pay rent and the deposit",\
            "parent":"bf564313-7a89-4b1f-a7fc-ba8f1d92fbd0","status":"pending","recur":"monthly","imask":0,\
            "due":"20261201T070000Z","entry":"20260101T000000Z"}]
            """
        let useCases = try Self.store(text)
        #expect(try Self.reminder("Pay rent", useCases).repeatRule == "FREQ=MONTHLY")
        #expect(try Self.reminder("Pay rent and the deposit", useCases).repeatRule == nil)
        #expect(try Self.tasks(Self.exported(useCases)) == Self.tasks(text))
    }

    @Test("a reminder of another origin keeps its UID and all fields that Taskwarrior has")
    func other() throws {
        var random = SeededGenerator(18)
        let texts = ["Call", "Ünïcode \u{1F600}", "a, b; \"c\" \\d", "2026-12-01: dated"]
        func pick<Element>(_ values: [Element]) -> Element { values[Int(random.next() % UInt64(values.count))] }
        for round in 0..<Cases.count(200) {
            let zone = pick(["\"Europe/Berlin\"", "null"])
            let due =
                zone == "null"
                ? "\"2027-0\(1 + round % 9)-10\"" : "\"2027-0\(1 + round % 9)-10T09:30:00+0\(pick([1, 2])):00\""
            let rules = [
                "null", "null", "\"FREQ=DAILY\"", "\"FREQ=WEEKLY;INTERVAL=2\"", "\"FREQ=MONTHLY;INTERVAL=5\"",
                "\"FREQ=YEARLY\"",
            ]
            let rule = pick(rules)
            let status = rule == "null" ? pick(["pending", "inProgress", "completed"]) : "pending"
            let notes = pick(["null", "\"one\"", "\"one\\ntwo\\n\\nthree\"", "\"2026-12-01: dated\""])
            let uid = pick(["\(round)@example.org", "0A8F2E64-315C-4366-B70C-EA7E7520B\(100 + round)"])
            var title = JSONValue.string(pick(texts)).text
            title.removeLast()
            let text = """
                {"uid":"\(uid)","title":\(title) \(round)","notes":\(notes),"due":\(due),"dueZone":\(zone),\
                "repeat":\(rule),"status":"\(status)",\
                "completedAt":\(status == "completed" ? "\"2026-11-02T00:00:00Z\"" : "null"),\
                "priority":"\(pick(["none", "low", "medium", "high"]))","labels":\(pick(["[]", "[\"a b\",\"c\"]"])),\
                "createdAt":"2026-11-01T00:00:00Z","updatedAt":"2026-11-02T00:00:00Z"}
                """
            _ = try Self.exported(Self.store("[\(text)]"))
        }
    }

    @Test("dependencies name the tasks of an export, also those of another origin")
    func dependencies() throws {
        let useCases = try Workplace.open(localZone: Self.zone)
        let text = ImportTests.calendar(
            ImportTests.todo("1", "SUMMARY:first"),
            ImportTests.todo("2", "SUMMARY:second\r\nRELATED-TO;RELTYPE=DEPENDS-ON:1")
        )
        try Workplace.load(text, into: useCases)
        let tasks = try Self.tasks(Workplace.export(useCases, .taskwarrior)).values
        let first = try #require(tasks.first { $0["description"] == "\"first\"" }?["uuid"])
        #expect(tasks.contains { $0["depends"] == "[\(first)]" })
    }
}

import RemindavICalendar
import RemindavJSON
import RemindavReminders
import RemindavTaskFormats
import RemindavTestSupport
import Testing

@testable import RemindavBridge

/// Files of Taskwarrior that are imported again after changes in Taskwarrior or here.
@Suite("repeated imports from Taskwarrior")
struct TaskwarriorReimportTests {
    private static let uuid = "a360fc44-315c-4366-b70c-ea7e7520b749"

    private static func task(_ members: String = "", status: String = "pending", modified: String = "20261001T000000Z")
        -> String
    {
        """
        [{"uuid":"\(self.uuid)","description":"Doc","entry":"20261001T000000Z","modified":"\(modified)",\
        "status":"\(status)"\(members)}]
        """
    }

    private static func store(_ text: String) throws -> UseCases {
        let useCases = try Workplace.open(localZone: "UTC")
        _ = try Workplace.take(text, into: useCases)
        return useCases
    }

    private static func all(_ useCases: UseCases) throws -> [ReminderView] {
        try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
    }

    private static func objects(_ useCases: UseCases) throws -> [JSONObject] {
        let value = try JSONValue(parsing: Array(Workplace.export(useCases, .taskwarrior).utf8))
        return try #require(value.array).compactMap(\.object)
    }

    // MARK: Deletions

    @Test("a task that Taskwarrior deleted moves its reminder to the trash, and undo restores it")
    func deleted() throws {
        let useCases = try Self.store(Self.task())
        let file = Self.task(#","end":"20261110T000000Z""#, status: "deleted", modified: "20261110T000000Z")
        let report = try Workplace.take(file, into: useCases)
        #expect(report.deleted == 1 && report.leftOut == 0 && report.isWhole)
        #expect(report.issues.map(\.code) == ["deletedThere"])
        #expect(try Self.all(useCases).isEmpty)
        #expect(try useCases.trash().map(\.title) == ["Doc"])
        _ = try useCases.undo(.last)
        #expect(try Self.all(useCases).map(\.title) == ["Doc"])
    }

    @Test("a reminder that was edited here stays if Taskwarrior deleted its task, and the import reports it")
    func deletedEdited() throws {
        let useCases = try Self.store(Self.task())
        _ = try useCases.edit(try Workplace.only(useCases).id, ReminderChange(title: "Mine"))
        let file = Self.task(status: "deleted", modified: "20261110T000000Z")
        let report = try Workplace.take(file, into: useCases)
        #expect(report.deleted == 0 && report.unchanged == 1)
        #expect(report.issues.map(\.code) == ["deletedThereEditedHere"])
        #expect(try Self.all(useCases).map(\.title) == ["Mine"])
    }

    @Test("an export that Taskwarrior deleted deletes a reminder that was made here")
    func deletedExport() throws {
        let useCases = try Workplace.open(localZone: "UTC")
        try Workplace.load(ImportTests.calendar(ImportTests.todo("1", "SUMMARY:first")), into: useCases)
        let text = try Workplace.export(useCases, .taskwarrior)
            .replacing(#""status": "pending""#, with: #""status": "deleted", "modified": "20271110T000000Z""#)
        #expect(try Workplace.take(text, into: useCases).deleted == 1)
        #expect(try Self.all(useCases).isEmpty)
    }

    @Test("a deleted task without a reminder, and an older file, change nothing")
    func deletedBefore() throws {
        let deleted = Self.task(status: "deleted", modified: "20260901T000000Z")
        let useCases = try Self.store(Self.task())
        #expect(try Workplace.take(deleted, into: useCases).unchanged == 1)
        #expect(try Workplace.take(deleted, into: Workplace.open()).leftOut == 1)
        #expect(try Self.all(useCases).count == 1)
    }

    @Test(
        "a closed occurrence of a series that was made here does not close the series, also without the template",
        arguments: ["deleted", "completed"]
    )
    func closedOccurrence(status: String) throws {
        let useCases = try Self.store(
            """
            [{"uid":"made@example.org","title":"Made","due":"2026-12-01","repeat":"FREQ=WEEKLY","labels":[],\
            "createdAt":"2026-11-01T00:00:00Z","updatedAt":"2026-11-02T00:00:00Z"}]
            """
        )
        let template = try #require(try Self.objects(useCases).first { $0["mask"] != nil })
        // Taskwarrior copies the other members of the template to each occurrence.
        let own: [JSONObject.Member] = [
            .init("uuid", .string(Self.uuid)), .init("parent", template["uuid"] ?? .null), .init("imask", .integer(1)),
            .init("status", .string(status)), .init("due", .string("20261208T000000Z")),
            .init("modified", .string("20261210T000000Z")), .init("end", .string("20261210T000000Z")),
        ]
        let names = Set(own.map(\.name) + ["mask"])
        let occurrence = JSONObject(members: own + template.members.filter { !names.contains($0.name) })
        #expect(occurrence["remindavuid"] != nil && occurrence["remindavbase"] != nil)
        let report = try Workplace.take(JSONValue.array([.object(occurrence)]).text, into: useCases)
        #expect(report.deleted == 0 && report.updated == 0 && report.added == (status == "completed" ? 1 : 0))
        let series = try #require(try useCases.reminders(matching: ReminderFilter()).first)
        #expect(series.due == "2026-12-01" && series.repeatRule == "FREQ=WEEKLY")
    }

    // MARK: Series

    private static let common = #""description":"Rent","entry":"20261001T000000Z""#

    private static func series(_ recur: String, _ mask: String, modified: String, child: String) -> String {
        """
        [{"uuid":"00000001-0000-4000-8000-000000000000","status":"recurring","recur":"\(recur)","mask":"\(mask)",\
        "due":"20261125T080000Z","modified":"\(modified)",\(self.common)},
        {"uuid":"00000002-0000-4000-8000-000000000000","parent":"00000001-0000-4000-8000-000000000000","imask":0,\
        "recur":"\(recur)",\(child),\(self.common)}]
        """
    }

    @Test("occurrences that Taskwarrior completed or deleted ahead of an open one are skipped")
    func closedAhead() throws {
        let text = Self.series(
            "daily",
            "-+X-",
            modified: "20261120T000000Z",
            child: #""status":"pending","due":"20261125T080000Z""#
        )
        let useCases = try Self.store(text)
        let completed = try useCases.complete(try Workplace.only(useCases).id)
        #expect(completed.due?.hasPrefix("2026-11-28") == true)
    }

    @Test("a newer file adds the skipped dates to a series, each of them once")
    func closedLater() throws {
        let child = #""status":"pending","due":"20261125T080000Z""#
        let useCases = try Self.store(Self.series("daily", "--", modified: "20261110T000000Z", child: child))
        _ = try Workplace.take(Self.series("daily", "-+-", modified: "20261111T000000Z", child: child), into: useCases)
        _ = try Workplace.take(Self.series("daily", "-++-", modified: "20261112T000000Z", child: child), into: useCases)
        let text = try Workplace.export(useCases, .json)
        #expect(text.split(separator: "20261126T080000").count == 2 && text.contains("20261127T080000"))
        #expect(try useCases.complete(try Workplace.only(useCases).id).due?.hasPrefix("2026-11-28") == true)
    }

    @Test("an occurrence that Taskwarrior moved after the first import is not shown twice")
    func movedLater() throws {
        func file(_ due: String, modified: String) -> String {
            let child = #""status":"pending","due":"\#(due)","modified":"\#(modified)""#
            return Self.series("monthly", "-", modified: "20261101T000000Z", child: child)
        }
        let useCases = try Self.store(file("20261125T080000Z", modified: "20261101T000000Z"))
        let report = try Workplace.take(file("20261127T080000Z", modified: "20261110T000000Z"), into: useCases)
        #expect(report.added == 1 && report.updated == 1)
        let dates = try Self.all(useCases).map { String(($0.due ?? "").prefix(10)) }
        #expect(dates.sorted() == ["2026-11-27", "2026-12-25"])
    }

    // MARK: Annotations

    @Test("annotations that both sides added stay, and a removed one stays removed")
    func annotations() throws {
        func annotation(_ day: String, _ text: String) -> String {
            #"{"entry":"202611\#(day)T100000Z","description":"\#(text)"}"#
        }
        func members(_ annotations: String...) -> String { #","annotations":[\#(annotations.joined(separator: ","))]"# }
        let (a, b, c) = (annotation("05", "a"), annotation("06", "b"), annotation("07", "c"))
        let useCases = try Self.store(Self.task(members(a, b), modified: "20261106T100000Z"))
        var change = ReminderChange()
        change.notes = .set("2026-11-05: a\nmine")
        _ = try useCases.edit(try Workplace.only(useCases).id, change)
        let report = try Workplace.take(Self.task(members(a, b, c), modified: "20261107T100000Z"), into: useCases)
        #expect(report.issues.isEmpty && report.updated == 1)
        #expect(try Workplace.only(useCases).notes == "2026-11-05: a\n2026-11-07: c\nmine")

        let exported = try #require(try Self.objects(useCases).first)
        let notes = try #require(exported["annotations"]?.array)
        #expect(notes.map { $0["description"]?.string } == ["a", "c", "mine"])
        // The new annotation has the time of the edit, and an import reads it without a date.
        #expect(
            notes.map { $0["entry"]?.string ?? "" } == ["20261105T100000Z", "20261107T100000Z", Workplace.now.wire]
        )
        let text = try Workplace.export(useCases, .taskwarrior)
        #expect(try Workplace.only(Self.store(text)).notes == Workplace.only(useCases).notes)
    }

    @Test("a report about a field that was changed twice has the value in the file")
    func lostValue() throws {
        let useCases = try Self.store(Self.task())
        var change = ReminderChange(title: "Mine")
        change.priority = .set(.low)
        _ = try useCases.edit(try Workplace.only(useCases).id, change)
        let file = Self.task(#","priority":"H""#, modified: "20261110T000000Z").replacing("Doc", with: "Theirs")
        #expect(try Workplace.take(file, into: useCases).issues.map(\.words) == ["Theirs", "high"])
    }

    // MARK: Names

    @Test("dependencies of reminders that were made here survive Taskwarrior, also in a new store")
    func dependencies() throws {
        let useCases = try Workplace.open(localZone: "UTC")
        let text = ImportTests.calendar(
            ImportTests.todo("1", "SUMMARY:first"),
            ImportTests.todo("2", "SUMMARY:second\r\nRELATED-TO;RELTYPE=DEPENDS-ON:1")
        )
        try Workplace.load(text, into: useCases)
        let exported = try Workplace.export(useCases, .taskwarrior)
        let other = try Self.store(exported)
        #expect(try Workplace.export(other, .json).contains("DEPENDS-ON:1"))
        // A file with a newer time and without the other task keeps the dependency too.
        let second = try #require(exported.split(separator: "\n").first { $0.contains("second") })
        let file = String(second).replacing("second", with: "new title")
            .replacing(#""status": "pending""#, with: #""status": "pending", "modified": "20271110T000000Z""#)
        _ = try Workplace.take("[\(file)]", into: useCases)
        #expect(try Workplace.export(useCases, .json).contains("DEPENDS-ON:1"))
        #expect(try Self.all(useCases).contains { $0.title == "new title" })
    }

    @Test("a new label with the name of a known project is a project, and any other label is a tag")
    func knownProject() throws {
        let useCases = try Self.store(Self.task(#","project":"home.money","tags":["node.js"]"#))
        _ = try useCases.add(ReminderDraft(title: "gas", labels: ["Home.money", "node.js"]))
        let gas = try #require(try Self.objects(useCases).first { $0["description"]?.string == "gas" })
        #expect(gas["project"]?.string == "home.money" && gas["tags"]?.text == #"["node.js"]"#)
    }

    @Test("a list other than the first one is a project, also if it is the default list")
    func defaultList() async throws {
        let useCases = try Workplace.open(localZone: "UTC")
        _ = try await useCases.addList(named: "Work", account: nil, color: nil)
        let reminder = try useCases.add(ReminderDraft(title: "a"))
        #expect(reminder.list == "Work")
        #expect(try Self.objects(useCases).map { $0["project"]?.string } == ["Work"])
    }
}

import RemindavICalendar
import RemindavJSON
import RemindavReminders
import RemindavTaskFormats
import RemindavTestSupport
import Testing

@testable import RemindavBridge

/// Series whose dates or rule were edited here, as Taskwarrior gets them in an export.
@Suite("edited series in exports for Taskwarrior")
struct TaskwarriorSeriesEditTests {
    private static let template = "00000001-0000-4000-8000-000000000000"
    private static let ids = ["00000002-0000-4000-8000-000000000000", "00000003-0000-4000-8000-000000000000"]

    /// A weekly series from 24 November with open occurrences at the places 0 and 1.
    private static func store() throws -> UseCases {
        let common =
            #""description":"Filter","entry":"20261001T000000Z","recur":"weekly","modified":"20261101T000000Z""#
        let open = zip(self.ids, ["20261124T080000Z", "20261201T080000Z"]).enumerated().map { place, one in
            """
            {"uuid":"\(one.0)","parent":"\(self.template)","imask":\(place),"status":"pending","due":"\(one.1)",\(common)}
            """
        }
        let series = """
            {"uuid":"\(self.template)","status":"recurring","mask":"--","due":"20261124T080000Z",\(common)}
            """
        return try self.store("[\(([series] + open).joined(separator: ","))]")
    }

    private static func store(_ text: String) throws -> UseCases {
        let useCases = try Workplace.open(localZone: "UTC")
        _ = try Workplace.take(text, into: useCases)
        return useCases
    }

    private static func edit(_ useCases: UseCases, due: String? = nil, rule: FieldChange<RecurrenceRule> = .keep) throws
    {
        var change = ReminderChange()
        if let due { change.due = .set(try #require(CalendarDateOrDateTime(wire: due, tzid: nil))) }
        change.recurrenceRule = rule
        _ = try useCases.edit(try self.series(useCases).id, change)
    }

    private static func series(_ useCases: UseCases) throws -> ReminderView {
        try #require(try useCases.reminders(matching: ReminderFilter()).first)
    }

    /// The exported tasks by their UUIDs; an import of the export into the same store adds nothing.
    private static func exported(_ useCases: UseCases) throws -> [String: JSONObject] {
        let text = try Workplace.export(useCases, .taskwarrior)
        let objects = try #require(try JSONValue(parsing: Array(text.utf8)).array).compactMap(\.object)
        let report = try Workplace.take(text, into: useCases)
        #expect(report.added == 0 && report.issues.isEmpty, "\(text)")
        // A new store gets the same open reminder.
        let (here, there) = try (self.series(useCases), self.series(self.store(text)))
        #expect(there.due == here.due && there.repeatRule == here.repeatRule)
        return Dictionary(uniqueKeysWithValues: objects.map { ($0["uuid"]?.string ?? "", $0) })
    }

    private static func states(_ tasks: [String: JSONObject]) -> [[String?]] {
        self.ids.map { [tasks[$0]?["status"]?.string, tasks[$0]?["due"]?.string, tasks[$0]?["imask"]?.scalar] }
    }

    @Test("a due time outside the dates of the series begins it again, with one open occurrence")
    func moved() throws {
        let useCases = try Self.store()
        try Self.edit(useCases, due: "20261126T080000Z")
        let tasks = try Self.exported(useCases)
        #expect(tasks[Self.template]?["due"]?.string == "20261126T080000Z")
        #expect(tasks[Self.template]?["mask"]?.string == "-" && tasks.count == 3)
        let expected = [["pending", "20261126T080000Z", "0"], ["deleted", "20261201T080000Z", "1"]]
        #expect(Self.states(tasks) == expected)
    }

    @Test("a later date of the series keeps the template, and the skipped occurrence is deleted")
    func skipped() throws {
        let useCases = try Self.store()
        try Self.edit(useCases, due: "20261201T080000Z")
        var tasks = try Self.exported(useCases)
        #expect(tasks[Self.template]?["due"]?.string == "20261124T080000Z")
        #expect(tasks[Self.template]?["mask"]?.string == "X-" && tasks.count == 3)
        #expect(Self.states(tasks) == [["deleted", "20261124T080000Z", "0"], ["pending", "20261201T080000Z", "1"]])
        try Self.edit(useCases, due: "20261215T080000Z")
        tasks = try Self.exported(useCases)
        #expect(tasks[Self.template]?["mask"]?.string == "XXX-" && tasks.count == 4)
        let new = tasks.values.first { $0["imask"]?.scalar == "3" }
        #expect(new?["due"]?.string == "20261215T080000Z" && new?["status"]?.string == "pending")
    }

    @Test("another period keeps the next occurrence and gives it the new period")
    func period() throws {
        let useCases = try Self.store()
        try Self.edit(useCases, rule: .set(RecurrenceRule(frequency: .monthly, interval: 4)))
        let tasks = try Self.exported(useCases)
        #expect(tasks[Self.template]?["recur"]?.string == "4m" && tasks[Self.template]?["mask"]?.string == "-")
        #expect(tasks[Self.ids[0]]?["recur"]?.string == "4m" && tasks.count == 3)
        #expect(Self.states(tasks)[0] == ["pending", "20261124T080000Z", "0"])
        #expect(Self.states(tasks)[1][0] == "deleted")
    }

    @Test("an end of the rule changes neither the mask nor the open occurrences")
    func end() throws {
        let useCases = try Self.store()
        var rule = RecurrenceRule(frequency: .weekly)
        rule.until = .dateTime(try #require(CalendarDateTime(wire: "20270105T080000Z", tzid: nil)))
        try Self.edit(useCases, rule: .set(rule))
        let tasks = try Self.exported(useCases)
        #expect(tasks[Self.template]?["mask"]?.string == "--" && tasks.count == 3)
        #expect(Self.states(tasks).map { $0[0] } == ["pending", "pending"])
        #expect(tasks.values.allSatisfy { $0["until"]?.string == "20270105T080000Z" })
        #expect(tasks.values.allSatisfy { $0["recur"]?.string == "weekly" })
    }

    @Test("a series without its rule is a new task at its date, and its template and occurrences are deleted")
    func ended() throws {
        let useCases = try Self.store()
        _ = try useCases.complete(try Self.series(useCases).id)
        try Self.edit(useCases, rule: .clear)
        let tasks = try Self.exported(useCases)
        // Taskwarrior refuses a file that removes `recur` from a task.
        #expect(tasks[Self.template]?["status"]?.string == "deleted" && tasks[Self.template]?["recur"] != nil)
        let task = try #require(tasks.values.first { $0["status"]?.string == "pending" })
        #expect(task["due"]?.string == "20261201T080000Z")
        #expect(task["recur"] == nil && task["mask"] == nil && task["rtype"] == nil)
        #expect(Self.states(tasks).map { $0[0] } == ["completed", "deleted"])
    }

    @Test("a repeating reminder of another origin has one open occurrence in each export")
    func made() throws {
        let useCases = try Self.store(
            """
            [{"uid":"made@example.org","title":"Made","due":"2026-12-01","repeat":"FREQ=WEEKLY","labels":[],\
            "createdAt":"2026-11-01T00:00:00Z","updatedAt":"2026-11-02T00:00:00Z"}]
            """
        )
        var ids: Set<String> = []
        for due in ["20261201T000000Z", "20261203T000000Z", "20261210T000000Z"] {
            let objects = try #require(
                try JSONValue(parsing: Array(Workplace.export(useCases, .taskwarrior).utf8)).array
            ).compactMap(\.object)
            let open = objects.filter { $0["parent"] != nil }
            #expect(open.map { $0["due"]?.string } == [due])
            #expect(objects.filter { $0["mask"] != nil }.map { $0["mask"]?.string } == ["-"])
            #expect(objects.filter { $0["mask"] != nil }.map { $0["due"]?.string } == [due])
            ids.formUnion(open.compactMap { $0["uuid"]?.string })
            if due == "20261201T000000Z" {
                try Self.edit(useCases, due: "20261203")
            } else {
                _ = try useCases.complete(try Self.series(useCases).id)
            }
        }
        #expect(ids.count == 1)
    }

    @Test("a reminder of another origin has another identifier with a rule, and its dependents name it")
    func madeIdentifier() throws {
        let useCases = try Self.store(
            """
            [{"uid":"made@example.org","title":"Made","due":"2026-12-01","repeat":"FREQ=WEEKLY","labels":[],\
            "createdAt":"2026-11-01T00:00:00Z","updatedAt":"2026-11-02T00:00:00Z"}]
            """
        )
        let dependent = ImportTests.todo("2", "SUMMARY:second\r\nRELATED-TO;RELTYPE=DEPENDS-ON:made@example.org")
        try Workplace.load(ImportTests.calendar(dependent), into: useCases)
        var ids: [String] = []
        for rule in [FieldChange<RecurrenceRule>.keep, .clear] {
            try Self.edit(useCases, rule: rule)
            let text = try Workplace.export(useCases, .taskwarrior)
            let tasks = try #require(try JSONValue(parsing: Array(text.utf8)).array).compactMap(\.object)
            let made = try #require(tasks.first { $0["remindavuid"]?.string == "made@example.org" }?["uuid"]?.string)
            #expect(tasks.contains { $0["depends"]?.array?.compactMap(\.string) == [made] })
            #expect(try Workplace.export(Self.store(text), .json).contains("DEPENDS-ON:made@example.org"))
            ids.append(made)
        }
        #expect(ids[0] != ids[1])
    }

    @Test(
        "formats without changes of one date have the series, and the export names it",
        arguments: [ExportForm.taskwarrior, .csv, .todoTxt]
    )
    func oneDate(form: ExportForm) throws {
        let useCases = try Self.store(
            """
            [{"uid":"made@example.org","title":"Made","due":"2026-12-01","repeat":"FREQ=WEEKLY","labels":[],\
            "createdAt":"2026-11-01T00:00:00Z","updatedAt":"2026-11-02T00:00:00Z"}]
            """
        )
        let former = try Workplace.export(useCases, form)
        var change = ReminderChange(title: "Moved")
        change.due = .set(try #require(CalendarDateOrDateTime(wire: "20261204", tzid: nil)))
        change.changesOnlyThisDate = true
        _ = try useCases.edit(try Self.series(useCases).id, change)
        #expect(try Self.series(useCases).title == "Moved")
        #expect(try Workplace.export(useCases, form) == former)
        let losses = try useCases.exportReminders(as: form, words: { $0 }, write: { _ in }).losses
        #expect(losses[.changedDate] == ["Made"])
        #expect(try useCases.exportReminders(as: .json, words: { $0 }, write: { _ in }).losses.isEmpty)
    }
}

import RemindavICalendar
import RemindavJSON
import RemindavReminders
import RemindavTaskFormats
import RemindavTestSupport
import Testing

@testable import RemindavBridge

/// Edits of reminders between an import from Taskwarrior and an export for it, and reminders that were made here.
@Suite("edits of reminders that Taskwarrior knows")
struct TaskwarriorEditTests {
    private static let uuid = "a360fc44-315c-4366-b70c-ea7e7520b749"
    private static let rules = ["FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=DAILY;COUNT=3", "FREQ=MONTHLY;BYMONTHDAY=-1"]

    /// A file of one task; `members` are those beside the UUID, the title and the time of the creation.
    private static func task(_ members: String, modified: String = "20261001T000000Z") -> String {
        """
        [{"uuid":"\(self.uuid)","description":"Doc","entry":"20261001T000000Z","modified":"\(modified)",\
        "status":"pending",\(members)}]
        """
    }

    private static func store(_ text: String, lists: Bool = false) throws -> UseCases {
        let useCases = try Workplace.open(localZone: "UTC")
        var options = ImportOptions()
        options.makesLists = lists
        _ = try Workplace.take(text, into: useCases, options)
        return useCases
    }

    /// A store with one reminder that was made here.
    private static func made(_ members: String = "") throws -> UseCases {
        try self.store(
            """
            [{"uid":"made@example.org","title":"Made","due":"2026-12-01","labels":["old"],\(members)\
            "createdAt":"2026-11-01T00:00:00Z","updatedAt":"2026-11-02T00:00:00Z"}]
            """
        )
    }

    private static func objects(_ useCases: UseCases) throws -> [JSONObject] {
        let value = try JSONValue(parsing: Array(Workplace.export(useCases, .taskwarrior).utf8))
        return try #require(value.array).compactMap(\.object)
    }

    /// The member with the change time, which Taskwarrior changes with each change.
    private static func modified(_ day: String, _ time: String = "000000") -> String {
        #""modified": "\#(day)T\#(time)Z""#
    }

    /// The members of the exported task.
    private static func exported(_ useCases: UseCases) throws -> JSONObject {
        let objects = try self.objects(useCases)
        #expect(objects.count == 1)
        return try #require(objects.first)
    }

    private static func losses(_ useCases: UseCases, _ form: ExportForm) throws -> [ExportLoss: [String]] {
        try useCases.exportReminders(as: form, words: { $0 }, write: { _ in }).losses
    }

    // MARK: Reminders that were made here

    @Test("a reminder made here keeps its edits when Taskwarrior changed other fields of its export")
    func made() throws {
        let useCases = try Self.made()
        let text = try Workplace.export(useCases, .taskwarrior)
        #expect(try Workplace.take(text, into: useCases).unchanged == 1)
        var change = ReminderChange(title: "Mine")
        change.labels = .set(["old", "mine"])
        _ = try useCases.edit(try Workplace.only(useCases).id, change)
        let changed = text.replacing(Self.modified("20261102"), with: Self.modified("20261110"))
            .replacing(#""status": "pending""#, with: #""status": "pending", "priority": "H""#)
            .replacing(#"["old"]"#, with: #"["old", "theirs"]"#)
        let report = try Workplace.take(changed, into: useCases)
        #expect(report.updated == 1 && report.issues.isEmpty)
        let reminder = try Workplace.only(useCases)
        #expect(reminder.title == "Mine" && reminder.priority == .high && reminder.due == "2026-12-01")
        #expect(Set(reminder.labels) == ["old", "mine", "theirs"])
    }

    @Test("a field that was changed here and in the export keeps its value, and this is reported")
    func conflict() throws {
        let useCases = try Self.made()
        let text = try Workplace.export(useCases, .taskwarrior)
        _ = try useCases.edit(try Workplace.only(useCases).id, ReminderChange(title: "Mine"))
        let changed = text.replacing(Self.modified("20261102"), with: Self.modified("20261110")).replacing(
            "\"Made\"",
            with: "\"Theirs\""
        )
        #expect(try Workplace.take(changed, into: useCases).issues.map(\.code) == ["changedTwice"])
        #expect(try Workplace.only(useCases).title == "Mine")
    }

    @Test("an edit that was exported is no conflict with a later change of the same field in Taskwarrior")
    func exportedEdit() throws {
        let useCases = try Self.store(Self.task(#""priority":"H""#))
        _ = try useCases.edit(try Workplace.only(useCases).id, ReminderChange(title: "Mine"))
        let text = try Workplace.export(useCases, .taskwarrior)
        let changed = text.replacing(Self.modified("20261120", "200000"), with: Self.modified("20261201")).replacing(
            "\"Mine\"",
            with: "\"Theirs\""
        )
        #expect(changed != text)
        #expect(try Workplace.take(changed, into: useCases).issues.isEmpty)
        #expect(try Workplace.only(useCases).title == "Theirs")
    }

    // MARK: Rules

    @Test(
        "a rule that Taskwarrior and todo.txt cannot express survives both, and the export reports it",
        arguments: rules
    )
    func rule(rule: String) throws {
        let useCases = try Self.made(#""repeat":"\#(rule)","#)
        let task = try Self.exported(useCases)
        #expect(task["recur"] == nil && task["until"] == nil && task["status"]?.string == "pending")
        #expect(try Self.losses(useCases, .taskwarrior)[.keptRule] == ["Made, \(rule)"])
        #expect(try Self.losses(useCases, .todoTxt)[.keptRule] == ["Made, \(rule)"])

        let text = try Workplace.export(useCases, .taskwarrior)
        let newer = text.replacing(Self.modified("20261102"), with: Self.modified("20261110")).replacing(
            "\"old\"",
            with: "\"new\""
        )
        #expect(try Workplace.take(newer, into: useCases).issues.isEmpty)
        let reminder = try Workplace.only(useCases)
        #expect(reminder.repeatRule == rule && reminder.labels == ["new"])

        let other = try Workplace.open()
        let lines = try Workplace.export(useCases, .todoTxt)
        _ = try Workplace.take(lines, into: other, ImportOptions(format: .other(.todoTxt)))
        #expect(try Workplace.only(other).repeatRule == rule)
        #expect(try Workplace.export(other, .todoTxt) == lines)
    }

    @Test("a task that Taskwarrior cannot repeat and completed is one completed date of the reminder")
    func completedDate() throws {
        let useCases = try Self.made(#""repeat":"FREQ=WEEKLY;BYDAY=TU,TH","#)
        let text = try Workplace.export(useCases, .taskwarrior)
            .replacing(Self.modified("20261102"), with: Self.modified("20261110"))
            .replacing(#""status": "pending""#, with: #""status": "completed", "end": "20261110T000000Z""#)
        let report = try Workplace.take(text, into: useCases)
        #expect(report.updated == 1 && report.added == 1 && report.issues.isEmpty)
        let all = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
        #expect(all.first { $0.repeatRule != nil }?.due == "2026-12-03")
        #expect(all.first { $0.status == .completed }?.due == "2026-12-01" && all.count == 2)
        #expect(try Workplace.take(text, into: useCases).unchanged == 1)
    }

    @Test("a rule that counts from the completion is no fixed period in Taskwarrior")
    func fromCompletion() throws {
        let useCases = try Self.made(#""repeat":"FREQ=DAILY;INTERVAL=3","repeatFrom":"completion","#)
        #expect(try Self.exported(useCases)["recur"] == nil)
        let other = try Self.store(Workplace.export(useCases, .taskwarrior))
        let reminder = try Workplace.only(other)
        #expect(reminder.repeatRule == "FREQ=DAILY;INTERVAL=3" && reminder.repeatsFromCompletion)
    }

    @Test("a rule with an end repeats in Taskwarrior until this end")
    func until() throws {
        let useCases = try Self.made(#""repeat":"FREQ=MONTHLY;UNTIL=20270301","#)
        let task = try #require(try Self.objects(useCases).first)
        #expect(task["recur"]?.string == "monthly" && task["until"]?.string?.hasPrefix("20270301") == true)
        #expect(try Self.losses(useCases, .taskwarrior).isEmpty)
    }

    @Test("the start of a repeating line of todo.txt moves with its due date")
    func threshold() throws {
        let useCases = try Workplace.open()
        let line = "Fix gate t:2026-11-29 due:2026-12-03 rec:+1m\n"
        _ = try Workplace.take(line, into: useCases, ImportOptions(format: .other(.todoTxt)))
        _ = try useCases.complete(try Workplace.only(useCases).id)
        let lines = try Workplace.export(useCases, .todoTxt)
        #expect(lines.contains("Fix gate due:2027-01-03 t:2026-12-30 rec:+1m\n"), "\(lines)")
        #expect(lines.contains("due:2026-12-03 t:2026-11-29"), "\(lines)")
    }

    // MARK: Series

    @Test("data of one occurrence do not become data of its series")
    func occurrence() throws {
        let common = #""description":"Bins","entry":"20261001T000000Z","recur":"weekly""#
        let text = """
            [{"uuid":"00000001-0000-4000-8000-000000000000","status":"recurring","due":"20261130T080000Z","mask":"-",\(common)},
            {"uuid":"00000002-0000-4000-8000-000000000000","parent":"00000001-0000-4000-8000-000000000000","imask":0,\
            "status":"pending","due":"20261130T080000Z","priority":"H","tags":["once"],\
            "annotations":[{"entry":"20261101T000000Z","description":"two bins"}],\(common)}]
            """
        let useCases = try Self.store(text)
        let all = try useCases.reminders(matching: ReminderFilter())
        let series = try #require(all.first { $0.repeatRule != nil })
        #expect(series.labels.isEmpty && series.notes == nil && series.priority == .undefined)
        #expect(series.due?.hasPrefix("2026-12-07") == true)
        let alone = try #require(all.first { $0.repeatRule == nil })
        #expect(alone.labels == ["once"] && alone.priority == .high && alone.due?.hasPrefix("2026-11-30") == true)
        #expect(try Self.objects(useCases).count == 2)
    }

    @Test("the wait of a recurring task moves with its due time", arguments: [false, true])
    func recurringWait(hasTemplate: Bool) throws {
        let dates = #""due":"20261210T080000Z","wait":"20261205T080000Z","recur":"monthly","entry":"20261001T000000Z""#
        let child = """
            {"uuid":"00000002-0000-4000-8000-000000000000","description":"Tax","status":"waiting",\(dates)\
            \(hasTemplate ? #","parent":"00000001-0000-4000-8000-000000000000","imask":0"# : "")}
            """
        let template = """
            {"uuid":"00000001-0000-4000-8000-000000000000","description":"Tax","status":"recurring","mask":"W",\(dates)},
            """
        let useCases = try Self.store("[\(hasTemplate ? template : "")\(child)]")
        _ = try useCases.complete(try Workplace.only(useCases).id)
        let open = try Self.objects(useCases).filter {
            $0["due"]?.string == "20270110T080000Z" && $0["status"]?.string != "completed"
        }
        #expect(open.map { $0["wait"]?.string } == ["20270105T080000Z"])
    }

    // MARK: Single tasks

    @Test(
        "the start of a waiting task is its wait",
        arguments: [(nil, nil, "pending"), ("20261224T080000Z", "20261224T080000Z", "waiting")]
            as [(String?, String?, String)]
    )
    func wait(start: String?, wait: String?, status: String) throws {
        let useCases = try Self.store(
            Self.task(#""wait":"20261201T080000Z""#).replacing(#""pending""#, with: #""waiting""#)
        )
        var change = ReminderChange()
        change.start = start.flatMap { CalendarDateOrDateTime(wire: $0, tzid: nil) }.map { .set($0) } ?? .clear
        _ = try useCases.edit(try Workplace.only(useCases).id, change)
        let task = try Self.exported(useCases)
        #expect(task["wait"]?.string == wait && task["scheduled"] == nil && task["status"]?.string == status)
    }

    @Test("a move to another list changes the project", arguments: [#""project":"home.shopping""#, #""priority":"L""#])
    func moved(members: String) async throws {
        let useCases = try Self.store(Self.task(members), lists: true)
        _ = try await useCases.addList(named: "home", account: nil, color: nil)
        _ = try useCases.edit(try Workplace.only(useCases).id, ReminderChange(list: "home"))
        #expect(try Self.exported(useCases)["project"]?.string == "home")
        let text = try Workplace.export(useCases, .taskwarrior)
        let newer = text.replacing(Self.modified("20261001"), with: Self.modified("20261201"))
        _ = try Workplace.take(newer, into: useCases)
        #expect(try Workplace.only(useCases).list == "home" && Workplace.only(useCases).labels.isEmpty)
    }

    @Test("a label instead of the label of the project is the new project")
    func project() throws {
        let useCases = try Self.store(Self.task(#""project":"home.shopping","tags":["x"]"#))
        _ = try useCases.edit(try Workplace.only(useCases).id, ReminderChange(labels: .set(["x", "home.garden"])))
        let task = try Self.exported(useCases)
        #expect(task["project"]?.string == "home.garden" && task["tags"]?.text == #"["x"]"#)
    }

    @Test("each line of new notes is an annotation, and an import gives the same notes")
    func annotations() throws {
        let useCases = try Self.made(#""notes":"one\ntwo\n\nthree","#)
        let notes = try #require(Self.exported(useCases)["annotations"]?.array)
        #expect(notes.count == 3 && Set(notes.compactMap { $0["entry"]?.string }).count == 3)
        #expect(try Workplace.only(Self.store(Workplace.export(useCases, .taskwarrior))).notes == "one\ntwo\n\nthree")
    }

    @Test("a subtask stays below its parent, and the export reports it")
    func parent() throws {
        let useCases = try Self.made(#""parent":"top@example.org","#)
        #expect(try Self.losses(useCases, .taskwarrior)[.keptParent] == ["Made"])
        let other = try Self.store(Workplace.export(useCases, .taskwarrior))
        #expect(try Workplace.export(other, .csv).contains("top@example.org"))
    }
}

import RemindavICalendar
import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavBridge

@Suite("labels")
struct LabelTests {
    private let useCases: UseCases

    init() throws { self.useCases = try Workplace.open() }

    /// Imports to-dos, each with its own lines, into a list.
    private func load(_ todos: [String], list: String? = nil) throws {
        let body = todos.enumerated().map { index, lines in
            "BEGIN:VTODO\r\nUID:\(list ?? "u")\(index)\r\nSUMMARY:Number \(index)\r\n\(lines)\r\nEND:VTODO\r\n"
        }
        let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(body.joined())END:VCALENDAR\r\n"
        try Workplace.load(text, into: self.useCases, list: list)
    }

    private func labels(of id: Int64) throws -> [String] { try self.useCases.reminder(id).labels }

    private func texts() throws -> [[UInt8]] {
        try self.useCases.store.read { snapshot in try snapshot.objects().map(\.source) }
    }

    private func names() throws -> [String] { try self.useCases.labels().map(\.name) }

    private func lock(_ list: String) throws {
        try self.useCases.store.write { transaction in
            var record = try transaction.list(named: list)
            record.isReadOnly = true
            try transaction.update(record)
        }
    }

    // MARK: Listing

    @Test("labels of reminders and created labels are listed together, by name, with counts")
    func listed() throws {
        try self.load(["CATEGORIES:work,Home", "CATEGORIES:WORK\r\nSTATUS:COMPLETED", "CATEGORIES:a\\,b"])
        let made = try self.useCases.addLabel(named: " Zoo ", color: LabelColor(rgb: 0x4CAF50))
        let colored = try self.useCases.addLabel(named: "Work", color: nil)
        let labels = try self.useCases.labels()
        #expect(labels.map(\.name) == ["a,b", "Home", "Work", "Zoo"])
        #expect(labels.map(\.open) == [1, 1, 1, 0])
        #expect(labels.map(\.completed) == [0, 0, 1, 0])
        #expect(labels.map(\.color) == [.standard, .standard, .standard, LabelColor(rgb: 0x4CAF50)])
        #expect(labels.map(\.id) == [nil, nil, colored.id, made.id])
        #expect(made.createdAt == Workplace.now && made.updatedAt == Workplace.now && made.id != nil)
    }

    @Test("no two labels differ in case only, and each has a name")
    func unique() throws {
        _ = try self.useCases.addLabel(named: "Straße", color: nil)
        #expect(throws: UseCaseError(.labelExists)) { try self.useCases.addLabel(named: "STRASSE", color: nil) }
        #expect(throws: LabelNameError.nameRequired) { try self.useCases.addLabel(named: " \n", color: nil) }
        #expect(try self.names() == ["Straße"])
    }

    @Test("a new colour keeps number and start time, also for a label that only reminders have")
    func recolored() throws {
        try self.load(["CATEGORIES:Work"])
        let first = try self.useCases.recolorLabel("WORK", to: LabelColor(rgb: 1))
        #expect((first.name, first.color.hex, first.open) == ("Work", "#000001", 1))
        let second = try self.useCases.recolorLabel("work", to: LabelColor(rgb: 2))
        #expect((second.id, second.createdAt, second.color.hex) == (first.id, first.createdAt, "#000002"))
        #expect(throws: UseCaseError(.labelNotFound)) { try self.useCases.recolorLabel("none", to: .standard) }
    }

    // MARK: Renaming

    @Test("a renaming changes the label in all reminders and nothing else, and one undo restores the old name")
    func renamed() throws {
        try self.load(
            [
                "CATEGORIES:Work,Home\r\nX-A:Work", "CATEGORIES;X-P=1:a\\,b, WORK", "DESCRIPTION:Work",
                "CATEGORIES:Workshop",
            ]
        )
        let label = try self.useCases.addLabel(named: "Work", color: LabelColor(rgb: 7))
        let before = try self.texts()
        let operation = try self.useCases.renameLabel("work", to: "Office")
        #expect(operation.changed.map(\.id) == [1, 2] && operation.kept.isEmpty && operation.name == "Work")
        #expect((operation.label?.name, operation.label?.id, operation.label?.open) == ("Office", label.id, 2))
        #expect(operation.label?.color == LabelColor(rgb: 7))
        let renamed = [["Office", "Home"], ["a,b", "Office"], [], ["Workshop"]]
        #expect(try (1...4).map { try self.labels(of: $0) } == renamed)
        for (old, new) in zip(before, try self.texts()) {
            let differences = ComponentDifference.between(ICalendarDocument(old), ICalendarDocument(new))
            let properties = differences.flatMap { $0.properties.map(\.name) }
            #expect(old == new || Set(properties) == ["CATEGORIES", "LAST-MODIFIED"])
        }
        let run = try #require(try self.useCases.log(limit: 9).first)
        #expect(run.id == operation.run && run.counts.received == 2 && run.counts.labels == 1)

        let undone = try self.useCases.undo(.last)
        #expect(try (1...4).map { try self.labels(of: $0) } == [["Work", "Home"], ["a,b", "WORK"], [], ["Workshop"]])
        #expect(try self.useCases.labels().filter { $0.id != nil }.map(\.name) == ["Work"])
        #expect(try self.useCases.labels().first { $0.name == "Work" }?.color == LabelColor(rgb: 7))

        _ = try self.useCases.undo(.run(try #require(undone.run)))
        #expect(try self.labels(of: 1) == ["Office", "Home"])
        #expect(try self.useCases.labels().filter { $0.id != nil }.map(\.name) == ["Office"])
    }

    @Test("undo of the renaming of an uncreated label leaves it uncreated, and so on")
    func renamedUnknown() throws {
        try self.load(["CATEGORIES:Work"])
        _ = try self.useCases.createFeed(list: nil, labels: ["Work"])
        func known() throws -> [String] { try self.useCases.labels().filter { $0.id != nil }.map(\.name) }
        func all() throws -> [String] { try self.useCases.labels().map(\.name) }
        func feed() throws -> [[String]] { try self.useCases.feeds().map(\.labels) }
        func deleted() throws -> [String] { try self.useCases.store.read { try $0.deletedLabels().map(\.name) } }
        _ = try self.useCases.renameLabel("Work", to: "Office")
        for _ in 1...2 {
            #expect(try known() == ["Office"] && all() == ["Office"] && feed() == [["Office"]] && deleted() == ["Work"])
            let undone = try self.useCases.undo(.last)
            #expect(undone.labels.map(\.change.oldName) == ["Work"])
            #expect(try known() == [] && all() == ["Work"] && feed() == [["Work"]] && deleted() == ["Office"])
            _ = try self.useCases.undo(.run(try #require(undone.run)))
        }
        _ = try self.useCases.recolorLabel("Office", to: LabelColor(rgb: 3))
        _ = try self.useCases.undo(.run(2))
        #expect(try known() == ["Work"], "it has a colour now, which stays")
    }

    @Test("a reminder that got the label later keeps it when a renaming is undone")
    func undoneAfterEdit() throws {
        try self.load(["CATEGORIES:Work", "CATEGORIES:Work"])
        let operation = try self.useCases.renameLabel("Work", to: "Office")
        var edit = ReminderChange()
        edit.title = "Changed since"
        edit.labels = .set(["Office", "New"])
        _ = try self.useCases.edit(1, edit)
        _ = try self.useCases.recolorLabel("Office", to: LabelColor(rgb: 3))
        _ = try self.useCases.undo(.run(try #require(operation.run)))
        #expect(try self.useCases.reminder(1).title == "Changed since")
        #expect(try Set(self.labels(of: 1)) == ["Work", "New"])
        #expect(try self.labels(of: 2) == ["Work"])
        #expect(try self.useCases.labels().first { $0.name == "Work" }?.color == LabelColor(rgb: 3))
    }

    @Test("the name of another label is refused, and one that differs in case only is a new spelling")
    func nameInUse() throws {
        try self.load(["CATEGORIES:Work", "CATEGORIES:Home"])
        #expect(throws: UseCaseError(.labelNameTaken)) { try self.useCases.renameLabel("Work", to: "HOME") }
        #expect(throws: UseCaseError(.labelNotFound)) { try self.useCases.renameLabel("Nothing", to: "New") }
        #expect(throws: LabelNameError.nameTooLong) {
            try self.useCases.renameLabel("Work", to: String(repeating: "x", count: 201))
        }
        #expect(try self.useCases.renameLabel("Work", to: "WORK").changed.count == 1)
        #expect(try self.labels(of: 1) == ["WORK"])
        #expect(try self.names() == ["Home", "WORK"])
        #expect(try self.useCases.renameLabel("work", to: "WORK").changed.isEmpty)
    }

    @Test("a feed of the label keeps its label after a renaming and after undo")
    func feeds() throws {
        try self.load(["CATEGORIES:Work"])
        let feed = try self.useCases.createFeed(list: nil, labels: ["work", "x"])
        #expect(try self.useCases.renameLabel("Work", to: "Office").feeds == [])
        #expect(try self.useCases.feeds().map(\.labels) == [["Office", "x"]])
        _ = try self.useCases.undo(.last)
        #expect(try self.useCases.feeds().map(\.labels) == [["Work", "x"]])
        // The feed must not become a feed of all reminders.
        #expect(try self.useCases.deleteLabel("Work").feeds == [feed.id])
        #expect(try self.useCases.feeds().map(\.labels) == [["Work", "x"]])
    }

    @Test("a dry run reports the same changes and makes none")
    func dryRun() throws {
        try self.load(["CATEGORIES:Work", "CATEGORIES:Work"])
        let before = try self.texts()
        let runs = try self.useCases.log(limit: 9)
        let plan = try self.useCases.renameLabel("Work", to: "Office", isDryRun: true)
        #expect(plan.changed.map(\.id) == [1, 2] && plan.run == nil && plan.label?.name == "Office")
        #expect(try self.texts() == before && self.names() == ["Work"] && self.useCases.log(limit: 9) == runs)
    }

    @Test("reminders in a read-only list keep their label; if all are read-only, nothing is changed")
    func readOnly() throws {
        try self.load(["CATEGORIES:Work", "CATEGORIES:Work"], list: "Shared")
        try self.load(["CATEGORIES:Work"], list: "Mine")
        try self.lock("Shared")
        let operation = try self.useCases.renameLabel("Work", to: "Office")
        #expect(operation.changed.map(\.id) == [3])
        #expect(operation.kept == [LabelChangeResult.Kept(list: "Shared", count: 2)])
        #expect(try self.names() == ["Office", "Work"])
        #expect(throws: UseCaseError(.labelIsReadOnly)) { try self.useCases.renameLabel("Work", to: "New") }
        #expect(throws: UseCaseError(.labelIsReadOnly)) { try self.useCases.deleteLabel("Work") }
        #expect(try self.labels(of: 1) == ["Work"])
    }

    @Test("a label that only an override has is renamed with the series")
    func override() throws {
        try self.load(
            [
                [
                    "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=5", "END:VTODO", "BEGIN:VTODO", "UID:u0",
                    "RECURRENCE-ID:20261203T090000Z", "CATEGORIES:Odd",
                ].joined(separator: "\r\n")
            ]
        )
        #expect(try self.useCases.renameLabel("odd", to: "Even").changed.map(\.id) == [1])
        #expect(try String(decoding: self.texts()[0], as: UTF8.self).contains("CATEGORIES:Even\r\n"))
    }

    // MARK: Deleting and merging

    @Test("a deleted label is removed from its reminders, which stay, and undo restores it")
    func deleted() throws {
        try self.load(["CATEGORIES:Work,Home", "CATEGORIES:Work", "CATEGORIES:Home"])
        let label = try self.useCases.recolorLabel("Work", to: LabelColor(rgb: 9))
        let operation = try self.useCases.deleteLabel("WORK")
        #expect(operation.name == "Work" && operation.label == nil && operation.changed.map(\.id) == [1, 2])
        #expect(try (1...3).map { try self.labels(of: $0) } == [["Home"], [], ["Home"]])
        #expect(try self.names() == ["Home"] && self.useCases.reminderCount() == 3)
        _ = try self.useCases.undo(.run(try #require(operation.run)))
        let back = try #require(try self.useCases.labels().first { $0.name == "Work" })
        #expect((back.id, back.color, back.open) == (label.id, LabelColor(rgb: 9), 2))
        #expect(throws: UseCaseError(.labelNotFound)) { try self.useCases.deleteLabel("Nothing") }
    }

    @Test("operations on a label without reminders are undone one by one, the last one first")
    func unused() throws {
        let label = try self.useCases.addLabel(named: "Work", color: LabelColor(rgb: 1))
        _ = try self.useCases.recolorLabel("Work", to: LabelColor(rgb: 2))
        _ = try self.useCases.renameLabel("Work", to: "Office")
        _ = try self.useCases.recolorLabel("Office", to: LabelColor(rgb: 3))
        #expect(try self.useCases.deleteLabel("Office").run == 5)
        #expect(try self.useCases.labels().isEmpty)
        let steps: [[String]] = try (1...5).map { _ in
            let summary = try self.useCases.undo(.last)
            #expect(summary.labels.map(\.outcome) == [.undone] && summary.changes.isEmpty)
            return try self.useCases.labels().map { "\($0.name) \($0.color.hex) \($0.id == label.id)" }
        }
        let wanted = ["Office #000003", "Office #000002", "Work #000002", "Work #000001"].map { ["\($0) true"] }
        #expect(steps == wanted + [[]])
        #expect(try self.useCases.undo(.last).undone == nil)
        _ = try self.useCases.undo(.run(10))
        #expect(try self.useCases.labels().map(\.name) == ["Work"])
    }

    @Test("a colour set later stays when the old name comes back, and the log has both changes")
    func recoloredSince() throws {
        try self.load(["CATEGORIES:home"])
        let operation = try self.useCases.renameLabel("home", to: "house")
        _ = try self.useCases.recolorLabel("house", to: LabelColor(rgb: 3))
        _ = try self.useCases.undo(.run(try #require(operation.run)))
        #expect(try self.useCases.labels().map { "\($0.name) \($0.color.hex)" } == ["home #000003"])
        let details = try self.useCases.log(run: 3)
        #expect(details.run.counts.labels == 1 && details.labels.first?.newColor == LabelColor(rgb: 3).hex)
        // The newest remaining operation is the change of the colour, of a label with another name now.
        let last = try self.useCases.undo(.last)
        #expect(last.undone == 3 && last.labels.map(\.outcome) == [.undone])
        #expect(try self.useCases.labels().map { "\($0.name) \($0.color.hex)" } == ["home #FF5722"])
    }

    @Test("a renaming of a label that was changed later is not undone, and this is reported")
    func changedSince() throws {
        _ = try self.useCases.addLabel(named: "Work", color: LabelColor(rgb: 1))
        _ = try self.useCases.recolorLabel("Work", to: LabelColor(rgb: 2))
        #expect(try self.useCases.undo(.run(1)).labels.map(\.outcome) == [.changedSince])
        #expect(try self.useCases.labels().map(\.color) == [LabelColor(rgb: 2)])
    }

    @Test("the reminders of a merged label get the other label, which keeps its colour and spelling")
    func merged() throws {
        try self.load(["CATEGORIES:Job", "CATEGORIES:work,Job,Home", "CATEGORIES:Home"])
        _ = try self.useCases.recolorLabel("work", to: LabelColor(rgb: 5))
        _ = try self.useCases.recolorLabel("Job", to: LabelColor(rgb: 6))
        let operation = try self.useCases.mergeLabel("job", into: "WORK")
        #expect((operation.name, operation.label?.name, operation.label?.color) == ("Job", "work", LabelColor(rgb: 5)))
        #expect(try (1...3).map { try self.labels(of: $0) } == [["work"], ["work", "Home"], ["Home"]])
        #expect(try self.names() == ["Home", "work"])
        _ = try self.useCases.undo(.last)
        #expect(try self.labels(of: 2) == ["work", "Job", "Home"])
        #expect(try self.useCases.labels().first { $0.name == "Job" }?.color == LabelColor(rgb: 6))
        #expect(throws: UseCaseError(.labelMergedWithItself)) { try self.useCases.mergeLabel("job", into: "JOB") }
        #expect(throws: UseCaseError(.noLabelToMergeInto)) { try self.useCases.mergeLabel("job", into: "Nothing") }
    }

    @Test("an imported name over the length limit is kept, also through an edit")
    func longerOnes() throws {
        let long = String(repeating: "🏠", count: 10_000)
        try self.load(["CATEGORIES:\(long),Home,a\\,b"])
        #expect(throws: LabelNameError.nameTooLong) { try self.useCases.addLabel(named: long, color: nil) }
        #expect(
            try self.useCases.edit(1, ReminderChange(title: "b", priority: .set(.high))).labels == [
                long, "Home", "a,b",
            ]
        )
        #expect(try self.useCases.labels().map(\.name).sorted() == ["Home", "a,b", long])
        let other = try Workplace.open()
        try Workplace.load(String(decoding: try Workplace.export(self.useCases), as: UTF8.self), into: other)
        #expect(try other.reminder(1).labels == [long, "Home", "a,b"])
    }

    @Test("renaming among 4,000 reminders takes at most six times as long as among 1,000")
    func linear() throws {
        func seconds(_ count: Int) throws -> Double {
            let useCases = try Workplace.open()
            let body = (0..<count).map { number in
                "BEGIN:VTODO\r\nUID:\(number)\r\nSUMMARY:\(number)\r\nCATEGORIES:Work\r\nEND:VTODO\r\n"
            }
            try Workplace.load("BEGIN:VCALENDAR\r\n\(body.joined())END:VCALENDAR\r\n", into: useCases)
            let start = ContinuousClock.now
            #expect(try useCases.renameLabel("Work", to: "Office").changed.count == count)
            let (whole, part) = (ContinuousClock.now - start).components
            return Double(whole) + Double(part) / 1e18
        }
        _ = try seconds(200)
        let small = try seconds(1000)
        #expect(try seconds(4000) < 6 * small + 0.5)
    }
}

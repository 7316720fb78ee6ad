import ICalendar
import Movers
import Reminders
import Store

// Tasks of another program's file.

extension StreamImport {
    /// To-dos between two signs of life.
    private static let moversStep = 500

    /// Takes everything that a file holds.
    mutating func run(
        _ reading: MoverReading,
        editing: EditingContext,
        in transaction: StoreTransaction,
        progress: (Int) -> Void
    ) throws {
        self.report.format = reading.format.rawValue
        self.report.skipped += reading.skipped + reading.leftOut
        self.report.leftOut += reading.leftOut
        for finding in reading.findings { self.add(finding) }
        self.report.issueCount += reading.findingCount - reading.findings.count
        for (index, item) in reading.items.enumerated() {
            switch item {
            case .todo(let todo): try self.take(todo, editing: editing, in: transaction)
            case .calendar(let text, let line): try self.take(calendar: text, line: line, in: transaction)
            }
            if index.isMultiple(of: Self.moversStep) { progress(index) }
        }
        self.count()
    }

    private mutating func add(_ finding: MoverFinding) {
        self.report.issueCount += 1
        guard self.report.issues.count < ImportReport.issueLimit else { return }
        self.report.issues.append(IssueView(finding))
    }

    /// A calendar object as it was stored.
    private mutating func take(
        calendar text: [UInt8],
        line: Int,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        self.line = line
        defer { self.line = nil }
        var splitter = ComponentSplitter()
        for part in splitter.push(text) { try self.take(part, in: transaction) }
        for part in splitter.finish() { try self.take(part, in: transaction) }
        guard splitter.isTruncated || !splitter.hasComponents else { return }
        self.report.skipped += 1
        self.add(MoverFinding(.badRow, line: line, subject: "icalendar"))
    }

    private mutating func take(
        _ todo: MovedTodo,
        editing: EditingContext,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let document = ICalendarDocument(todo.bytes(now: editing.now))
        guard let component = document.components.first else { return }
        self.header = [
            ContentLine(.version, value: "2.0"), ContentLine(.prodid, text: Reminder.productIdentifier),
        ].flatMap { $0.bytes() }
        for name in component.timeZoneNames where self.zones[name] == nil {
            self.zones[name] = editing.timeZoneLines(name)?
                .flatMap { ContentLine.fold(Array($0.utf8), lineEnd: [0x0D, 0x0A]) }
        }
        self.countRule(of: component, line: todo.line)
        guard let record = try self.existing(todo.uid, in: transaction) else {
            return try self.insert(component, uid: todo.uid, in: transaction)
        }
        try self.merge(todo, component, into: record, editing: editing, in: transaction)
    }

    /// Brings what the file says into what is here, when the file's is newer; what such a file cannot say stays.
    private mutating func merge(
        _ todo: MovedTodo,
        _ component: Component,
        into record: ObjectRecord,
        editing: EditingContext,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard self.isFirst(nil, of: record.id) else {
            self.report.skipped += 1
            return self.add(ParseIssue(.duplicateUID, line: todo.line, subject: Name.vtodo.canonical))
        }
        let document = ICalendarDocument(record.source)
        guard let match = CalendarObject(document)?.main else { return }
        let isNewer = todo.updatedAt.map { theirs in match.lastChange.map { $0 < theirs } ?? true } ?? false
        let isSame = match.meaning() == component.meaning()
        guard isNewer, !isSame else {
            if !isSame, !todo.isStamped { self.add(MoverFinding(.differsHere, line: todo.line)) }
            if self.fates[record.id] == nil { self.fates[record.id] = .unchanged }
            return
        }
        let edits = todo.edits(of: match, now: editing.now)
        try self.save(document.applying(edits), with: component, as: record.id, line: todo.line, in: transaction)
    }
}

extension MovedTodo {
    /// What makes a to-do that is here say what the task says.
    fileprivate func edits(of component: Component, now: Instant) -> [Edit] {
        var editor = ComponentEditor(component)
        let lines = self.properties(now: now)
        for name in Self.names {
            if let line = lines.first(where: { $0.name == name }) {
                for other in component.all(name).dropFirst() { editor.remove(other) }
                editor.set(line)
            } else if name != .created {
                editor.remove(name)
            }
        }
        self.editRelations(lines, &editor)
        let names = Set(self.extra.map(\.name))
        for name in names { editor.remove(name) }
        for line in self.extra { editor.add(line) }
        self.editAlarms(&editor)
        return editor.edits
    }

    private func editRelations(_ lines: [ContentLine], _ editor: inout ComponentEditor) {
        let ours: Set = ["PARENT", "DEPENDS-ON"]
        for property in editor.component.all(.relatedTo)
        where ours.contains(property.parameter(.reltype)?.uppercased() ?? "PARENT") {
            editor.remove(property)
        }
        for line in lines where line.name == .relatedTo { editor.add(line) }
    }

    /// The alarms of the file in the place of those that are here, unless they ring at the same times.
    private func editAlarms(_ editor: inout ComponentEditor) {
        guard let alarms = self.alarms else { return }
        let here = editor.component.components(.valarm).filter { alarm in
            !alarm.all(.relatedTo).contains { $0.parameter(.reltype)?.uppercased() == "SNOOZE" }
        }
        let times = here.map { $0.first(.trigger)?.value.trimmingSpaces ?? "" }
        guard Set(times) != Set(alarms.map(\.wire)) else { return }
        for alarm in here { editor.remove(alarm) }
        for lines in self.alarmLines { editor.add(component: lines) }
    }
}

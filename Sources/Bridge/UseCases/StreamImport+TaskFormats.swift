import ICalendar
import Reminders
import Store
import TaskFormats

// Tasks of another program's file.

extension StreamImport {
    /// To-dos between two signs of life.
    private static let tasksStep = 500

    /// Takes everything that a file holds.
    mutating func run(
        _ reading: ParsedTasks,
        editing: EditingContext,
        in transaction: StoreTransaction,
        progress: (Int) -> Void
    ) throws {
        self.report.format = reading.format.name
        self.columns = reading.columns
        self.report.skipped += reading.skipped + reading.leftOut
        self.report.leftOut += reading.leftOut
        for finding in reading.findings { self.add(finding) }
        self.report.issueCount += reading.findingCount - reading.findings.count
        for label in reading.labels {
            guard let color = LabelColor(label.color) else { continue }
            let seconds = label.updatedAt.secondsSince1970
            self.labels.take(LabelUpdate(name: label.name, color: color, updatedAt: seconds, id: label.id))
        }
        for (index, item) in reading.items.enumerated() {
            switch item {
            case .todo(let todo):
                try self.turn(to: todo.list, in: transaction)
                try self.take(todo, of: reading.format, editing: editing, in: transaction)
            case .calendar(let text, let line, let list):
                try self.turn(to: list, in: transaction)
                try self.take(calendar: text, line: line, in: transaction)
            }
            if index.isMultiple(of: Self.tasksStep) { progress(index) }
        }
        self.count()
    }

    mutating func add(_ finding: ImportIssue) {
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
        let parts = splitter.push(text) + splitter.finish()
        let excess = parts.lazy.compactMap { part in
            if case .issue(let issue) = part, issue.code.isBeyondLimits { issue } else { nil }
        }
        if let issue = excess.first {
            self.report.skipped += 1
            return self.add(issue)
        }
        for part in parts { try self.take(part, in: transaction) }
        try self.writeOpenObjects(in: transaction)
        guard splitter.isTruncated || !splitter.hasComponents else { return }
        self.report.skipped += 1
        self.add(ImportIssue(.badRow, line: line, subject: "icalendar"))
    }

    private mutating func take(
        _ todo: ImportedTask,
        of format: TaskFormat,
        editing: EditingContext,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        if try self.isClosed(to: todo.uid, line: todo.line, in: transaction) { return }
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
        try self.merge(todo, of: format, component, into: record, editing: editing, in: transaction)
    }

    /// Brings what the file says into what is here, when the file's is newer; what such a file cannot say stays.
    private mutating func merge(
        _ todo: ImportedTask,
        of format: TaskFormat,
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
        let state: RowState =
            isSame ? .same : self.state(of: todo, format, record, isNewer: isNewer, now: editing.now)
        guard case .edited(let taken) = state else {
            if state == .unknown { self.add(ImportIssue(.differsHere, line: todo.line, title: todo.title)) }
            if state == .older { self.add(ImportIssue(.olderThanStored, line: todo.line, title: todo.title)) }
            if self.outcomes[record.id] == nil { self.outcomes[record.id] = state == .older ? .skipped : .unchanged }
            return
        }
        let edits = taken.edits(of: match, format, now: editing.now)
        try self.save(document.applying(edits), with: component, as: record, line: todo.line, in: transaction)
    }
}

extension StreamImport {
    /// What a task says beside what is here.
    private enum RowState: Hashable {
        /// What is here; or, in the file of another program, what it was there once.
        case same
        /// Something else, which is taken; of our own table what somebody has edited in it.
        case edited(ImportedTask)
        /// Something else, in a row of our own table that was exported before what is here was changed.
        case older
        /// Something else, and nobody knows since when.
        case unknown
    }

    /// The state of a task that does not say just what is here.
    ///
    /// Of our own table only what differs from the row that would be exported now is said by it: a column that somebody has
    /// taken out says nothing. The stamp that what is here has, or none as there, says that nothing was changed here
    /// since the export.
    private func state(
        of todo: ImportedTask,
        _ format: TaskFormat,
        _ record: ObjectRecord,
        isNewer: Bool,
        now: Instant
    ) -> RowState {
        guard format == .csv else { return isNewer ? .edited(todo) : todo.isStamped ? .same : .unknown }
        var writer = ExportWriter(.csv) { $0 }
        let row = writer.beginning + writer.text(self.reader.exported(record, list: ""))
        let context = ImportContext(localZone: self.reader.localZone, zones: self.reader.zones) { _ in nil }
        let reading = try? ParsedTasks(row, format: .csv, columns: self.columns, in: context)
        guard let exported = reading?.todos.first else { return isNewer ? .edited(todo) : .unknown }
        let stamp = isNewer ? todo.updatedAt ?? now : now
        guard let edited = todo.edited(since: exported, now: stamp) else { return .same }
        if isNewer || exported.updatedAt == todo.updatedAt { return .edited(edited) }
        return todo.isStamped ? .older : .unknown
    }
}

extension ImportedTask {
    /// What makes a to-do that is here say what the task says.
    fileprivate func edits(of component: Component, _ format: TaskFormat, now: Instant) -> [Edit] {
        var editor = ComponentEditor(component)
        let lines = self.properties(now: now)
        for name in Self.names where name != .dtstart && !self.unread.contains(name) {
            if let line = lines.first(where: { $0.name == name }) {
                for other in component.all(name).dropFirst() { editor.remove(other) }
                editor.set(line)
            } else if self.removes(name, of: component, format) {
                editor.remove(name)
            }
        }
        self.editStart(of: component, format, &editor)
        self.editRelations(lines, format, &editor)
        let names = Set(self.extra.map(\.name))
        for name in names { editor.remove(name) }
        for line in self.extra { editor.add(line) }
        self.editAlarms(&editor)
        return editor.edits
    }

    /// Whether what is here goes, when the file says nothing of it.
    private func removes(_ name: Name, of component: Component, _ format: TaskFormat) -> Bool {
        switch name {
        case .created: false
        // A to-do has no DURATION beside DUE (RFC 5545 §3.6.2).
        case .duration: !self.unread.contains(.due)
        case .due where self.keepsRule(of: component, format): false
        // What is not done is not done whole.
        case .percentComplete where component.first(name)?.value.trimmingSpaces == "100": true
        default: format.properties.contains(name)
        }
    }

    /// Whether a rule that is here stays, which counts from DTSTART.
    private func keepsRule(of component: Component, _ format: TaskFormat) -> Bool {
        let cannotSay = !format.properties.contains(.rrule) || self.unread.contains(.rrule)
        return cannotSay && self.rule == nil && component.first(.rrule) != nil
    }

    /// The start of the file; else that which is here, when the file cannot say one or does not, and while it fits what
    /// is due.
    ///
    /// One that said what DUE did is no start of its own, and goes with that.
    private func editStart(of component: Component, _ format: TaskFormat, _ editor: inout ComponentEditor) {
        let here = component.first(.dtstart)?.moment
        let dueHere = component.first(.due)?.moment
        let keepsRule = self.keepsRule(of: component, format)
        let keepsDue = self.unread.contains(.due) || (keepsRule && self.due == nil)
        let due = keepsDue ? dueHere : self.due
        let canSay = format.properties.contains(.dtstart) && !self.unread.contains(.dtstart) && !keepsRule
        let isOfDue = here == dueHere && !keepsDue
        // A rule that is said counts from a start.
        let isUntold = self.unread.contains(.dtstart)
        let first = self.rule == nil || isUntold && self.unread.contains(.rrule) ? nil : due
        var start: CalendarDateOrDateTime?
        if isUntold {
            start = (isOfDue ? due : here) ?? first
        } else {
            start = self.start ?? first ?? (canSay || isOfDue ? nil : here)
        }
        if let one = start, let due, one.isDate != due.isDate || one.localSeconds > due.localSeconds { start = nil }
        if keepsRule { start = start ?? due ?? here }
        guard start != here || (start == nil && canSay) else { return }
        for other in component.all(.dtstart).dropFirst() { editor.remove(other) }
        if let start {
            editor.set(ContentLine(.dtstart, moment: start))
        } else {
            editor.remove(.dtstart)
        }
    }

    private func editRelations(_ lines: [ContentLine], _ format: TaskFormat, _ editor: inout ComponentEditor) {
        if self.unread.contains(.relatedTo) { return }
        func kind(_ relation: String?) -> String { relation?.uppercased() ?? "PARENT" }
        let relations = lines.filter { $0.name == .relatedTo }
        var ours = format.relations
        if self.parent != nil { ours.insert("PARENT") }
        if !self.dependencies.isEmpty { ours.insert("DEPENDS-ON") }
        for property in editor.component.all(.relatedTo) where ours.contains(kind(property.parameter(.reltype))) {
            editor.remove(property)
        }
        for line in relations { editor.add(line) }
    }

    /// The alarms of the file in the place of those that are here, unless they ring at the same times.
    private func editAlarms(_ editor: inout ComponentEditor) {
        guard let alarms = self.alarms, !self.unread.contains(.valarm) else { return }
        let here = editor.component.components(.valarm).filter { alarm in
            !alarm.all(.relatedTo).contains { $0.parameter(.reltype)?.uppercased() == "SNOOZE" }
        }
        let times = here.map { $0.first(.trigger)?.value.trimmingSpaces ?? "" }
        guard Set(times) != Set(alarms.map(\.wire)) else { return }
        for alarm in here { editor.remove(alarm) }
        for lines in self.alarmLines { editor.add(component: lines) }
    }
}

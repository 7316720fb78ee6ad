import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavTaskFormats

// Applies the tasks of another program's file.

extension StreamImport {
    mutating func apply(_ task: ImportedTask, of tasks: ParsedTasks) throws(DatabaseError) {
        if try self.skipsReadOnlyList(task.uid, line: task.line) { return }
        let known = try self.existing(task.uid)
        let line = known == nil ? try self.reminder(ofLine: task, in: tasks) : nil
        let record = known ?? line?.record
        let match = record.flatMap { CalendarObject(ICalendarDocument($0.source))?.main }
        let list = self.listName(of: record)
        let base = match.flatMap { self.base(of: task, tasks.format, in: list, with: $0) }
        let placed = task.placed(inList: list, formerly: base?.list, tasks.format)
        let task = match.map { placed.naming(dependenciesOf: $0, tasks.format) } ?? placed
        let document = ICalendarDocument(task.bytes(now: self.editing.now))
        guard let component = document.components.first else { return }
        self.calendar.header = Self.header
        for name in component.timeZoneNames where self.calendar.zones[name] == nil {
            self.calendar.zones[name] = self.editing.timeZoneLines(name)?
                .flatMap { ContentLine.fold(Array($0.utf8), lineEnd: [0x0D, 0x0A]) }
        }
        self.line = task.line
        defer { self.line = nil }
        self.countRule(of: component, line: task.line)
        guard let record else { return try self.insert(component, task.uid) }
        guard self.outcomes.insert(nil, of: record.id) else {
            self.report.skipped += 1
            return self.add(ParseIssue(.duplicateUID, line: task.line, subject: Name.vtodo.canonical))
        }
        guard let match else { return }
        if let line, line.exported?.isSameLine(as: task) ?? false {
            return self.outcomes.setFirst(.unchanged, of: record.id)
        }
        let comparison: TaskComparison =
            match.meaning() == component.meaning()
            ? .same
            : base.flatMap { self.merge(task, of: tasks, since: $0, with: match, in: record, list: list) }
                ?? line?.exported.flatMap { self.completion(of: match, by: task, exported: $0) }
                ?? self.compare(task, of: tasks, with: match, in: record)
        switch comparison {
        case .edited(let edited):
            let completion = self.completion(of: match, by: edited, tasks.format, in: record)
            let document =
                completion?.reminder.object.document
                ?? ICalendarDocument(record.source).applying(
                    edited.edits(of: match, tasks.format, now: self.editing.now)
                )
            try self.save(document, with: component, as: record, line: task.line)
            if let copy = completion?.copy { try self.insert(copy: copy, into: record.list) }
            return
        case .same: break
        case .older: self.add(ImportIssue(.olderThanStored, line: task.line, title: task.title))
        case .unknown: self.add(ImportIssue(.differsHere, line: task.line, title: task.title))
        }
        self.outcomes.setFirst(comparison == .older ? .skipped : .unchanged, of: record.id)
    }

    private static let header = [
        ContentLine(.version, value: "2.0"), ContentLine(.prodid, text: Reminder.productIdentifier),
    ].flatMap { $0.bytes() }

    /// The result of comparing a task with a stored reminder of different content.
    private enum TaskComparison: Hashable {
        /// The task has no newer values than the reminder.
        case same
        /// The task has newer values, which the import applies; for our own CSV file, only the edited values.
        case edited(ImportedTask)
        /// A row of our own CSV file that was exported before the reminder was changed.
        case older
        /// The file does not show whether the task or the reminder is newer.
        case unknown
    }

    /// The completion of the current date of a reminder that repeats, if its program completed the task of this date.
    private func completion(
        of match: Component,
        by task: ImportedTask,
        _ format: TaskFormat,
        in record: ObjectRecord
    ) -> Completion? {
        guard task.isOneDate, task.status == .completed, !task.unread.contains(.status), !match.status.isClosed else {
            return nil
        }
        var open = task
        open.cannotReadState()
        let edits = open.edits(of: match, format, now: self.editing.now)
        guard let reminder = Reminder(ICalendarDocument(record.source).applying(edits)) else { return nil }
        return try? reminder.completing(in: self.editing, zones: self.reader.resolver(for: reminder.object))
    }

    /// The base of a merge: the record of the last import, or the state at a later export that the file contains.
    private func base(of task: ImportedTask, _ format: TaskFormat, in list: String, with match: Component)
        -> TaskRecord?
    {
        let record = TaskRecord.base(of: match, format, list: list, in: self.context)
        guard let exported = task.exported, let exportedAt = exported.updatedAt else { return record }
        return record?.updatedAt.map { $0 > exportedAt } ?? false ? record : exported
    }

    /// Merges a task with its reminder, and reports the fields that both sides changed.
    ///
    /// - Returns: `nil` if the base does not tell which of two versions with change times is newer.
    private mutating func merge(
        _ task: ImportedTask,
        of tasks: ParsedTasks,
        since base: TaskRecord,
        with match: Component,
        in record: ObjectRecord,
        list: String
    ) -> TaskComparison? {
        if let updatedAt = task.updatedAt {
            guard let former = base.updatedAt else { return nil }
            guard updatedAt > former else { return .same }
        }
        let merge = self.taskMerge(task, of: tasks, since: base, with: match, in: record, list: list)
        for property in merge.conflicts {
            let field = PropertyDisplayName.word(for: property.canonical)
            let words = task.words(of: property)
            self.add(ImportIssue(.changedTwice, line: task.line, subject: field, title: task.title, words: words))
        }
        return merge.isChanged || base.differs(from: task, in: match) ? .edited(merge.task) : .same
    }

    private func taskMerge(
        _ task: ImportedTask,
        of tasks: ParsedTasks,
        since base: TaskRecord,
        with match: Component,
        in record: ObjectRecord,
        list: String
    ) -> TaskMerge {
        let exported = base == task.exported ? self.exported(record, as: .taskwarrior, of: tasks, list: list) : nil
        let placed = exported?.placed(inList: list, formerly: base.list, tasks.format)
        return TaskMerge(
            task,
            into: match,
            exported: placed?.naming(dependenciesOf: match, tasks.format),
            since: base,
            tasks.format,
            in: self.context,
            now: self.editing.now
        )
    }

    /// Deletes the reminder of a task that its program deleted, unless the reminder was edited here since then.
    mutating func apply(deleted task: ImportedTask, of tasks: ParsedTasks) throws(DatabaseError) {
        guard let record = self.list.isReadOnly ? nil : try self.existing(task.uid), self.outcomes[record.id] == nil,
            let match = CalendarObject(ICalendarDocument(record.source))?.main
        else {
            self.report.leftOut += 1
            self.report.skipped += 1
            return
        }
        switch self.deletion(of: match, by: task, of: tasks, in: record) {
        case .applies:
            guard try self.delete(record) else { return }
            self.add(ImportIssue(.deletedThere, line: task.line, title: record.index.title))
        case .isEditedHere:
            self.add(ImportIssue(.deletedThereEditedHere, line: task.line, title: record.index.title))
            self.outcomes.setFirst(.unchanged, of: record.id)
        case .isOutdated: self.outcomes.setFirst(.unchanged, of: record.id)
        }
    }

    /// The name of the list that has the reminder, or that gets it.
    private func listName(of record: ObjectRecord?) -> String {
        (self.others.first { $0.id == record?.list } ?? self.list).name
    }

    /// The meaning of the deletion of a task for its reminder.
    private enum Deletion {
        case applies, isEditedHere
        /// The reminder is cancelled, or it was imported after the deletion.
        case isOutdated
    }

    private func deletion(of match: Component, by task: ImportedTask, of tasks: ParsedTasks, in record: ObjectRecord)
        -> Deletion
    {
        let list = self.listName(of: record)
        if match.status == .cancelled { return .isOutdated }
        guard let base = self.base(of: task, tasks.format, in: list, with: match), let former = base.updatedAt,
            let updatedAt = task.updatedAt
        else {
            let isOlder = task.updatedAt.map { theirs in match.lastChange.map { $0 < theirs } ?? true } ?? false
            return isOlder ? .applies : .isEditedHere
        }
        guard updatedAt > former else { return .isOutdated }
        // The task lacks some fields of the reminder, such as its location, so an edit of them shows only in its time.
        if let change = match.lastChange, change > former { return .isEditedHere }
        let placed = task.placed(inList: list, formerly: base.list, tasks.format)
            .naming(dependenciesOf: match, tasks.format)
        let merge = self.taskMerge(placed, of: tasks, since: base, with: match, in: record, list: list)
        return merge.keepsEdits ? .isEditedHere : .applies
    }

    /// The task that an import reads from a new export of the reminder.
    private func exported(
        _ record: ObjectRecord,
        as form: ExportForm,
        of tasks: ParsedTasks,
        list: String
    ) -> ImportedTask? {
        var writer = ExportWriter(form, in: self.context) { $0 }
        let row = writer.beginning + writer.text(self.reader.exported(record, list: list, for: form)) + writer.end
        let parsed = try? ParsedTasks(row, format: tasks.format, columns: tasks.columns, in: self.context)
        return parsed?.todos.first
    }

    // MARK: Lines of todo.txt

    /// The reminder of a line without a stored UID, and the task of its line in an export, if the line is in it.
    ///
    /// - Returns: `nil` for a new task.
    private mutating func reminder(ofLine task: ImportedTask, in tasks: ParsedTasks) throws(DatabaseError)
        -> (record: ObjectRecord, exported: ImportedTask?)?
    {
        guard tasks.format == .todoTxt else { return nil }
        // A copy may only change the list that it goes to.
        let key = self.others.isEmpty ? self.list.id : nil
        let lines =
            if let known = self.exportedLines[key] { known } else { try self.readExportedLines(for: tasks, of: task) }
        self.exportedLines[key] = lines
        if let entry = lines.entry(of: task), self.outcomes[entry.id] == nil {
            return try self.transaction.object(entry.id).map { (self.noting($0), entry.task) }
        }
        guard let uid = task.uidWhenOpen, task.rule == nil, !lines.isUnclear(task),
            !lines.uids.contains(uid), let record = try self.stored(uid), self.outcomes[record.id] == nil,
            CalendarObject(ICalendarDocument(record.source))?.main.first(.rrule) == nil
        else { return nil }
        return (self.noting(record), nil)
    }

    private func readExportedLines(for tasks: ParsedTasks, of task: ImportedTask) throws(DatabaseError) -> ExportedLines
    {
        let isCopy = self.others.isEmpty
        let lists = isCopy ? [self.list] : self.others
        // A line with a stored UID needs no other way to its reminder.
        var known: Set<ObjectID> = []
        var open: [ImportedTask] = []
        for other in tasks.todos where !isCopy || self.lists == nil || other.list == task.list {
            if let record = try self.stored(other.uid) { known.insert(record.id) } else { open.append(other) }
        }
        let names = Dictionary(lists.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        var writer = ExportWriter(.todoTxt, firstList: UseCases.firstListName, in: self.context) { $0 }
        var (text, ids): ([UInt8], [ObjectID]) = ([], [])
        try self.transaction.forEachObject { record in
            guard let name = names[record.list], !known.contains(record.id) else { return true }
            text += writer.text(self.reader.exported(record, list: name, for: .todoTxt))
            ids.append(record.id)
            return true
        }
        var context = self.context
        // The limits of a file do not apply to the reminders of the store.
        context.limits.rows = .max
        // Without this limit, text of the writer is always readable.
        let exported = (try? ParsedTasks(text, format: .todoTxt, in: context))?.todos ?? []
        return ExportedLines(
            exported.map { ExportedLines.Entry(id: ids[$0.line - 1], task: $0) },
            for: open,
            uids: Set(tasks.todos.map(\.uid))
        )
    }

    /// The changes by a line that completes a reminder of another origin; `nil` if the reminder changed after that day.
    private func completion(of match: Component, by task: ImportedTask, exported: ImportedTask) -> TaskComparison? {
        guard task.status == .completed, exported.status != .completed, let done = task.completedAt else { return nil }
        let end = done.adding(seconds: ClockTime.secondsPerDay)
        guard match.lastChange.map({ $0 < end }) ?? true else { return nil }
        return task.edited(since: exported, now: self.editing.now).map { .edited($0) }
    }

    private var context: ImportContext {
        ImportContext(localZone: self.reader.localZone, zones: self.reader.zones) { _ in nil }
    }

    /// Compares a task with a stored reminder without the record of an import.
    ///
    /// Of our own CSV file, the import applies only values that differ from a new export of the reminder, so a removed
    /// column changes nothing. If the row and the reminder have the same modification time, or neither has one, the row
    /// was exported after the last change. Without the column `updatedAt`, a file does not show whether a row is older.
    private func compare(
        _ task: ImportedTask,
        of tasks: ParsedTasks,
        with match: Component,
        in record: ObjectRecord
    ) -> TaskComparison {
        let isNewer = task.updatedAt.map { theirs in match.lastChange.map { $0 < theirs } ?? true } ?? false
        guard tasks.format == .csv else { return isNewer ? .edited(task) : task.isStamped ? .same : .unknown }
        guard let exported = self.exported(record, as: .csv, of: tasks, list: "") else {
            return isNewer ? .edited(task) : .unknown
        }
        let stamp = isNewer ? task.updatedAt ?? self.editing.now : self.editing.now
        guard let edited = task.edited(since: exported, now: stamp) else { return .same }
        let hasTimes = tasks.columns?.contains("updatedat") ?? true
        if isNewer || hasTimes && exported.updatedAt == task.updatedAt { return .edited(edited) }
        return task.isStamped ? .older : .unknown
    }
}

package import RemindavICalendar
import RemindavJSON
import RemindavReminders

/// A task of a newer file, merged with its reminder property by property.
///
/// The base is the record of the last import, or the state at a later export. A property that changed only in the file gets its value in the file. A
/// property that changed here keeps its value. Labels are merged as a set.
package struct TaskMerge: Sendable {
    /// The task with the properties that the reminder gets; all others are unread.
    package private(set) var task: ImportedTask
    /// The first property of each group with different new values here and in the file, in the order of the fields.
    package private(set) var conflicts: [Name] = []
    /// Whether the reminder gets a property of the task.
    package private(set) var isChanged = false
    /// Whether the reminder keeps a property that was edited here.
    package private(set) var keepsEdits = false

    /// The properties that get their values from one side.
    private static let groups: [[Name]] =
        [
            [.summary], [.description], [.due, .duration], [.dtstart], rule, [.priority],
            [.status, .completed, .percentComplete],
        ] + ReminderField.lineProperties.map { [$0.property] } + [[.valarm], [.relatedTo]]
    private static let rule: [Name] = [.rrule, .repeatFrom]
    private static let dates: Set<Name> = [.due, .dtstart, .rrule]

    /// - Parameters:
    ///   - todo: the main component of the reminder.
    ///   - exported: the task that an export of the reminder gives now, if `base` is the state at an earlier export.
    ///   - base: the record of the last import, or the state at the last export.
    package init(
        _ task: ImportedTask,
        into todo: Component,
        exported: ImportedTask? = nil,
        since base: TaskRecord,
        _ format: TaskFormat,
        in context: ImportContext,
        now: Instant
    ) {
        self.task = task
        let local = exported.map { TaskRecord($0.record, of: $0, format) }
        let file = TaskRecord(task.record, of: task, format)
        let phrases = format.phrases(file.objects)
        let keepsDates = !phrases.isEmpty && phrases == format.phrases(base.objects)
        for group in Self.groups {
            // A format without progress states only whether a task is complete.
            let names = group.filter { $0 != .percentComplete || format.properties.contains($0) }
            let former = base.digests(names)
            let theirs = keepsDates && Self.dates.contains(group[0]) ? former : file.digests(names)
            let ours = local?.digests(names) ?? TaskRecord.digests(names, of: todo, format)
            if theirs != former, ours == former, self.canTake(group, todo) {
                self.isChanged = true
                continue
            }
            self.keepsEdits = self.keepsEdits || ours != former
            if group[0] == .description, theirs != former, theirs != ours,
                let notes = task.mergedNotes(with: todo, format, in: context)
            {
                self.task.notes = [notes]
                self.isChanged = self.isChanged || notes != todo.first(.description)?.text
                continue
            }
            self.task.cannotRead(group)
            // Two completions are equal, also at different times.
            let isSame = group[0] == .status ? ours[0] == theirs[0] : ours == theirs
            if theirs != former, !isSame, !task.unread.contains(group[0]) { self.conflicts.append(group[0]) }
        }
        // The stored rule stays, and its dates begin at the stored start.
        if self.task.unread.contains(.rrule) { self.task.rule = nil }
        self.mergeLabels(of: todo, since: base.labels)
        guard task.updatedAt == nil || self.keepsEdits else { return }
        self.task.updatedAt = self.isChanged ? now : todo.lastChange ?? now
    }

    /// Whether the reminder can get the values; a rule needs a date.
    private func canTake(_ group: [Name], _ todo: Component) -> Bool {
        guard group == Self.rule, self.task.rule != nil, self.task.unread.contains(.due) else { return true }
        return todo.first(.due) != nil
    }

    private mutating func mergeLabels(of todo: Component, since former: Set<String>) {
        let ours = todo.all(.categories).flatMap { TextValue.split($0.value) }
        let theirs = self.task.labels
        let removed = former.subtracting(theirs.map { TaskRecord.digest(label: $0) })
        let known = Set(ours.map { LabelKey($0) })
        let added = theirs.filter { !former.contains(TaskRecord.digest(label: $0)) && !known.contains(LabelKey($0)) }
        let kept = ours.filter { !removed.contains(TaskRecord.digest(label: $0)) }
        self.keepsEdits = self.keepsEdits || Set(kept + added) != Set(theirs)
        guard kept.count < ours.count || !added.isEmpty else { return self.task.cannotRead(.categories) }
        self.isChanged = true
        self.task.set(labels: kept + added)
    }
}

extension TaskRecord {
    /// The base for a merge of a file into a reminder; `nil` if no file of this format is known for the reminder.
    ///
    /// A line of todo.txt is its own record, so it is read again.
    ///
    /// - Parameter list: the list of the reminder.
    package static func base(of todo: Component, _ format: TaskFormat, list: String, in context: ImportContext) -> Self?
    {
        guard format == .todoTxt else { return Self(of: todo, format) }
        let line = TodoTxtWriter.original(of: todo)
        let parsed = line.flatMap { try? ParsedTasks(Array($0.utf8), format: .todoTxt, in: context) }
        return parsed?.todos.first.map { task in
            Self([], of: task.placed(inList: list, formerly: nil, format), format, list: list)
        }
    }

    /// Whether the file has other data than the last import, also data without a field.
    package func differs(from task: ImportedTask, in todo: Component) -> Bool {
        self.objects.map { JSONValue.object($0.sorted).text } != task.record.map { JSONValue.object($0.sorted).text }
            || task.extra.contains { $0.name == TodoTxtWriter.lineProperty && $0.value != todo.first($0.name)?.value }
    }
}

package import RemindavICalendar
import RemindavReminders

extension ImportedTask {
    /// Whether both tasks have the same line of todo.txt; `false` for any other format.
    package func isSameLine(as other: Self) -> Bool { self.todoTxt != nil && self.todoTxt == other.todoTxt }

    /// The line of todo.txt without the parts that a completion changes: its mark, its date and the priority.
    ///
    /// A repeating task keeps its completion, because each completed date has a line of its own.
    package var lineBesidesCompletion: TodoTxtLine? {
        var line = self.todoTxt
        line?.priority = nil
        line?.values[.priority] = nil
        guard self.rule == nil else { return line }
        line?.isCompleted = false
        line?.completedOn = nil
        return line
    }

    /// The title of the line of todo.txt with the dates of its creation and of its completion.
    package var lineHead: TodoTxtLine? {
        self.todoTxt.map { line in
            var head = TodoTxtLine()
            (head.title, head.createdOn) = (line.title, line.createdOn)
            (head.isCompleted, head.completedOn) = (line.isCompleted, line.completedOn)
            return head
        }
    }

    /// The title of the line of todo.txt with the date of its creation; `nil` for a task that repeats.
    package var lineTitle: TodoTxtLine? {
        guard self.rule == nil, var title = self.lineHead else { return nil }
        title.isCompleted = false
        title.completedOn = nil
        return title
    }

    /// The task with only the fields that differ from `base`, so an import writes no others; `nil` if none differs.
    package func edited(since base: Self, now: Instant) -> Self? {
        var edited = self
        var isEdited = false
        func compare(_ isSame: Bool, _ names: Name...) {
            if !isSame { isEdited = true }
            for name in isSame ? names : [] { edited.cannotRead(name) }
        }
        compare(self.title == base.title, .summary)
        compare(self.notes == base.notes, .description)
        compare(self.due == base.due, .due, .duration)
        compare(self.rule == base.rule, .rrule)
        compare(self.labels == base.labels, .categories)
        compare(self.priority == base.priority, .priority)
        let isSameState = self.status == base.status && self.percent == base.percent
        compare(isSameState && self.completedAt == base.completedAt, .status, .completed, .percentComplete)
        for (_, property) in ReminderField.lineProperties {
            compare(self.lines[property] == base.lines[property], property)
        }
        compare(self.alarms == base.alarms, .valarm)
        compare(self.parent == base.parent, .relatedTo)
        if self.start == base.start, base.start == base.due, self.due != base.due {
            // The start was equal to the due time, so it moves with the due time.
            edited.start = self.due
        } else {
            compare(self.start == base.start, .dtstart)
        }
        if self.createdAt == base.createdAt { edited.cannotRead(.created) }
        if self.extra == base.extra { edited.extra = [] } else { isEdited = true }
        edited.updatedAt = now
        return isEdited ? edited : nil
    }
}

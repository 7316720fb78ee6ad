package import ICalendar
import Reminders

extension ImportedTask {
    /// Whether both tasks have the same line of todo.txt.
    package func isSameLine(as other: Self) -> Bool { self.extra == other.extra }

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

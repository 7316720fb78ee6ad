import RemindavICalendar
import RemindavReminders

/// Writes reminders as lines of todo.txt.
///
/// A reminder that was imported from todo.txt and not edited since gives its original line. After an edit, the line has
/// the new values of the edited fields, and the other values of the original.
struct TodoTxtWriter: Sendable {
    /// The zones in which the original lines were imported, and in which dates are written.
    let context: ImportContext
    /// The name of a list that is not written as a project; `nil` if there is none.
    let firstList: String?

    /// The line, and whether a todo.txt program reads other fields from it than the reminder has.
    func line(_ reminder: ExportedReminder) -> (text: String, isMisread: Bool) {
        let parts = self.editedParts(of: reminder)
        if let original = parts.original { return (original, false) }
        let text = parts.new.text
        return (text, !TodoTxtLine(text).hasFields(of: parts.new))
    }

    /// The parts of the line, and the original line of an unchanged reminder.
    private func editedParts(of reminder: ExportedReminder) -> (new: TodoTxtLine, original: String?) {
        guard let todo = reminder.main, let original = Self.original(of: todo), let base = self.base(of: original)
        else { return (self.parts(of: reminder), nil) }
        var parts = TodoTxtLine(original)
        let current = self.parts(of: reminder)
        func isEdited(_ names: Name...) -> Bool {
            names.contains { Self.values($0, of: base) != Self.values($0, of: todo) }
        }
        var isSame = true
        func update(_ isEdited: Bool, _ change: (inout TodoTxtLine) -> Void) {
            guard isEdited else { return }
            isSame = false
            change(&parts)
        }
        update(isEdited(.summary)) { $0.title = current.title }
        update(isEdited(.due, .dtstart)) {
            let former = Self.threshold(of: $0, movedTo: current, todo)
            $0.values[.due] = current.values[.due]
            $0.values[.threshold] = current.values[.threshold] ?? former
        }
        update(isEdited(.rrule, .repeatFrom)) {
            $0.values[.recurrence] = current.values[.recurrence]
            $0.values[.rule] = current.values[.rule]
        }
        update(isEdited(.priority)) { $0.priority = current.priority }
        update(isEdited(.status, .completed)) {
            $0.isCompleted = current.isCompleted
            $0.completedOn = current.completedOn
        }
        // The list may be a project of the line, as the option --lists imports it.
        let list = LabelKey(reminder.list)
        let labels = Set(reminder.labels.map { LabelKey($0) } + [list])
        let former = Set((parts.projects + parts.contexts).map { LabelKey($0) })
        update(labels.subtracting([list]) != former.subtracting([list])) {
            $0.projects.removeAll { !labels.contains(LabelKey($0)) }
            $0.contexts.removeAll { !labels.contains(LabelKey($0)) }
            $0.contexts += reminder.labels.filter { !former.contains(LabelKey($0)) }.map(Self.tag)
        }
        return (parts, isSame ? original : nil)
    }

    /// The parts of a line for a reminder of another origin.
    private func parts(of reminder: ExportedReminder) -> TodoTxtLine {
        var parts = TodoTxtLine()
        parts.isCompleted = reminder.isClosed
        parts.title = ImportedTask.title(reminder.title) ?? Reminder.untitled
        parts.priority =
            switch Priority(rawValue: reminder.priority) {
            case .high: "A"
            case .medium: "B"
            case .low: "C"
            case .undefined, nil: nil
            }
        parts.completedOn = reminder.completedAt.flatMap(self.date)
        parts.createdOn = reminder.createdAt.flatMap(self.date)
        if reminder.list != self.firstList { parts.projects = [Self.tag(reminder.list)] }
        parts.contexts = reminder.labels.map(Self.tag)
        parts.values[.due] = reminder.due.map { String($0.prefix(Self.dateLength)) }
        if reminder.start != reminder.due {
            parts.values[.threshold] = reminder.start.map { String($0.prefix(Self.dateLength)) }
        }
        parts.values[.recurrence] = Self.recurrence(reminder)
        if parts.values[.recurrence] == nil, parts.values[.due] != nil {
            // A rule of hours needs a time, which the format does not have.
            parts.values[.rule] = Self.rule(reminder).flatMap { $0.frequency < .daily ? nil : $0.wire }
        }
        return parts
    }

    /// Whether todo.txt programs do not repeat the reminder.
    static func losesRule(_ reminder: ExportedReminder) -> Bool {
        reminder.repeatRule != nil && !reminder.isClosed && (reminder.due == nil || self.recurrence(reminder) == nil)
    }

    private static func rule(_ reminder: ExportedReminder) -> RecurrenceRule? {
        reminder.repeatRule.flatMap { try? RecurrenceRule(wire: $0) }
    }

    private static func recurrence(_ reminder: ExportedReminder) -> String? {
        self.rule(reminder).flatMap { TodoTxtRecurrence.text($0, fromCompletion: reminder.repeatsFromCompletion) }
    }

    /// The start of a repeating task, at its former distance in days from the due date.
    ///
    /// The reminder has no start of its own, because the dates of its rule begin at DTSTART.
    private static func threshold(of former: TodoTxtLine, movedTo current: TodoTxtLine, _ todo: Component) -> String? {
        guard todo.first(ImportedTask.startProperty) != nil, let threshold = former.values[.threshold] else {
            return nil
        }
        let dates = [threshold, former.values[.due], current.values[.due]].compactMap { $0.flatMap(ImportContext.date) }
        guard dates.count == 3 else { return threshold }
        return dates[0].adding(days: dates[2].dayNumber - dates[1].dayNumber).description
    }

    /// The number of characters in `2026-12-01`.
    private static let dateLength = 10

    /// The date of a time in the local zone.
    private func date(_ text: String) -> CalendarDate? {
        switch self.context.moment(text, zone: self.context.localZone) {
        case .date(let date)?: date
        case .dateTime(let time)?: time.date
        case nil: nil
        }
    }

    /// A name without white space, which ends a tag.
    private static func tag(_ name: String) -> String {
        name.split(whereSeparator: \.isWhitespace).joined(separator: "_")
    }

    /// The property with the original line.
    static let lineProperty = Name("X-TODOTXT-\(ImportedTaskBuilder.todoTxtLine)") ?? .comment

    /// The original line; `nil` if there is none, or if another program wrote a text of several lines.
    static func original(of todo: Component) -> String? {
        let line = todo.first(self.lineProperty)?.text
        return line.flatMap { $0.contains(where: \.isNewline) ? nil : $0 }
    }

    /// The to-do that an import of the line gives.
    private func base(of line: String) -> Component? {
        let parsed = try? ParsedTasks(Array(line.utf8), format: .todoTxt, in: self.context)
        guard let task = parsed?.todos.first else { return nil }
        return ICalendarDocument(task.bytes(now: Instant(secondsSince1970: 0))).components.first
    }

    private static func values(_ name: Name, of todo: Component) -> [String] {
        todo.all(name).map { "\($0.parameter(.tzid) ?? ""):\($0.value)" }
    }
}

extension ExportedReminder {
    /// The main component of the stored text; `nil` if the text is not UTF-8.
    var main: Component? {
        self.source.flatMap { CalendarObject(ICalendarDocument(Array($0.utf8)))?.main }
    }
}

extension TodoTxtLine {
    /// Whether a program that reads this line finds the fields of the line to write; the title of `other` may contain
    /// words such as `due:2026-12-01`, `+tag` or `(A)`, for which the format has no quotation marks.
    fileprivate func hasFields(of other: Self) -> Bool {
        func tags(_ line: Self) -> Set<LabelKey> { Set((line.projects + line.contexts).map { LabelKey($0) }) }
        func values(_ line: Self) -> [Key: String] { line.values.filter { $0.key != .priority } }
        return self.title == other.title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            && tags(self) == tags(other)
            && values(self) == values(other) && self.priority == other.priority
            && self.isCompleted == other.isCompleted && self.completedOn == other.completedOn
            && (self.createdOn == other.createdOn || other.isCompleted && other.completedOn == nil)
    }

    /// The line in the order of the format: completion, priority, dates, title, tags, pairs.
    var text: String {
        var words: [String] = []
        if self.isCompleted { words.append("x") }
        if !self.isCompleted, let priority = self.priority { words.append("(\(priority))") }
        if self.isCompleted, let date = self.completedOn { words.append(date.description) }
        // A completed task may have a creation date only behind the date of its completion.
        if let date = self.createdOn, !self.isCompleted || self.completedOn != nil { words.append(date.description) }
        let title = self.title.split(separator: " ").map(String.init)
        words += title
        words += self.projects.map { "+\($0)" }.filter { !title.contains($0) }
        words += self.contexts.map { "@\($0)" }.filter { !title.contains($0) }
        var values = self.values
        values[.priority] = self.isCompleted ? self.priority.map { String($0) } : nil
        for key in Key.allCases { if let value = values[key] { words.append("\(key.rawValue):\(value)") } }
        return words.joined(separator: " ")
    }
}

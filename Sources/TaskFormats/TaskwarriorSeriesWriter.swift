import RemindavICalendar
import RemindavJSON
import RemindavReminders

/// Writes the template and the occurrences of a series, so that Taskwarrior continues with the date of the reminder.
///
/// Taskwarrior counts the dates from the due time of the template: the occurrence with the number n in `imask` has the
/// date n periods later, and each occurrence has a character in `mask`. `task import` keeps tasks that the file lacks, so
/// an occurrence that is no longer open is written as deleted.
struct TaskwarriorSeriesWriter {
    let reminder: RecordedReminder
    /// The identifiers of the occurrences that were completed here and are written with their own reminders.
    let completed: Set<String>
    /// The due times of further such occurrences, which the record lacks.
    let made: Set<String>

    /// The objects of a series with a record.
    ///
    /// - Parameters:
    ///   - first: the template, or the first occurrence if the file of the import lacked the template.
    ///   - others: the occurrences of the record.
    func objects(_ first: JSONObject, _ others: ArraySlice<JSONObject>) -> [JSONObject] {
        let open = others.filter { !self.completed.contains($0["uuid"]?.string ?? "") }
        let isTemplate = first["status"]?.string == TaskwarriorTask.template
        let due = TaskwarriorField.due(self.reminder)
        let isRuleEdited = self.reminder.isEdited(TaskwarriorField.rule)
        if self.reminder.reminder.isClosed
            || isRuleEdited && (TaskwarriorField.recur(self.reminder) == nil || !isTemplate)
        {
            // The series ended, or it is a single task now.
            let moved = due.map { TaskwarriorField.moved(first, to: $0) } ?? first
            return self.single(moved) + open.map(self.deleted)
        }
        let words = { (object: JSONObject) in self.reminder.updated(object, TaskwarriorField.ofWords) }
        guard isTemplate else {
            // Without the template, the first open occurrence is the reminder. The ones up to its new date are over.
            let isMoved = self.reminder.isEdited([.due])
            let isOver = { (object: JSONObject) in isMoved && (object["due"]?.string ?? "") <= due ?? "" }
            return self.single(first)
                + open.map { isOver($0) ? self.deleted($0) : words($0) }
        }
        guard isRuleEdited || self.reminder.isEdited([.due]), let due, let moment = self.reminder.moment(.due) else {
            return [words(first)] + others.map(words)
        }
        let template = isRuleEdited ? self.reminder.updated(words(first), TaskwarriorField.ofRule) : words(first)
        let isSameRecur = template["recur"]?.scalar == first["recur"]?.scalar
        if isSameRecur, let place = TaskwarriorGrid(first, self.reminder.context)?.place(of: moment) {
            return self.continued(template, open, others, at: place, due)
        }
        return self.begun(template, open, due)
    }

    /// The task of a reminder that Taskwarrior does not repeat, or whose template the file of the import lacked.
    ///
    /// Taskwarrior refuses a file that removes `recur` from a task. So an open task without a rule is a new task with the
    /// UID of the reminder, and the former one is deleted.
    func single(_ former: JSONObject) -> [JSONObject] {
        let task = self.reminder.updated(former, TaskwarriorField.all).removing(TaskwarriorField.ofTemplate)
        guard let recur = former["recur"], task["recur"] == nil else { return [task] }
        if self.reminder.reminder.isClosed { return [task.setting("recur", to: recur)] }
        let id = NameUUID.make("\(former["uuid"]?.string ?? "")\nsingle")
        let new = task.removing(["parent", "imask", "rtype"]).setting("uuid", to: .string(id))
            .setting(TaskRecord.uidMember, to: .string(self.reminder.reminder.uid))
        return [new, self.deleted(former)]
    }

    /// The series with its former dates, whose next occurrence has the number `place`.
    private func continued(
        _ template: JSONObject,
        _ open: [JSONObject],
        _ others: ArraySlice<JSONObject>,
        at place: Int,
        _ due: String
    ) -> [JSONObject] {
        var marks = Array((template["mask"]?.string ?? "").utf8)
        while marks.count < place { marks.append(UInt8(ascii: "X")) }
        func mark(_ object: JSONObject, _ letter: Unicode.Scalar) {
            guard let place = Self.place(object), marks.indices.contains(place) else { return }
            marks[place] = UInt8(ascii: letter)
        }
        for object in others where self.completed.contains(object["uuid"]?.string ?? "") { mark(object, "+") }
        let grid = TaskwarriorGrid(template, self.reminder.context)
        for time in self.made {
            let moment = Instant(wire: time).map(self.reminder.context.dayOrTime)
            guard let place = moment.flatMap({ grid?.place(of: $0) }), marks.indices.contains(place) else { continue }
            marks[place] = UInt8(ascii: "+")
        }
        var written: [JSONObject] = []
        for object in open {
            let own = Self.place(object) ?? place
            if own < place {
                mark(object, "X")
                written.append(self.deleted(object))
            } else if own == place {
                written.append(TaskwarriorField.moved(self.occurrence(object, of: template), to: due))
            } else {
                written.append(self.occurrence(object, of: template))
            }
        }
        if !written.contains(where: { Self.place($0) ?? place == place && !self.isDeleted($0) }) {
            written.append(TaskwarriorField.occurrence(of: template, due).setting("imask", to: .integer(place)))
        }
        if marks.count == place { marks.append(0) }
        marks[place] = UInt8(ascii: written.contains { $0["wait"] != nil && Self.place($0) == place } ? "W" : "-")
        let mask = String(decoding: marks, as: UTF8.self)
        return [template.setting("mask", to: .string(mask))] + written
    }

    /// The series with new dates from `due`; its only occurrence is the first one.
    private func begun(_ template: JSONObject, _ open: [JSONObject], _ due: String) -> [JSONObject] {
        let template = TaskwarriorField.moved(template, to: due)
        let occurrence =
            open.first.map { TaskwarriorField.moved(self.occurrence($0, of: template), to: due) }
            ?? TaskwarriorField.occurrence(of: template, due)
        let mask = occurrence["wait"] == nil ? "-" : "W"
        return [template.setting("mask", to: .string(mask)), occurrence.setting("imask", to: .integer(0))]
            + open.dropFirst().map(self.deleted)
    }

    /// The template and the first occurrence of a reminder that is no task of Taskwarrior.
    ///
    /// Taskwarrior would make the occurrence itself, but a later export could not change it.
    static func new(_ template: JSONObject) -> [JSONObject] {
        guard template["status"]?.string == TaskwarriorTask.template, let due = template["due"]?.string,
            let id = template["uuid"]?.string
        else { return [template] }
        let first = TaskwarriorField.occurrence(of: template, due).removing([
            TaskRecord.uidMember, TaskRecord.baseMember, TaskRecord.parentMember,
        ])
        return [
            template.setting("mask", to: .string("-")),
            first.setting("imask", to: .integer(0)).setting("uuid", to: .string(NameUUID.make("\(id)\nfirst"))),
        ]
    }

    /// An occurrence with the words and the rule of the template.
    private func occurrence(_ object: JSONObject, of template: JSONObject) -> JSONObject {
        self.reminder.updated(object, TaskwarriorField.ofWords).setting("recur", to: template["recur"])
            .setting("until", to: template["until"])
    }

    private func deleted(_ object: JSONObject) -> JSONObject {
        let time = self.reminder.changedAt.map { JSONValue.string($0.wire) }
        return object.setting("status", to: .string(TaskwarriorTask.deleted)).setting("end", to: time)
            .setting("modified", to: time)
    }

    private func isDeleted(_ object: JSONObject) -> Bool { object["status"]?.string == TaskwarriorTask.deleted }

    static func place(_ object: JSONObject) -> Int? { object["imask"]?.scalar.flatMap(TaskwarriorTask.place) }
}

extension TaskwarriorGrid {
    /// The dates of a template as its program wrote it.
    init?(_ template: JSONObject, _ context: ImportContext) {
        guard let rule = template["recur"]?.scalar.flatMap(TaskwarriorRecurrence.rule),
            let due = template["due"]?.scalar.flatMap({ context.instant($0) })
        else { return nil }
        self.init(anchor: rule.frequency < .daily ? context.time(due) : context.dayOrTime(due), rule, context)
    }

    /// The place of a due time; `nil` if Taskwarrior does not compute it, or beyond ``maximumPlace``.
    func place(of due: CalendarDateOrDateTime) -> Int? {
        guard due.localSeconds >= self.anchor.localSeconds, self.contains(due) else { return nil }
        // The places are in the order of their dates. A time may differ by the hour of daylight saving time.
        var (low, high) = (0, Self.maximumPlace)
        while low < high {
            let middle = (low + high) / 2
            if let slot = self.slot(middle, atTimeOf: due), slot.localSeconds < due.localSeconds {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return self.slot(low, atTimeOf: due)?.localSeconds == due.localSeconds ? low : nil
    }
}

import RemindavICalendar
package import RemindavRecurrence

/// The result of completing a reminder.
package struct Completion: Sendable {
    /// The reminder: completed, or moved to its next occurrence.
    package let reminder: Reminder
    /// The completed occurrence as a new reminder, which the caller has to add; `nil` when there is none.
    package let copy: Reminder?
}

/// The form in which a completed occurrence of a series is written.
package enum CompletionShape: String, Hashable, Sendable, CaseIterable {
    /// The series moves to its next occurrence, and the completed occurrence becomes a separate reminder.
    ///
    /// Every program can read this form.
    case roll
    /// The completed occurrence becomes an override in the same calendar object (RECURRENCE-ID), as in Thunderbird.
    case override
}

extension Reminder {
    /// Completes the reminder, or the current occurrence of a series (``current(zones:)``), at `context.now`.
    ///
    /// The UID of the completed copy is derived from the series and the occurrence, so two machines make the same copy.
    /// If no other occurrence is open, the whole series is completed. A series that counts from the completion always has
    /// the form ``CompletionShape/roll``.
    ///
    /// - Parameter name: the occurrence (``AlarmID/occurrence``) to complete instead of the current one. Earlier
    ///   occurrences stay open, and nothing changes if the occurrence is closed.
    /// - Parameter skips: whether the occurrence is left out of the series instead of completed. The result has no copy if
    ///   the series has no later occurrence; otherwise the caller does not add the copy.
    package func completing(
        occurrence name: String? = nil,
        in context: EditingContext,
        zones: TimeZoneResolver,
        shape: CompletionShape = .roll,
        skips: Bool = false
    ) throws(RecurrenceError) -> Completion {
        let isWhole = self.main.recurrenceID == nil && self.main.status.isClosed
        guard self.isSeries, !isWhole else {
            if name != nil { return Completion(reminder: self, copy: nil) }
            return Completion(reminder: self.main.status == .completed ? self : self.closed(in: context), copy: nil)
        }
        let series = try ReminderSeries(self, zones: zones)
        guard series.isRuleReadable else { throw .unreadableRule }
        let found: (occurrence: Occurrence, other: Occurrence?, isFirst: Bool)?
        if let name {
            found = try series.open(named: name)
        } else {
            var open = try series.open()
            if let first = try open.next() { found = (first, try open.next(), true) } else { found = nil }
        }
        guard let found else {
            if name != nil { return Completion(reminder: self, copy: nil) }
            // No occurrence is open, because overrides closed all of them or EXDATE excludes them.
            let isDone = try series.current()?.occurrence.component.status == .completed
            return Completion(reminder: isDone ? self : self.closed(in: context), copy: nil)
        }
        guard let id = found.occurrence.recurrenceID else {
            return Completion(reminder: name == nil ? self.closed(in: context) : self, copy: nil)
        }
        let completion = OccurrenceEdit(
            series: series,
            focus: series.focus(on: found.occurrence),
            id: id,
            next: found.other,
            context: context,
            skips: skips
        )
        if skips, found.other == nil, !completion.countsFromCompletion { return Completion(reminder: self, copy: nil) }
        switch shape {
        // An override cannot move the following dates.
        case .roll where found.isFirst, _ where completion.countsFromCompletion: return try completion.rolled()
        case .roll: return try completion.leftOut()
        case .override where skips: return try completion.leftOut()
        case .override: return Completion(reminder: try completion.overridden(), copy: nil)
        }
    }

    private func closed(in context: EditingContext) -> Reminder {
        self.edit(self.main, in: context) { editor in
            editor.writeCompletion(at: context.now)
            self.main.removeSnooze(&editor)
        }
    }
}

/// One occurrence of a series, with the values that an edit of this occurrence needs.
struct OccurrenceEdit {
    let series: ReminderSeries
    let focus: Focus
    let id: CalendarDateOrDateTime
    /// The first open occurrence other than this one; `nil` when there is none, or when the edit does not need it.
    var next: Occurrence?
    let context: EditingContext
    /// Whether the occurrence is left out instead of completed.
    var skips = false
    var reminder: Reminder { self.series.reminder }
    var occurrence: Occurrence { self.focus.occurrence }
    var ownOverride: Component? { self.occurrence.component.isSingle ? self.occurrence.component : nil }

    /// - Parameter next: the next date of a series that counts from the completion. It is part of the UID, because such a
    ///   series can have the same date twice. If the date stays the same, the time of the completion is part of the UID.
    func copy(before next: CalendarDateOrDateTime? = nil) -> Reminder? {
        let component = self.occurrence.component
        var names = [self.id, next].compactMap { $0 }.map(self.name)
        if names.count == 2, names[0] == names[1] { names.append("\(self.context.now.secondsSince1970)") }
        let uid = NameUUID.make(([self.reminder.uid] + names).joined(separator: "\n"))
        var editor = ComponentEditor(component)
        editor.set(ContentLine(.uid, text: uid))
        editor.makeSingle(self.focus)
        for alarm in component.components(.valarm) { editor.remove(alarm) }
        editor.remove(.dueAlarm)
        editor.writeCompletion(at: self.context.now)
        editor.set(stampsOf: self.context.now)
        editor.add(ContentLine(.relatedTo, [Parameter(.reltype, "SIBLING")], text: self.reminder.uid))
        return self.reminder.object.keeping(component, editor.edits)
    }
}

extension Component {
    var isSingle: Bool { self.recurrenceID != nil && !self.isForFuture }
}

extension CalendarObject {
    func keeping(_ todo: Component, _ edits: [Edit]) -> Reminder? {
        let others = self.todos.filter { $0.range != todo.range }
        return Reminder(self.document.applying(edits + others.map { Edit($0.range, []) }))
    }
}

extension ReminderSeries {
    var isRuleReadable: Bool {
        self.series.issues.allSatisfy { if case .unreadableRule = $0.code { false } else { true } }
    }
}

extension ComponentEditor {
    /// Writes the properties of a completed to-do (RFC 5545 §3.8.1.11, §3.8.2.1, §3.8.1.8).
    mutating func writeCompletion(at now: Instant) {
        self.set(ContentLine(.status, value: "COMPLETED"))
        self.set(ContentLine(.completed, value: now.wire))
        self.set(ContentLine(.percentComplete, value: "100"))
    }

    mutating func set(stampsOf now: Instant) {
        for name in [Name.dtstamp, .lastModified] { self.set(ContentLine(name, value: now.wire)) }
    }

    mutating func makeSingle(_ focus: Focus) {
        self.removeRecurrence()
        self.remove(.recurrenceID)
        self.write(dates: focus)
        let component = self.component
        component.removeSnoozeProperties(&self)
    }

    mutating func removeRecurrence() {
        let names: [Name] = [.rrule, .repeatFrom, .exrule, .exdate, .rdate, .mozLastAck, .kdeNextOccurrence]
        for name in names { self.remove(name) }
    }

    mutating func write(dates focus: Focus) {
        let hasStart = self.component.valued(.dtstart) != nil
        let hasDue = self.component.valued(.due) != nil
        let hasNone = !hasStart && !hasDue
        if hasStart || hasNone, let start = focus.start { self.write(.dtstart, start) }
        if hasDue || hasNone, let due = focus.due { self.write(.due, due) }
    }

    /// Writes a date property; a line that has this value already, in any spelling, does not change.
    private mutating func write(_ name: Name, _ moment: CalendarDateOrDateTime) {
        if self.component.first(name)?.moment != moment { self.set(ContentLine(name, moment: moment)) }
    }

    /// Moves alarms with an absolute TRIGGER, and removes snooze alarms and acknowledgements.
    mutating func moveAlarms(bySeconds distance: Int) {
        if distance != 0, let moment = self.component.first(.dueAlarm)?.stamp {
            self.set(ContentLine(.dueAlarm, value: moment.adding(seconds: distance).wire))
        }
        for component in self.component.components(.valarm) {
            if component.isSnooze {
                self.remove(component)
                continue
            }
            self.edit(component) { inner in
                inner.remove(.acknowledged)
                guard distance != 0, case .absolute(let instant)? = Alarm(component).trigger else { return }
                inner.set(AlarmWriter.absolute(instant.adding(seconds: distance)))
            }
        }
    }
}

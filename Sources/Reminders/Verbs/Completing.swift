import ICalendar
public import Recurrence

/// The result of completing a reminder.
public struct Completion: Sendable {
    /// The reminder: done, or at its next occurrence.
    public let reminder: Reminder
    /// The finished occurrence of one that moved on, as a reminder of its own, to be added; `nil` for any other.
    public let copy: Reminder?
}

/// How a finished occurrence of a reminder that comes again is written.
public enum CompletionShape: String, Hashable, Sendable, CaseIterable {
    /// The to-do moves on to its next occurrence, and a completed copy of the finished one stays behind.
    ///
    /// Every program understands it.
    case roll
    /// The finished occurrence becomes an override in the same resource (RECURRENCE-ID), and the to-do stays.
    ///
    /// Thunderbird writes and reads it.
    case override
}

extension Reminder {
    /// Marks it as done at `context.now`; of one that comes again the occurrence that is to be done now
    /// (``current(zones:)``).
    ///
    /// The UID of a completed copy follows from the series and the occurrence, so that two machines that complete the
    /// same occurrence make the same copy. A series without a further occurrence is completed as a whole.
    ///
    /// - Parameter name: which occurrence instead (``AlarmID/occurrence``); one that is not open changes nothing. Out of
    ///   turn, what is to be done before it stays as it is.
    /// - Throws: `RecurrenceError` when the next occurrence cannot be computed, or the series cannot move on; nothing is
    ///   changed then.
    public func completing(
        occurrence name: String? = nil,
        in context: EditingContext,
        zones: TimeZoneResolver,
        shape: CompletionShape = .roll
    ) throws(RecurrenceError) -> Completion {
        let isWhole = self.main.recurrenceID == nil && self.main.status.isClosed
        guard self.isSeries, !isWhole else {
            if name != nil { return Completion(reminder: self, copy: nil) }
            return Completion(reminder: self.main.status == .completed ? self : self.closed(in: context), copy: nil)
        }
        let series = try ReminderSeries(self, zones: zones)
        guard series.isRuleReadable else { throw .unreadableRule }
        if let name { return try self.completing(name, of: series, in: context, shape: shape) }
        var open = try series.open()
        guard let first = try open.next() else {
            // Nothing is left to do: done by overrides, or everything was left out.
            let isDone = try series.current()?.occurrence.component.status == .completed
            return Completion(reminder: isDone ? self : self.closed(in: context), copy: nil)
        }
        guard let id = first.recurrenceID else { return Completion(reminder: self.closed(in: context), copy: nil) }
        let completion = OccurrenceCompletion(
            series: series,
            focus: series.focus(on: first),
            id: id,
            next: try open.next(),
            context: context
        )
        switch shape {
        case .roll: return try completion.rolled()
        case .override: return Completion(reminder: try completion.overridden(), copy: nil)
        }
    }

    private func completing(
        _ name: String,
        of series: ReminderSeries,
        in context: EditingContext,
        shape: CompletionShape
    ) throws(RecurrenceError) -> Completion {
        guard let found = try series.open(named: name), let id = found.occurrence.recurrenceID else {
            return Completion(reminder: self, copy: nil)
        }
        let completion = OccurrenceCompletion(
            series: series,
            focus: series.focus(on: found.occurrence),
            id: id,
            next: found.other,
            context: context
        )
        switch shape {
        case .roll where found.isFirst: return try completion.rolled()
        case .roll: return try completion.takenOut()
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

/// One occurrence of a series, about to be completed.
struct OccurrenceCompletion {
    let series: ReminderSeries
    let focus: Focus
    /// Which occurrence of the series it is.
    let id: CalendarDateOrDateTime
    /// The open occurrence after it, `nil` when it is the last.
    let next: Occurrence?
    let context: EditingContext

    var reminder: Reminder { self.series.reminder }
    var occurrence: Occurrence { self.focus.occurrence }

    /// The override that describes this occurrence and no other.
    var ownOverride: Component? { self.occurrence.component.isSingle ? self.occurrence.component : nil }

    /// The finished occurrence as a reminder of its own.
    func copy() -> Reminder? {
        let component = self.occurrence.component
        let uid = NameUUID.make("\(self.reminder.uid)\n\(self.series.series.name(of: self.id))")
        var editor = ComponentEditor(component)
        editor.set(ContentLine(.uid, text: uid))
        editor.removeRecurrence()
        editor.remove(.recurrenceID)
        editor.write(dates: self.focus)
        component.removeSnoozeProperties(&editor)
        for alarm in component.components(.valarm) { editor.remove(alarm) }
        editor.remove(.dueAlarm)
        editor.writeCompletion(at: self.context.now)
        editor.set(stampsOf: self.context.now)
        editor.add(ContentLine(.relatedTo, [Parameter(.reltype, "SIBLING")], text: self.reminder.uid))
        let others = self.reminder.object.todos.filter { $0.range != component.range }
        let edits = editor.edits + others.map { Edit($0.range, []) }
        return Reminder(self.reminder.object.document.applying(edits))
    }
}

extension Component {
    /// Whether it is an override of one occurrence only.
    var isSingle: Bool { self.recurrenceID != nil && !self.isForFuture }
}

extension ReminderSeries {
    /// Whether every rule could be read; nothing is moved by half of them.
    var isRuleReadable: Bool {
        self.series.issues.allSatisfy { if case .unreadableRule = $0.code { false } else { true } }
    }
}

extension ComponentEditor {
    /// STATUS, COMPLETED and PERCENT-COMPLETE, together (RFC 5545 §3.8.1.11, §3.8.2.1, §3.8.1.8).
    mutating func writeCompletion(at now: Instant) {
        self.set(ContentLine(.status, value: "COMPLETED"))
        self.set(ContentLine(.completed, value: CalendarDateTime(utc: now).wire))
        self.set(ContentLine(.percentComplete, value: "100"))
    }

    /// The stamps of a text that is made now.
    mutating func set(stampsOf now: Instant) {
        let wire = CalendarDateTime(utc: now).wire
        self.set(ContentLine(.dtstamp, value: wire))
        self.set(ContentLine(.lastModified, value: wire))
    }

    /// Removes the recurrence of the to-do.
    mutating func removeRecurrence() {
        for name: Name in [.rrule, .exrule, .exdate, .rdate, .mozLastAck, .kdeNextOccurrence] { self.remove(name) }
    }

    /// DTSTART and DUE of an occurrence, in the lines that its component has for them.
    mutating func write(dates focus: Focus) {
        let hasStart = self.component.valued(.dtstart) != nil
        let hasDue = self.component.valued(.due) != nil
        let hasNone = !hasStart && !hasDue
        if hasStart || hasNone, let start = focus.start { self.write(.dtstart, start) }
        if hasDue || hasNone, let due = focus.due { self.write(.due, due) }
    }

    /// A line with the same meaning stays, in any spelling.
    private mutating func write(_ name: Name, _ moment: CalendarDateOrDateTime) {
        if self.component.first(name)?.moment != moment { self.set(ContentLine(name, moment: moment)) }
    }

    /// Alarms at a fixed time move too; snooze alarms and the acknowledgements of the last time are removed.
    mutating func moveAlarms(bySeconds distance: Int) {
        if distance != 0, let moment = self.component.first(.dueAlarm)?.stamp {
            let moved = CalendarDateTime(utc: moment.adding(seconds: distance))
            self.set(ContentLine(.dueAlarm, value: moved.wire))
        }
        for component in self.component.components(.valarm) {
            if component.isSnooze {
                self.remove(component)
                continue
            }
            var inner = ComponentEditor(component)
            inner.remove(.acknowledged)
            if distance != 0, case .absolute(let instant)? = Alarm(component).trigger {
                let moved = CalendarDateTime(utc: instant.adding(seconds: distance))
                inner.set(ContentLine(.trigger, [Parameter(.value, "DATE-TIME")], value: moved.wire))
            }
            self.merge(inner)
        }
    }
}

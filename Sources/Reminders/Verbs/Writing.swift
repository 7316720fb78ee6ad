import RemindavICalendar
import RemindavRecurrence

// The functions that write each field. They write nothing if the field has the value already.
extension Reminder {
    func write(title: String, to editor: inout ComponentEditor) {
        guard title != self.title else { return }
        editor.set(self.line(.summary, title))
    }

    /// Writes the notes, and removes their HTML form (X-ALT-DESC, ALTREP), which no longer has the same content.
    func write(notes: FieldChange<String>, to editor: inout ComponentEditor) {
        guard let text = notes.value(clear: ""), text != self.notes ?? "" else { return }
        editor.remove(.altDescription)
        guard !text.isEmpty else { return editor.remove(.description) }
        editor.set(self.line(.description, text))
    }

    func write(priority: Priority, to editor: inout ComponentEditor) {
        guard priority != self.priority else { return }
        if let number = priority.number {
            editor.set(ContentLine(.priority, value: String(number)))
        } else {
            editor.remove(.priority)
        }
    }

    /// Removes labels that are not in `labels` from CATEGORIES, and adds new labels to the first CATEGORIES property.
    func write(labels: [String], to editor: inout ComponentEditor) {
        let wanted = Set(labels.map { LabelKey($0) })
        let present = Set(self.labels.map { LabelKey($0) })
        var added: [String] = []
        var seen = present
        for label in labels where seen.insert(LabelKey(label)).inserted { added.append(label) }
        guard wanted != present || !added.isEmpty else { return }
        let properties = self.todo.all(.categories)
        for (index, property) in properties.enumerated() {
            let old = property.textList
            var kept = old.filter { wanted.contains(LabelKey($0)) }
            if index == 0 { kept += added }
            guard kept != old else { continue }
            if kept.isEmpty {
                editor.remove(property)
            } else {
                let line = ContentLine(.categories, property.parameters, value: TextValue.join(kept))
                editor.replace(property, with: line.bytes(lineEnd: self.todo.lineEnd))
            }
        }
        if properties.isEmpty, !added.isEmpty {
            editor.add(ContentLine(.categories, value: TextValue.join(added)))
        }
    }

    /// Writes DUE, DTSTART and RRULE so that they agree.
    ///
    /// DTSTART gets the type of DUE and is not after DUE, because servers built on sabre/dav refuse other texts with
    /// status 415. A rule needs DTSTART, and its dates are counted from it, so `start` has no effect on a reminder with a
    /// rule.
    func write(
        due change: FieldChange<CalendarDateOrDateTime>,
        start: FieldChange<CalendarDateOrDateTime>,
        rule: FieldChange<RecurrenceRule>,
        _ zones: TimeZoneResolver?,
        to editor: inout ComponentEditor
    ) {
        let due = self.due(after: change)
        let isDueChanged = due != self.due
        if isDueChanged {
            self.write(due: due, to: &editor)
            self.todo.removeSnooze(&editor)
            if let zones, let old = self.due, let due { self.moveAlarms(at: old, to: due, zones, &editor) }
        }
        let hasRule = self.write(rule: rule, due: due, isDueChanged: isDueChanged, to: &editor)
        var isRuleChanged = false
        if case .set(let new) = rule { isRuleChanged = new != self.recurrenceRule }
        // If only an override moves, the exceptions of the series do not move.
        if isDueChanged, hasRule, self.todo.recurrenceID == nil, let due { self.moveExceptions(with: due, in: &editor) }
        // If neither the due time nor the rule changes, a missing DTSTART is not added.
        let needsStart = hasRule && (isDueChanged || isRuleChanged)
        if !hasRule, self.write(start: start, due: due, to: &editor) { return }
        self.writeStart(due: due, isDueChanged: isDueChanged, needsStart: needsStart, to: &editor)
    }

    private func write(due: CalendarDateOrDateTime?, to editor: inout ComponentEditor) {
        // A to-do must not have both DUE and DURATION (RFC 5545 §3.6.2).
        editor.remove(.duration)
        if let due {
            editor.set(ContentLine(.due, moment: due))
        } else {
            editor.remove(.due)
        }
    }

    /// Moves an alarm at the old due time, as Apple writes it, to the new one; on a due date, it keeps its time of day.
    private func moveAlarms(
        at old: CalendarDateOrDateTime,
        to new: CalendarDateOrDateTime,
        _ zones: TimeZoneResolver,
        _ editor: inout ComponentEditor
    ) {
        guard case .dateTime(let time) = old, let former = zones.instant(of: time) else { return }
        let target =
            switch new {
            case .date(let date): CalendarDateTime(date: date, time: time.time, zone: time.zone)
            case .dateTime(let newTime): newTime
            }
        guard let moved = zones.instant(of: target) else { return }
        for component in self.todo.components(.valarm) where !component.isSnooze {
            let alarm = Alarm(component)
            guard alarm.trigger == .absolute(former), !self.todo.isForDue(alarm) else { continue }
            editor.edit(component) { $0.set(AlarmWriter.absolute(moved)) }
        }
    }

    /// - Returns: whether the to-do has a rule after the change.
    private func write(
        rule: FieldChange<RecurrenceRule>,
        due: CalendarDateOrDateTime?,
        isDueChanged: Bool,
        to editor: inout ComponentEditor
    ) -> Bool {
        let isUndated = due == nil && (isDueChanged || self.todo.first(.dtstart) == nil)
        switch rule {
        case .set(let new) where !isUndated:
            if new != self.recurrenceRule { self.write(rule: new, to: &editor) }
            return true
        case .keep where !isUndated:
            return self.recurrenceText != nil
        case .set, .keep, .clear:
            // A rule without a date has no occurrences.
            editor.remove(.rrule)
            editor.remove(.repeatFrom)
            if self.recurrenceText != nil {
                editor.remove(.exdate)
                editor.remove(.rdate)
            }
            return false
        }
    }

    private func write(rule: RecurrenceRule, to editor: inout ComponentEditor) {
        if rule.wire != self.recurrenceRule?.wire { editor.set(ContentLine(.rrule, value: rule.wire)) }
        if rule.countsFromCompletion {
            editor.set(.repeatFromCompletion)
        } else {
            editor.remove(.repeatFrom)
        }
    }

    /// - Returns: whether the change determines DTSTART.
    private func write(
        start: FieldChange<CalendarDateOrDateTime>,
        due: CalendarDateOrDateTime?,
        to editor: inout ComponentEditor
    ) -> Bool {
        switch start {
        case .set(let start):
            let start = due.map { start.agreeing(with: $0) } ?? start
            if start != self.start { editor.set(ContentLine(.dtstart, moment: start)) }
            return true
        case .clear where self.start != nil:
            editor.remove(.dtstart)
            return true
        case .keep, .clear: return false
        }
    }

    private func writeStart(
        due: CalendarDateOrDateTime?,
        isDueChanged: Bool,
        needsStart: Bool,
        to editor: inout ComponentEditor
    ) {
        let old = self.todo.first(.dtstart)?.moment
        guard let due else {
            // A DTSTART equal to the old DUE has no meaning of its own.
            if isDueChanged, old == self.due { editor.remove(.dtstart) }
            return
        }
        guard let old else {
            if needsStart { editor.set(ContentLine(.dtstart, moment: due)) }
            return
        }
        guard isDueChanged else { return }
        editor.set(ContentLine(.dtstart, moment: self.movedStart(from: old, with: due)))
    }

    /// Moves EXDATE, RDATE and RECURRENCE-ID with the series; otherwise excluded or completed dates would return.
    ///
    /// Only dates in the time zone of the old start move, and they get the time zone of the new start.
    private func moveExceptions(with due: CalendarDateOrDateTime, in editor: inout ComponentEditor) {
        guard self.recurrenceText != nil, let start = self.todo.first(.dtstart)?.moment ?? self.due else { return }
        let moved = self.todo.first(.dtstart) == nil ? due : self.movedStart(from: start, with: due)
        guard moved.isDate == start.isDate else { return }
        let distance = moved.localSeconds - start.localSeconds
        func line(_ property: Property) -> [UInt8]? {
            let zone = property.parameter(.tzid)
            let values = property.listItems.map { CalendarDateOrDateTime(wire: $0, tzid: zone) }
            let own = values.compactMap { $0 }.filter { $0.isDate == start.isDate && $0.zone == start.zone }
            guard own.count == values.count, let first = own.first else { return nil }
            let wires = own.map { $0.moved(bySeconds: distance).inZone(of: moved).wire }
            var line = ContentLine(property.name, moment: first.moved(bySeconds: distance).inZone(of: moved))
            line.value = wires.joined(separator: ",")
            return line.bytes(lineEnd: self.todo.lineEnd)
        }
        for property in self.todo.all(.exdate) + self.todo.all(.rdate) {
            if let bytes = line(property) { editor.replace(property, with: bytes) }
        }
        for override in self.object.overrides {
            guard let property = override.recurrenceID, let bytes = line(property) else { continue }
            editor.replace(property, with: bytes)
        }
    }

    /// The start for a new due time: it keeps its distance to DUE, and gets the type and the time zone of DUE.
    private func movedStart(from old: CalendarDateOrDateTime, with due: CalendarDateOrDateTime)
        -> CalendarDateOrDateTime
    {
        guard let oldDue = self.due else { return self.recurrenceText == nil ? old.agreeing(with: due) : due }
        guard self.start != nil || old == oldDue else { return due }
        if let zone = old.zone, let dueZone = oldDue.zone, zone != dueZone, due.zone == dueZone {
            // The offset between the two zones is not known here, so DTSTART moves by the distance that DUE moves.
            return old.moved(bySeconds: due.localSeconds - oldDue.localSeconds)
        }
        let distance = min(0, old.localSeconds - oldDue.localSeconds)
        return due.moved(bySeconds: distance)
    }
}

extension CalendarDateOrDateTime {
    fileprivate var zone: ZoneReference? {
        switch self {
        case .date: nil
        case .dateTime(let time): time.zone
        }
    }

    fileprivate func inZone(of other: CalendarDateOrDateTime) -> CalendarDateOrDateTime {
        guard case .dateTime(let time) = self, let zone = other.zone else { return self }
        return .dateTime(CalendarDateTime(localSeconds: time.localSeconds, zone: zone))
    }
}

import RemindavICalendar
package import RemindavRecurrence

// Functions that set alarms, and that move alarms with the due time.
extension Reminder {
    /// Changes the alarms that this machine shows; `.keep` moves or removes the alarms that depend on the due time.
    ///
    /// Alarms at a location and EMAIL alarms do not change. An existing alarm that corresponds to a choice
    /// (``AlarmWriter/choice(of:start:)``) keeps its bytes, also if another program wrote it. `due` is the new due time.
    func write(
        alarms change: FieldChange<[AlarmChoice]>,
        due: CalendarDateOrDateTime?,
        _ context: FieldContext,
        to editor: inout ComponentEditor
    ) {
        guard let zones = context.zones else { return }
        let writer = AlarmWriter(uid: self.uid, due: due, dayTime: context.dayTime, zones: zones)
        switch change {
        case .keep: if due != self.due { self.moveAlarms(from: self.writer(context, zones), to: writer, &editor) }
        case .clear: self.write([], from: self.writer(context, zones), to: writer, &editor)
        case .set(let choices): self.write(choices, from: self.writer(context, zones), to: writer, &editor)
        }
    }

    /// The writer of the alarms for the due time before the change.
    private func writer(_ context: FieldContext, _ zones: TimeZoneResolver) -> AlarmWriter {
        AlarmWriter(uid: self.uid, due: self.due, dayTime: context.dayTime, zones: zones)
    }

    /// The change of the alarms, with an adjustment applied to the present alarms.
    func alarms(after change: ReminderChange, _ context: FieldContext) -> FieldChange<[AlarmChoice]> {
        guard let adjustment = change.alarmAdjustment, let zones = context.zones else { return change.alarms }
        let present = self.alarmChoices(dayTime: context.dayTime, zones: zones)
        let kept = present.filter { !adjustment.removed.contains($0) }
        return .set(kept + adjustment.added.filter { !kept.contains($0) })
    }

    /// The reminder with its alarm at the due time moved to the present due time, if only DUE was changed.
    package func movingDueAlarm(in context: EditingContext, zones: TimeZoneResolver) -> Reminder {
        let writer = AlarmWriter(uid: self.uid, due: self.due, dayTime: context.dayTime, zones: zones)
        guard let marked = self.todo.first(.dueAlarm)?.stamp, marked != writer.dueInstant else { return self }
        var editor = ComponentEditor(self.todo)
        self.moveAlarms(from: writer, to: writer, &editor)
        return Reminder(self.object.document.applying(editor.edits)) ?? self
    }

    private func write(
        _ choices: [AlarmChoice],
        from former: AlarmWriter,
        to writer: AlarmWriter,
        _ editor: inout ComponentEditor
    ) {
        let wanted = choices.compactMap { choice in
            writer.lines(choice).map { (choice: choice, lines: $0, wire: Self.wire($0)) }
        }
        var missing = wanted
        for component in self.todo.components(.valarm) {
            let alarm = self.todo.alarm(component)
            guard component.isSnooze || alarm.isAudible else { continue }
            let wire = component.first(.trigger).map { [$0.parameter(.related) ?? "", $0.value] }
            let choice = former.choice(of: alarm, start: self.start)
            let isSame = wanted.contains { $0.wire == wire }
            let stays = choices.contains { $0 == choice } && alarm.isStill(choice, from: former, to: writer)
            guard !component.isSnooze, isSame || stays else {
                editor.remove(component)
                continue
            }
            missing.removeAll { $0.wire == wire || stays && $0.choice == choice }
        }
        for property in self.todo.properties where Alarm(old: property, due: self.todo.due)?.isAudible == true {
            editor.remove(property)
        }
        // The property ``Name/dueAlarm`` must precede the alarms (RFC 5545 §3.6.2). It describes only an absolute alarm.
        let isAbsolute = wanted.contains { $0.choice == .atDue } && !self.hasRelativeAlarmAtDue(former, writer)
        self.mark(isAbsolute ? writer.dueInstant : nil, &editor)
        for alarm in missing { editor.add(component: alarm.lines) }
    }

    /// Whether an alarm of another program already fires at the due time, by a trigger that moves with it.
    private func hasRelativeAlarmAtDue(_ former: AlarmWriter, _ writer: AlarmWriter) -> Bool {
        self.todo.components(.valarm).contains { component in
            let alarm = Alarm(component)
            guard !component.isSnooze, alarm.isAudible, case .relative? = alarm.trigger else { return false }
            let choice = former.choice(of: alarm, start: self.start)
            return choice == .atDue && alarm.isStill(choice, from: former, to: writer)
        }
    }

    private static func wire(_ lines: [ContentLine]) -> [String]? {
        lines.first { $0.name == .trigger }.map { line in
            [line.parameters.first { $0.name == .related }?.values.first ?? "", line.value]
        }
    }

    private func mark(_ instant: Instant?, _ editor: inout ComponentEditor) {
        guard let instant else { return editor.remove(.dueAlarm) }
        guard self.todo.first(.dueAlarm)?.stamp != instant else { return }
        editor.set(ContentLine(.dueAlarm, value: instant.wire))
    }

    /// Moves the alarm at the old due time to the new due time.
    ///
    /// If the due time was removed, removes this alarm and the alarms of this program relative to DUE, because they
    /// need a due time (RFC 5545 §3.8.6.3). If a due date becomes a due time or the reverse, the alarms of this program
    /// keep their time before it: a date counts from ``AlarmWriter/dayTime``.
    private func moveAlarms(from former: AlarmWriter, to writer: AlarmWriter, _ editor: inout ComponentEditor) {
        let isMarked = self.todo.first(.dueAlarm) != nil
        for component in self.todo.components(.valarm) where !component.isSnooze {
            let alarm = Alarm(component)
            if self.todo.isForDue(alarm) {
                guard let moment = writer.dueInstant else {
                    editor.remove(component)
                    continue
                }
                editor.edit(component) { inner in
                    inner.remove(.acknowledged)
                    inner.set(AlarmWriter.absolute(moment))
                }
            } else if case .relative(let duration, to: .end)? = alarm.trigger,
                alarm.uid == writer.uid(of: duration.wire)
            {
                // The UID shows that this program wrote the alarm; alarms of other programs keep their bytes.
                guard let due = writer.due else {
                    editor.remove(component)
                    continue
                }
                guard due.isDate != former.due?.isDate,
                    case .beforeDue(let lead)? = former.choice(of: alarm, start: nil),
                    let moved = writer.relative(lead)
                else { continue }
                editor.edit(component) { inner in
                    inner.remove(.acknowledged)
                    inner.set(ContentLine(.uid, text: writer.uid(of: moved.wire)))
                    inner.set(ContentLine(.trigger, [Parameter(.related, "END")], value: moved.wire))
                }
            }
        }
        if isMarked { self.mark(writer.dueInstant, &editor) }
    }
}

extension Alarm {
    /// Whether the alarm means the same choice for the new due time, so that its bytes can stay.
    fileprivate func isStill(_ choice: AlarmChoice?, from former: AlarmWriter, to writer: AlarmWriter) -> Bool {
        if former.due == writer.due { return true }
        return switch (choice, self.trigger) {
        case (.at?, _), (.existing?, _): true
        case (_, .relative?): former.due?.isDate == writer.due?.isDate
        case (_, .absolute?), (_, nil): false
        }
    }
}

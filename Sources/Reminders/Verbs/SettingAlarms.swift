import ICalendar
package import Recurrence

// Functions that set alarms, and that move alarms with the due time.
extension Reminder {
    /// Changes the alarms that this machine shows; `.keep` moves or removes the alarms that depend on the due time.
    ///
    /// Alarms at a location and EMAIL alarms do not change. An existing alarm with a chosen time keeps its bytes. `due`
    /// is the new due time.
    func write(
        alarms change: FieldChange<[AlarmChoice]>,
        due: CalendarDateOrDateTime?,
        _ context: FieldContext,
        to editor: inout ComponentEditor
    ) {
        guard let zones = context.zones else { return }
        let writer = AlarmWriter(uid: self.uid, due: due, dayTime: context.dayTime, zones: zones)
        switch change {
        case .keep: if due != self.due { self.moveAlarms(with: writer, &editor) }
        case .clear: self.write([], writer, to: &editor)
        case .set(let choices): self.write(choices, writer, to: &editor)
        }
    }

    /// The reminder with its alarm at the due time moved to the present due time, if only DUE was changed.
    package func movingDueAlarm(in context: EditingContext, zones: TimeZoneResolver) -> Reminder {
        let writer = AlarmWriter(uid: self.uid, due: self.due, dayTime: context.dayTime, zones: zones)
        guard let marked = self.todo.first(.dueAlarm)?.stamp, marked != writer.dueInstant else { return self }
        var editor = ComponentEditor(self.todo)
        self.moveAlarms(with: writer, &editor)
        return Reminder(self.object.document.applying(editor.edits)) ?? self
    }

    private func write(_ choices: [AlarmChoice], _ writer: AlarmWriter, to editor: inout ComponentEditor) {
        let wanted = choices.compactMap { choice in writer.lines(choice).map { (choice, $0) } }
        var triggers = wanted.map { Self.wire($0.1) }
        for component in self.todo.components(.valarm) where component.isSnooze || self.todo.alarm(component).isAudible
        {
            let wire = component.first(.trigger).map { [$0.parameter(.related) ?? "", $0.value] }
            if !component.isSnooze, let index = triggers.firstIndex(where: { $0 == wire }) {
                triggers[index] = nil
            } else {
                editor.remove(component)
            }
        }
        for property in self.todo.properties where Alarm(old: property, due: self.todo.due)?.isAudible == true {
            editor.remove(property)
        }
        // The property ``Name/dueAlarm`` must precede the alarms (RFC 5545 §3.6.2).
        let marked = wanted.contains { $0.0 == .atDue } ? writer.dueInstant : nil
        self.mark(marked, &editor)
        for (index, (_, lines)) in wanted.enumerated() where triggers[index] != nil { editor.add(component: lines) }
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
    /// need a due time (RFC 5545 §3.8.6.3).
    private func moveAlarms(with writer: AlarmWriter, _ editor: inout ComponentEditor) {
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
            } else if writer.due == nil, case .relative(let duration, to: .end)? = alarm.trigger,
                alarm.uid == writer.uid(of: duration.wire)
            {
                // The UID shows that this program wrote the alarm; alarms of other programs keep their bytes.
                editor.remove(component)
            }
        }
        if isMarked { self.mark(writer.dueInstant, &editor) }
    }
}

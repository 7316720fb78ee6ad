import ICalendar
import Recurrence

// Alarms after a change of the due time, and the replacement of alarms by requested ones.
extension Reminder {
    /// Replaces all alarms that notify here with the given ones, or leaves all unchanged.
    ///
    /// Alarms that wait for a place or send a mail stay. An existing alarm is not rewritten. `due` is the new due time.
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
        // Properties precede the alarms (RFC 5545 §3.6.2).
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

    /// The alarm at the due time moves with it and is removed with the date; so are those that count from it, which
    /// need
    /// one (RFC 5545 §3.8.6.3).
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
                // Those of other programs stay to the byte.
                editor.remove(component)
            }
        }
        if isMarked { self.mark(writer.dueInstant, &editor) }
    }
}

import ICalendar
import Recurrence

// Completing in the shape of Thunderbird: the finished occurrence becomes an override, the to-do stays.
extension OccurrenceCompletion {
    func overridden() throws(RecurrenceError) -> Reminder {
        guard let main = self.series.series.main else { return self.closedOverride() }
        let futures = self.ownOverride == nil ? try self.futures(from: nil) : []
        let kdeNext = try self.kdeNext(main)
        var open = try self.series.open()
        let first = try open.next()?.recurrenceID
        let isFirst = first.map(self.isCompleted) ?? true
        let putOff = self.othersPutOff
        return self.reminder.edit(in: self.context) { object in
            object.edit(main) { editor in
                if isFirst {
                    main.removeSnooze(keeping: putOff, &editor)
                } else {
                    main.removeSnooze(of: self.focus.stamp, &editor)
                }
                if let kdeNext { editor.set(ContentLine(.kdeNextOccurrence, moment: kdeNext)) }
            }
            for future in futures { self.apply(future, to: &object) }
            if let own = self.ownOverride {
                self.close(own, &object)
            } else {
                object.add(self.override())
            }
        }
    }

    /// The override of the finished occurrence says that it is done.
    func closedOverride() -> Reminder {
        self.reminder.edit(in: self.context) { self.close(self.occurrence.component, &$0) }
    }

    private func close(_ override: Component, _ object: inout ObjectEditor) {
        object.edit(override) { editor in
            editor.writeCompletion(at: self.context.now)
            override.removeSnooze(&editor)
        }
    }

    /// The completed occurrence as an override: its description with its own dates.
    func override() -> [UInt8] {
        let document = ICalendarDocument(Array(self.occurrence.component.bytes))
        guard let todo = document.all(.vtodo).first else { return [] }
        var editor = ComponentEditor(todo)
        editor.removeRecurrence()
        editor.set(ContentLine(.recurrenceID, moment: self.id))
        editor.write(dates: self.focus)
        todo.removeSnoozeProperties(&editor)
        editor.moveAlarms(bySeconds: self.focus.shift)
        editor.writeCompletion(at: self.context.now)
        editor.set(stampsOf: self.context.now)
        return document.applying(editor.edits).bytes
    }

    /// KOrganizer's next date, where it has one: the first open occurrence; `nil` where an override before that is open.
    private func kdeNext(_ main: Component) throws(RecurrenceError) -> CalendarDateOrDateTime? {
        guard let old = self.series.kdeNext, let id = try self.destination(main, self.rule)?.id else { return nil }
        let isAnyBefore = self.reminder.object.overrides.contains { override in
            guard override.isSingle, !override.status.isClosed, let other = override.recurrenceID?.moment else {
                return false
            }
            return !self.isCompleted(other) && self.isBefore(other, id) && !self.isBefore(other, old)
        }
        return isAnyBefore ? nil : id
    }
}

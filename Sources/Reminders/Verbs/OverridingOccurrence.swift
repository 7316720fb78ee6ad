import RemindavICalendar
import RemindavRecurrence

// Completion in Thunderbird's form: the completed occurrence becomes an override, and the main VTODO keeps its dates.
extension OccurrenceEdit {
    func overridden() throws(RecurrenceError) -> Reminder {
        guard let main = self.series.series.main else { return self.closedOverride() }
        let futures = self.ownOverride == nil ? try self.futures(from: nil) : []
        let kdeNext = try self.kdeNext(main)
        var open = try self.series.open()
        let first = try open.next()?.recurrenceID
        let isFirst = first.map(self.isCompleted) ?? true
        let snoozed = self.otherSnoozedOccurrences
        return self.reminder.edit(in: self.context) { object in
            object.edit(main) { editor in
                if isFirst {
                    if main.status == .inProgress { editor.resetProgress() }
                    main.removeSnooze(keeping: snoozed, &editor)
                } else {
                    main.removeSnooze(of: self.focus.stamp, &editor)
                }
                if let kdeNext { editor.set(ContentLine(.kdeNextOccurrence, moment: kdeNext)) }
            }
            for future in futures { self.apply(future, to: &object) }
            if let own = self.ownOverride {
                self.close(own, &object)
            } else {
                object.add(self.completedOverride())
            }
        }
    }

    func closedOverride() -> Reminder {
        self.reminder.edit(in: self.context) { self.close(self.occurrence.component, &$0) }
    }

    private func close(_ override: Component, _ object: inout ObjectEditor) {
        object.edit(override) { editor in
            editor.writeCompletion(at: self.context.now)
            override.removeSnooze(&editor)
        }
    }

    /// The lines of a new override that completes the occurrence.
    func completedOverride() -> [UInt8] {
        self.override { editor in
            editor.moveAlarms(bySeconds: self.focus.shift)
            editor.writeCompletion(at: self.context.now)
        }
    }

    /// The lines of a new override with the fields and the dates of the occurrence, after another edit of them.
    func override(_ edit: (inout ComponentEditor) -> Void) -> [UInt8] {
        let document = ICalendarDocument(Array(self.occurrence.component.bytes))
        guard let todo = document.all(.vtodo).first else { return [] }
        var editor = ComponentEditor(todo)
        editor.removeRecurrence()
        editor.set(ContentLine(.recurrenceID, moment: self.id))
        editor.write(dates: self.focus)
        todo.removeSnoozeProperties(&editor)
        edit(&editor)
        editor.set(stampsOf: self.context.now)
        return document.applying(editor.edits).bytes
    }

    /// The new value of ``Name/kdeNextOccurrence``: the next open date; `nil` leaves the property unchanged.
    ///
    /// The result is `nil` if the property is missing, if no date is open, or if an earlier override is open.
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

    // MARK: Overrides with RANGE=THISANDFUTURE, when their first occurrence is completed

    struct FutureMove {
        let component: Component
        /// The new first occurrence of the override; `nil` removes the override.
        let beginning: Occurrence?
    }

    /// The THISANDFUTURE overrides that must begin at a later occurrence or be removed.
    ///
    /// They begin at the completed occurrence, or before `start`, the new start of the series.
    func futures(from start: CalendarDateOrDateTime?) throws(RecurrenceError) -> [FutureMove] {
        let all = self.series.series.futures
        var moves: [FutureMove] = []
        for (index, future) in all.enumerated() where !future.component.status.isClosed {
            let isPast = start.map { self.isBefore(future.id, $0) } ?? false
            guard isPast || self.isCompleted(future.id) else { continue }
            let hasSuccessor = all.dropFirst(index + 1).contains { later in
                start.map { !self.isBefore($0, later.id) } ?? false
            }
            var beginning: Occurrence?
            var open = try self.series.open(describedBy: future.component)
            while !hasSuccessor, beginning == nil, let occurrence = try open.next() {
                guard let id = occurrence.recurrenceID, !self.isCompleted(id), self.name(id) != self.name(future.id)
                else { continue }
                beginning = occurrence
            }
            moves.append(FutureMove(component: future.component, beginning: beginning))
        }
        return moves
    }

    func apply(_ move: FutureMove, to object: inout ObjectEditor) {
        guard let beginning = move.beginning, let id = beginning.recurrenceID else {
            return object.remove(move.component)
        }
        let focus = self.series.focus(on: beginning)
        object.edit(move.component) { editor in
            var line = ContentLine(.recurrenceID, moment: id)
            line.parameters.insert(Parameter(.range, "THISANDFUTURE"), at: 0)
            editor.set(line)
            editor.write(dates: focus)
            editor.moveAlarms(bySeconds: focus.shift)
        }
    }
}

import RemindavICalendar
package import RemindavRecurrence

// A change of one date of a series. The occurrence gets an override, and the main VTODO keeps its rule and its dates.
extension Reminder {
    /// Applies a change to the current occurrence (``current(zones:)``) only; the same object when nothing changes.
    ///
    /// An occurrence without an override gets one (RECURRENCE-ID, RFC 5545 §3.8.4.4). A new due time ends the snooze of
    /// the occurrence. A reminder that does not repeat, or that is closed, has one date, so the change applies to it.
    package func applyingToCurrentOccurrence(
        _ change: ReminderChange,
        in context: EditingContext,
        zones: TimeZoneResolver
    ) throws(RecurrenceError) -> Reminder {
        let isOpen = !self.main.status.isClosed || self.main.recurrenceID != nil
        guard self.isSeries, isOpen else {
            return self.current(zones: zones).applying(change, in: context, zones: zones)
        }
        let series = try ReminderSeries(Reminder(self, focus: nil), zones: zones)
        guard series.isRuleReadable else { throw .unreadableRule }
        guard let focus = try series.current(), let id = focus.occurrence.recurrenceID else {
            return self.applying(change, in: context, zones: zones)
        }
        return try OccurrenceEdit(series: series, focus: focus, id: id, context: context).changed(by: change)
    }
}

extension Reminder {
    /// Whether the chosen occurrence (``current(zones:)``) follows an open one that an override has moved behind it.
    package func followsMovedDate(zones: TimeZoneResolver) -> Bool {
        guard let focus, !focus.occurrence.isOverride, let id = focus.occurrence.recurrenceID.flatMap(zones.instant)
        else { return false }
        return self.object.todos.contains { todo in
            !todo.status.isClosed && todo.recurrenceID?.moment.flatMap(zones.instant).map { $0 < id } ?? false
        }
    }
}

extension OccurrenceEdit {
    fileprivate func changed(by change: ReminderChange) throws(RecurrenceError) -> Reminder {
        let zones = self.series.zones
        let own = self.ownOverride == nil ? try self.withOverride() : self.reminder
        let changed = own.current(zones: zones).applying(change, in: self.context, zones: zones)
        guard changed.object.document.bytes != own.object.document.bytes else { return self.reminder }
        guard change.due != .keep, change.due.value != self.focus.due else { return changed }
        let snoozed = self.otherSnoozedOccurrences
        return changed.edit(changed.main, in: self.context) { editor in
            changed.main.removeSnooze(keeping: snoozed, &editor)
        }
    }

    private func withOverride() throws(RecurrenceError) -> Reminder {
        let futures = try self.futures(from: nil)
        return self.reminder.edit(in: self.context) { object in
            for future in futures { self.apply(future, to: &object) }
            object.add(
                self.override { editor in
                    // Without a shift, the acknowledgements of the alarms belong to this occurrence.
                    if self.focus.shift != 0 { editor.moveAlarms(bySeconds: self.focus.shift) }
                }
            )
        }
    }
}

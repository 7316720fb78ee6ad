public import RemindavBridge
public import RemindavICalendar
public import RemindavReminders

extension Remindav {
    // MARK: Reading

    /// Returns the reminders that match, in the order of a list: overdue ones first, then by time.
    public func reminders(matching filter: ReminderFilter = ReminderFilter()) throws(RemindavError) -> [ReminderView] {
        try self.perform { try self.useCases.reminders(matching: filter) }
    }

    /// Returns the reminder with this number.
    public func reminder(_ id: Int64) throws(RemindavError) -> ReminderView {
        try self.perform { try self.useCases.reminder(id) }
    }

    // MARK: Changing

    /// Adds a reminder to its list, or to the default list.
    @discardableResult
    public func add(_ draft: ReminderDraft) throws(RemindavError) -> ReminderView {
        try self.perform { try self.useCases.add(draft) }
    }

    /// Adds reminders in one transaction: all or none.
    @discardableResult
    public func add(_ drafts: [ReminderDraft]) throws(RemindavError) -> [ReminderView] {
        try self.perform { try self.useCases.add(drafts) }
    }

    /// Changes fields of a reminder; all other bytes of its text stay.
    ///
    /// - Parameters:
    ///   - id: the number of the reminder.
    ///   - change: the new values; all other fields stay.
    ///   - base: the reminder as it was shown to the user. If a changed field has another value by now, nothing is
    ///     changed, and the code is ``RemindavError/Code/changedMeanwhile``. `nil` changes the fields in any case.
    @discardableResult
    public func edit(
        _ id: Int64,
        _ change: ReminderChange,
        since base: ReminderView? = nil
    ) throws(RemindavError) -> ReminderView {
        try self.perform { try self.useCases.edit(id, change, since: base) }
    }

    /// Completes a reminder; a repeating one moves to its next date.
    @discardableResult
    public func complete(_ id: Int64) throws(RemindavError) -> ReminderView {
        try self.perform { try self.useCases.complete(id) }
    }

    /// Makes a completed reminder pending again.
    @discardableResult
    public func reopen(_ id: Int64) throws(RemindavError) -> ReminderView {
        try self.perform { try self.useCases.reopen(id) }
    }

    /// Sets the time of the next alarm; the due time stays.
    ///
    /// - Parameters:
    ///   - id: the number of the reminder.
    ///   - time: the end of the snooze; a time after more than a hundred years is replaced by the latest possible end.
    /// - Throws: ``RemindavError/Code/mustBeInFuture`` if the time has passed.
    @discardableResult
    public func snooze(_ id: Int64, until time: Instant) throws(RemindavError) -> ReminderView {
        try self.perform {
            guard time > self.useCases.now else { throw UseCaseError(.mustBeInFuture) }
            return try self.useCases.snooze(id, until: time)
        }
    }

    /// Moves a reminder to the trash, where it stays for 30 days.
    public func delete(_ id: Int64) throws(RemindavError) {
        try self.perform { try self.useCases.delete(id) }
    }
}

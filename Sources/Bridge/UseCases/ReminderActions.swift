package import RemindavICalendar
import RemindavRecurrence
package import RemindavReminders
import RemindavStore

/// An action on reminders.
package enum ReminderAction: Sendable {
    /// As ``UseCases/complete(_:)``; `withMissed` concerns all occurrences of a series up to now, and `skips` leaves
    /// them out without a completion.
    ///
    /// If `shown` is not `nil` and a series is no longer due at this moment, nothing changes: the date that the user saw is
    /// completed already.
    case complete(withMissed: Bool, skips: Bool = false, shown: Instant? = nil)
    /// As ``UseCases/reopen(_:)``.
    case reopen
    /// As ``UseCases/snooze(_:until:)``.
    case snooze(until: Instant)
    /// As ``UseCases/edit(_:_:since:)`` without a base; the closure gets the reminder before the edit.
    case edit(@Sendable (ReminderView) throws -> ReminderChange)
    /// Acknowledges the alarms that fired up to now; later alarms still fire.
    case acknowledge(AlarmSettings)
    /// As ``UseCases/delete(_:)``.
    case delete
}

/// The result of an action on one of several reminders.
package struct ActionResult: Sendable {
    /// The number of the reminder.
    package let id: Int64
    /// The reminder before and after the action; on an error, the reminder is unchanged.
    package let outcome: Result<ActionOutcome, any Error>
}

package struct ActionOutcome: Hashable, Sendable {
    package let before: ReminderView
    /// The result for the reminder; after a deletion, it contains the reminder as it was.
    package let completion: CompletionResult
}

extension UseCases {
    /// Performs an action on several reminders in one transaction, which is one run in the journal.
    ///
    /// A reminder that does not permit the action stays unchanged, and its result is the error; the others are changed.
    ///
    /// - Returns: the results in the order of `ids`.
    /// - Throws: errors of the store; then no reminder is changed.
    package func perform(_ action: ReminderAction, on ids: [Int64]) throws -> [ActionResult] {
        var run = OperationScope()
        return try self.perform(action, on: ids, as: &run)
    }

    /// - Parameter run: gets the number of the run in the journal, for undo.
    package func perform(
        _ action: ReminderAction,
        on ids: [Int64],
        as run: inout OperationScope
    ) throws -> [ActionResult] {
        let (results, scope) = try self.store.write { transaction in
            var scope = OperationScope()
            let results = try ids.map { id in
                var attempt = scope
                do {
                    let outcome = try transaction.attempt {
                        try self.perform(action, on: id, in: &attempt, transaction)
                    }
                    scope = attempt
                    return ActionResult(id: id, outcome: .success(outcome))
                } catch let error as DatabaseError {
                    throw error
                } catch {
                    return ActionResult(id: id, outcome: .failure(error))
                }
            }
            return (results, scope)
        }
        run = scope
        return results
    }

    private func perform(
        _ action: ReminderAction,
        on id: Int64,
        in scope: inout OperationScope,
        _ transaction: StoreTransaction
    ) throws -> ActionOutcome {
        let (record, list) = try transaction.reminder(id)
        let text = Reminder(ICalendarDocument(record.source))
        let before = try self.single(record, of: text, in: list.name, transaction)
        let completion: CompletionResult
        switch action {
        case .complete(_, _, let shown?) where before.repeatRule != nil && before.dueInstant != shown:
            completion = CompletionResult(reminder: before, isChanged: false, copy: nil)
        case .complete(let withMissed, let skips, _):
            var last = try self.complete(id, skips: skips, in: &scope, transaction)
            var count = 1
            while withMissed, last.isChanged, last.reminder.overdue, count < Self.maximumMissed {
                let reopened = last.reopened
                last = try self.complete(id, skips: skips, in: &scope, transaction)
                last.reopened = reopened + last.reopened.filter { !reopened.contains($0) }
                count += 1
            }
            completion = last
        case .reopen: completion = try self.reopen(id, in: &scope, transaction)
        case .snooze(let until): completion = try self.snooze(id, until: until, in: &scope, transaction)
        case .edit(let change):
            var change = try change(before)
            try change.checkTexts()
            completion = try self.edit(id, change, in: &scope, transaction)
        case .acknowledge(let settings):
            completion = try self.acknowledge(id, settings, in: &scope, transaction)
        case .delete:
            try self.delete(id, in: &scope, transaction)
            completion = CompletionResult(reminder: before, isChanged: true, copy: nil)
        }
        return ActionOutcome(before: before, completion: completion)
    }

    /// The maximum number of occurrences that one action completes; a year of daily occurrences is less.
    private static let maximumMissed = 400

    /// The numbers of the reminders in a range, in ascending order.
    package func reminderNumbers(in range: ClosedRange<Int64>) throws -> [Int64] {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.objectIDs(in: range) }.map(\.rawValue)
    }

    /// The reminders with these numbers, in this order; missing ones are left out.
    package func reminders(_ ids: [Int64]) throws -> [ReminderView] {
        try ids.compactMap { id in
            do {
                return try self.reminder(id)
            } catch let error as UseCaseError where error.code == .reminderNotFound {
                return nil
            }
        }
    }

    /// The open reminders, or the completed ones, whose title contains all words, in the order of a listing.
    package func reminders(titled words: SearchQuery, areOpen: Bool) throws -> [ReminderView] {
        let filter = areOpen ? ReminderFilter() : ReminderFilter(section: .completed)
        return try self.reminders(matching: filter, detail: .line)
            .filter { words.match(title: $0.title, labels: [], others: { [] }) != nil }
    }
}

extension ReminderChange {
    /// Checks the title and the fields with one line of text, and gives them the form in which they are stored.
    mutating func checkTexts() throws {
        if let title = self.title { self.title = try Reminder.checked(title: title) }
        self = try self.checkedLines()
    }
}

extension Reminder {
    func due(after shift: DueShift, zones: TimeZoneResolver) throws(UseCaseError) -> CalendarDateOrDateTime {
        guard let due = self.due else { throw UseCaseError(.shiftNeedsDue) }
        guard let moved = shift.applied(to: due, zones: zones) else { throw UseCaseError(.shiftNeedsTime) }
        return moved
    }
}

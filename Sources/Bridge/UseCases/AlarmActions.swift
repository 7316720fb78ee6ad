import RemindavICalendar
package import RemindavNotifications
package import RemindavReminders
import RemindavStore

/// The run in the journal of the last action, which the next action of the same click continues.
///
/// `Snooze all` in a summary gives one action for each reminder. All these snoozes end at the same moment.
package struct ActionRuns: Sendable {
    fileprivate var end: Instant?
    fileprivate var last = OperationScope()

    package init() {}
}

extension UseCases {
    /// Applies an action of a notification to its reminder; a reminder that was completed or deleted stays unchanged.
    ///
    /// - Throws: an error when the action cannot be applied now; `listIsReadOnly` when it can never be applied.
    package func perform(_ action: PendingAction, _ settings: AlarmSettings = AlarmSettings()) throws {
        var runs = ActionRuns()
        try self.perform(action, settings, in: &runs)
    }

    /// As ``perform(_:_:)``; a snooze with the same end as the last action belongs to the same run in the journal.
    package func perform(_ action: PendingAction, _ settings: AlarmSettings, in runs: inout ActionRuns) throws {
        let (id, occurrence) = (action.reminder.rawValue, action.occurrence)
        let context = self.editing
        let reader = self.reader
        let end: Instant? = if case .snooze(_, let until) = action.effect { until } else { nil }
        var run = end != nil && end == runs.end ? runs.last : OperationScope()
        defer { (runs.end, runs.last) = (end, run) }
        do {
            switch action.effect {
            case .acknowledge(let moment):
                try self.changing(id, .dismiss, as: &run) { reminder in
                    let acknowledged = reminder.acknowledging(
                        upTo: moment,
                        occurrence: occurrence,
                        in: context,
                        zones: reader.resolver(for: reminder.object),
                        settings: settings
                    )
                    return Outcome(reminder: acknowledged)
                }
            case .snooze(let moment, let until):
                try self.changing(id, .snooze, as: &run) { reminder in
                    let zones = reader.resolver(for: reminder.object)
                    let wasWritten = reminder.wasSnoozed(
                        occurrence: occurrence,
                        at: moment,
                        until: until,
                        now: context.now,
                        zones: zones
                    )
                    guard !wasWritten, reminder.openOccurrence(occurrence, zones: zones) != nil else {
                        return Outcome(reminder: reminder)
                    }
                    let snoozed = reminder.snoozing(
                        occurrence: occurrence,
                        at: moment,
                        // A snooze whose end has passed ends in one second, so that the alarm still fires.
                        until: max(until, context.now.adding(seconds: 1)),
                        in: context,
                        zones: zones
                    )
                    return Outcome(reminder: snoozed)
                }
            case .complete: _ = try self.completing(id, occurrence: occurrence, as: &run)
            }
        } catch let error as UseCaseError where error.code == .reminderNotFound {
            // The reminder was deleted in the meantime.
        }
    }
}

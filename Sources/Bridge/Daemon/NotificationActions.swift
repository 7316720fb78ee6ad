import ICalendar
import Notifications
import Reminders
import Store

extension UseCases {
    /// Writes to a reminder what a person has done in its notification.
    ///
    /// Done twice it is the same as done once, and nothing is done to what is over or gone meanwhile.
    ///
    /// - Parameter settings: by which it rang.
    /// - Throws: where it cannot be written now, and `listIsReadOnly` where it never can.
    func perform(_ action: Notifications.PendingAction, _ settings: AlarmSettings = AlarmSettings()) throws {
        guard let id = Int64(action.reminder) else { return }
        let context = self.editing
        let reader = self.reader
        var run = OperationScope()
        do {
            switch action {
            case .acknowledge(_, let occurrence, let moment):
                try self.changing(id, .edit, as: &run) { reminder, _, _ in
                    let zones = reader.resolver(for: reminder.object)
                    let seen = reminder.acknowledging(
                        upTo: moment,
                        occurrence: occurrence,
                        in: context,
                        zones: zones,
                        settings: settings
                    )
                    return Outcome(reminder: seen)
                }
            case .snooze(_, let occurrence, let moment, let until):
                try self.changing(id, .snooze, as: &run) { reminder, _, _ in
                    let zones = reader.resolver(for: reminder.object)
                    guard
                        !reminder.wasPutOff(
                            occurrence: occurrence,
                            at: moment,
                            until: until,
                            now: context.now,
                            zones: zones
                        ),
                        reminder.openOccurrence(occurrence, zones: zones) != nil
                    else { return Outcome(reminder: reminder) }
                    // Written so late that it is over, it still has to ring.
                    let snoozed = reminder.snoozing(
                        occurrence: occurrence,
                        at: moment,
                        until: max(until, context.now.adding(seconds: 1)),
                        in: context,
                        zones: zones
                    )
                    return Outcome(reminder: snoozed)
                }
            case .complete(_, let occurrence): _ = try self.completing(id, occurrence: occurrence, as: &run)
            }
        } catch let error as UseCaseError where error.code == .reminderNotFound {
            // Deleted since; there is nothing to do any more.
        }
    }
}

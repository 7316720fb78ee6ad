package import RemindavICalendar
package import RemindavRecurrence

/// An input of an ``AlarmScheduler``.
package enum SchedulerEvent: Hashable, Sendable {
    /// The first event, with all open reminders and the local time zone.
    ///
    /// The alarms of the reminders `changed`, which were added or edited after the previous scan of the store, fire only
    /// if they became due after `since`; with `nil`, `changed` has no effect. The first scan of a store without records
    /// begins at `since`.
    case started(reminders: [ReminderID], local: String, changed: Set<ReminderID> = [], since: Instant? = nil)
    /// The timer fired, the clock was set, or the machine woke up; the scheduler only looks at the current time.
    case clock
    case zoneChanged(String)
    /// These reminders are new, changed or deleted; alarms that became due after `since` fire (none for `nil`).
    case changed([ReminderID], since: Instant? = nil)
    case settings(SchedulerSettings)
    /// The notification service runs as this instance; `nil` when no service runs or the connection is lost.
    case service(String?)
    /// The notification of a request is on the screen and has this number.
    case shown(token: Int, number: UInt32)
    /// A notification could not be shown, or the fallback (the notify command or the terminal) failed.
    case notShown(token: Int)
    case deliveredByFallback(token: Int)
    /// A notification is no longer on the screen; this event follows each requested close, even if the close failed.
    case closed(number: UInt32, CloseReason)
    /// The user has chosen an action of a notification.
    case invoked(number: UInt32, action: String)
    /// A window has opened after a click, so the user has seen the alarm.
    case opened(seen: PendingAction)
    case written(action: Int)
    /// An action could not be written to its reminder; `forGood` means that no later attempt can succeed.
    case notWritten(action: Int, forGood: Bool)
}

/// The reason why a notification closed, with the numbers of the Desktop Notifications Specification.
public enum CloseReason: UInt32, Hashable, Sendable {
    /// The notification expired; the user may not have seen it.
    case expired = 1
    /// The user closed the notification.
    case dismissed = 2
    /// A program asked the service to close the notification.
    case requested = 3
    /// The service gave no reason.
    case undefined = 4
}

/// An output of an ``AlarmScheduler``; the caller completes each effect before the next begins.
package enum SchedulerEffect: Hashable, Sendable {
    /// Write the changes to the disk in one transaction.
    case save([DeliveryState.Change])
    case show(Notification)
    case close(NotificationID)
    /// Without a service, deliver an alarm to the fallback; the event `deliveredByFallback` or `notShown` follows.
    case deliverByFallback(Notification)
    /// Write an action to its reminder; the event `written` or `notWritten` follows.
    case write(number: Int, PendingAction)
    /// Open a reminder, or with `nil` the due reminders; after a window has opened, the event `opened` follows.
    case open(ReminderID?, seen: PendingAction?)
    /// Report that an action was given up, after too many attempts or because it can never be written.
    case gaveUp(PendingAction)
    /// Send the event `clock` at this time and when the clock is set; `nil` means that there is no such time.
    case wake(Instant?)
}

/// Looks up reminders and time zones for an ``AlarmScheduler``.
package struct ReminderSource {
    /// Returns a reminder with its alarms, computed with the given settings; `nil` when there is no such reminder.
    package let reminder: (_ id: ReminderID, _ alarmBasis: AlarmBasis) throws -> FiringReminder?
    /// Returns the resolver for a local time zone, which is given by its zoneinfo name.
    package let zones: (_ local: String) -> TimeZoneResolver

    package init(
        reminder: @escaping (_ id: ReminderID, _ alarmBasis: AlarmBasis) throws -> FiringReminder?,
        zones: @escaping (_ local: String) -> TimeZoneResolver
    ) {
        self.reminder = reminder
        self.zones = zones
    }
}

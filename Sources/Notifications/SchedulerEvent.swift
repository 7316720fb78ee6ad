package import ICalendar
package import Recurrence

/// The input of a ``AlarmScheduler``.
package enum SchedulerEvent: Hashable, Sendable {
    /// The first event: all existing reminders, and the local time zone.
    case started(reminders: [ReminderID], local: String)
    /// The timer fired, the clock was set, or the machine woke up: only the current time counts.
    case clock
    case zoneChanged(String)
    /// These reminders are new, changed, or deleted; alarms that became due after `since` fire.
    case changed([ReminderID], since: Instant? = nil)
    case settings(SchedulerSettings)
    /// The notification service is running, as this instance; `nil` when it is not, or when the connection is lost.
    case service(String?)
    /// A notification is on the screen and has this number.
    case shown(token: Int, number: UInt32)
    /// A notification could not be shown, or the fallback (a notify command or the terminal) failed.
    case notShown(token: Int)
    case deliveredByFallback(token: Int)
    /// A notification is no longer on the screen. Sent for each requested close, even if that failed.
    case closed(number: UInt32, CloseReason)
    /// The user has clicked.
    case invoked(number: UInt32, action: String)
    /// A click has opened a window, and the user has seen the alarm.
    case opened(seen: PendingAction)
    case written(action: Int)
    /// An action could not be written; `forGood` when it never can be.
    case notWritten(action: Int, forGood: Bool)
}

/// Why a notification closed, with the numbers of the Desktop Notifications Specification.
public enum CloseReason: UInt32, Hashable, Sendable {
    /// It expired; the user may not have seen it.
    case expired = 1
    /// The user closed it.
    case dismissed = 2
    /// A program asked the service to close it.
    case requested = 3
    /// The service gave no reason.
    case undefined = 4
}

/// The output of an ``AlarmScheduler``; each effect is complete before the next begins.
package enum SchedulerEffect: Hashable, Sendable {
    /// Write to the disk, atomically, before the next effect.
    case save([DeliveryState.Change])
    case show(Notification)
    case close(NotificationID)
    /// Deliver an alarm by the fallback, without a notification service; the answer is `deliveredByFallback` or `notShown`,
    /// later.
    case deliverByFallback(Notification)
    /// The answer is `written` or `notWritten`, later.
    case write(number: Int, PendingAction)
    /// Open a reminder, or the due reminders for `nil`; `opened` follows with `seen` after a window has opened.
    case open(ReminderID?, seen: PendingAction?)
    /// An action failed too often, or can never be written: inform the user.
    case gaveUp(PendingAction)
    /// Send `clock` at this moment and when the clock is set, not before; `nil`: only on other events.
    case wake(Instant?)
}

/// The lookups of a ``AlarmScheduler``.
package struct ReminderSource {
    /// The current reminder, `nil` when it does not exist, with its alarms computed by the given settings.
    package let reminder: (_ id: ReminderID, _ alarmBasis: AlarmBasis) throws -> FiringReminder?
    /// The clock of a zone, by its zoneinfo name.
    package let zones: (_ local: String) -> TimeZoneResolver

    package init(
        reminder: @escaping (_ id: ReminderID, _ alarmBasis: AlarmBasis) throws -> FiringReminder?,
        zones: @escaping (_ local: String) -> TimeZoneResolver
    ) {
        self.reminder = reminder
        self.zones = zones
    }
}

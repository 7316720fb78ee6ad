public import RemindavBridge
import RemindavDaemon
public import RemindavNotifications
public import RemindavReminders

/// An alarm for the user: of one reminder, or of several together.
public struct Alarm: Hashable, Sendable, Identifiable {
    /// An action that the user can choose, such as completing the reminder.
    public typealias Action = NotificationAction

    /// The answer of the user to an alarm.
    public enum Answer: Hashable, Sendable {
        /// The user chose an action of ``Alarm/actions``.
        case chosen(Action)
        /// The user dismissed the alarm.
        case dismissed
        /// The alarm is no longer shown, and the user may not have seen it.
        case expired
    }

    /// The number of the alarm on the screen; a later version of the same alarm has the same number.
    public let id: UInt32
    /// The number of the reminder; `nil` for several reminders.
    public let reminder: Int64?
    /// One line of plain text.
    public let title: String
    /// Lines of plain text; empty for none.
    public let body: String
    /// The priority of the reminder; undefined for several reminders.
    public let priority: Priority
    /// Whether the alarm may make a sound.
    public let makesSound: Bool
    /// The actions in display order.
    ///
    /// The first one is the click on the alarm itself; the program then shows the reminder, or the due reminders.
    public let actions: [Action]

    init(_ notification: Notification, id: UInt32) {
        (self.id, self.reminder) = (id, notification.reminder?.rawValue)
        (self.title, self.body) = (notification.text.title, notification.text.body)
        (self.priority, self.makesSound) = (notification.priority, notification.appearance.makesSound)
        self.actions = notification.actions
    }
}

/// Shows alarms, for example on a desktop, on a device or in a log.
///
/// One call is made at a time.
public protocol AlarmPresenter: Sendable {
    /// Shows an alarm, in place of an alarm with the same ``Alarm/id``.
    ///
    /// - Throws: any error when the alarm cannot be shown now; it is shown again after a pause.
    func show(_ alarm: Alarm) async throws

    /// Removes an alarm; an alarm that is not shown is no error.
    func remove(_ alarm: Alarm.ID) async
}

extension Remindav {
    /// Delivers the alarms of the store through a presenter, until the task is cancelled.
    ///
    /// Each alarm is delivered once, also after a crash, a suspend, or a change of the clock. No daemon delivers alarms
    /// of this store at the same time. ``answer(_:to:)`` reports the answers of the user.
    ///
    /// - Parameters:
    ///   - presenter: shows the alarms.
    ///   - settings: the settings that determine the times of alarms.
    ///   - muted: the lists and labels without alarms.
    /// - Throws: ``RemindavError/Code/daemonIsRunning`` when another process or call delivers the alarms.
    public func deliverAlarms(
        to presenter: any AlarmPresenter,
        settings: AlarmSettings = AlarmSettings(),
        muted: MuteRules = MuteRules()
    ) async throws(RemindavError) {
        guard self.delivery == nil else { throw RemindavError(UseCaseError(.daemonIsRunning)) }
        do {
            try await self.withWaiter { waiter in
                let screen = PresenterQueue(instance: String(UInt64.random(in: 0...UInt64.max), radix: 36))
                let presentation = try AlarmPresentation(
                    self.useCases,
                    presenter: screen,
                    settings: settings,
                    muted: muted,
                    instance: screen.instance,
                    open: { _ in true },
                    wake: { waiter.wake() }
                )
                self.delivery = AlarmDelivery(presentation, instance: screen.instance)
                let showing = Task { await screen.forward(to: presenter) }
                defer {
                    self.delivery = nil
                    showing.cancel()
                }
                while !Task.isCancelled { try await waiter.wait(until: try presentation.update()) }
            }
        } catch {
            throw RemindavError(error)
        }
    }

    /// Performs the answer of the user to an alarm; nothing happens if the alarm is no longer shown.
    public func answer(_ answer: Alarm.Answer, to alarm: Alarm.ID) {
        self.delivery?.report(answer, to: alarm)
    }
}

/// The alarms of a store in this process.
final class AlarmDelivery {
    let presentation: AlarmPresentation
    private let instance: String

    init(_ presentation: AlarmPresentation, instance: String) {
        (self.presentation, self.instance) = (presentation, instance)
    }

    func report(_ answer: Alarm.Answer, to alarm: Alarm.ID) {
        let id = NotificationID(number: alarm, service: self.instance)
        switch answer {
        case .chosen(let action): self.presentation.invoked(id, action: action)
        case .dismissed: self.presentation.closed(id, .dismissed)
        case .expired: self.presentation.closed(id, .expired)
        }
    }
}

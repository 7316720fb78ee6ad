public import RemindavBridge
import RemindavDaemon
import RemindavICalendar
public import RemindavNotifications
public import RemindavReminders
import RemindavStore

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

    /// Identifies an alarm on the screen, until the end of the delivery that shows it.
    public struct ID: Hashable, Sendable {
        let run: String
        let number: UInt32
    }

    /// The identifier; a later version of the same alarm has the same one.
    public let id: ID
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

    init(_ notification: Notification, id: ID) {
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
    /// Each alarm fires once, also after a crash, a suspend, or a change of the clock. A new call shows the unanswered
    /// alarms again, so the presenter first removes those of an earlier call. No daemon delivers alarms of this store at
    /// the same time. ``answer(_:to:)`` reports the answers of the user. The function returns without an error when the
    /// task is cancelled.
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
            let waiter = try self.makeWaiter()
            defer { self.release(waiter) }
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
            self.delivery = AlarmDelivery(presentation, screen)
            defer { self.delivery = nil }
            let showing = Task { await screen.forward(to: presenter) }
            // The presenter must not be called after the end of this function.
            let result = await self.delivering(presentation, waiter)
            showing.cancel()
            await showing.value
            try result.get()
        } catch {
            throw RemindavError(error)
        }
    }

    /// The pause in seconds after the store could not be read, for example because another process locks it.
    private static let storePause = 10

    private func delivering(_ presentation: AlarmPresentation, _ waiter: StoreWaiter) async -> Result<Void, any Error> {
        while !Task.isCancelled {
            do {
                let next: Instant?
                do {
                    next = try presentation.update()
                } catch let error as DatabaseError where error.code == .busy {
                    next = self.useCases.now.adding(seconds: Self.storePause)
                }
                // An action of the user may have changed a store in memory, which has no files to watch.
                self.wakeWaiting(except: waiter)
                try await waiter.wait(until: next)
            } catch {
                return .failure(error)
            }
        }
        return .success(())
    }

    /// Performs the answer of the user to an alarm; nothing happens if the alarm is no longer shown.
    ///
    /// If the reminder cannot be changed at that moment, the change is tried again.
    public func answer(_ answer: Alarm.Answer, to alarm: Alarm.ID) {
        self.delivery?.report(answer, to: alarm)
    }
}

/// The alarms of a store in this process.
final class AlarmDelivery {
    private let presentation: AlarmPresentation
    private let screen: PresenterQueue

    init(_ presentation: AlarmPresentation, _ screen: PresenterQueue) {
        (self.presentation, self.screen) = (presentation, screen)
    }

    func report(_ answer: Alarm.Answer, to alarm: Alarm.ID) {
        guard alarm.run == self.screen.instance else { return }
        let id = NotificationID(number: alarm.number, service: alarm.run)
        switch answer {
        case .chosen(let action): self.presentation.invoked(id, action: action)
        case .dismissed: self.presentation.closed(id, .dismissed)
        case .expired: self.presentation.closed(id, .expired)
        }
    }
}

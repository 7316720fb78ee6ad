import Bridge
import DesktopBus
import Dispatch
import Notifications
import Platform
import Recurrence
import Reminders
import SQLiteStore
import Store
import Synchronization

/// A message of another thread to the daemon.
enum DaemonMessage: Sendable {
    case bus(DesktopEvent)
    case shown(token: Int, NotificationID)
    /// - Parameters:
    ///   - reason: in one clause.
    ///   - error: the error of the notification service; `nil` when another program was to deliver the alarm.
    case notShown(token: Int, reason: String, _ error: DesktopBusError? = nil)
    case deliveredByFallback(token: Int)
    /// A notification that was to be closed is no longer on the screen.
    case closed(NotificationID)
    /// The attempt to start the notification service has ended.
    case askedForService
    case written(action: Int)
    /// - Parameter forGood: whether the action can never be written.
    case notWritten(action: Int, forGood: Bool)
}

/// The messages of other threads, in their order; each wakes the daemon.
final class DaemonMessages: Sendable {
    private let messages = Mutex<[DaemonMessage]>([])
    private let pipe: WakePipe

    init(_ pipe: WakePipe) { self.pipe = pipe }

    func post(_ message: DaemonMessage) {
        self.messages.withLock { $0.append(message) }
        self.pipe.wake()
    }

    /// Removes and returns all messages.
    func removeAll() -> [DaemonMessage] {
        self.messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// Writes the user's actions to reminders, one after the other, on a thread and a connection of its own.
///
/// A locked store therefore delays no alarm.
final class ActionQueue: Sendable {
    private struct State {
        var localZone: String
        var settings: AlarmSettings
        var store: ReminderStore?
    }

    private let configuration: Configuration
    private let messages: DaemonMessages
    private let queue = DispatchQueue(label: "actions")
    private let state: Mutex<State>

    init(_ configuration: Configuration, _ settings: AlarmSettings, messages: DaemonMessages) {
        self.configuration = configuration
        self.messages = messages
        self.state = Mutex(State(localZone: configuration.localZone, settings: settings))
    }

    func setLocalZone(_ name: String) { self.state.withLock { $0.localZone = name } }

    func setSettings(_ settings: AlarmSettings) { self.state.withLock { $0.settings = settings } }

    /// Writes an action; the result arrives as a message.
    func write(_ number: Int, _ action: PendingAction) {
        self.queue.async {
            do {
                let (useCases, settings) = try self.useCases()
                try useCases.perform(action, settings)
                self.messages.post(.written(action: number))
            } catch {
                self.messages.post(.notWritten(action: number, forGood: Self.isPermanent(error)))
            }
        }
    }

    /// Errors of the store are temporary, errors of the reminder are not.
    static func isPermanent(_ error: any Error) -> Bool {
        switch error {
        case let error as UseCaseError: error.code != .syncIsRunning
        case is RecurrenceError: true
        default: false
        }
    }

    /// Opens the store for the first action; most days have none.
    private func useCases() throws -> (UseCases, AlarmSettings) {
        let (zone, known, settings) = self.state.withLock { ($0.localZone, $0.store, $0.settings) }
        let store = try known ?? ReminderStore.open(folder: self.configuration.storeFolder)
        self.state.withLock { $0.store = store }
        return (UseCases(configuration: self.configuration.withLocalZone(zone), store: store), settings)
    }
}

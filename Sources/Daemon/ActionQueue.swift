import Dispatch
import RemindavBridge
import RemindavDesktopBus
import RemindavNotifications
import RemindavPlatform
import RemindavRecurrence
import RemindavReminders
import RemindavSQLiteStore
import RemindavStore
import Synchronization

enum DaemonMessage: Sendable {
    case bus(DesktopEvent)
    case shown(token: Int, NotificationID)
    /// `error` is the error of the notification service; `nil` for an error of the notify command.
    case notShown(token: Int, reason: String, _ error: DesktopBusError? = nil)
    case closed(NotificationID)
    case serviceSearchEnded
    /// An action of the user was written to its reminder.
    case written(action: Int)
    case scheduler(SchedulerEvent)
}

/// A queue of messages from other threads, in the order of arrival; `wake` is called after each message.
final class MessageQueue<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let wake: @Sendable () -> Void
    init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func post(_ message: Message) {
        self.messages.withLock { $0.append(message) }
        self.wake()
    }

    func removeAll() -> [Message] {
        self.messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// Writes the user's actions to the store on its own thread and connection, so that a locked store delays no alarm.
final class ActionQueue: Sendable {
    private struct State {
        var localZone: String
        var settings: AlarmSettings
        var store: ReminderStore?
        var runs = ActionRuns()
    }

    private let configuration: Configuration
    private let messages: MessageQueue<DaemonMessage>
    private let queue = DispatchQueue(label: "actions")
    private let state: Mutex<State>

    init(_ configuration: Configuration, _ settings: AlarmSettings, messages: MessageQueue<DaemonMessage>) {
        self.configuration = configuration
        self.messages = messages
        self.state = Mutex(State(localZone: configuration.localZone, settings: settings))
    }

    func setLocalZone(_ name: String) { self.state.withLock { $0.localZone = name } }
    func setSettings(_ settings: AlarmSettings) { self.state.withLock { $0.settings = settings } }

    func write(_ number: Int, _ action: PendingAction) {
        self.queue.async {
            do {
                let (useCases, settings) = try self.useCases()
                var runs = self.state.withLock { $0.runs }
                defer { self.state.withLock { $0.runs = runs } }
                try useCases.perform(action, settings, in: &runs)
                self.messages.post(.written(action: number))
            } catch {
                self.messages.post(.scheduler(.notWritten(action: number, forGood: Self.isPermanent(error))))
            }
        }
    }

    /// Whether a later attempt cannot succeed: errors of the reminder are permanent, errors of the store are not.
    static func isPermanent(_ error: any Error) -> Bool {
        switch error {
        case let error as UseCaseError: error.code != .syncIsRunning
        case is RecurrenceError: true
        default: false
        }
    }

    /// The store is opened for the first action, because on most days the user chooses no action.
    private func useCases() throws -> (UseCases, AlarmSettings) {
        let (zone, known, settings) = self.state.withLock { ($0.localZone, $0.store, $0.settings) }
        let store = try known ?? ReminderStore.open(folder: self.configuration.storeFolder)
        self.state.withLock { $0.store = store }
        return (UseCases(configuration: self.configuration.withLocalZone(zone), store: store), settings)
    }
}

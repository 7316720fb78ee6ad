import Dispatch
import Notifications
import Recurrence
import Reminders
import SQLiteStore
import Store
import Synchronization

/// Writes to reminders what a person has done in notifications, one after the other, on a thread and a connection of its own:
/// a store that is locked delays no alarm.
final class ActionQueue: Sendable {
    private struct State {
        var localZone: String
        var settings: AlarmSettings
        var store: ReminderStore?
    }

    private let configuration: Configuration
    private let mailbox: MessageQueue
    private let queue = DispatchQueue(label: "actions")
    private let state: Mutex<State>

    init(_ configuration: Configuration, _ settings: AlarmSettings, mailbox: MessageQueue) {
        self.configuration = configuration
        self.mailbox = mailbox
        self.state = Mutex(State(localZone: configuration.localZone, settings: settings))
    }

    /// The clock on the wall.
    var localZone: String {
        get { self.state.withLock(\.localZone) }
        set { self.state.withLock { $0.localZone = newValue } }
    }

    /// What a person has chosen about alarms.
    var settings: AlarmSettings {
        get { self.state.withLock(\.settings) }
        set { self.state.withLock { $0.settings = newValue } }
    }

    /// Writes a action; what came of it arrives in the mailbox.
    func write(_ number: Int, _ action: Notifications.PendingAction) {
        self.queue.async {
            do {
                try self.useCases().perform(action, self.settings)
                self.mailbox.post(.written(action: number))
            } catch {
                self.mailbox.post(.notWritten(action: number, forGood: Self.isForGood(error)))
            }
        }
    }

    /// What the store refuses now it takes later; what the reminder refuses it always does.
    static func isForGood(_ error: any Error) -> Bool {
        switch error {
        case let error as UseCaseError: error.code != .syncIsRunning
        case is RecurrenceError: true
        default: false
        }
    }

    /// The store is opened for the first action; most days have none.
    private func useCases() throws -> UseCases {
        let (zone, known) = self.state.withLock { ($0.localZone, $0.store) }
        let store = try known ?? ReminderStore.open(folder: self.configuration.storeFolder)
        self.state.withLock { $0.store = store }
        return UseCases(configuration: self.configuration.withLocalZone(zone), store: store)
    }
}

import DesktopBus
import Notifications
import Reminders

/// Notifications on the desktop: what the daemon asks for goes out, and what comes of it arrives in its mailbox.
///
/// Nothing here waits, and nothing is a task: the first in the pool of Swift's tasks has somebody wake up each second for
/// the rest of the process's life.
final class NotificationAdapter: Sendable {
    private let notifier: DesktopNotifier
    private let mailbox: MessageQueue

    /// - Parameter known: notifications that are on the screen already if the same run of the service is still there.
    init(_ address: BusAddress, mailbox: MessageQueue, known: [(notification: NotificationID, isSummary: Bool)]) {
        self.notifier = DesktopNotifier(address: address) { mailbox.post(.bus($0)) }
        self.mailbox = mailbox
        for (notification, isSummary) in known {
            let keys = DesktopNotification.actions(NotificationAction.ofReminder, isSummary: isSummary).map(\.key)
            self.notifier.adopt(ShownNotification(notification), keys: Set(keys))
        }
    }

    deinit { self.notifier.stop() }

    func show(_ notification: Notification) {
        let replaced = notification.replaces.map { ShownNotification($0) }
        self.notifier.show(DesktopNotification(notification), replacing: replaced) { [mailbox] outcome in
            switch outcome {
            case .success(let shown): mailbox.post(.shown(token: notification.token, shown))
            case .failure(let error):
                mailbox.post(.notShown(token: notification.token, reason: error.description, error))
            }
        }
    }

    func close(_ notification: NotificationID) {
        let notification = ShownNotification(notification)
        // What cannot be closed is not there, or its service is not.
        self.notifier.close(notification) { [mailbox] _ in mailbox.post(.closed(notification)) }
    }

    /// Has the desktop show a number on the program's icon.
    func count(_ count: Int) { self.notifier.showCount(count) }

    /// Has the notification service started, where it is one that starts when somebody asks.
    func askForService() {
        self.notifier.askForService { [mailbox] _ in mailbox.post(.askedForService) }
    }
}

extension ShownNotification {
    init(_ notification: NotificationID) { self.init(number: notification.number, run: notification.service) }
}

extension DesktopNotification {
    /// A notification as a notification service is asked for it.
    ///
    /// It stays until somebody has seen it: a reminder that goes by itself may as well not have come.
    init(_ notification: Notification) {
        self.init(
            title: notification.words.title,
            body: notification.words.body,
            urgency: Self.urgency(notification.priority),
            category: ReminderAlarm.category,
            sound: notification.makesSound ? ReminderAlarm.sound : nil,
            desktopEntry: "remindav",
            actions: Self.actions(notification.actions, isSummary: notification.reminder == nil),
            expiry: .never
        )
    }

    /// Of a summary nothing can be opened: no address names many reminders.
    fileprivate static func actions(_ actions: [NotificationAction], isSummary: Bool) -> [Action] {
        isSummary ? [] : actions.map { Action(key: $0.key, label: $0.label) }
    }

    private static func urgency(_ priority: Priority) -> Urgency {
        switch priority {
        case .high: .critical
        case .medium, .undefined: .normal
        case .low: .low
        }
    }
}

extension CloseReason {
    init(_ closing: DesktopClosing) {
        self =
            switch closing {
            case .expired: .expired
            case .dismissed: .dismissed
            case .called: .requested
            case .undefined: .undefined
            }
    }
}

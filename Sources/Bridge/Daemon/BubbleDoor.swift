import DesktopBus
import Notifications
import Reminders

/// Bubbles on the desktop: what the daemon asks for goes out, and what comes of it arrives in its mailbox.
///
/// Nothing here waits, and nothing is a task: the first in the pool of Swift's tasks has somebody wake up each second for
/// the rest of the process's life.
final class BubbleDoor: Sendable {
    private let notifier: DesktopNotifier
    private let mailbox: Mailbox

    /// - Parameter known: bubbles that are on the screen already if the same run of the service is still there.
    init(_ address: BusAddress, mailbox: Mailbox, known: [(bubble: ShownBubble, isSummary: Bool)]) {
        self.notifier = DesktopNotifier(address: address) { mailbox.post(.bus($0)) }
        self.mailbox = mailbox
        for (bubble, isSummary) in known {
            let keys = DesktopNotification.actions(BubbleAction.ofReminder, isSummary: isSummary).map(\.key)
            self.notifier.adopt(ShownNotification(bubble), keys: Set(keys))
        }
    }

    deinit { self.notifier.stop() }

    func show(_ bubble: Bubble) {
        let replaced = bubble.replaces.map { ShownNotification($0) }
        self.notifier.show(DesktopNotification(bubble), replacing: replaced) { [mailbox] outcome in
            switch outcome {
            case .success(let shown): mailbox.post(.shown(token: bubble.token, shown))
            case .failure(let error):
                mailbox.post(.notShown(token: bubble.token, reason: error.description, error))
            }
        }
    }

    func close(_ bubble: ShownBubble) {
        let bubble = ShownNotification(bubble)
        // What cannot be closed is not there, or its service is not.
        self.notifier.close(bubble) { [mailbox] _ in mailbox.post(.closed(bubble)) }
    }

    /// Has the desktop show a number on the program's icon.
    func count(_ count: Int) { self.notifier.showCount(count) }

    /// Has the notification service started, where it is one that starts when somebody asks.
    func askForService() {
        self.notifier.askForService { [mailbox] _ in mailbox.post(.askedForService) }
    }
}

extension ShownNotification {
    init(_ bubble: ShownBubble) { self.init(number: bubble.number, run: bubble.service) }
}

extension DesktopNotification {
    /// A bubble as a notification service is asked for it.
    ///
    /// It stays until somebody has seen it: a reminder that goes by itself may as well not have come.
    init(_ bubble: Bubble) {
        self.init(
            title: bubble.words.title,
            body: bubble.words.body,
            urgency: Self.urgency(bubble.priority),
            category: ReminderAlarm.category,
            sound: bubble.makesSound ? ReminderAlarm.sound : nil,
            desktopEntry: "remindav",
            actions: Self.actions(bubble.actions, isSummary: bubble.reminder == nil),
            expiry: .never
        )
    }

    /// Of a summary nothing can be opened: no address names many reminders.
    fileprivate static func actions(_ actions: [BubbleAction], isSummary: Bool) -> [Action] {
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

extension BubbleEnd {
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

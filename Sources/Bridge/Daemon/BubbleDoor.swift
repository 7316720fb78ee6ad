import DesktopBus
import Notifications
import Reminders

/// Bubbles on the desktop: what the daemon asks for goes out, and what comes of it arrives in its mailbox.
///
/// Nothing here waits.
final class BubbleDoor: Sendable {
    private let notifier: DesktopNotifier
    private let mailbox: Mailbox
    private let listening: Task<Void, Never>

    /// - Parameter known: bubbles that are on the screen already if the same run of the service is still there.
    init(_ address: BusAddress, mailbox: Mailbox, known: [(bubble: ShownBubble, isSummary: Bool)]) {
        let notifier = DesktopNotifier(address: address)
        for (bubble, isSummary) in known {
            let actions = isSummary ? BubbleAction.ofSummary : BubbleAction.ofReminder
            notifier.adopt(ShownNotification(bubble), keys: Set(actions.map(\.key)))
        }
        self.notifier = notifier
        self.mailbox = mailbox
        self.listening = Task { for await event in notifier.events { mailbox.post(.bus(event)) } }
    }

    deinit {
        self.notifier.stop()
        self.listening.cancel()
    }

    func show(_ bubble: Bubble) {
        let (notifier, mailbox) = (self.notifier, self.mailbox)
        Task {
            do {
                let replaced = bubble.replaces.map { ShownNotification($0) }
                let shown = try await notifier.show(DesktopNotification(bubble), replacing: replaced)
                mailbox.post(.shown(token: bubble.token, shown))
            } catch {
                mailbox.post(.notShown(token: bubble.token))
            }
        }
    }

    func close(_ bubble: ShownBubble) {
        let (notifier, mailbox) = (self.notifier, self.mailbox)
        Task {
            // What cannot be closed is not there, or its service is not.
            try? await notifier.close(ShownNotification(bubble))
            mailbox.post(.closed(ShownNotification(bubble)))
        }
    }

    /// Has the notification service started, where it is one that starts when somebody asks.
    func askForService() {
        let (notifier, mailbox) = (self.notifier, self.mailbox)
        Task {
            _ = try? await notifier.service()
            mailbox.post(.askedForService)
        }
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
            // Of a summary nothing can be opened: no address names many reminders.
            actions: bubble.reminder == nil ? [] : bubble.actions.map { Action(key: $0.key, label: $0.label) },
            expiry: .never
        )
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

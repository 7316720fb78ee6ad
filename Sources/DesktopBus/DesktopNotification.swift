package import Notifications

/// A notification to show (Desktop Notifications Specification 1.2).
package struct DesktopNotification: Hashable, Sendable {
    /// Plain text, on one line.
    package var title: String
    /// Plain text; escaped for a service that reads markup.
    package var body: String
    package var urgency: Urgency
    /// The kind of event, as the specification names it, or `x-vendor.kind`.
    package var category: String?
    /// The name of a sound (Sound Naming Specification); `nil` for silence.
    package var sound: String?
    /// The name of the program's desktop file, without its ending.
    package var desktopEntry: String?
    /// The actions in display order; a click on the notification itself has the key `default`.
    package var actions: [NotificationAction]
    package var expiry: Expiry

    package init(
        title: String,
        body: String,
        urgency: Urgency = .normal,
        category: String? = nil,
        sound: String? = nil,
        desktopEntry: String? = nil,
        actions: [NotificationAction] = [],
        expiry: Expiry = .asServiceDecides
    ) {
        self.title = title
        self.body = body
        self.urgency = urgency
        self.category = category
        self.sound = sound
        self.desktopEntry = desktopEntry
        self.actions = actions
        self.expiry = expiry
    }

    /// How much the notification may disturb.
    ///
    /// A critical notification stays until the user closes it, also while others are suppressed.
    package enum Urgency: UInt8, CaseIterable, Sendable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// When the notification disappears automatically.
    package enum Expiry: Hashable, Sendable {
        case asServiceDecides
        case never
        case after(milliseconds: Int32)

        var wire: Int32 {
            switch self {
            case .asServiceDecides: -1
            case .never: 0
            case .after(let milliseconds): max(1, milliseconds)
            }
        }
    }
}

/// The program that shows notifications.
package struct DesktopService: Hashable, Sendable {
    /// The instance of the service, with its bus.
    package let run: String
    /// Empty if the service did not report it.
    package let name: String
    package let vendor: String
    package let version: String
    /// The version of the specification that it implements.
    package let specification: String
    /// The capabilities that it reports: `actions`, `body-markup` and so on.
    package let capabilities: Set<String>
    /// The reason why its capabilities are unknown; `nil` when it has reported them.
    ///
    /// Without reported capabilities, only the plain text is used.
    package let failure: DesktopBusError?
}

/// An event of the notification service.
package enum DesktopEvent: Hashable, Sendable {
    /// A service appeared where there was none.
    case appeared(DesktopService)
    /// Another service, or another instance of it, replaced the previous one; its notifications are gone.
    case replaced(DesktopService)
    /// The service disappeared, with the reason; its notifications are gone.
    case vanished(DesktopBusError)
    /// The bus connection ended, with the reason. It is retried.
    case busLost(DesktopBusError)
    /// The user has chosen an action.
    case invoked(NotificationID, key: String)
    /// A notification is no longer on the screen.
    case closed(NotificationID, CloseReason)
}

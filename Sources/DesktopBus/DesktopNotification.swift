package import Notifications

/// A notification to show (Desktop Notifications Specification 1.2).
package struct DesktopNotification: Hashable, Sendable {
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
    /// Whether it stays until the user closes it; otherwise the service decides.
    package var isPersistent: Bool

    package init(
        title: String,
        body: String,
        urgency: Urgency = .normal,
        category: String? = nil,
        sound: String? = nil,
        desktopEntry: String? = nil,
        actions: [NotificationAction] = [],
        isPersistent: Bool = false
    ) {
        self.title = title
        self.body = body
        self.urgency = urgency
        self.category = category
        self.sound = sound
        self.desktopEntry = desktopEntry
        self.actions = actions
        self.isPersistent = isPersistent
    }

    /// Critical notifications stay until the user closes them, also while others are suppressed.
    package enum Urgency: UInt8, CaseIterable, Sendable {
        case low = 0
        case normal = 1
        case critical = 2
    }
}

package struct DesktopService: Hashable, Sendable {
    /// The instance of the service, with its bus.
    package let run: String
    package let name: String
    package let vendor: String
    package let version: String
    /// The version of the specification that it implements.
    package let specification: String
    /// The capabilities that it reports: `actions`, `body-markup` and so on.
    package let capabilities: Set<String>
    /// `nil` when the service has reported its capabilities; otherwise only the plain text is used.
    package let failure: DesktopBusError?
}

package enum DesktopEvent: Hashable, Sendable {
    /// Another service, or another instance of it, is present; notifications of the previous one are gone.
    case service(DesktopService)
    /// There is no service, and its notifications are gone, or the connection ended, which is retried.
    case unavailable(DesktopBusError)
    case invoked(NotificationID, key: String)
    case closed(NotificationID, CloseReason)
}

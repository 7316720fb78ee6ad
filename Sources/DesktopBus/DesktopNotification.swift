package import RemindavNotifications

/// A notification to show (Desktop Notifications Specification 1.2).
package struct DesktopNotification: Hashable, Sendable {
    package var title: String
    /// Plain text; it is escaped for a service that reads markup.
    package var body: String
    package var urgency = Urgency.normal
    /// The type of the notification, as the specification names it, or `x-vendor.type`.
    package var category: String?
    /// The name of a sound (Sound Naming Specification), if ``appearance`` allows a sound; `nil` for no sound.
    package var sound: String?
    /// The name of the program's desktop file without the suffix `.desktop`; `nil` for none.
    package var desktopEntry: String?
    /// The actions in display order; the key `default` stands for a click on the notification itself.
    package var actions: [NotificationAction] = []
    /// Whether the notification stays until the user closes it; if not, the service decides when it closes.
    package var isPersistent = false
    package var appearance = NotificationAppearance()

    package init(title: String, body: String) {
        self.title = title
        self.body = body
    }

    /// Services show critical notifications until the user closes them, even while they suppress other notifications.
    package enum Urgency: UInt8, CaseIterable, Sendable {
        case low = 0
        case normal = 1
        case critical = 2
    }
}

package struct DesktopService: Hashable, Sendable {
    /// Identifies the instance of the service and its bus.
    package let run: String
    package let name: String
    package let vendor: String
    package let version: String
    /// The version of the Desktop Notifications Specification that the service implements.
    package let specification: String
    /// The capabilities that the service reports, such as `actions` and `body-markup`.
    package let capabilities: Set<String>
    /// The reason why the capabilities are unknown, so that only plain text is used; `nil` when they are known.
    package let failure: DesktopBusError?
}

package enum DesktopEvent: Hashable, Sendable {
    /// Another service or another instance is available; the notifications of the previous instance are gone.
    case service(DesktopService)
    /// No service is available (its notifications are gone), or the connection has ended and will be opened again.
    case unavailable(DesktopBusError)
    case invoked(NotificationID, key: String)
    case closed(NotificationID, CloseReason)
}

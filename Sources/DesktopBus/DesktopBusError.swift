internal import Glibc

/// The reason why a request to the notification service failed; the value contains no text of a notification.
package struct DesktopBusError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, CaseIterable, Sendable {
        case noLibrary = "the library libsystemd, which connects to the session bus, is not installed"
        case noAddress = "remindav runs outside of a desktop session: its environment does not name a session bus"
        case badAddress = "the address of the session bus cannot be used"
        case noBus = "no program answers at the address of the session bus"
        case busRefused = "the session bus refuses the connection"
        case busSilent = "the session bus does not answer"
        case busLost = "the connection to the session bus has ended"
        case noService = "no program on this desktop shows notifications"
        case serviceNotStarted = "the program that shows notifications could not be started"
        case serviceGone = "the program that shows notifications has ended"
        case serviceSilent = "the program that shows notifications does not answer"
        case serviceRefused = "the program that shows notifications refuses the request"
        case badAnswer = "the program that shows notifications sends invalid answers"
        case tooManyCalls = "too many notifications wait to be shown"
        case cancelled = "the request was cancelled"
    }

    package let code: Code
    /// The name of the D-Bus error or the number of the system's error; empty when there is none.
    package let detail: String

    package init(_ code: Code, detail: String = "") {
        self.code = code
        self.detail = detail
    }

    package var description: String {
        self.detail.isEmpty ? self.code.rawValue : "\(self.code.rawValue) (\(self.detail))"
    }

    /// Advice for the user; empty when the user cannot or need not do anything.
    package var advice: String {
        switch self.code {
        case .noLibrary: "Install the package that contains libsystemd.so.0; on Debian, this is libsystemd0."
        case .noAddress, .badAddress:
            "Start it in the desktop session or as a systemd user service, so that DBUS_SESSION_BUS_ADDRESS or "
                + "XDG_RUNTIME_DIR is set."
        case .noBus, .busRefused, .busSilent:
            "Check that 'dbus-daemon' or 'dbus-broker' runs for your user. Sign in again to start it."
        case .noService:
            "Install and start one, such as dunst or mako. GNOME, KDE and Xfce already contain one."
        case .serviceNotStarted:
            "'journalctl --user -e' shows the reason. Most of these programs need a running desktop."
        case .serviceSilent, .serviceRefused, .badAnswer: "Restart it, or sign in again."
        case .busLost, .serviceGone, .tooManyCalls, .cancelled: ""
        }
    }
}

extension DesktopBusError {
    init(named name: String) {
        let detail = NotificationBody.label(name)
        switch name {
        case "org.freedesktop.DBus.Error.ServiceUnknown": self.init(.noService)
        case "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.Disconnected":
            self.init(.serviceGone)
        case "org.freedesktop.DBus.Error.NoReply": self.init(.serviceSilent)
        case "org.freedesktop.DBus.Error.TimedOut", "org.freedesktop.DBus.Error.Timeout":
            self.init(.serviceNotStarted, detail: detail)
        case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."):
            self.init(.serviceNotStarted, detail: detail)
        case let name where name.hasPrefix("org.freedesktop.systemd1."): self.init(.serviceNotStarted, detail: detail)
        default: self.init(.serviceRefused, detail: detail)
        }
    }

    /// Creates the error for the `errno` with which a connection ended; `wasReady` is whether it had been usable.
    init(errno number: Int32, wasReady: Bool) {
        let code: Code =
            switch number {
            case _ where wasReady: .busLost
            case ENOENT, ECONNREFUSED, ENOTDIR, ENOTSOCK, ECONNRESET, EPIPE: .noBus
            case EINVAL, EPROTOTYPE, EAFNOSUPPORT, ENAMETOOLONG, ENOMEDIUM, ENOTSUP: .badAddress
            case ETIMEDOUT, EAGAIN: .busSilent
            default: .busRefused
            }
        self.init(code, detail: "error \(number)")
    }
}

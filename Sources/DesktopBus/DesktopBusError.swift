/// The reason why a request to the notification service failed.
///
/// Contains no text of a notification.
package struct DesktopBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    package enum Code: String, CaseIterable, Sendable {
        case noLibrary = "libsystemd, which speaks to the session bus, is not installed"
        case noAddress = "this program runs outside of a session: no session bus is named in its environment"
        case badAddress = "the address of the session bus cannot be used"
        case noBus = "nobody answers at the address of the session bus"
        case busRefused = "the session bus refuses the connection"
        case busSilent = "the session bus does not answer"
        case busLost = "the connection to the session bus has ended"
        case noService = "no program on this desktop shows notifications"
        case serviceNotStarted = "the program that shows notifications could not be started"
        case serviceGone = "the program that shows notifications has ended"
        case serviceSilent = "the program that shows notifications does not answer"
        case serviceRefused = "the program that shows notifications refuses"
        case badAnswer = "the program that shows notifications answers what makes no sense"
        case tooManyCalls = "too many notifications wait to be shown"
        case cancelled = "it was called off"
    }

    package let code: Code
    /// The error's name on the bus, or the system's error number; empty when there is none.
    package let detail: String

    /// - Parameter detail: see ``detail``.
    package init(_ code: Code, detail: String = "") {
        self.code = code
        self.detail = detail
    }

    /// The error in one clause.
    package var description: String {
        self.detail.isEmpty ? self.code.rawValue : "\(self.code.rawValue) (\(self.detail))"
    }

    /// Advice for the user; empty when it resolves itself or when there is nothing to do.
    package var advice: String {
        switch self.code {
        case .noLibrary: "Install the package libsystemd0, or the one of your system that has libsystemd.so.0 in it."
        case .noAddress, .badAddress:
            "Run it within the desktop session or as a service of the user's systemd, so that DBUS_SESSION_BUS_ADDRESS "
                + "or XDG_RUNTIME_DIR is set."
        case .noBus, .busRefused, .busSilent:
            "See whether 'dbus-daemon' or 'dbus-broker' runs for you; signing in anew starts it."
        case .noService:
            "Install and start one, such as dunst or mako; GNOME, KDE and Xfce bring their own, which comes with the "
                + "session."
        case .serviceNotStarted:
            "See in the journal why it does not start ('journalctl --user -e'); most of them need the desktop to be there."
        case .serviceSilent, .serviceRefused, .badAnswer: "Restart it, or sign in anew."
        case .busLost, .serviceGone, .tooManyCalls, .cancelled: ""
        }
    }
}

extension DesktopBusError {
    /// The meaning of a bus error with this name, as an answer to a service call or to a start call.
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

    /// The meaning of the `errno.h` number that a connection to the bus ended with.
    ///
    /// - Parameter wasReady: whether the connection had been ready.
    init(errno number: Int32, wasReady: Bool) {
        let detail = "error \(number)"
        self =
            switch BusErrno(number) {
            case _ where wasReady: Self(.busLost, detail: detail)
            case .absent: Self(.noBus, detail: detail)
            case .address: Self(.badAddress, detail: detail)
            case .silent: Self(.busSilent, detail: detail)
            case .other: Self(.busRefused, detail: detail)
            }
    }
}

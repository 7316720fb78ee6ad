package import HTTP
public import Reminders

/// Which reminders are wanted.
public struct ReminderFilter: Hashable, Sendable {
    /// Only those of the list with this name; `nil` for every list.
    public var list: String?
    /// Only those with at least one of these labels, compared without case; empty for all.
    public var labels: [String]
    /// Only those of this section; `nil` for every section.
    public var section: ListGroup.Section?
    /// Whether done and dropped ones are wanted when no section is named.
    public var includesCompleted: Bool

    /// Creates the value from its parts.
    public init(
        list: String? = nil,
        labels: [String] = [],
        section: ListGroup.Section? = nil,
        includesCompleted: Bool = false
    ) {
        self.list = list
        self.labels = labels
        self.section = section
        self.includesCompleted = includesCompleted
    }
}

/// Where the bytes of a file or of standard input come from, piece by piece.
package struct ByteSource: Sendable {
    /// The name in messages: the path, or `standard input`.
    package let name: String
    /// How many bytes there are, where that is known beforehand; 0 where it is not.
    package let size: Int
    /// At most `limit` more bytes; none at the end.
    package let read: @Sendable (_ limit: Int) throws -> [UInt8]

    /// A source with a name and a way to read it.
    package init(name: String, size: Int = 0, read: @escaping @Sendable (_ limit: Int) throws -> [UInt8]) {
        self.name = name
        self.size = size
        self.read = read
    }
}

/// Where an account's password comes from.
package enum PasswordSource: Hashable, Sendable {
    /// Run this command through the shell whenever it is needed; the first line of its output is the password.
    case command(String)
    /// Run this command whenever a token is needed; the first line of its output is the token (RFC 6750).
    case tokenCommand(String)
    /// The credential of this name that systemd gives to the service.
    case credential(String)
    /// This password, to be kept in the keyring, or else in the store's folder (mode 0600).
    case kept(Secret)

    /// A password that the user has just typed.
    package static func keeping(_ password: String) -> PasswordSource { .kept(Secret(password)) }
}

/// An account that is to be added.
package struct NewAccount: Sendable {
    /// The address as pasted.
    package var address: String
    /// The user's name at the server.
    package var user: String
    /// Where the password comes from.
    package var password: PasswordSource
    /// The name; `nil` for the host of the address, with a number when that is taken.
    package var name: String?
    /// Further settings, each as on the command line.
    package var settings: [AccountSetting: String]
    /// The password of the key of the client certificate; `nil` for none.
    package var keyPassword: PasswordSource?
    /// Whether the password was made by the server for this program (Nextcloud Login Flow v2).
    package var isAppPassword = false

    package init(
        address: String,
        user: String,
        password: PasswordSource,
        name: String? = nil,
        settings: [AccountSetting: String] = [:]
    ) {
        self.address = address
        self.user = user
        self.password = password
        self.name = name
        self.settings = settings
    }
}

/// In which form a feed publishes reminders.
package enum FeedForm: String, Sendable, CaseIterable {
    /// Dated open reminders as events.
    case event
    /// Open reminders as to-dos.
    case todo
    /// Both, under different UIDs.
    case both
}

/// The form of a reminder in an export.
package enum ExportStyle: String, Sendable, CaseIterable {
    /// The to-do as it is stored.
    case todo
    /// A dated open reminder as an event.
    case event
}

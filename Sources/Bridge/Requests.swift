package import HTTP
public import Reminders
package import TaskFormats

/// The reminders of a listing.
public struct ReminderFilter: Hashable, Sendable {
    /// The name of the only list; `nil` for every list.
    public var list: String?
    /// Only reminders with one of these labels, compared without case; empty for all.
    public var labels: [String]
    /// The only section; `nil` for every section.
    public var section: ListGroup.Section?
    /// Whether completed and cancelled reminders are included when no section is named.
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

package struct ByteSource: Sendable {
    /// The name in messages: the path, or `standard input`.
    package let name: String
    /// The number of bytes; 0 if unknown.
    package let size: Int
    /// Returns at most `limit` more bytes; none at the end.
    package let read: @Sendable (_ limit: Int) throws -> [UInt8]

    package init(name: String, size: Int = 0, read: @escaping @Sendable (_ limit: Int) throws -> [UInt8]) {
        self.name = name
        self.size = size
        self.read = read
    }
}

package enum PasswordSource: Hashable, Sendable {
    /// A shell command; the first line of its output is the password.
    case command(String)
    /// A shell command; the first line of its output is a token (RFC 6750).
    case tokenCommand(String)
    case credential(String)
    /// A password for the keyring, or else for the store's folder (mode 0600).
    case kept(Secret)

    package static func keeping(_ password: String) -> PasswordSource { .kept(Secret(password)) }
}

package struct NewAccount: Sendable {
    /// The address as pasted.
    package var address: String
    package var user: String
    package var password: PasswordSource
    /// The name; `nil` for the host of the address, with a number when that is taken.
    package var name: String?
    package var settings: [AccountSetting: String]
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

package enum FeedForm: String, Sendable, CaseIterable {
    case event
    case todo
    /// Both, under different UIDs.
    case both
}

package enum ExportStyle: String, Sendable, CaseIterable {
    case todo
    case event
}

package enum ImportFormat: Hashable, Sendable {
    case ics
    case other(TaskFormat)

    package static let all: [Self] = [.ics] + TaskFormat.all.map { .other($0) }

    package init?(word: String) {
        guard let format = Self.all.first(where: { $0.word == word }) else { return nil }
        self = format
    }

    package var word: String { self.taskFormat?.name ?? "ics" }

    var taskFormat: TaskFormat? { if case .other(let format) = self { format } else { nil } }
}

package struct ImportOptions: Sendable {
    /// `nil` to detect the format from the content.
    package var format: ImportFormat?
    package var importsEvents: Bool
    package var copies: Bool
    package var limits = ImportLimits.standard

    package init(format: ImportFormat? = nil, importsEvents: Bool = false, copies: Bool = false) {
        self.format = format
        self.importsEvents = importsEvents
        self.copies = copies
    }
}

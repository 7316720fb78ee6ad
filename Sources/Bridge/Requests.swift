package import RemindavHTTP
package import RemindavTaskFormats
import Synchronization

/// Selects the fields that a query reads.
package enum ReminderDetail: Sendable {
    /// The fields of a listing: no notes, alarms or texts of dates; the UID is empty.
    case line
    case everything
}

package struct ByteSource: Sendable {
    /// The name of the source in messages: the path, or `standard input`.
    package let name: String
    /// The last part of the path; `nil` for standard input.
    package let fileName: String?
    /// The size in bytes; 0 if unknown.
    package let size: Int
    /// Returns the next bytes, at most `limit`; an empty array means the end.
    package let read: @Sendable (_ limit: Int) throws -> [UInt8]

    package init(
        name: String,
        fileName: String? = nil,
        size: Int = 0,
        read: @escaping @Sendable (_ limit: Int) throws -> [UInt8]
    ) {
        self.name = name
        self.fileName = fileName
        self.size = size
        self.read = read
    }
}

extension ByteSource {
    /// A source with bytes in memory.
    package static func bytes(_ bytes: [UInt8], name: String) -> ByteSource {
        let rest = Mutex(bytes[...])
        return ByteSource(name: name, size: bytes.count) { limit in
            rest.withLock { rest in
                let piece = Array(rest.prefix(limit))
                rest = rest.dropFirst(limit)
                return piece
            }
        }
    }
}

extension String {
    /// The part of a path after the last slash; `nil` for an empty part.
    package var lastPathPart: String? {
        let part = self.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        return part.isEmpty ? nil : part
    }
}

package enum PasswordSource: Hashable, Sendable {
    /// A shell command that prints the password as the first line of its output.
    case command(String)
    /// A shell command that prints a bearer token (RFC 6750) as the first line of its output.
    case tokenCommand(String)
    case credential(String)
    /// A password to store in the keyring, or without a keyring in a file of the store's folder (mode 0600).
    case kept(Secret)

    package static func keeping(_ password: String) -> PasswordSource { .kept(Secret(password)) }
}

package struct NewAccount: Sendable {
    /// The address as the user gave it.
    package var address: String
    package var user: String
    package var password: PasswordSource
    /// The name of the account; `nil` means the host of the address, with a number if another account has that name.
    package var name: String?
    package var settings: [AccountSetting: String]
    package var keyPassword: PasswordSource?
    /// Whether the server created the password for this program (Nextcloud Login Flow v2).
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
    /// An event and a to-do with different UIDs.
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
    /// The format of the file; `nil` to detect it from the content.
    package var format: ImportFormat?
    package var importsEvents: Bool
    package var copies: Bool
    /// Whether projects and lists of other programs become lists; otherwise they become labels.
    package var makesLists = false
    /// The order of day and month in a table; `nil` to find it from the dates.
    package var dateOrder: DateOrder?
    package var limits = ImportLimits.standard

    package init(format: ImportFormat? = nil, importsEvents: Bool = false, copies: Bool = false) {
        self.format = format
        self.importsEvents = importsEvents
        self.copies = copies
    }
}

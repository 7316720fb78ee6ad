package import RemindavBridge
import RemindavICalendar
package import RemindavPlatform

/// The place of a secret of the operator, as the settings `host-key` and `host-relay-password` name it.
package enum SecretSource: Hashable, Sendable {
    /// The path of a file that only the user of the process can read.
    case file(String)
    /// The name of a credential that systemd passes to the service.
    case credential(String)
    /// A shell command, which prints the secret as the first line of its output.
    case command(String)

    private static let credentialPrefix = "credential:"
    private static let commandPrefix = "command:"

    /// Parses `/PATH`, `credential:NAME` or `command:WORDS`; `nil` for any other text.
    package init?(_ text: String) {
        if text.hasPrefix("/") {
            self = .file(text)
        } else if text.hasPrefix(Self.credentialPrefix) {
            let name = text.dropFirst(Self.credentialPrefix.count)
            // A slash or a leading full stop could name a file outside of the folder of credentials.
            guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
            self = .credential(String(name))
        } else if text.hasPrefix(Self.commandPrefix) {
            let words = text.dropFirst(Self.commandPrefix.count)
            guard words.contains(where: { $0 != " " }) else { return nil }
            self = .command(String(words))
        } else {
            return nil
        }
    }

    /// The form that ``init(_:)`` parses.
    package var text: String {
        switch self {
        case .file(let path): path
        case .credential(let name): Self.credentialPrefix + name
        case .command(let words): Self.commandPrefix + words
        }
    }

    package enum Content: Hashable, Sendable {
        /// The first line, without its end.
        case line(String)
        case openToOthers
        case notReadable
    }

    /// Reads the secret.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes of a file; a larger file is not readable.
    ///   - credentials: the folder with the credentials of the service; `nil` outside a service.
    package func content(limit: Int, credentials: String?) -> Content {
        let bytes: [UInt8]?
        switch self {
        case .file(let path):
            switch PrivateFile.read(path, limit: limit) {
            case .bytes(let content): bytes = content
            case .openToOthers: return .openToOthers
            case .notReadable: bytes = nil
            }
        case .credential(let name): bytes = credentials.flatMap { SystemFiles.read("\($0)/\(name)", limit: limit) }
        case .command(let words): bytes = Subprocess.firstLine(ofShellCommand: words).map { Array($0.utf8) }
        }
        guard let bytes else { return .notReadable }
        return .line(String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self))
    }
}

extension SecretSource {
    /// Creates a file with a new key of a host; only the user of this process can read it.
    ///
    /// - Parameter randomBytes: returns this number of random bytes.
    /// - Throws: `SystemError` with EEXIST if there is a file.
    package static func create(_ path: String, randomBytes: (Int) -> [UInt8]) throws(SystemError) {
        try PrivateFile.create(path, Array((HostKey.random(randomBytes).hexadecimal + "\n").utf8))
    }

    /// Reads the key of a host.
    ///
    /// - Parameter credentials: the folder with the credentials of the service; `nil` outside a service.
    /// - Throws: `hostKeyNotReadable`, `hostKeyOpenToOthers` or `hostKeyNotValid`.
    package func key(credentials: String?) throws(UseCaseError) -> HostKey {
        switch self.content(limit: HostKey.textBytes, credentials: credentials) {
        case .line(let text):
            guard let key = HostKey(hexadecimal: text) else {
                throw UseCaseError(.hostKeyNotValid, subject: self.subject)
            }
            return key
        case .openToOthers: throw UseCaseError(.hostKeyOpenToOthers, subject: self.subject)
        case .notReadable: throw UseCaseError(.hostKeyNotReadable, subject: self.subject)
        }
    }

    /// The subject of an error; a command may contain secrets, so it is not shown.
    private var subject: String? {
        switch self {
        case .file(let path): path
        case .credential(let name): name
        case .command: nil
        }
    }
}

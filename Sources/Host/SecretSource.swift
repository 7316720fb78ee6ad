import RemindavPlatform

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

    /// The result of reading a secret.
    package enum Content: Hashable, Sendable {
        /// The first line, without its end.
        case line(String)
        /// Other users may read or write the file.
        case openToOthers
        /// The file, the credential or the output is missing, not readable, or too long; with the reason in words.
        case notReadable(String)
    }

    /// Reads the secret.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes of a file; a larger file is not readable.
    ///   - credentials: the folder with the credentials of the service; `nil` outside a service.
    package func content(limit: Int, credentials: String?) -> Content {
        let bytes: [UInt8]
        switch self {
        case .file(let path):
            switch PrivateFile.read(path, limit: limit) {
            case .bytes(let content): bytes = content
            case .openToOthers: return .openToOthers
            case .notReadable(let reason): return .notReadable(reason)
            }
        case .credential(let name):
            guard let credentials else { return .notReadable("this process is no service of systemd with credentials") }
            guard let content = SystemFiles.read("\(credentials)/\(name)", limit: limit) else {
                return .notReadable("the service has no such credential, or it has more than \(limit) bytes")
            }
            bytes = content
        case .command(let words):
            guard let line = Subprocess.firstLine(ofShellCommand: words) else {
                return .notReadable("the command failed, printed nothing, or took too long")
            }
            bytes = Array(line.utf8)
        }
        return .line(String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self))
    }
}

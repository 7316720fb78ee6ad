import RemindavCurlTransport
import RemindavPlatform
import RemindavReminders
import RemindavStore
import RemindavSync

/// The settings of an account with their names on the command line, for the commands and for their help.
package enum AccountSetting: String, Hashable, Sendable, CaseIterable {
    case caFile = "ca-file"
    case clientCertificate = "client-certificate"
    case clientKey = "client-key"
    case trustKey = "trust-key"
    case allowInsecure = "allow-insecure"
    case conflicts
    case completes
    case syncInterval = "sync-interval"

    package var valueName: String {
        switch self {
        case .caFile, .clientCertificate, .clientKey: "FILE"
        case .trustKey: "KEY"
        case .allowInsecure: "YES-NO"
        case .conflicts: "POLICY"
        case .completes: "WAY"
        case .syncInterval: "TIME"
        }
    }

    /// The help text in lines of at most 60 columns.
    package var help: [String] {
        switch self {
        case .caFile: ["Also trust the authorities in this PEM file"]
        case .clientCertificate: ["Sign in with the certificate in this PEM file"]
        case .clientKey: ["The key of the client certificate, if in another file"]
        case .trustKey:
            ["Trust only a server with this key, in the form", "sha256//... that 'account trust' shows"]
        case .allowInsecure: ["yes or no: whether to send the password over plain HTTP"]
        case .conflicts:
            ["The side that wins if both changed the same field:", (self.choices ?? []).listed("or")]
        case .completes:
            [
                "How 'done' completes a repeating reminder: roll (moves it",
                "to its next date, adds a completed copy) or override (as",
                "Thunderbird does)",
            ]
        case .syncInterval:
            ["How often 'daemon' syncs it: 1m to 24h, or never;", "default: the setting 'sync-interval'"]
        }
    }

    /// The allowed values; `nil` if any text is allowed.
    package var choices: [String]? {
        switch self {
        case .allowInsecure: ["yes", "no"]
        case .conflicts: ConflictPolicy.allCases.map(\.rawValue)
        case .completes: CompletionShape.allCases.map(\.rawValue)
        case .caFile, .clientCertificate, .clientKey, .trustKey, .syncInterval: nil
        }
    }

    /// Whether the value is a file path; paths are stored as absolute paths.
    package var isPath: Bool { self.valueName == "FILE" }

    private enum Field {
        case optional(WritableKeyPath<AccountSettings, String?>)
        /// A setting that always has a value; a cleared setting gets the value of a new account.
        case standard(WritableKeyPath<AccountSettings, String>)
        case flag(WritableKeyPath<AccountSettings, Bool>)
    }

    private var field: Field {
        switch self {
        case .caFile: .optional(\.caFile)
        case .clientCertificate: .optional(\.clientCertificate)
        case .clientKey: .optional(\.clientKey)
        case .trustKey: .optional(\.pinnedKey)
        case .allowInsecure: .flag(\.allowsInsecure)
        case .conflicts: .standard(\.conflictPolicy)
        case .completes: .standard(\.completesAs)
        case .syncInterval: .optional(\.syncInterval)
        }
    }

    /// Changes the setting; `none` clears it.
    ///
    /// - Throws: `fileNotReadable` with the path as its subject; `badSetting` with a subject such as `--completes yes`.
    func set(_ value: String, in settings: inout AccountSettings) throws(UseCaseError) {
        let value = value == "none" ? nil : value
        if let value {
            guard !self.isPath || SystemFiles.read(value, limit: Self.fileLimit) != nil else {
                throw UseCaseError(.fileNotReadable, subject: value)
            }
            guard self.accepts(value) else { throw UseCaseError(.badSetting, subject: "--\(self.rawValue) \(value)") }
        }
        switch self.field {
        case .optional(let path): settings[keyPath: path] = value
        case .standard(let path): settings[keyPath: path] = value ?? AccountSettings()[keyPath: path]
        case .flag(let path): settings[keyPath: path] = value == "yes"
        }
    }

    private func accepts(_ value: String) -> Bool {
        switch self {
        case .trustKey: ServerCertificate.isPin(value)
        case .syncInterval: SyncInterval(value) != nil
        default: self.choices?.contains(value) ?? true
        }
    }

    /// The text of the setting's value; `nil` when a new account has the same value.
    func value(in settings: AccountSettings) -> String? {
        switch self.field {
        case .optional(let path): return settings[keyPath: path]
        case .standard(let path):
            let value = settings[keyPath: path]
            return value == AccountSettings()[keyPath: path] ? nil : value
        case .flag(let path): return settings[keyPath: path] ? "yes" : nil
        }
    }

    /// The maximum size of a PEM file in bytes; all certificate authorities of a system need some hundred KiB.
    fileprivate static let fileLimit = 4 << 20
}

extension AccountSettings {
    /// The path of the client key's file if the key is encrypted (RFC 7468 §11 or old OpenSSL form); otherwise `nil`.
    var encryptedKey: String? {
        guard let path = self.clientKey ?? self.clientCertificate,
            let bytes = SystemFiles.read(path, limit: AccountSetting.fileLimit)
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") ? path : nil
    }

    init(_ values: [AccountSetting: String]) throws(UseCaseError) {
        self.init()
        try self.apply(values)
    }

    mutating func apply(_ values: [AccountSetting: String]) throws(UseCaseError) {
        for setting in AccountSetting.allCases {
            if let value = values[setting] { try setting.set(value, in: &self) }
        }
    }
}

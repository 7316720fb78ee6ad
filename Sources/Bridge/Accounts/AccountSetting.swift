import CurlTransport
import Platform
import Reminders
import Store
import Sync

/// The settings of an account, as they are written on the command line.
///
/// A table: setting, display and help read its rows.
package enum AccountSetting: String, Hashable, Sendable, CaseIterable {
    /// A PEM file with authorities that are trusted beside the system's.
    case caFile = "ca-file"
    /// The PEM file with the certificate that signs us in.
    case clientCertificate = "client-certificate"
    /// The PEM file with its key.
    case clientKey = "client-key"
    /// The key that the server must have.
    case trustKey = "trust-key"
    /// Whether the password may travel unencrypted.
    case allowInsecure = "allow-insecure"
    /// The side that wins when both changed one field.
    case conflicts
    /// How a reminder that repeats is completed.
    case completes
    /// How often the daemon syncs it.
    case syncInterval = "sync-interval"

    /// The name of the value in the help.
    package var valueName: String {
        switch self {
        case .caFile, .clientCertificate, .clientKey: "FILE"
        case .trustKey: "KEY"
        case .allowInsecure: "YES-NO"
        case .conflicts: "WHO"
        case .completes: "SHAPE"
        case .syncInterval: "TIME"
        }
    }

    /// The help text, in lines of at most 60 columns.
    package var help: [String] {
        switch self {
        case .caFile: ["Trust the authorities in this PEM file, too"]
        case .clientCertificate: ["Sign in with the certificate in this PEM file"]
        case .clientKey: ["Its key, when it is in another file"]
        case .trustKey:
            ["Trust the server that has this key, as 'account trust'", "shows it: sha256//..., and no other"]
        case .allowInsecure: ["yes: send the password over plain http; no"]
        case .conflicts: ["Who wins when both sides changed one field:", "newer, here or server"]
        case .completes:
            [
                "How 'done' completes a repeating reminder: roll (it moves",
                "on, a done copy stays) or override (as Thunderbird does)",
            ]
        case .syncInterval:
            ["How often 'daemon' syncs it: 1m to 24h, or never; else as", "'sync-interval' in the settings says"]
        }
    }

    /// The words of which the value is one; `nil` where it is something else.
    package var choices: [String]? {
        switch self {
        case .allowInsecure: ["yes", "no"]
        case .conflicts: ConflictPolicy.allCases.map(\.rawValue)
        case .completes: CompletionShape.allCases.map(\.rawValue)
        case .caFile, .clientCertificate, .clientKey, .trustKey, .syncInterval: nil
        }
    }

    /// Whether the value is the path of a file, which is kept from the root on.
    package var isPath: Bool { self.valueName == "FILE" }

    /// Takes over a value; `none` clears it.
    ///
    /// - Throws: `fileNotReadable` or `badSetting`, with the value or the name as the subject.
    func set(_ value: String, in settings: inout AccountSettings) throws(UseCaseError) {
        let value = value == "none" ? nil : value
        if let value, let choices = self.choices, !choices.contains(value) {
            throw UseCaseError(.badSetting, subject: "--\(self.rawValue) \(value)")
        }
        switch self {
        case .caFile: settings.caFile = try Self.readable(value)
        case .clientCertificate: settings.clientCertificate = try Self.readable(value)
        case .clientKey: settings.clientKey = try Self.readable(value)
        case .trustKey:
            if let value, !ServerCertificate.isPin(value) {
                throw UseCaseError(.badSetting, subject: "--\(self.rawValue) \(value)")
            }
            settings.pinnedKey = value
        case .allowInsecure: settings.allowsInsecure = value == "yes"
        case .conflicts: settings.conflictPolicy = value ?? AccountSettings().conflictPolicy
        case .completes: settings.completesAs = value ?? AccountSettings().completesAs
        case .syncInterval:
            if let value, SyncInterval(value) == nil {
                throw UseCaseError(.badSetting, subject: "--\(self.rawValue) \(value)")
            }
            settings.syncInterval = value
        }
    }

    /// The value as it is written to set it; `nil` when it is the value of a new account.
    func value(in settings: AccountSettings) -> String? {
        switch self {
        case .caFile: settings.caFile
        case .clientCertificate: settings.clientCertificate
        case .clientKey: settings.clientKey
        case .trustKey: settings.pinnedKey
        case .allowInsecure: settings.allowsInsecure ? "yes" : nil
        case .conflicts:
            settings.conflictPolicy == AccountSettings().conflictPolicy ? nil : settings.conflictPolicy
        case .completes: settings.completesAs == AccountSettings().completesAs ? nil : settings.completesAs
        case .syncInterval: settings.syncInterval
        }
    }

    /// A certificate file has a few KiB, one with all authorities of a system some hundred.
    fileprivate static let fileLimit = 4 << 20

    private static func readable(_ path: String?) throws(UseCaseError) -> String? {
        guard let path else { return nil }
        guard SystemFiles.read(path, limit: Self.fileLimit) != nil else {
            throw UseCaseError(.fileNotReadable, subject: path)
        }
        return path
    }
}

extension AccountSettings {
    /// The path of the client's key when it is encrypted (RFC 7468 §11, and OpenSSL's older form).
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

    /// Takes over these values, in the table's order.
    mutating func apply(_ values: [AccountSetting: String]) throws(UseCaseError) {
        for setting in AccountSetting.allCases {
            if let value = values[setting] { try setting.set(value, in: &self) }
        }
    }
}

import RemindavCurlTransport
package import RemindavHTTP
import RemindavStore

/// Keeps the secrets of a tenant of a host; the database contains only sealed secrets.
package protocol SecretVault: Sendable {
    /// Stores a secret, or replaces the one with this name.
    func keep(_ secret: Secret, named name: String) throws(UseCaseError)

    /// The secret with this name; `nil` if there is none.
    func secret(named name: String) throws(UseCaseError) -> Secret?

    /// Removes a secret; a secret that cannot be removed now stays sealed.
    func forget(_ name: String)
}

/// The limits of a tenant of a host: its accounts use no file, no program and no private network of the host.
struct Tenancy: Sendable {
    let vault: any SecretVault
    let addresses: AddressPolicy
    /// The connections of an account to its server; the host limits the number of accounts that use a server.
    static let connections = 1

    /// - Throws: `fileOfTenant` or `insecureOfTenant`.
    static func check(_ settings: AccountSettings) throws(UseCaseError) {
        for setting in AccountSetting.allCases {
            if let value = setting.value(in: settings) { try self.check(setting, value) }
        }
    }

    /// Checks the values of the command line; no file is read.
    static func check(_ values: [AccountSetting: String]) throws(UseCaseError) {
        for setting in AccountSetting.allCases {
            if let value = values[setting] { try self.check(setting, value) }
        }
    }

    private static func check(_ setting: AccountSetting, _ value: String) throws(UseCaseError) {
        if setting.isPath, value != "none" { throw UseCaseError(.fileOfTenant, subject: setting.rawValue) }
        if setting == .allowInsecure, value == "yes" { throw UseCaseError(.insecureOfTenant) }
    }
}

extension UseCases {
    /// The settings of an account from their texts.
    ///
    /// - Throws: the errors of ``AccountSetting/set(_:in:)``; for a tenant of a host also those of ``Tenancy``.
    func settings(_ values: [AccountSetting: String]) throws(UseCaseError) -> AccountSettings {
        if self.configuration.tenancy != nil { try Tenancy.check(values) }
        return try AccountSettings(values)
    }
}

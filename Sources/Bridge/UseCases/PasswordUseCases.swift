import CalDAV
import HTTP
import Store

extension UseCases {
    /// Changes where an account's password comes from, after the server has accepted it.
    ///
    /// - Parameter name: the account's, `nil` for the only one.
    package func changePassword(of name: String?, to source: PasswordSource) async throws -> AccountView {
        let account = try self.account(named: name)
        let secrets = self.secrets
        let client = try self.client(
            address: account.url,
            credentials: secrets.credentials(user: account.user, source),
            settings: account.settings,
            keyPassword: self.keyPassword(of: account)
        )
        for home in account.homes.prefix(1) { _ = try await client.lists(in: home) }
        let scheme = await client.signInScheme?.rawValue
        let reference = try secrets.keep(source, identifier: self.newUID(), label: Self.passwordLabel(account.name))
        do {
            try self.store.write { transaction in
                try transaction.update(reference, of: account.id)
                if let scheme { try transaction.changeSettings(of: account.id) { $0.signIn = scheme } }
            }
        } catch {
            secrets.forget(reference)
            throw error
        }
        secrets.forget(account.secret)
        return try self.view(of: account.name)
    }

    /// The path of the client key; `nil` when it is not encrypted.
    package func encryptedKey(_ values: [AccountSetting: String]) throws -> String? {
        try AccountSettings(values).encryptedKey
    }

    /// Changes the passphrase of an account's client key, after the server has accepted it.
    package func changeKeyPassword(of name: String?, to source: PasswordSource) async throws -> AccountView {
        let account = try self.account(named: name)
        let secrets = self.secrets
        let password = try secrets.secret(source)
        let client = try self.client(
            address: account.url,
            credentials: secrets.credentials(user: account.user, account.secret),
            settings: account.settings,
            keyPassword: password,
            scheme: SignInScheme(rawValue: account.settings.signIn)
        )
        for home in account.homes.prefix(1) { _ = try await client.lists(in: home) }
        try secrets.keepKeyPassword(password, of: account.id, label: Self.keyPasswordLabel(account.name))
        return try self.view(of: account.name)
    }

    /// The label of an account's password in a keyring.
    static func passwordLabel(_ name: String) -> String { "Remindav: \(name)" }

    /// The label of the passphrase of an account's client key.
    static func keyPasswordLabel(_ name: String) -> String { "Remindav: key for \(name)" }
}

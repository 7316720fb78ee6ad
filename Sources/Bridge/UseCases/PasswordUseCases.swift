import RemindavCalDAV
import RemindavHTTP
import RemindavStore

extension UseCases {
    /// Changes a password's source after the server accepted the new password; `name` is `nil` for the only account.
    package func changePassword(of name: String?, to source: PasswordSource) async throws -> AccountView {
        let account = try self.account(named: name)
        let secrets = self.secrets
        let scheme = try await self.signIn(
            to: account,
            secrets.credentials(user: account.user, source),
            keyPassword: self.keyPassword(of: account)
        )
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

    /// The path of the file with the client key; `nil` when the key is not encrypted.
    package func encryptedKey(_ values: [AccountSetting: String]) throws -> String? {
        try self.settings(values).encryptedKey
    }

    /// Changes the passphrase of an account's client key after the server accepted a request with the key.
    package func changeKeyPassword(of name: String?, to source: PasswordSource) async throws -> AccountView {
        let account = try self.account(named: name)
        guard self.configuration.tenancy == nil else {
            throw UseCaseError(.fileOfTenant, subject: AccountSetting.clientKey.rawValue)
        }
        let secrets = self.secrets
        let password = try secrets.secret(source)
        let scheme = SignInScheme(rawValue: account.settings.signIn)
        let credentials = try secrets.credentials(user: account.user, account.secret)
        _ = try await self.signIn(to: account, credentials, keyPassword: password, scheme: scheme)
        try secrets.keepKeyPassword(password, of: account.id, label: Self.keyPasswordLabel(account.name))
        return try self.view(of: account.name)
    }

    /// Requests the lists of the account, and returns the sign-in scheme that the server accepted.
    private func signIn(
        to account: AccountRecord,
        _ credentials: Credentials,
        keyPassword: Secret?,
        scheme: SignInScheme? = nil
    ) async throws -> String? {
        let client = try self.client(
            address: account.url,
            credentials: credentials,
            settings: account.settings,
            keyPassword: keyPassword,
            scheme: scheme
        )
        for home in account.homes.prefix(1) { _ = try await client.lists(in: home) }
        return await client.signInScheme?.rawValue
    }

    static func passwordLabel(_ name: String) -> String { "Remindav: \(name)" }
    static func keyPasswordLabel(_ name: String) -> String { "Remindav: key for \(name)" }
}

import RemindavCalDAV
import RemindavHTTP
import RemindavPlatform
import RemindavStore

/// Reads and stores the secrets of accounts; the database contains only a reference to each secret.
package struct Secrets: Sendable {
    enum Kind: String {
        case command
        case tokenCommand = "token-command"
        case keyring
        case credential
        case file
        /// In the vault of a tenant of a host.
        case sealed
    }

    /// In bytes of UTF-8; in base64 with the user's name, it fits into the usual 8 KiB for all header fields.
    package static let maximumPasswordBytes = 4096
    let folder: String
    let keyring: Keyring?
    /// The folder with the credentials of a service (systemd.exec(5), `LoadCredential=`); `nil` outside a service.
    let credentials: String?
    /// The only place of the secrets of a tenant of a host; `nil` for a single user.
    var vault: (any SecretVault)?

    /// Stores a password in the keyring if the keyring opens, or otherwise in a file, and returns a reference.
    ///
    /// A command or the name of a credential is itself the reference, so nothing is stored. The keyring shows `label`
    /// to the user. `identifier` is random and reveals nothing about the account.
    ///
    /// - Throws: `SystemError`; for a tenant of a host `commandOfTenant`, `credentialOfTenant` or an error of the vault.
    func keep(_ source: PasswordSource, identifier: String, label: String) throws -> SecretReference {
        if let vault {
            try vault.keep(self.secret(source), named: identifier)
            return self.reference(.sealed, identifier)
        }
        switch source {
        case .command(let command): return self.reference(.command, command)
        case .tokenCommand(let command): return self.reference(.tokenCommand, command)
        case .credential(let name): return self.reference(.credential, name)
        case .kept(let password):
            if let keyring, keyring.keeps(password, identifier: identifier, label: label) {
                return self.reference(.keyring, identifier)
            }
            try self.keepInFile(password, identifier)
            return self.reference(.file, identifier)
        }
    }

    private func keepInFile(_ secret: Secret, _ identifier: String) throws(SystemError) {
        try SystemFiles.makePrivateFolder("\(self.folder)/secrets")
        try SystemFiles.writePrivate(Array(secret.reveal().utf8), to: self.path(identifier))
    }

    private func reference(_ kind: Kind, _ reference: String) -> SecretReference {
        SecretReference(kind: kind.rawValue, reference: reference)
    }

    func secret(_ reference: SecretReference) throws(UseCaseError) -> Secret {
        if let vault { return try Self.sealedSecret(reference, in: vault) }
        try self.checkFolder()
        let name = reference.reference
        switch Kind(rawValue: reference.kind) {
        case .command, .tokenCommand:
            guard let line = Subprocess.firstLine(ofShellCommand: name) else {
                throw UseCaseError(.passwordCommandFailed)
            }
            return Secret(line)
        case .keyring:
            guard let secret = self.keyring?.find(name) else { throw UseCaseError(.keyringClosed) }
            return secret
        case .credential:
            guard let secret = self.credentials.flatMap({ self.line("\($0)/\(name)") }) else {
                throw UseCaseError(.credentialMissing, subject: name)
            }
            return secret
        case .sealed: throw UseCaseError(.passwordMissing)
        case .file, nil:
            guard let secret = self.line(self.path(name)) else { throw UseCaseError(.passwordMissing) }
            return secret
        }
    }

    /// - Throws: `passwordNotSealed` for an imported account, whose reference leads to a file or program of the host.
    private static func sealedSecret(
        _ reference: SecretReference,
        in vault: any SecretVault
    ) throws(UseCaseError) -> Secret {
        guard reference.kind == Kind.sealed.rawValue else { throw UseCaseError(.passwordNotSealed) }
        guard let secret = try vault.secret(named: reference.reference) else { throw UseCaseError(.passwordMissing) }
        return secret
    }

    /// - Throws: ``UseCaseError/Code/storeOpenToOthers`` when other users may write to the store.
    private func checkFolder() throws(UseCaseError) {
        for path in [self.folder, "\(self.folder)/reminders.db", "\(self.folder)/secrets"]
        where SystemFiles.isWritableByOthers(path) {
            throw UseCaseError(.storeOpenToOthers, subject: path)
        }
    }

    /// Throws ``UseCaseError/Code/storeOpenToOthers`` if other users may write to the store.
    ///
    /// For a tenant of a host, a command throws `commandOfTenant`, and a credential `credentialOfTenant`.
    func secret(_ source: PasswordSource) throws(UseCaseError) -> Secret {
        switch source {
        case .kept(let password): password
        case .command where self.vault != nil, .tokenCommand where self.vault != nil:
            throw UseCaseError(.commandOfTenant)
        case .credential where self.vault != nil: throw UseCaseError(.credentialOfTenant)
        case .command(let command): try self.secret(self.reference(.command, command))
        case .tokenCommand(let command): try self.secret(self.reference(.tokenCommand, command))
        case .credential(let name): try self.secret(self.reference(.credential, name))
        }
    }

    func forget(_ reference: SecretReference) {
        if let vault {
            if reference.kind == Kind.sealed.rawValue { vault.forget(reference.reference) }
            return
        }
        switch Kind(rawValue: reference.kind) {
        case .file: SystemFiles.remove(self.path(reference.reference))
        case .keyring: self.keyring?.forget(reference.reference)
        case .command, .tokenCommand, .credential, .sealed, nil: break
        }
    }

    static func origin(_ reference: SecretReference) -> String {
        switch Kind(rawValue: reference.kind) {
        case .command: "command: \(reference.reference)"
        case .tokenCommand: "token command: \(reference.reference)"
        case .keyring: "in the keyring"
        case .credential: "systemd credential: \(reference.reference)"
        case .sealed: "sealed in the database of the host"
        case .file, nil: "in the folder of the store"
        }
    }

    /// - Throws: `SystemError`; `fileOfTenant` for a tenant of a host, which has no client key.
    func keepKeyPassword(_ password: Secret, of account: AccountID, label: String) throws {
        guard self.vault == nil else { throw UseCaseError(.fileOfTenant, subject: AccountSetting.clientKey.rawValue) }
        let name = Self.keyIdentifier(account)
        let kept = try self.keep(.kept(password), identifier: name, label: label)
        // An older password may be in the keyring or in a file. It is deleted, so that a search finds only the new one.
        if Kind(rawValue: kept.kind) == .file {
            self.keyring?.forget(name)
        } else {
            SystemFiles.remove(self.path(name))
        }
    }

    func keyPassword(of account: AccountID) -> Secret? {
        guard self.vault == nil else { return nil }
        let name = Self.keyIdentifier(account)
        // An unsafe folder is no error here. Without the password, the key cannot be used, so the next request fails.
        guard (try? self.checkFolder()) != nil else { return nil }
        return self.line(self.path(name)) ?? self.keyring?.find(name)
    }

    func forgetKeyPassword(of account: AccountID) {
        guard self.vault == nil else { return }
        let name = Self.keyIdentifier(account)
        SystemFiles.remove(self.path(name))
        self.keyring?.forget(name)
    }

    /// The identifier of the client key's password; a store never uses the number of an account again.
    private static func keyIdentifier(_ account: AccountID) -> String { "client-key-\(account.rawValue)" }

    /// The first line of a small file; `nil` when the file cannot be read.
    private func line(_ path: String) -> Secret? {
        // The file may have a line end after the password.
        guard let bytes = SystemFiles.read(path, limit: Self.maximumPasswordBytes + 2) else { return nil }
        return Secret(String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self))
    }

    private func path(_ identifier: String) -> String { "\(self.folder)/secrets/\(identifier)" }
}

extension Secrets {
    /// The credentials of a source; a password command runs now, and a token command when a request needs a token.
    func credentials(user: String, _ source: PasswordSource) throws(UseCaseError) -> Credentials {
        if case .tokenCommand(let command) = source, self.vault == nil { return Self.tokens(user, command) }
        return Credentials(user: user, password: try self.secret(source))
    }

    func credentials(user: String, _ reference: SecretReference) throws(UseCaseError) -> Credentials {
        if reference.kind == Kind.tokenCommand.rawValue, self.vault == nil {
            try self.checkFolder()
            return Self.tokens(user, reference.reference)
        }
        return Credentials(user: user, password: try self.secret(reference))
    }

    private static func tokens(_ user: String, _ command: String) -> Credentials {
        Credentials(user: user) { Subprocess.firstLine(ofShellCommand: command).map { Secret($0) } }
    }
}

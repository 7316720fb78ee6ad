import CalDAV
import HTTP
import Platform
import Store

/// Where the secrets of accounts are: in a command's output, in the desktop's keyring, in a credential of systemd, or in a
/// file of its own that only its owner can read.
///
/// The store itself holds a reference and never a secret.
package struct Secrets: Sendable {
    /// The kinds of places, as the store spells them.
    enum Kind: String {
        case command
        case tokenCommand = "token-command"
        case keyring
        case credential
        case file
    }

    /// The longest password that is taken, in bytes of UTF-8.
    ///
    /// With the user's name, a third longer in base64, and the rest of a request's head it stays within the 8 KiB that
    /// servers commonly accept.
    package static let maximumPasswordBytes = 4096

    let folder: String
    let keyring: Keyring?
    /// Where systemd puts the credentials of a service (systemd.exec(5), `LoadCredential=`), `nil` outside of one.
    let credentials: String?

    /// Stores a secret in the keyring if it can be opened, otherwise in a file.
    ///
    /// - Parameters:
    ///   - identifier: names it; random, so that nothing about the account is in it.
    ///   - label: the name that the keyring shows to the user.
    func keep(
        _ source: PasswordSource,
        identifier: String,
        label: String
    ) throws(SystemError) -> SecretReference {
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

    /// The secret itself, for sending it.
    ///
    /// - Throws: ``UseCaseError/Code/storeOpenToOthers`` among others: a user with write access to the store can put a
    ///   command or another file there.
    func secret(_ reference: SecretReference) throws(UseCaseError) -> Secret {
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
        case .file, nil:
            guard let secret = self.line(self.path(name)) else { throw UseCaseError(.passwordMissing) }
            return secret
        }
    }

    /// - Throws: ``UseCaseError/Code/storeOpenToOthers`` when other users may write to the store.
    private func checkFolder() throws(UseCaseError) {
        for path in [self.folder, "\(self.folder)/reminders.db", "\(self.folder)/secrets"]
        where SystemFiles.isWritableByOthers(path) {
            throw UseCaseError(.storeOpenToOthers, subject: path)
        }
    }

    /// The same before anything is kept.
    func secret(_ source: PasswordSource) throws(UseCaseError) -> Secret {
        switch source {
        case .kept(let password): password
        case .command(let command): try self.secret(self.reference(.command, command))
        case .tokenCommand(let command): try self.secret(self.reference(.tokenCommand, command))
        case .credential(let name): try self.secret(self.reference(.credential, name))
        }
    }

    /// Removes a stored secret.
    func forget(_ reference: SecretReference) {
        switch Kind(rawValue: reference.kind) {
        case .file: SystemFiles.remove(self.path(reference.reference))
        case .keyring: self.keyring?.forget(reference.reference)
        case .command, .tokenCommand, .credential, nil: break
        }
    }

    /// Where a secret comes from, in words.
    static func origin(_ reference: SecretReference) -> String {
        switch Kind(rawValue: reference.kind) {
        case .command: "command: \(reference.reference)"
        case .tokenCommand: "token command: \(reference.reference)"
        case .keyring: "kept in the keyring"
        case .credential: "systemd credential: \(reference.reference)"
        case .file, nil: "kept in the store's folder"
        }
    }

    /// Stores the password of the key of an account's client certificate.
    func keepKeyPassword(_ password: Secret, of account: AccountID, label: String) throws(SystemError) {
        let name = Self.keyIdentifier(account)
        let kept = try self.keep(.kept(password), identifier: name, label: label)
        // An older one in the other place would be found instead.
        if Kind(rawValue: kept.kind) == .file {
            self.keyring?.forget(name)
        } else {
            SystemFiles.remove(self.path(name))
        }
    }

    /// The password of the key of an account's client certificate; `nil` without one.
    func keyPassword(of account: AccountID) -> Secret? {
        let name = Self.keyIdentifier(account)
        // Without its password the key is unusable, and the request reports it.
        guard (try? self.checkFolder()) != nil else { return nil }
        return self.line(self.path(name)) ?? self.keyring?.find(name)
    }

    /// Forgets it; there may be none.
    func forgetKeyPassword(of account: AccountID) {
        let name = Self.keyIdentifier(account)
        SystemFiles.remove(self.path(name))
        self.keyring?.forget(name)
    }

    /// An account's number is never given to another one.
    private static func keyIdentifier(_ account: AccountID) -> String { "client-key-\(account.rawValue)" }

    /// The first line of a small file.
    private func line(_ path: String) -> Secret? {
        // A line end may stand behind the password.
        guard let bytes = SystemFiles.read(path, limit: Self.maximumPasswordBytes + 2) else { return nil }
        return Secret(String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self))
    }

    private func path(_ identifier: String) -> String { "\(self.folder)/secrets/\(identifier)" }
}

extension Secrets {
    /// The credentials of a source; a password command runs now, a token command when a token is needed.
    func credentials(user: String, _ source: PasswordSource) throws(UseCaseError) -> Credentials {
        if case .tokenCommand(let command) = source { return Self.tokens(user, command) }
        return Credentials(user: user, password: try self.secret(source))
    }

    /// The stored credentials.
    func credentials(user: String, _ reference: SecretReference) throws(UseCaseError) -> Credentials {
        if reference.kind == Kind.tokenCommand.rawValue {
            try self.checkFolder()
            return Self.tokens(user, reference.reference)
        }
        return Credentials(user: user, password: try self.secret(reference))
    }

    private static func tokens(_ user: String, _ command: String) -> Credentials {
        Credentials(user: user) { Subprocess.firstLine(ofShellCommand: command).map { Secret($0) } }
    }
}

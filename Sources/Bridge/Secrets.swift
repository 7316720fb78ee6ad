import CalDAV
import Store

/// Where the passwords of accounts are: in a command's output, or in a file of its own that only its owner can read.
///
/// The store itself holds a reference and never a password.
package struct Secrets {
    private static let fileKind = "file"
    private static let commandKind = "command"
    /// The longest password that is taken, in bytes of UTF-8.
    ///
    /// With the user's name, a third longer in base64, and the rest of a request's head it stays within the 8 KiB that
    /// servers commonly accept.
    package static let maximumPasswordBytes = 4096

    let folder: String

    /// Keeps what has to be kept.
    ///
    /// - Parameter identifier: names the file; random, so that nothing about the account is in it.
    func keep(_ source: PasswordSource, identifier: String) throws(SystemError) -> SecretReference {
        switch source {
        case .command(let command): return SecretReference(kind: Self.commandKind, reference: command)
        case .kept(let password):
            try SystemFiles.makePrivateFolder("\(self.folder)/secrets")
            try SystemFiles.writePrivate(Array(password.utf8), to: self.path(identifier))
            return SecretReference(kind: Self.fileKind, reference: identifier)
        }
    }

    /// The password itself, for sending it.
    func password(_ reference: SecretReference) throws(UseCaseError) -> Secret {
        if reference.kind == Self.commandKind {
            guard let line = ShellCommand.firstLine(of: reference.reference) else {
                throw UseCaseError(.passwordCommandFailed)
            }
            return Secret(line)
        }
        guard let bytes = SystemFiles.read(self.path(reference.reference), limit: Self.maximumPasswordBytes) else {
            throw UseCaseError(.passwordMissing)
        }
        return Secret(String(decoding: bytes, as: UTF8.self))
    }

    /// The same before anything is kept.
    func password(_ source: PasswordSource) throws(UseCaseError) -> Secret {
        switch source {
        case .kept(let password): return Secret(password)
        case .command(let command):
            return try self.password(SecretReference(kind: Self.commandKind, reference: command))
        }
    }

    /// Forgets what was kept.
    func forget(_ reference: SecretReference) {
        if reference.kind == Self.fileKind { SystemFiles.remove(self.path(reference.reference)) }
    }

    /// Where a password comes from, in words.
    static func origin(_ reference: SecretReference) -> String {
        reference.kind == Self.commandKind ? "command: \(reference.reference)" : "kept in the store's folder"
    }

    private func path(_ identifier: String) -> String { "\(self.folder)/secrets/\(identifier)" }
}

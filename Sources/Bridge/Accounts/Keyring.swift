package import HTTP
import Platform

/// Where a desktop keeps passwords: encrypted, and open while the person is signed in.
///
/// Tests replace its functions.
package struct Keyring: Sendable {
    /// Stores a secret under an identifier, with a label for the user.
    let keep: @Sendable (_ identifier: String, _ label: String, _ secret: Secret) -> Void
    /// The secret of that name, `nil` when there is none or the keyring does not open.
    let find: @Sendable (_ identifier: String) -> Secret?
    /// Forgets the secret of that name.
    let forget: @Sendable (_ identifier: String) -> Void

    /// A keyring that is kept elsewhere, as by a test.
    package init(
        keep: @escaping @Sendable (_ identifier: String, _ label: String, _ secret: Secret) -> Void,
        find: @escaping @Sendable (_ identifier: String) -> Secret?,
        forget: @escaping @Sendable (_ identifier: String) -> Void
    ) {
        self.keep = keep
        self.find = find
        self.forget = forget
    }

    /// Keeps a secret and looks whether it is there.
    func keeps(_ secret: Secret, identifier: String, label: String) -> Bool {
        self.keep(identifier, label, secret)
        return self.find(identifier) == secret
    }
}

extension Keyring {
    /// A dialog that asks for the keyring's own password may stand open for a while.
    private static let timeLimit = Duration.seconds(60)

    /// The Secret Service of the session (org.freedesktop.secrets), through libsecret's own tool.
    ///
    /// The secret goes to it through a pipe and comes back through one; its arguments are names. See
    /// docs/decisions/0016.
    ///
    /// - Returns: `nil` when there is no session bus; without the tool, nothing is kept and nothing found.
    package static func secretService(environment: [String: String]) -> Keyring? {
        let address = environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        let folder = environment["XDG_RUNTIME_DIR"] ?? ""
        guard !address.isEmpty || !folder.isEmpty && SystemFiles.exists("\(folder)/bus") else { return nil }
        return Keyring(
            keep: { identifier, label, secret in
                let words = ["secret-tool", "store", "--label=\(label)"] + self.attributes(identifier)
                _ = Subprocess.firstLine(of: words, input: Array(secret.reveal().utf8), within: self.timeLimit)
            },
            find: { identifier in
                let words = ["secret-tool", "lookup"] + self.attributes(identifier)
                let line = Subprocess.firstLine(of: words, within: self.timeLimit)
                return line.flatMap { $0.isEmpty ? nil : Secret($0) }
            },
            forget: { identifier in
                _ = Subprocess.firstLine(
                    of: ["secret-tool", "clear"] + self.attributes(identifier),
                    within: self.timeLimit
                )
            }
        )
    }

    private static func attributes(_ identifier: String) -> [String] {
        ["application", "remindav", "secret", identifier]
    }
}

package import RemindavHTTP
import RemindavPlatform

/// The password store of a desktop, which encrypts secrets and opens when the user signs in; tests replace it.
package struct Keyring: Sendable {
    let keep: @Sendable (_ identifier: String, _ label: String, _ secret: Secret) -> Void
    /// Returns the secret with this identifier; `nil` when it does not exist or the keyring stays locked.
    let find: @Sendable (_ identifier: String) -> Secret?
    let forget: @Sendable (_ identifier: String) -> Void

    package init(
        keep: @escaping @Sendable (_ identifier: String, _ label: String, _ secret: Secret) -> Void,
        find: @escaping @Sendable (_ identifier: String) -> Secret?,
        forget: @escaping @Sendable (_ identifier: String) -> Void
    ) {
        self.keep = keep
        self.find = find
        self.forget = forget
    }

    /// Stores a secret and returns whether the keyring has this secret now.
    func keeps(_ secret: Secret, identifier: String, label: String) -> Bool {
        self.keep(identifier, label, secret)
        return self.find(identifier) == secret
    }
}

extension Keyring {
    /// The user may need some time for the dialog that asks for the keyring's password.
    private static let timeLimit = Duration.seconds(60)

    /// The Secret Service of the session (org.freedesktop.secrets), through the program `secret-tool` of libsecret.
    ///
    /// Pipes carry the secret, and the arguments contain only names. See docs/decisions/0016.
    ///
    /// - Returns: `nil` when there is no session bus. Without `secret-tool`, the keyring stores and finds nothing.
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

import RemindavBridge

/// The source of a password; it is never the command line, which every user of the computer can read.
enum PasswordChoice: Hashable, Sendable {
    case command(String)
    case tokenCommand(String)
    case credential(String)
    case standardInput
    case prompt

    /// - Throws: if no password is given and there is no terminal to ask on.
    func source(in context: Context, user: String) throws -> PasswordSource {
        switch self {
        case .command(let command): return .command(command)
        case .tokenCommand(let command): return .tokenCommand(command)
        case .credential(let name): return .credential(name)
        case .standardInput:
            do {
                // The password may be followed by CRLF.
                let bytes = try context.source("-").contents(limit: Secrets.maximumPasswordBytes + 2)
                let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
                return .keeping(try Self.checked(String(decoding: line, as: UTF8.self)))
            } catch is FileError {
                throw PasswordError(code: .tooLong)
            }
        case .prompt:
            guard let password = try context.terminal.askSecretly("Password of \(Sanitizer.line(user)): ") else {
                throw PasswordError(code: context.options.tenant == nil ? .noTerminal : .noTerminalForTenant)
            }
            return .keeping(try Self.checked(password))
        }
    }

    static let options = [
        Option("--password-command", value: "CMD", "A shell command that prints the password"),
        Option("--password-stdin", "Read the password from standard input"),
        Option("--password-credential", value: "NAME", "The credential that systemd gives to the service"),
        Option("--token-command", value: "CMD", "A shell command that prints a token (OAuth 2)"),
    ]

    static let explanation = """
        Without a password option you are asked for the password. It is saved in the keyring
        of the desktop (Secret Service, through secret-tool) if one is available, otherwise
        in a file in the folder of the store that only you can read. A command runs each time
        the password or token is needed, and nothing is saved.
        """

    init(_ arguments: inout Arguments) throws(UsageError) {
        var choices: [(name: String, choice: PasswordChoice)] = []
        if arguments.flag("--password-stdin") { choices.append(("--password-stdin", .standardInput)) }
        let makers: [(String, (String) -> PasswordChoice)] = [
            ("--password-command", { .command($0) }), ("--password-credential", { .credential($0) }),
            ("--token-command", { .tokenCommand($0) }),
        ]
        for (name, make) in makers {
            guard let value = arguments.value(name) else { continue }
            guard !value.isEmpty else { throw UsageError(.missingValue, "'\(name)' needs a value.") }
            choices.append((name, make(value)))
        }
        // A slash or a leading full stop could name a file outside of the folder of credentials.
        if case .credential(let name) = choices.last?.choice, name.contains("/") || name.hasPrefix(".") {
            throw UsageError(.badValue, "'--password-credential' takes a name, not a path.")
        }
        guard choices.count < 2 else {
            throw UsageError(.badValue, "'\(choices[0].name)' and '\(choices[1].name)' cannot be combined.")
        }
        self = choices.first?.choice ?? .prompt
    }

    private static func checked(_ password: String) throws(PasswordError) -> String {
        if password.isEmpty { throw PasswordError(code: .empty) }
        if password.utf8.count > Secrets.maximumPasswordBytes { throw PasswordError(code: .tooLong) }
        return password
    }
}

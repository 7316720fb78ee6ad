import Bridge

/// Why there is no password.
struct PasswordError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case noTerminal = """
            There is no terminal to ask for the password on. Use --password-command CMD, or --password-stdin and send \
            the password to standard input.
            """
        case empty = "The password is empty. Nothing was changed."
        case tooLong = "The password is too long for a server to take. Nothing was changed."
    }

    let code: Code
}

/// How the password of an account is to be had; never on the command line, where every user could read it.
enum PasswordChoice: Hashable, Sendable {
    case command(String)
    case tokenCommand(String)
    case credential(String)
    case standardInput
    case prompt

    /// - Throws: when there is no terminal to ask on, or no password comes.
    func source(in context: Context, user: String) throws -> PasswordSource {
        switch self {
        case .command(let command): return .command(command)
        case .tokenCommand(let command): return .tokenCommand(command)
        case .credential(let name): return .credential(name)
        case .standardInput:
            let source = ByteSource(name: "standard input", read: context.input.read)
            let bytes: [UInt8]
            do {
                // The line's end may be two bytes.
                bytes = try context.contents(of: source, limit: Secrets.maximumPasswordBytes + 2)
            } catch is FileError {
                throw PasswordError(code: .tooLong)
            }
            let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
            return .keeping(try Self.checked(String(decoding: line, as: UTF8.self)))
        case .prompt:
            guard let password = try context.terminal.askSecretly("Password of \(Sanitizer.line(user)): ") else {
                throw PasswordError(code: .noTerminal)
            }
            return .keeping(try Self.checked(password))
        }
    }

    /// What every command that wants a password understands.
    static let options = [
        Option("--password-command", value: "CMD", "A shell command that prints the password"),
        Option("--password-stdin", "Read the password from standard input"),
        Option("--password-credential", value: "NAME", "The credential that systemd gives to the service"),
        Option("--token-command", value: "CMD", "A shell command that prints a token (OAuth 2)"),
    ]

    /// What the help says about them.
    static let explanation = """
        Without a password option it is asked for, and not shown. It is kept in the
        desktop's keyring (Secret Service, through secret-tool) when there is one that
        opens, else in a file of the store's folder that nobody else may read. A command
        is run whenever the password or the token is needed, and nothing is kept.
        """

    /// The one that was given, `prompt` when none was.
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
        // A slash would lead out of the folder of credentials.
        if case .credential(let name) = choices.last?.choice, name.contains("/") || name.hasPrefix(".") {
            throw UsageError(.badValue, "'--password-credential' takes a name, not a path.")
        }
        guard choices.count < 2 else {
            throw UsageError(.badValue, "'\(choices[0].name)' and '\(choices[1].name)' exclude each other.")
        }
        self = choices.first?.choice ?? .prompt
    }

    private static func checked(_ password: String) throws(PasswordError) -> String {
        if password.isEmpty { throw PasswordError(code: .empty) }
        if password.utf8.count > Secrets.maximumPasswordBytes { throw PasswordError(code: .tooLong) }
        return password
    }
}

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
    case standardInput
    case prompt

    /// - Throws: when there is no terminal to ask on, or no password comes.
    func source(in context: Context, user: String) throws -> PasswordSource {
        switch self {
        case .command(let command):
            return .command(command)
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
            return .kept(try Self.checked(String(decoding: line, as: UTF8.self)))
        case .prompt:
            guard let password = try context.terminal.askSecretly("Password of \(Sanitizer.line(user)): ") else {
                throw PasswordError(code: .noTerminal)
            }
            return .kept(try Self.checked(password))
        }
    }

    private static func checked(_ password: String) throws(PasswordError) -> String {
        if password.isEmpty { throw PasswordError(code: .empty) }
        if password.utf8.count > Secrets.maximumPasswordBytes { throw PasswordError(code: .tooLong) }
        return password
    }
}

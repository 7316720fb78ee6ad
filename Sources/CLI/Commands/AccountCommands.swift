import RemindavBridge

struct ShowAccounts: Command {
    static let page = CommandPage(
        name: "account list",
        summary: "Show the accounts",
        options: [.json],
        details: "Passwords are never shown.",
        examples: ["remindav account list": "name, user, address and lists of each account"]
    )

    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        let accounts = try context.useCases().accounts()
        let none: StyledText = "No accounts yet. Add one: remindav account add https://dav.example.org --user NAME"
        return try context.answer(accounts, ifNone: none) {
            Table.text(accounts.map { [$0.name, $0.user, $0.address, $0.lists.joined(separator: ", ")] })
        }
    }
}

enum SettingOptions {
    static let options = AccountSetting.allCases.map { setting in
        Option(setting.option, value: setting.valueName, lines: setting.help)
    }

    /// Reads the settings of an account from the options, and makes relative paths absolute.
    static func read(_ arguments: inout Arguments) -> [AccountSetting: String] {
        var values: [AccountSetting: String] = [:]
        for setting in AccountSetting.allCases {
            guard let value = arguments.value(setting.option) else { continue }
            values[setting] = setting.isPath && value != "none" ? System.absolute(value) : value
        }
        return values
    }
}

extension AccountSetting {
    var option: String { "--\(self.rawValue)" }
}

struct SetAccount: Command {
    static let page = CommandPage(
        name: "account set",
        summary: "Change the settings of an account",
        usage: ["[NAME] SETTINGS [--json]"],
        operands: [Operand("NAME", .optional, "The account; optional if there is only one")],
        options: SettingOptions.options + [.json],
        details: "The value 'none' clears a setting. The server is not contacted.",
        examples: [
            "remindav account set nas --ca-file /etc/ssl/home-ca.pem": "trusts a private certificate authority",
            "remindav account set nas --trust-key none": "verifies the certificate by authorities again",
        ],
        exits: [.notFound]
    )

    let name: String?
    let settings: [AccountSetting: String]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = arguments.optionalOperand()
        self.settings = SettingOptions.read(&arguments)
        if self.settings.isEmpty {
            let names = AccountSetting.allCases.map(\.option).joined(separator: ", ")
            throw UsageError(.nothingToChange, "There is nothing to set. Give at least one of \(names).")
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let account = try context.useCases().set(self.settings, for: self.name)
        return try context.answer(account, note: "Changed the account \(Sanitizer.line(account.name))")
    }
}

struct ChangePassword: Command {
    static let page = CommandPage(
        name: "account password",
        summary: "Change an account's password or the source of the password",
        usage: [
            "[NAME] [--password-command CMD | --password-stdin |",
            "    --password-credential NAME | --token-command CMD]",
            "[NAME] --client-key [--password-stdin]",
        ],
        operands: [Operand("NAME", .optional, "The account; optional if there is only one")],
        options: PasswordChoice.options + [
            Option("--client-key", "Change the password of the encrypted client key instead")
        ],
        details: """
            \(PasswordChoice.explanation)

            The password is tried first. If the server does not accept it, nothing is changed.
            """,
        examples: [
            "remindav account password nas": "asks for the new password",
            "remindav account password nas --password-command 'pass show nas'":
                "gets the password from a password manager",
        ],
        exits: [.notFound, .authentication, .network]
    )

    let name: String?
    let password: PasswordChoice
    let isOfKey: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = arguments.optionalOperand()
        self.password = try PasswordChoice(&arguments)
        self.isOfKey = arguments.flag("--client-key")
        guard !self.isOfKey || [.prompt, .standardInput].contains(self.password) else {
            throw UsageError(.badValue, "'--client-key' can be combined only with '--password-stdin'.")
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let user = try useCases.user(of: self.name)
        let source = try self.password.source(in: context, user: self.isOfKey ? "the client's key" : user)
        if self.isOfKey {
            let account = try await useCases.changeKeyPassword(of: self.name, to: source)
            try context.output.note("Changed the password of the client's key of \(Sanitizer.line(account.name))")
            return .success
        }
        let account = try await useCases.changePassword(of: self.name, to: source)
        try context.output.note(
            "Changed the password of \(Sanitizer.line(account.name)); it is \(Sanitizer.line(account.passwordOrigin))"
        )
        return .success
    }
}

struct TrustServer: Command {
    static let page = CommandPage(
        name: "account trust",
        summary: "Show the certificate of a server and trust its key",
        operands: [Operand("PLACE", .once, "An account's name, a host, or an address that begins with https://")],
        options: [Option("--yes", short: "y", "Do not ask; compare the fingerprint first")],
        details: """
            For your own server with a certificate that no authority has signed. Compare the
            fingerprint with the output of this command on the server:
              openssl x509 -in CERTIFICATE -noout -fingerprint -sha256
            The account then accepts only a server with this key. Certificate authorities are
            ignored, and a renewed certificate with the same key is accepted. 'remindav account
            set NAME --trust-key none' reverts this.
            """,
        examples: ["remindav account trust nas.example:8443": "shows the certificate and asks"],
        exits: [.network]
    )

    let place: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.place = try ArgumentValues.name(arguments.operand("PLACE"), of: "The place")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.temporary)
        let certificate = try await useCases.certificate(of: self.place)
        try context.output.print(Self.description(certificate))
        let untrusting = certificate.accounts.filter { !certificate.trustedBy.contains($0) }
        guard !certificate.accounts.isEmpty else {
            context.output.remark(
                "No account uses this server. If the fingerprint is correct, add one: "
                    + "remindav account add \(certificate.address) --user NAME --trust-key \(certificate.key)"
            )
            return .success
        }
        guard !untrusting.isEmpty else {
            try context.output.note("This key is already trusted")
            return .success
        }
        guard try context.agrees(Self.question) else { return .success }
        for name in untrusting {
            _ = try useCases.set([.trustKey: certificate.key], for: name)
            try context.output.note("The account \(Sanitizer.line(name)) now trusts only this key")
        }
        return .success
    }

    static let question = "Is the fingerprint the same on the server itself, and do you trust its key?"

    static func description(_ certificate: CertificateView) -> StyledText {
        Table.text([
            ["Server", certificate.address], ["Names", certificate.subject], ["Signed by", certificate.issuer],
            ["Valid", "\(certificate.validFrom) to \(certificate.validUntil)"],
            ["Fingerprint", "SHA-256 \(certificate.fingerprint)"], ["Key", certificate.key],
        ])
    }
}

struct RemoveAccount: Command {
    static let page = CommandPage(
        name: "account remove",
        summary: "Remove an account; its lists stay on the server",
        operands: [Operand("NAME", .optional, "The account; optional if there is only one")],
        options: [Option("--yes", short: "y", "Do not ask, and discard unsent changes")],
        examples: [
            "remindav account remove dav.example.org": "removes its lists and its password from this store"
        ],
        exits: [.notFound, .refused]
    )

    let name: String?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = arguments.optionalOperand()
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        // Without `--yes`, unsent changes are an error. This call throws it before the question.
        let unsent = try useCases.unsentChanges(ofAccount: self.name, mayLoseThem: context.isSure)
        let subject = self.name.map { "the account \(Sanitizer.line($0))" } ?? "the account"
        let question = "Remove \(subject) and its lists from this store?"
        guard try context.agrees(question) else { return .success }
        let account = try useCases.removeAccount(named: self.name, discardUnsent: context.isSure)
        try context.output.note("Removed the account \(Sanitizer.line(account.name)); its lists stay on the server")
        if unsent > 0 {
            let texts = "the changed reminders are in the trash"
            try context.output.note("Discarded \(unsent.counted("unsent change")); \(texts)")
        }
        return .success
    }
}

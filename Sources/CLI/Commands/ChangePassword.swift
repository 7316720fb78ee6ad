import Bridge

struct ChangePassword: Command {
    static let page = CommandPage(
        name: "account password",
        group: .servers,
        summary: "Change the password of an account or its source",
        usage: [
            "[NAME] [--password-command CMD | --password-stdin |",
            "    --password-credential NAME | --token-command CMD]",
            "[NAME] --client-key [--password-stdin]",
        ],
        operands: [Operand("NAME", .optional, "The account; optional if there is only one")],
        options: PasswordChoice.options + [
            Option("--client-key", "The password that the client's key is encrypted with")
        ],
        details: [
            PasswordChoice.explanation,
            "The password is tried first. If the server does not accept it, nothing is changed.",
        ],
        examples: [
            .init("remindav account password nas", "asks for the new password"),
            .init(
                "remindav account password nas --password-command 'pass show nas'",
                "gets the password from a password manager"
            ),
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
            throw UsageError(.badValue, "The password of a key is typed, or comes by '--password-stdin'.")
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

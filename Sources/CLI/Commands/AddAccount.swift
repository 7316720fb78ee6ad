import Bridge

/// `account add URL --user NAME`: connects the store to a CalDAV server.
struct AddAccount: Command {
    static let page = CommandPage(
        name: "account add",
        group: .servers,
        summary: "Connect to an account on a CalDAV server",
        usage: ["URL --user NAME [--password-command CMD | --password-stdin]", "[--name NAME] [--json]"],
        operands: [Operand("URL", .once, "The server's address, or any address below it: a page, a list")],
        options: [
            Option("--user", short: "u", value: "NAME", "The user's name at the server"),
            Option("--password-command", value: "CMD", "A shell command that prints the password"),
            Option("--password-stdin", "Read the password from standard input"),
            Option("--name", value: "NAME", "What the account is called; without it: the server's host"),
            .json,
        ],
        details: [
            """
            Without a password option it is asked for, and not shown. It is kept in the
            store's folder, which nobody else may read; a password command is run whenever
            the password is needed, and nothing is kept.
            """
        ],
        examples: [
            .init("remindav account add https://dav.example.org --user ada", "asks for the password"),
            .init(
                "remindav account add cloud.example.org --user ada --password-command 'pass show cloud'",
                "takes it from a password manager"
            ),
        ],
        exits: [.authentication, .network, .refused]
    )

    let address: String
    let user: String
    let password: PasswordChoice
    let name: String?
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.address = try Fields.name(arguments.operand("URL"), of: "The address")
        guard let user = arguments.value("--user"), !user.isEmpty else {
            throw UsageError(.missingValue, "'--user NAME' is missing: the user's name at the server.")
        }
        self.user = user
        let command = arguments.value("--password-command")
        switch (command, arguments.flag("--password-stdin")) {
        case (nil, true): self.password = .standardInput
        case (nil, false): self.password = .prompt
        case (let command?, false) where !command.isEmpty: self.password = .command(command)
        case (.some, false): throw UsageError(.missingValue, "'--password-command' needs a command.")
        case (.some, true):
            throw UsageError(.badValue, "'--password-command' and '--password-stdin' exclude each other.")
        }
        self.name = try arguments.value("--name").map { text throws(UsageError) in
            try Fields.name(text, of: "An account's name")
        }
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let password = try self.password.source(in: context, user: self.user)
        let account = try await useCases.addAccount(
            address: self.address,
            user: self.user,
            password: password,
            name: self.name
        )
        if self.isJSON {
            try context.output.print(JSON(account))
            return .success
        }
        let lists = account.lists.count == 1 ? "1 list" : "\(account.lists.count) lists"
        try context.output.note("Added the account \(Sanitizer.line(account.name)) with \(lists)")
        for list in account.lists { try context.output.note("  \(Sanitizer.line(list))") }
        if account.lists.isEmpty {
            context.output.remark("Next: remindav lists add NAME --account \(account.name)")
        } else {
            context.output.remark("Next: remindav sync")
        }
        return .success
    }
}

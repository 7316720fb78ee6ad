import Bridge

/// `account add URL --user NAME`: connects the store to a CalDAV server.
struct AddAccount: Command {
    static let page = CommandPage(
        name: "account add",
        group: .servers,
        summary: "Connect to an account on a CalDAV server",
        usage: [
            "URL --user NAME [--password-command CMD | --password-stdin |",
            "    --password-credential NAME | --token-command CMD]",
            "    [--name NAME] [SETTINGS] [--verbose] [--yes] [--json]",
            "--nextcloud URL [--name NAME] [SETTINGS] [--verbose] [--yes] [--json]",
        ],
        operands: [
            Operand(
                "URL",
                .once,
                "The server's address, or any address below it: a page, a list;",
                "or yours: ada@example.org"
            )
        ],
        options: [
            Option(
                "--user",
                short: "u",
                value: "NAME",
                "The user's name at the server; without it: the URL, if it has an @"
            ),
            Option("--nextcloud", "Sign in with a browser; Nextcloud makes an app password"),
        ] + PasswordChoice.options + [
            Option("--name", value: "NAME", "What the account is called; without it: the server's host")
        ] + SettingOptions.options + [
            Option("--verbose", short: "v", "Show each request and what was answered"),
            Option("--yes", short: "y", "Do not ask before the account is kept"),
            .json,
        ],
        details: [
            PasswordChoice.explanation,
            """
            On a terminal, what was found is shown before anything is kept. When the account
            lies on another host than the one that you named, or when nobody vouches for the
            server's certificate, you are asked; without a terminal that is refused.
            """,
        ],
        examples: [
            .init("remindav account add https://dav.example.org --user ada", "asks for the password"),
            .init(
                "remindav account add cloud.example.org --user ada --password-command 'pass show cloud'",
                "takes it from a password manager"
            ),
            .init("remindav account add ada@example.org", "asks DNS for the server of example.org"),
            .init("remindav account add --nextcloud https://cloud.example.org", "opens the browser"),
        ],
        exits: [.authentication, .network, .refused]
    )

    let address: String
    /// `nil` when Nextcloud says it.
    let user: String?
    let password: PasswordChoice
    let usesNextcloud: Bool
    let name: String?
    let settings: [AccountSetting: String]
    let isVerbose: Bool
    let isSure: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.address = try Fields.name(arguments.operand("URL"), of: "The address")
        self.usesNextcloud = arguments.flag("--nextcloud")
        self.password = try PasswordChoice(&arguments)
        let isMail = self.address.contains("@") && !self.address.contains("/") && !self.address.contains(":")
        let user = arguments.value("--user") ?? (isMail ? self.address : "")
        if self.usesNextcloud {
            guard user.isEmpty, self.password == .prompt else {
                throw UsageError(.badValue, "'--nextcloud' takes the name and the password from the browser.")
            }
        } else if user.isEmpty {
            throw UsageError(.missingValue, "'--user NAME' is missing: the user's name at the server.")
        }
        self.user = user.isEmpty ? nil : user
        self.name = try arguments.value("--name").map { text throws(UsageError) in
            try Fields.name(text, of: "An account's name")
        }
        self.settings = SettingOptions.read(&arguments)
        self.isVerbose = arguments.flag("--verbose")
        self.isSure = arguments.flag("--yes")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.made)
        var request = try await self.request(useCases, context)
        if let key = try useCases.encryptedKey(self.settings) {
            request.keyPassword = try PasswordChoice.prompt.source(in: context, user: key)
        }
        let found = try await self.find(request, useCases, context)
        guard try await self.isWanted(found, useCases, context) else {
            try context.output.note("Nothing was changed")
            return .success
        }
        let account = try useCases.keep(found)
        if self.isJSON {
            try context.output.print(JSON(account))
            return .success
        }
        let lists = account.lists.count == 1 ? "1 list" : "\(account.lists.count) lists"
        try context.output.note("Added the account \(Sanitizer.line(account.name)) with \(lists)")
        for list in account.lists { try context.output.note("  \(Sanitizer.line(list))") }
        context.output.remark("The password is \(Sanitizer.line(account.passwordOrigin)).")
        if account.lists.isEmpty {
            context.output.remark("Next: remindav lists add NAME --account \(Sanitizer.line(account.name))")
        } else {
            context.output.remark("Next: remindav sync")
        }
        return .success
    }

    /// Who signs in, as the person or the browser says.
    private func request(_ useCases: UseCases, _ context: Context) async throws -> NewAccount {
        if let user = self.user {
            let password = try self.password.source(in: context, user: user)
            return NewAccount(
                address: self.address,
                user: user,
                password: password,
                name: self.name,
                settings: self.settings
            )
        }
        let (user, password) = try await useCases.nextcloudLogin(at: self.address, settings: self.settings) { page in
            let isOpened = context.openInBrowser(page)
            let words =
                isOpened
                ? "The browser opens this page; grant the access there:" : "Open this page, and grant the access there:"
            context.output.remark("\(words)\n  \(Sanitizer.line(page))\nWaiting for it; Ctrl-C ends this.")
        }
        return NewAccount(
            address: self.address,
            user: user,
            password: password,
            name: self.name,
            settings: self.settings
        )
    }

    /// Other hosts, or keys, that one command may ask about.
    private static let maximumQuestions = 3

    /// Finds the account, and asks where the person has to decide.
    private func find(_ request: NewAccount, _ useCases: UseCases, _ context: Context) async throws -> FoundAccount {
        var request = request
        var questions = 0
        while true {
            do {
                let wanted = request
                // A command for the password may ask on the terminal.
                guard !self.isVerbose, case .kept = wanted.password else {
                    return try await useCases.findAccount(wanted) { line in
                        if self.isVerbose { context.output.remark(StyledText(Sanitizer.line(line))) }
                    }
                }
                let progress = Progress(output: context.output)
                return try await progress.accompany {
                    progress.show("asking the server")
                    return try await useCases.findAccount(wanted)
                }
            } catch {
                questions += 1
                guard context.isInteractive, questions <= Self.maximumQuestions, let trouble = Trouble.of(error),
                    try await self.settle(trouble, &request, useCases, context)
                else { throw error }
            }
        }
    }

    /// - Returns: whether the person has decided that it goes on, with the request changed.
    private func settle(
        _ trouble: Trouble,
        _ request: inout NewAccount,
        _ useCases: UseCases,
        _ context: Context
    ) async throws -> Bool {
        switch trouble.kind {
        case .redirectElsewhere:
            guard let target = trouble.target, target != request.address else { return false }
            let host = Sanitizer.line(trouble.subject ?? target)
            let question = "The account is at \(host), another host. Send it the user name and the password?"
            guard try context.confirm(question) else { return false }
            request.address = target
        case .certificateUnknown, .certificateExpired, .certificateWrongHost:
            let certificate = try await useCases.certificate(of: trouble.subject ?? request.address)
            context.output.remark(
                StyledText("\(Sanitizer.line(trouble.detail)).\n") + TrustServer.description(certificate)
            )
            guard try context.confirm(TrustServer.question) else { return false }
            request.settings[.trustKey] = certificate.key
        default: return false
        }
        return true
    }

    /// Shows what was found and asks, where somebody can be asked.
    private func isWanted(_ found: FoundAccount, _ useCases: UseCases, _ context: Context) async throws -> Bool {
        guard !self.isSure, !self.isJSON, context.isInteractive else { return true }
        let counted = await useCases.counted(found)
        var rows = [["Account", counted.name], ["User", counted.user]]
        if let principal = counted.principal { rows.append(["Principal", principal]) }
        rows += counted.homes.enumerated().map { [$0.offset == 0 ? "Lists at" : "", $0.element] }
        rows += counted.lists.enumerated().map { index, list in
            let count = list.count.map { $0 == 1 ? ", 1 item" : ", \($0) items" } ?? ""
            return [index == 0 ? "Lists" : "", "\(list.name)\(count)\(list.isReadOnly ? ", read only" : "")"]
        }
        if counted.lists.isEmpty { rows.append(["Lists", "none that may hold to-dos"]) }
        context.output.remark(Table.text(rows))
        return try context.confirm("Keep this account?")
    }
}

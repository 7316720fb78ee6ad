import RemindavBridge
import RemindavReminders

struct AddAccount: Command {
    static let page = CommandPage(
        name: "account add",
        summary: "Connect to an account on a CalDAV server",
        usage: [
            "[URL] [--user NAME] [--password-command CMD | --password-stdin |",
            "    --password-credential NAME | --token-command CMD]",
            "    [--name NAME] [--lists NAME,NAME]... [--default LIST] [--no-sync]",
            "    [SETTINGS] [--verbose] [--yes] [--json]",
            "--nextcloud [URL] [--name NAME] [--lists NAME,NAME]... [--default LIST]",
            "    [--no-sync] [SETTINGS] [--verbose] [--yes] [--json]",
        ],
        operands: [
            Operand(
                "URL",
                .optional,
                "The address of the server, of a page or list on it, or your",
                "email address. On a terminal it is optional"
            )
        ],
        options: [
            Option("--user", short: "u", value: "NAME", "The user name; default: the URL, if it contains an @"),
            Option("--nextcloud", "Sign in with a browser; Nextcloud creates an app password"),
        ] + PasswordChoice.options + [
            Option("--name", value: "NAME", "The name of the account; default: the host of the server"),
            Option("--lists", value: "NAMES", occurs: .many, "Only these lists, separated by commas; default: all"),
            Option("--default", value: "LIST", "The new default list"),
            Option("--no-sync", "Do not sync afterwards"),
        ] + SettingOptions.options + [
            Option("--verbose", short: "v", "Show each request and its response"),
            Option("--yes", short: "y", "Use the default answers instead of asking"),
            .json,
        ],
        details: """
            \(PasswordChoice.explanation)

            On a terminal, missing values are asked for: the address, a browser or a user name
            and a password, the lists, and the default list. The result is shown before it is
            saved, and a first sync follows. Enter accepts the answer in brackets. You are also
            asked if the account is on another host than the given one, or if the certificate of
            the server cannot be verified.

            Without a terminal, all lists are added, an existing default list is kept, another
            host is an error, and no sync follows: run 'remindav sync'.
            """,
        examples: [
            "remindav account add": "asks for all values",
            "remindav account add https://dav.example.org --user ada": "asks for the password",
            "remindav account add dav.example.org --user ada --password-command 'pass dav'":
                "gets the password from a password manager",
            "remindav account add ada@example.org": "finds the server of example.org with DNS",
            "remindav account add --nextcloud https://cloud.example.org": "opens the browser",
        ],
        exits: [.authentication, .network, .refused]
    )

    // If the address, the user name or the password is missing, the user is asked for it.
    let address: String?
    let user: String?
    let password: PasswordChoice
    let usesNextcloud: Bool
    let name: String?
    /// The names of the lists to add; empty for all lists.
    let lists: [String]
    let defaultList: String?
    let syncs: Bool
    let settings: [AccountSetting: String]
    let isVerbose: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.address = try arguments.optionalOperand().map { text throws(UsageError) in
            try ArgumentValues.name(text, of: "The address")
        }
        self.usesNextcloud = arguments.flag("--nextcloud")
        self.password = try PasswordChoice(&arguments)
        self.user = arguments.value("--user")
        if self.usesNextcloud, self.user != nil || self.password != .prompt {
            throw UsageError(.badValue, "'--nextcloud' cannot be combined with a user name or a password option.")
        }
        if self.user == "" { throw Self.missingUser }
        self.name = try arguments.value("--name") { text throws(UsageError) in
            try ArgumentValues.name(text, of: "An account's name")
        }
        self.lists = arguments.values("--lists").flatMap {
            $0.split(separator: ",").map { String($0).trimmingWhiteSpace }
        }
        .filter { !$0.isEmpty }
        if self.lists.isEmpty, !arguments.values("--lists").isEmpty {
            throw UsageError(.missingValue, "'--lists' needs the names of lists, separated by commas.")
        }
        self.defaultList = try arguments.value("--default", ArgumentValues.listName)
        self.syncs = !arguments.flag("--no-sync")
        self.settings = SettingOptions.read(&arguments)
        self.isVerbose = arguments.flag("--verbose")
    }

    private static let missingUser = UsageError(
        .missingValue,
        "'--user NAME' is missing: the user name on the server.",
        command: Self.page.name
    )

    func run(in context: Context) async throws -> ExitStatus {
        // The real store is created later, when the account is saved.
        let trial = try context.useCases(.temporary)
        var request = try await self.request(trial, context)
        if let key = try trial.encryptedKey(self.settings) {
            request.keyPassword = try PasswordChoice.prompt.source(in: context, user: key)
        }
        let found: FoundAccount
        do { found = try await self.find(request, trial, context) } catch { throw NewAccountError(underlying: error) }
        let questions = AccountQuestions(context: context, found: found, isAsking: self.isAsking(context))
        if let forbidden = found.forbidden {
            context.output.remark(
                """
                The server denies this user access to \(Sanitizer.line(forbidden)) (403). The lists below are those of \
                the account itself.
                """
            )
        }
        guard try await questions.isWanted(trial), let lists = try questions.lists(named: self.lists),
            let standard = try questions.defaultList(named: self.defaultList, among: lists, trial)
        else {
            try context.output.note("Nothing was changed")
            if request.isAppPassword {
                context.output.remark(
                    "The server still has the new app password. Delete it on the server, in Settings, Security."
                )
            }
            return .success
        }
        let useCases = try context.useCases(.create)
        let account = try useCases.keep(found, lists: lists, default: standard)
        if context.isJSON { return try context.answer(account, note: "") }
        try self.print(account, useCases, context)
        if found.isNextcloud, !request.isAppPassword {
            context.output.remark(
                """
                With your own password, each sync opens a session on the server. An app password prevents this: \
                'remindav account add --nextcloud URL' creates one.
                """
            )
        }
        try self.noteLocalLists(account, useCases, context)
        guard !account.lists.isEmpty else { return .success }
        guard self.syncs, context.isInteractive else {
            context.output.remark(advice: "Next: remindav sync")
            return .success
        }
        var arguments = try Arguments(["--account=\(account.name)"], options: SyncLists.page.options)
        return try await SyncLists(&arguments).run(in: context)
    }

    private func isAsking(_ context: Context) -> Bool { !context.isSure && !context.isJSON && context.isInteractive }

    private func print(_ account: AccountView, _ useCases: UseCases, _ context: Context) throws {
        let lists = account.lists.count.counted("list")
        try context.output.note("Added the account \(Sanitizer.line(account.name)) with \(lists)")
        for list in account.lists { try context.output.note("  \(Sanitizer.line(list))") }
        if let standard = try useCases.lists().first(where: \.isDefault) {
            try context.output.note("New reminders go to \(Sanitizer.line(standard.name))")
        } else if let problem = try useCases.defaultListError() {
            context.output.remark("\(ErrorMessages.explain(problem).sentence)")
        }
        context.output.remark("The password is \(Sanitizer.line(account.passwordOrigin)).")
    }

    /// Says how reminders that were added without an account reach the server.
    private func noteLocalLists(_ account: AccountView, _ useCases: UseCases, _ context: Context) throws {
        let local = try useCases.localLists()
        let command = AddList.command(local.first ?? UseCases.firstListName, account: account.name)
        if !local.isEmpty {
            let names = local.map { Sanitizer.excerpt($0) }.listed(atMost: Self.shownLists)
            context.output.remark("On this computer only: \(names). To upload a list, run '\(command)'.")
        } else if account.lists.isEmpty {
            context.output.remark("The server has no list for reminders. To create one, run '\(command)'.")
        }
    }

    /// The maximum number of lists that the sentence about local lists names.
    private static let shownLists = 3
}

// MARK: Signing in

extension AddAccount {
    private func request(_ useCases: UseCases, _ context: Context) async throws -> NewAccount {
        let address = try self.knownAddress(context)
        let isMail = address.contains("@") && !address.contains("/") && !address.contains(":")
        let user: String
        let password: PasswordSource
        var isAppPassword = true
        if self.usesNextcloud {
            let login = try await useCases.browserLogin(at: address, settings: self.settings)
            (user, password) = try await self.signIn(login, useCases, context)
        } else if let known = self.user ?? (isMail ? address : nil) {
            (user, password) = (known, try self.password.source(in: context, user: known))
            isAppPassword = false
        } else {
            guard context.isInteractive else { throw Self.missingUser }
            if let login = try await self.acceptedLogin(at: address, useCases, context) {
                (user, password) = try await self.signIn(login, useCases, context)
            } else {
                user = try self.answer("User name on the server: ", else: Self.missingUser, context)
                password = try self.password.source(in: context, user: user)
                isAppPassword = false
            }
        }
        let (name, settings) = (self.name, self.settings)
        var request = NewAccount(address: address, user: user, password: password, name: name, settings: settings)
        request.isAppPassword = isAppPassword
        return request
    }

    private func knownAddress(_ context: Context) throws -> String {
        if let address = self.address { return address }
        let missing = UsageError(
            .missingOperand,
            "URL is missing. Give the address of the server.",
            command: Self.page.name
        )
        guard context.isInteractive else { throw missing }
        let question = "Address of the server, or your email address such as ada@example.org: "
        return try self.answer(question, else: missing, context)
    }

    private func answer(_ question: String, else missing: UsageError, _ context: Context) throws -> String {
        guard let answer = try context.terminal.ask(question)?.trimmingWhiteSpace, !answer.isEmpty,
            answer != Terminal.endOfInput
        else { throw missing }
        return answer
    }

    /// The started sign-in with a browser; `nil` if the server offers none, or the user declines it.
    private func acceptedLogin(at address: String, _ useCases: UseCases, _ context: Context) async throws
        -> BrowserLogin?
    {
        guard self.password == .prompt else { return nil }
        let progress = Progress(output: context.output)
        let login = try await progress.accompany {
            progress.show("asking the server how to sign in")
            return try await useCases.offeredBrowserLogin(at: address, settings: self.settings)
        }
        guard let login, try context.confirm("Sign in with the browser?", enter: true) else { return nil }
        return login
    }

    private func signIn(_ login: BrowserLogin, _ useCases: UseCases, _ context: Context) async throws
        -> (String, PasswordSource)
    {
        let opening = context.openInBrowser(login.page) ? "The browser opens this page." : "Open this page."
        let page = Sanitizer.line(login.page)
        context.output.remark("\(opening) Grant the access on it:\n  \(page)\nWaiting for the access; Ctrl-C cancels.")
        let grant = try await useCases.wait(for: login)
        return (grant.user, grant.password)
    }
}

// MARK: Finding the lists

extension AddAccount {
    /// The maximum number of questions about redirects to other hosts or about unknown certificates.
    private static let maximumQuestions = 3
    /// The maximum number of passwords that are tried; after more wrong passwords, a server may lock the account.
    private static let maximumPasswords = 3

    private func find(_ request: NewAccount, _ useCases: UseCases, _ context: Context) async throws -> FoundAccount {
        var request = request
        var questions = 0
        var passwords = 1
        while true {
            do {
                let wanted = request
                // A password command may ask on the terminal, so no progress is shown while the command runs.
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
                guard context.isInteractive, let problem = ErrorCategory.of(error) else { throw error }
                if [.authRejected, .appPasswordNeeded].contains(problem.kind) {
                    passwords += 1
                    guard self.password == .prompt, !self.usesNextcloud, passwords <= Self.maximumPasswords else {
                        throw error
                    }
                    context.output.complain(ErrorMessages.explain(NewAccountError(underlying: error)))
                    request.password = try PasswordChoice.prompt.source(in: context, user: request.user)
                    continue
                }
                questions += 1
                guard questions <= Self.maximumQuestions, try await self.settle(problem, &request, useCases, context)
                else { throw error }
            }
        }
    }

    /// Asks how to continue after an error and changes the request; returns whether the user wants to continue.
    private func settle(
        _ problem: ErrorCategory,
        _ request: inout NewAccount,
        _ useCases: UseCases,
        _ context: Context
    ) async throws -> Bool {
        switch problem.kind {
        case .redirectElsewhere:
            guard let target = problem.target, target != request.address else { return false }
            let host = Sanitizer.line(problem.subject ?? target)
            let question = "The account is on another host, \(host). Send the user name and the password to this host?"
            guard try context.confirm(question) else { return false }
            request.address = target
        case .certificateUnknown, .certificateExpired, .certificateWrongHost:
            let certificate = try await useCases.certificate(of: problem.subject ?? request.address)
            context.output.remark(
                StyledText("\(Sanitizer.line(problem.detail)).\n") + TrustServer.description(certificate)
            )
            guard try context.confirm(TrustServer.question) else { return false }
            request.settings[.trustKey] = certificate.key
        default: return false
        }
        return true
    }
}

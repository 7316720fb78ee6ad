import RemindavBridge
import RemindavDaemon
import RemindavReminders

struct SetUp: Command {
    static let page = CommandPage(
        name: "setup",
        summary: "Set up an account and alarms, step by step",
        details: """
            For the first start. Asks for the address of your server, signs you in with a browser
            or a password, asks for the lists and the default list, and syncs them, as 'remindav
            account add' does. Then it offers to install the service that shows alarms, as
            'remindav service install' does, and shows a test notification. Enter accepts the
            answer in brackets. A second run changes nothing that is already set up.

            It requires a terminal. 'remindav account add', 'remindav service install' and
            'remindav doctor' do the same without questions.
            """,
        examples: ["remindav setup": "asks and sets up an account and alarms"],
        exits: [.partial],
        meanings: [
            .partial: "something is left for you to do: a service to start, or a program to install"
        ]
    )

    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        guard context.isInteractive else {
            throw UsageError(
                .needsTerminal,
                "There is no terminal for the questions, and nothing was changed. 'remindav service install' enables "
                    + "alarms, 'remindav doctor' checks them, and 'remindav account add URL --user NAME' connects to a "
                    + "server.",
                command: Self.page.name
            )
        }
        let isAccountStepDone = try await self.accounts(in: context)
        let areAlarmsOn = try self.alarms(in: context)
        return isAccountStepDone && areAlarmsOn ? .success : .partial
    }

    // MARK: Alarms

    /// Asks whether to turn on alarms, and installs the service; returns whether this step is complete.
    private func alarms(in context: Context) throws -> Bool {
        switch try AlarmSetUp.found(in: context) {
        case .done(let sentence):
            try context.output.print(StyledText(sentence))
            guard try context.confirm("Show a test notification?") else { return true }
            return try Self.showTest(in: context)
        case .unfinished(let sentence):
            try context.output.print(StyledText(sentence))
            return false
        case .missing(let question):
            try context.output.print(StyledText(ShowService.reason))
            guard try context.confirm(question, enter: true) else {
                try context.output.print("Maybe Later: 'remindav setup' asks again.")
                return true
            }
            return try Self.enableAlarms(in: context)
        }
    }

    /// Installs the service and shows a test notification; returns whether alarms are shown now.
    static func enableAlarms(in context: Context) throws -> Bool {
        let isStarted = try ServiceInstallation(sandbox: nil).perform(in: context)
        let isShown = try self.showTest(in: context)
        return isStarted && isShown
    }

    private static func showTest(in context: Context) throws -> Bool {
        switch context.desktop.showTest() {
        case .success:
            try context.output.print("A test notification is shown now. Your reminders will look the same.")
            return true
        case .failure(let failure):
            context.output.complain("No notification can be shown. \(HealthCheck.sentences(failure))")
            return false
        }
    }

    // MARK: Accounts

    /// The number of addresses that are tried before the setup continues without an account.
    private static let maximumAddresses = 3

    /// Adds an account if there is none, in several attempts if necessary; returns whether this step is complete.
    private func accounts(in context: Context) async throws -> Bool {
        let accounts = try context.useCases(.temporary).accounts()
        guard accounts.isEmpty else {
            let names = accounts.map { Sanitizer.line($0.name) }.joined(separator: ", ")
            try context.output.print(
                StyledText("Accounts: \(names). 'remindav account add' adds another, 'remindav sync' syncs them.")
            )
            return true
        }
        try context.output.print(
            """
            An account on a server with CalDAV, such as Nextcloud, keeps your reminders the same on all devices.
            """
        )
        var hasFailed = false
        for _ in 0..<Self.maximumAddresses {
            let answer = try context.terminal.ask("Address of the server, or your email address; Enter for none [] ")
            let address = (answer ?? "").trimmingWhiteSpace
            guard !address.isEmpty, address != Terminal.endOfInput else { break }
            do {
                var arguments = try Arguments(["--", address], options: AddAccount.page.options)
                let status = try await AddAccount(&arguments).run(in: context)
                // If the user declined the account, the status is also success. So the store is checked for an account.
                if try !context.useCases(.temporary).accounts().isEmpty { return status == .success }
            } catch let error as OutputError {
                throw error
            } catch {
                context.output.complain(ErrorMessages.explain(error))
                hasFailed = true
                // The account was added, but its first sync failed.
                if try !context.useCases(.temporary).accounts().isEmpty { return false }
            }
        }
        try context.output.print(
            "There is no account: your reminders stay on this computer. 'remindav account add' connects to a server."
        )
        return !hasFailed
    }
}

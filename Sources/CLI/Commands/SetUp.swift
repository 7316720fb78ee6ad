import Bridge

/// `setup`: asks what a person wants who has just installed the program.
struct SetUp: Command {
    static let page = CommandPage(
        name: "setup",
        group: .help,
        summary: "Set up alarms and accounts, step by step",
        usage: [""],
        details: [
            """
            For the first start: asks whether alarms shall ring, sets up the service that
            rings as 'remindav service install' does, shows a notification to try it out,
            and says which accounts there are and how to add one. Enter takes the answer
            that has the capital letter. Said again, it changes nothing that is set up.
            """,
            """
            It needs a terminal to ask on. 'remindav service install', 'remindav doctor' and
            'remindav account add' do the same without questions.
            """,
        ],
        examples: [.init("remindav setup", "asks, and sets up what you want")],
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
                "There is no terminal to ask on, and nothing was changed. 'remindav service install' turns alarms on, "
                    + "'remindav doctor' looks whether they can be shown, and 'remindav account add URL --user NAME' "
                    + "connects to a server.",
                command: Self.page.name
            )
        }
        let isDone = try self.alarms(in: context)
        try self.accounts(in: context)
        return isDone ? .success : .partial
    }

    // MARK: Alarms

    /// - Returns: whether nothing of it is left for the person to do.
    private func alarms(in context: Context) throws -> Bool {
        switch AlarmSetUp(try Self.state(in: context), isRunning: Self.isRunning(in: context)) {
        case .done(let sentence):
            try context.output.print(StyledText(sentence))
            guard try context.confirm("Show a test notification?") else { return true }
            return try self.showTest(in: context)
        case .unfinished(let sentence):
            try context.output.print(StyledText(sentence))
            return false
        case .missing(let question):
            try context.output.print(StyledText(ShowService.reason))
            guard try context.confirm(question, enter: true) else {
                try context.output.print("Maybe Later: 'remindav setup' asks again.")
                return true
            }
            let isStarted = try ServiceInstallation(sandbox: nil).perform(in: context)
            let isShown = try self.showTest(in: context)
            return isStarted && isShown
        }
    }

    private static func state(in context: Context) throws -> ServiceState {
        ServiceState(try ServiceFiles.planned(in: context), UserManager(session: context.session))
    }

    private static func isRunning(in context: Context) -> Bool {
        context.storeFolder.map { UseCases.daemonIsRunning(in: $0) } ?? false
    }

    private func showTest(in context: Context) throws -> Bool {
        switch context.desktop.showTest() {
        case .success:
            try context.output.print("A notification is shown now: so will your reminders be.")
            return true
        case .failure(let trouble):
            context.output.complain("No notification can be shown. \(Diagnosis.sentences(trouble))")
            return false
        }
    }

    // MARK: Accounts

    private func accounts(in context: Context) throws {
        let accounts = try context.useCases(.trial).accounts()
        if accounts.isEmpty {
            try context.output.print(
                """
                There is no account: your reminders stay on this machine. To have them everywhere:
                  remindav account add https://cloud.example.org --user NAME
                """
            )
        } else {
            let names = accounts.map { Sanitizer.line($0.name) }.joined(separator: ", ")
            try context.output.print(
                StyledText("Accounts: \(names). 'remindav account add' adds another, 'remindav sync' syncs them.")
            )
        }
    }
}

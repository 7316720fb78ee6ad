import Bridge

struct SyncLists: Command {
    static let page = CommandPage(
        name: "sync",
        group: .servers,
        summary: "Synchronize the lists with their servers",
        usage: ["[--account NAME] [--dry-run] [--now] [--verify] [--allow-mass-delete] [--json]"],
        options: [
            Option("--account", value: "NAME", "Only this account's lists"),
            .dryRun,
            Option(
                "--now",
                "Ignore the pause that a server requested, and retry",
                "reminders that a server refused"
            ),
            Option("--verify", "Compare all reminders, not only reported changes"),
            Option(
                "--allow-mass-delete",
                "Delete even when more than 10 reminders and more than",
                "a quarter of a list would go"
            ),
            .json,
        ],
        details: [
            """
            Sends local changes to the server and applies changes from the server. If both sides
            changed different fields of a reminder, both changes are kept. If they changed the
            same field, one value wins; 'remindav conflicts' shows the other value.
            """,
            """
            Requests to an overloaded server are delayed and repeated. If the server requests a
            pause of up to an hour, the next syncs wait for its end. A reminder that a server
            refuses is sent again after an edit, or after a week.
            """,
        ],
        examples: [
            .init("remindav sync", "all lists of all accounts"),
            .init("remindav sync --dry-run", "shows the changes without making them"),
        ],
        exits: [.partial, .notFound, .locked, .authentication, .network, .refused]
    )

    let account: String?
    let isDryRun: Bool
    let isNow: Bool
    let verifies: Bool
    let allowsMassDelete: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.account = arguments.value("--account")
        self.isDryRun = arguments.flag("--dry-run")
        self.isNow = arguments.flag("--now")
        self.verifies = arguments.flag("--verify")
        self.allowsMassDelete = arguments.flag("--allow-mass-delete")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let progress = Progress(output: context.output)
        var request = SyncRequest()
        request.account = self.account
        request.isDryRun = self.isDryRun
        request.isNow = self.isNow
        request.verifies = self.verifies
        request.allowsMassDelete = self.allowsMassDelete
        let chosen = request
        let summary = try await progress.accompany {
            try await useCases.sync(chosen) { state in
                progress.show("\(state.list): \(state.words)")
            }
        }
        return try SyncPrinter(output: context.output, isDryRun: self.isDryRun).print(summary, isJSON: self.isJSON)
    }
}

extension SyncProgress {
    /// The text of the progress line for the list.
    var words: String {
        if self.toSend > 0 { return "sending \(self.sent) of \(self.toSend)" }
        return self.done > 0 ? "\(self.done) done" : "asking"
    }
}

import Bridge

/// `sync`: brings the store and the servers to the same state.
struct SyncLists: Command {
    static let page = CommandPage(
        name: "sync",
        group: .servers,
        summary: "Bring this store and the servers to the same state",
        usage: ["[--account NAME] [--dry-run] [--now] [--verify] [--allow-mass-delete] [--json]"],
        options: [
            Option("--account", value: "NAME", "Only this account's lists"),
            .dryRun,
            Option(
                "--now",
                "Ask servers that want no request yet, and send again what",
                "they have refused"
            ),
            Option("--verify", "Compare everything, whatever the servers say has changed"),
            Option(
                "--allow-mass-delete",
                "Delete even when more than 10 reminders and more than",
                "a quarter of a list would go"
            ),
            .json,
        ],
        details: [
            """
            Where both sides changed different things of one reminder, both are kept. Where
            they changed the same thing, one wins, and 'remindav conflicts' shows what lost.
            """,
            """
            A server that fails under load is asked more slowly, and again after a pause. When
            it names a time for that, up to an hour, the next syncs wait until then. A reminder
            that a server refuses is sent again when it was edited, or after a week.
            """,
        ],
        examples: [
            .init("remindav sync", "all lists of all accounts"),
            .init("remindav sync --dry-run", "what it would do"),
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

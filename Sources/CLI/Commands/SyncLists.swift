import Bridge

/// `sync`: brings the store and the servers to the same state.
struct SyncLists: Command {
    static let page = CommandPage(
        name: "sync",
        group: .servers,
        summary: "Bring this store and the servers to the same state",
        usage: ["[--account NAME] [--dry-run] [--verify] [--allow-mass-delete] [--json]"],
        options: [
            Option("--account", value: "NAME", "Only this account's lists"),
            .dryRun,
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
            """
        ],
        examples: [
            .init("remindav sync", "all lists of all accounts"),
            .init("remindav sync --dry-run", "what it would do"),
        ],
        exits: [.partial, .notFound, .locked, .authentication, .network, .refused]
    )

    let account: String?
    let isDryRun: Bool
    let verifies: Bool
    let allowsMassDelete: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.account = arguments.value("--account")
        self.isDryRun = arguments.flag("--dry-run")
        self.verifies = arguments.flag("--verify")
        self.allowsMassDelete = arguments.flag("--allow-mass-delete")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let progress = Progress(output: context.output)
        var request = SyncRequest()
        request.account = self.account
        request.isRehearsal = self.isDryRun
        request.verifies = self.verifies
        request.allowsMassDelete = self.allowsMassDelete
        let chosen = request
        let summary = try await progress.accompany {
            try await useCases.sync(chosen) { state in
                progress.show(state.done > 0 ? "\(state.list): \(state.done) done" : "\(state.list): asking")
            }
        }
        return try SyncPrinter(output: context.output, isDryRun: self.isDryRun).print(summary, isJSON: self.isJSON)
    }
}

import RemindavBridge
import RemindavHost
import RemindavStore

struct SyncLists: Command {
    static let page = CommandPage(
        name: "sync",
        summary: "Synchronize the lists with their servers",
        options: [
            Option("--account", value: "NAME", "Only this account's lists"),
            .dryRun,
            Option("--now", "Ignore the pause that a server requested, and retry", "reminders that a server refused"),
            Option("--verify", "Compare all reminders, not only reported changes"),
            Option(
                "--allow-mass-delete",
                "Delete even when more than 10 reminders and more than",
                "a quarter of a list would be deleted"
            ),
            .json,
        ],
        details: """
            Sends local changes to the server and applies changes from the server. If both sides
            changed different fields of a reminder, both changes are kept. If they changed the
            same field, one value wins; 'remindav conflicts' shows the other value.

            Requests to an overloaded server are delayed and repeated. If the server requests a
            pause of up to an hour, the next syncs wait for its end. A reminder that a server
            refuses is sent again after an edit, or after a week.
            """,
        examples: [
            "remindav sync": "all lists of all accounts",
            "remindav sync --dry-run": "shows the changes without making them",
        ],
        exits: [.partial, .notFound, .locked, .authentication, .network, .refused]
    )

    let request: SyncRequest

    init(_ arguments: inout Arguments) throws(UsageError) {
        var request = SyncRequest()
        request.account = arguments.value("--account")
        request.isDryRun = arguments.flag("--dry-run")
        request.isNow = arguments.flag("--now")
        request.verifies = arguments.flag("--verify")
        request.allowsMassDelete = arguments.flag("--allow-mass-delete")
        self.request = request
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let progress = Progress(output: context.output)
        var request = self.request
        if context.options.tenant != nil, let run = TenantRun.run(context.environment) {
            guard let account = try useCases.scheduledAccount(AccountID(rawValue: run.account)) else {
                throw UseCaseError(.accountNotFound, subject: String(run.account))
            }
            request.account = account.name
        }
        let summary = try await progress.accompany { [request] in
            try await useCases.sync(request) { state in progress.show("\(state.list): \(state.words)") }
        }
        let printer = SyncPrinter(
            output: context.output,
            isDryRun: self.request.isDryRun,
            localLists: try useCases.localLists()
        )
        return try printer.print(summary, isJSON: context.isJSON)
    }
}

extension SyncProgress {
    var words: String {
        if self.toSend > 0 { return "sending \(self.sent) of \(self.toSend)" }
        return self.done > 0 ? "\(self.done) done" : "asking"
    }
}

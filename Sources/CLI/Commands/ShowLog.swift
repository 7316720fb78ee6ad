import RemindavBridge
import RemindavDatePhrases

struct ShowLog: Command {
    static let page = CommandPage(
        name: "log",
        summary: "Show the changes of each command and each sync",
        options: [
            Option("--run", value: "N", "All changes of this run, with old and new values"),
            Option("--all", "Include dismissed notifications"),
            Option("--limit", value: "N", "The maximum number of runs; default: 20"),
            .json,
        ],
        details: """
            The log covers 30 days. Each command, import, undo and sync is one run. 'by hand' marks
            runs of commands. Dismissed notifications are left out, and 'undo' skips them.
            """,
        examples: [
            "remindav log": "the last runs, newest first",
            "remindav log --run 12": "all reminders that run 12 changed",
        ],
        exits: [.notFound]
    )

    static let isPaged = true

    /// The number of runs that are shown by default: about one screen.
    static let standardCount = 20

    let run: Int64?
    let limit: Int
    let showsAll: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.run = if let text = arguments.value("--run") { try ArgumentValues.number(text, of: "run") } else { nil }
        self.limit =
            if let text = arguments.value("--limit") {
                try Self.limit(text)
            } else {
                Self.standardCount
            }
        self.showsAll = arguments.flag("--all")
        self.isJSON = arguments.flag("--json")
    }

    private static func limit(_ text: String) throws(UsageError) -> Int {
        guard let number = Int64(text), number > 0 else {
            throw UsageError(.badValue, "'--limit' must be a number of runs, 1 or more, not '\(text)'.")
        }
        return Int(clamping: number)
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let printer = JournalPrinter(output: context.output)
        if let run = self.run {
            let details = try useCases.log(run: run)
            if self.isJSON {
                try context.output.print(json: details)
            } else {
                try printer.print(details, in: LocalText(zone: context.localZone(), now: context.now))
            }
        } else {
            let runs = try useCases.log(limit: self.limit, includingDismissals: self.showsAll)
            if self.isJSON {
                try context.output.print(json: runs)
            } else {
                try printer.print(runs, in: LocalText(zone: context.localZone(), now: context.now))
            }
        }
        return .success
    }
}

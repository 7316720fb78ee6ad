import RemindavBridge
import RemindavDatePhrases

struct ShowTrash: Command {
    static let page = CommandPage(
        name: "trash",
        summary: "Show reminders that were deleted in the last 30 days",
        options: [.json],
        details: "Includes reminders that were deleted on a server. Their full text is kept.",
        examples: ["remindav trash": "latest deletion first"]
    )

    static let isPaged = true

    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let trash = try context.useCases().trash()
        if self.isJSON {
            try context.output.print(json: trash)
        } else if trash.isEmpty {
            try context.output.print("The trash is empty")
        } else {
            let text = LocalText(zone: try context.localZone(), now: context.now)
            let rows = trash.map { item in
                [
                    "\(item.id)", text.short(item.deletedAt),
                    item.wasDeletedOnServer ? "on the server" : "locally",
                    "\(item.title)\(item.list.map { " (\($0))" } ?? " (deleted list)")",
                ]
            }
            try context.output.print(Table.text(rows))
        }
        return .success
    }
}

import Bridge

/// `show ID`: everything about one reminder.
struct ShowReminder: Command {
    static let page = CommandPage(
        name: "show",
        group: .reminders,
        summary: "Show everything about one reminder",
        usage: ["ID [--json]"],
        operands: [Operand("ID", .once, "The number in front of its title in 'remindav list'")],
        options: [.json],
        details: [
            """
            Dates, labels, place, subtasks, alarms, attachments, what other programs have put
            into it and is kept, and notes. Subtasks are those of its list that name it.
            """
        ],
        examples: [.init("remindav show 12", "everything about reminder 12")],
        exits: [.notFound]
    )

    let id: Int64
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.id = try ArgumentValues.number(arguments.operand("ID"), of: "reminder")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let details = try context.useCases().details(self.id)
        if self.isJSON {
            try context.output.print(json: details)
        } else {
            let text = LocalText(zone: try context.localZone(), now: context.now)
            try context.output.print(DetailsPrinter(text: text).details(details))
        }
        return .success
    }
}

import Bridge
import DatePhrases

/// `show ID`: everything about one reminder.
struct ShowReminder: Command {
    static let page = CommandPage(
        name: "show",
        group: .reminders,
        summary: "Show all data of a reminder",
        usage: ["ID [--json]"],
        operands: [Operand("ID", .once, "The number before its title in 'remindav list'")],
        options: [.json],
        details: [
            """
            Shows dates, labels, location, subtasks, alarms, attachments, notes, and data that
            other programs added. Subtasks are reminders of the same list that name it as parent.
            """
        ],
        examples: [.init("remindav show 12", "all data of reminder 12")],
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

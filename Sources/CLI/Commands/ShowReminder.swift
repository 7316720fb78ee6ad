import Bridge
import DatePhrases

struct ShowReminder: Command {
    static let page = CommandPage(
        name: "show",
        summary: "Show all data of a reminder",
        operands: [Operand("ID", .once, "The number before its title in 'remindav list'")],
        options: [.json],
        details: """
            Shows dates, labels, location, subtasks, alarms, attachments, notes, and data that
            other programs added. Subtasks are reminders of the same list that name it as parent.
            """,
        examples: ["remindav show 12": "all data of reminder 12"],
        exits: [.notFound]
    )

    let id: Int64

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.id = try ArgumentValues.number(arguments.operand("ID"), of: "reminder")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let details = try context.useCases().details(self.id)
        return try context.answer(details) {
            try $0.print(DetailsPrinter(text: context.localText()).details(details))
        }
    }
}

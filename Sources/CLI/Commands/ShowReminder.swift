import RemindavBridge
import RemindavDatePhrases

struct ShowReminder: Command {
    static let page = CommandPage(
        name: "show",
        summary: "Show all data of reminders",
        operands: [ReminderSelection.operand],
        options: [.json],
        details: """
            Shows dates, labels, location, subtasks, alarms, attachments, notes, and data that
            other programs added. Subtasks are reminders of the same list that name it as parent.
            All times are local. If the due time is in another zone, 'In zone' shows it there.
            """,
        examples: ["remindav show 12": "all data of reminder 12"],
        exits: [.notFound]
    )

    static let isPaged = true

    let selection: ReminderSelection

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.selection = try ReminderSelection(arguments.optionalOperands())
    }

    func run(in context: Context) async throws -> ExitStatus {
        let words = SelectedAction.Words(command: Self.page.name, verb: "Show", asks: false)
        let selected = try SelectedAction(self.selection, words, in: context)
        let ids = try selected.numbers()
        let useCases = selected.useCases
        let columns = context.output.answers.columns ?? .max
        let printer = DetailsPrinter(text: try context.localText(), columns: columns)
        if self.selection.isSingle, let id = ids.first {
            let details = try useCases.details(id, alarms: context.settings.alarms)
            return try context.answer(details) { try $0.print(printer.details(details)) }
        }
        var isFirst = true
        return try context.forEach(ids) { id -> ReminderDetails? in
            let details = try useCases.details(id, alarms: context.settings.alarms)
            guard !context.isJSON else { return details }
            if !isFirst { try context.output.print("") }
            isFirst = false
            try context.output.print(printer.details(details))
            return nil
        }
    }
}

import Bridge

/// `undone ID...`: opens completed reminders again.
struct ReopenReminders: Command {
    static let page = CommandPage(
        name: "undone",
        group: .reminders,
        summary: "Reopen completed reminders",
        usage: ["ID... [--json]"],
        operands: [Operand("ID", .many, "The number before a title in 'remindav list --all'")],
        options: [.json],
        details: [
            """
            An open reminder stays unchanged. A completed occurrence of a repeating reminder is a
            reminder of its own, with its own number.
            """
        ],
        examples: [.init("remindav undone 12", "reopens it")],
        exits: [.partial, .notFound, .locked]
    )

    let ids: [Int64]
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.ids = try ArgumentValues.reminders(arguments.operands("ID"))
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        var run = OperationScope()
        return try EachReminder(context: context).perform(self.ids, isJSON: self.isJSON) { id -> CompletionResult? in
            let operation = try useCases.reopening(id, as: &run)
            guard !self.isJSON else { return operation }
            try Confirmation(context: context).print(
                operation.isChanged ? "Open again" : "Already open",
                operation.reminder
            )
            if !operation.isChanged, operation.reminder.repeatRule != nil {
                context.output.remark(
                    "What is done of it is a reminder of its own: 'remindav list --section completed' shows its number."
                )
            }
            return nil
        }
    }
}

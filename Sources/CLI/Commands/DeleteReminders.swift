import Bridge

/// `delete ID...`: deletes reminders after a question.
struct DeleteReminders: Command {
    static let page = CommandPage(
        name: "delete",
        group: .reminders,
        summary: "Delete reminders",
        usage: ["ID... [--yes] [--json]"],
        operands: [Operand("ID", .many, "The number before a title in 'remindav list'")],
        options: [Option("--yes", short: "y", "Do not ask; required without a terminal"), .json],
        details: [
            """
            Deleted reminders stay in the trash for 30 days. 'remindav undo' restores all reminders
            that one command deleted; 'remindav trash' shows the trash.
            """
        ],
        examples: [.init("remindav delete 12", "asks, then deletes it; the next sync deletes it on the server")],
        exits: [.partial, .notFound, .locked]
    )

    let ids: [Int64]
    let isSure: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.ids = try ArgumentValues.reminders(arguments.operands("ID"))
        self.isSure = arguments.flag("--yes")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        // With --json the answer is one document, and nothing else.
        let output = self.isJSON ? context.output.withoutNotes : context.output
        var deleted = 0
        var run = OperationScope()
        let status = try EachReminder(context: context).perform(self.ids, isJSON: self.isJSON) { id -> ReminderView? in
            let reminder = try useCases.reminder(id)
            let title = Sanitizer.line(reminder.title)
            guard try self.isSure || context.confirm("Delete '\(title)'?") else {
                try output.note("Kept \(id): \(title)")
                return nil
            }
            try useCases.delete(id, as: &run)
            deleted += 1
            try output.note("Deleted \(id): \(title)")
            return reminder
        }
        if deleted > 0 { try output.note("'remindav undo' brings \(deleted == 1 ? "it" : "them") back.") }
        return status
    }
}

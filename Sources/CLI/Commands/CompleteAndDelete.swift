import Bridge
import Reminders

struct CompleteReminders: Command {
    static let page = CommandPage(
        name: "done",
        summary: "Complete reminders",
        operands: [Operand("ID", .many, "The number before a title in 'remindav list'")],
        options: [.json],
        details: """
            A repeating reminder moves to its next date. The completed occurrence becomes a
            separate reminder, and its number is printed. A completed reminder stays unchanged.
            """,
        examples: ["remindav done 12 13": "completes both"],
        exits: [.partial, .notFound, .locked]
    )

    let ids: [Int64]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.ids = try ArgumentValues.reminders(arguments.operands("ID"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        var run = OperationScope()
        return try context.forEach(self.ids) { id -> CompletionResult? in
            let operation = try useCases.completing(id, as: &run)
            guard !context.isJSON else { return operation }
            let isOver = operation.reminder.section == .completed
            let verb = operation.isChanged ? isOver ? "Completed" : "Completed for now" : "Already completed"
            let copy = operation.copy.map { "; the completed occurrence is \($0)" } ?? ""
            try Confirmation(context: context).print(verb, operation.reminder, behind: copy)
            if operation.isChanged, !isOver, operation.reminder.overdue {
                context.output.remark(
                    """
                    The next date is already past, so the reminder is still overdue. \
                    'remindav edit \(id) --due today' continues from today.
                    """
                )
            }
            return nil
        }
    }
}

struct ReopenReminders: Command {
    static let page = CommandPage(
        name: "undone",
        summary: "Reopen completed reminders",
        operands: [Operand("ID", .many, "The number before a title in 'remindav list --all'")],
        options: [.json],
        details: """
            An open reminder stays unchanged. A completed occurrence of a repeating reminder is a
            separate reminder with its own number.
            """,
        examples: ["remindav undone 12": "reopens it"],
        exits: [.partial, .notFound, .locked]
    )

    let ids: [Int64]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.ids = try ArgumentValues.reminders(arguments.operands("ID"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        var run = OperationScope()
        return try context.forEach(self.ids) { id -> CompletionResult? in
            let operation = try useCases.reopening(id, as: &run)
            guard !context.isJSON else { return operation }
            let verb = operation.isChanged ? "Reopened" : "Already open"
            try Confirmation(context: context).print(verb, operation.reminder)
            if !operation.isChanged, operation.reminder.repeatRule != nil {
                context.output.remark(
                    "Completed occurrences are separate reminders; 'remindav list --section completed' shows them."
                )
            }
            return nil
        }
    }
}

struct DeleteReminders: Command {
    static let page = CommandPage(
        name: "delete",
        summary: "Delete reminders",
        operands: [Operand("ID", .many, "The number before a title in 'remindav list'")],
        options: [Option("--yes", short: "y", "Do not ask; required without a terminal"), .json],
        details: """
            Deleted reminders stay in the trash for 30 days. 'remindav undo' restores all reminders
            that one command deleted; 'remindav trash' shows the trash.
            """,
        examples: ["remindav delete 12": "asks, then deletes it; the next sync deletes it on the server"],
        exits: [.partial, .notFound, .locked]
    )

    let ids: [Int64]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.ids = try ArgumentValues.reminders(arguments.operands("ID"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        // With --json, standard output has one JSON document, without the lines 'Deleted' and 'Kept'.
        let output = context.isJSON ? context.output.withoutNotes : context.output
        var deleted = 0
        var run = OperationScope()
        let status = try context.forEach(self.ids) { id -> ReminderView? in
            let reminder = try useCases.reminder(id)
            let title = Sanitizer.line(reminder.title)
            guard try context.isSure || context.confirm("Delete '\(title)'?") else {
                try output.note("Kept \(id): \(title)")
                return nil
            }
            try useCases.delete(id, as: &run)
            deleted += 1
            try output.note("Deleted \(id): \(title)")
            return reminder
        }
        if deleted > 0 { try output.note("'remindav undo' restores \(deleted == 1 ? "it" : "them").") }
        return status
    }
}

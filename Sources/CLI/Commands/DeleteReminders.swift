import Bridge

/// `delete ID...`: deletes reminders after a question.
struct DeleteReminders: Command {
    static let page = CommandPage(
        name: "delete",
        group: .reminders,
        summary: "Delete reminders",
        usage: ["ID... [--yes]"],
        operands: [Operand("ID", .many, "The number in front of a title in 'remindav list'")],
        options: [Option("--yes", short: "y", "Do not ask; needed where there is no terminal to ask on")],
        details: [
            """
            What is deleted lies 30 days in the trash. 'remindav undo' takes the last deletion back,
            'remindav trash' shows them all.
            """
        ],
        examples: [.init("remindav delete 12", "asks, then deletes it here and, with the next sync, on the server")],
        exits: [.partial, .notFound, .locked]
    )

    let ids: [Int64]
    let isSure: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.ids = try Fields.reminders(arguments.operands("ID"))
        self.isSure = arguments.flag("--yes")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        var deleted = 0
        let status = try EachReminder(context: context).perform(self.ids) { id in
            let reminder = try useCases.reminder(id)
            let title = Sanitizer.line(reminder.title)
            guard try self.isSure || context.confirm("Delete '\(title)'?") else {
                try context.output.note("Kept \(id): \(title)")
                return
            }
            try useCases.delete(id)
            deleted += 1
            try context.output.note("Deleted \(id): \(title)")
        }
        // 'undo' takes back one deletion at a time, the last one first.
        if deleted == 1 { try context.output.note("'remindav undo' brings it back.") }
        if deleted > 1 { try context.output.note("'remindav trash' shows how to bring them back.") }
        return status
    }
}

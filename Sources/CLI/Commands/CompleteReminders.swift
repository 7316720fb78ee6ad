import Bridge

/// `done ID...`: completes reminders.
struct CompleteReminders: Command {
    static let page = CommandPage(
        name: "done",
        group: .reminders,
        summary: "Complete reminders",
        usage: ["ID..."],
        operands: [Operand("ID", .many, "The number in front of a title in 'remindav list'")],
        details: ["A reminder that repeats moves on to its next date."],
        examples: [.init("remindav done 12 13", "completes both")],
        exits: [.partial, .notFound, .locked]
    )

    let ids: [Int64]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.ids = try Fields.reminders(arguments.operands("ID"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        return try EachReminder(context: context).perform(self.ids) { id in
            let reminder = try useCases.complete(id)
            let what = reminder.section == .completed ? "Completed" : "Completed for now"
            try Confirmation(context: context).say(what, reminder)
        }
    }
}

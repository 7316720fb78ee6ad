import Bridge

/// `undone ID...`: opens completed reminders again.
struct ReopenReminders: Command {
    static let page = CommandPage(
        name: "undone",
        group: .reminders,
        summary: "Open completed reminders again",
        usage: ["ID..."],
        operands: [Operand("ID", .many, "The number in front of a title in 'remindav list --all'")],
        examples: [.init("remindav undone 12", "it is open again")],
        exits: [.partial, .notFound, .locked]
    )

    let ids: [Int64]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.ids = try Fields.reminders(arguments.operands("ID"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        return try EachReminder(context: context).perform(self.ids) { id in
            try Confirmation(context: context).say("Open again", useCases.reopen(id))
        }
    }
}

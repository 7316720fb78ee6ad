import Bridge
import Reminders

/// `done ID...`: completes reminders.
struct CompleteReminders: Command {
    static let page = CommandPage(
        name: "done",
        group: .reminders,
        summary: "Complete reminders",
        usage: ["ID... [--json]"],
        operands: [Operand("ID", .many, "The number before a title in 'remindav list'")],
        options: [.json],
        details: [
            """
            A repeating reminder moves to its next date, and the completed occurrence becomes a
            reminder of its own, whose number is printed. A completed reminder stays unchanged.
            """
        ],
        examples: [.init("remindav done 12 13", "completes both")],
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
            let operation = try useCases.completing(id, as: &run)
            guard !self.isJSON else { return operation }
            let isOver = operation.reminder.section == .completed
            let what = operation.isChanged ? isOver ? "Completed" : "Completed for now" : "Already completed"
            let copy = operation.copy.map { "; what is done is \($0)" } ?? ""
            try Confirmation(context: context).print(what, operation.reminder, behind: copy)
            if operation.isChanged, !isOver, operation.reminder.overdue {
                context.output.remark(
                    """
                    What was missed stays to be done, so that it is overdue still. \
                    'remindav edit \(id) --due today' goes on from today.
                    """
                )
            }
            return nil
        }
    }
}

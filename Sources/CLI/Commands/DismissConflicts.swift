import Bridge

struct DismissConflicts: Command {
    static let page = CommandPage(
        name: "conflicts dismiss",
        group: .servers,
        summary: "Remove conflicts from the list; the kept values are correct",
        usage: ["ID...", "--all"],
        operands: [Operand("ID", .many, "The number before a conflict in 'remindav conflicts'")],
        options: [Option("--all", "All of them")],
        examples: [.init("remindav conflicts dismiss --all", "empties the list; 'conflicts --all' still shows them")],
        exits: [.partial, .notFound, .locked]
    )

    /// `nil` for all.
    let numbers: [Int64]?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.numbers =
            arguments.flag("--all") ? nil : try ArgumentValues.numbers(arguments.operands("ID"), of: "conflict")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        guard let numbers = self.numbers else {
            let count = try useCases.dismissAllConflicts()
            try context.output.note("Dismissed \(count)")
            return .success
        }
        return try EachReminder(context: context).perform(numbers) { number in
            try useCases.dismissConflict(number)
            try context.output.note("Dismissed \(number)")
        }
    }
}

import Bridge

struct RestoreConflicts: Command {
    static let page = CommandPage(
        name: "conflicts restore",
        group: .servers,
        summary: "Restore the value that lost a conflict",
        usage: ["ID..."],
        operands: [Operand("ID", .many, "The number before a conflict in 'remindav conflicts'")],
        details: [
            """
            Only the field of the conflict is changed. The next sync sends the change to the
            server, and 'remindav undo' reverts it.
            """
        ],
        examples: [.init("remindav conflicts restore 3", "restores the value that lost conflict 3")],
        exits: [.partial, .notFound, .locked]
    )

    let numbers: [Int64]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.numbers = try ArgumentValues.numbers(arguments.operands("ID"), of: "conflict")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        return try EachReminder(context: context).perform(self.numbers) { number in
            let (conflict, run) = try useCases.restoreConflict(number)
            let place = "\(number): \(conflict.field) of \(Sanitizer.line(conflict.title))"
            guard let run else { return try context.output.note("Already restored \(place)") }
            try context.output.note("Restored \(place)")
            context.output.remark("'remindav undo --run \(run)' reverts this.")
        }
    }
}

import Bridge

/// `conflicts restore ID...`: puts back the values that lost.
struct RestoreConflicts: Command {
    static let page = CommandPage(
        name: "conflicts restore",
        group: .servers,
        summary: "Put back the value that lost",
        usage: ["ID..."],
        operands: [Operand("ID", .many, "The number in front of a conflict in 'remindav conflicts'")],
        details: [
            """
            Only the field that the conflict was about is changed. It is an edit like any other:
            the next sync carries it to the server, and 'remindav undo' takes it back.
            """
        ],
        examples: [.init("remindav conflicts restore 3", "the value that lost is the reminder's again")],
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
            let what = "\(number): \(conflict.field) of \(Sanitizer.line(conflict.title))"
            guard let run else { return try context.output.note("As it was already \(what)") }
            try context.output.note("Put back \(what)")
            context.output.remark("'remindav undo --run \(run)' takes this back.")
        }
    }
}

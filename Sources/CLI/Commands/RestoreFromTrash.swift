import RemindavBridge

struct RestoreFromTrash: Command {
    static let page = CommandPage(
        name: "trash restore",
        summary: "Restore deleted reminders",
        operands: [Operand("ID", .many, "The number before a title in 'remindav trash', as 12, 3,5 or 7-9")],
        options: [Option("--list", value: "NAME", "The target list; default: the original list")],
        details: "A reminder has the same number in the trash as before its deletion.",
        examples: ["remindav trash restore 345": "restores it; the next sync restores it on the server"],
        exits: [.partial, .notFound, .locked]
    )

    let numbers: [Int64]
    let list: String?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.numbers = try NumberList(arguments.operands("ID"), of: "reminder").numbers
        self.list = arguments.value("--list")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let summary = try context.useCases().restore(self.numbers, list: self.list)
        return try JournalPrinter(output: context.output).print(summary)
    }
}

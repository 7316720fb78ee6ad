import Bridge

struct DiscardEdits: Command {
    static let page = CommandPage(
        name: "lists discard",
        group: .servers,
        summary: "Discard unsent changes of a read-only list",
        usage: ["NAME [--yes]"],
        operands: [Operand("NAME", .once, "The name of the list")],
        options: [Option("--yes", short: "y", "Do not ask; required without a terminal")],
        details: [
            """
            For a list that became read-only on its server, so that local changes cannot be sent.
            Its reminders become those of the server. To keep a change, move the reminder first:
            'remindav edit ID --list NAME'.
            """
        ],
        examples: [.init("remindav lists discard Office", "asks, then discards the unsent changes")],
        exits: [.notFound]
    )

    let name: String
    let isSure: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.name(arguments.operand("NAME"), of: "A list's name")
        self.isSure = arguments.flag("--yes")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let waiting = try useCases.listDeletion(of: self.name, localOnlyCount: true)
        guard let sentence = WaitingEdits.sentence(waiting) else {
            // A list without a server has its own error.
            _ = try useCases.discardEdits(in: self.name)
            try context.output.note("Nothing in the list \(Sanitizer.line(waiting.name)) is unsent")
            return .success
        }
        context.output.remark(StyledText(sentence))
        guard try self.isSure || context.confirm("Discard them?") else {
            try context.output.note("Nothing was changed")
            return .success
        }
        let count = try useCases.discardEdits(in: waiting.name)
        let changes = count == 1 ? "1 change" : "\(count) changes"
        try context.output.note("Discarded \(changes) in the list \(Sanitizer.line(waiting.name))")
        return .success
    }
}

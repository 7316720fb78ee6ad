import Bridge

/// `lists discard NAME`: gives up changes that the server has not got.
struct DiscardEdits: Command {
    static let page = CommandPage(
        name: "lists discard",
        group: .servers,
        summary: "Give up what was changed in a list and was not sent",
        usage: ["NAME [--yes]"],
        operands: [Operand("NAME", .once, "What the list is called")],
        options: [Option("--yes", short: "y", "Do not ask; needed where there is no terminal to ask on")],
        details: [
            """
            For a list that its server lets nobody change any more: what waits to be sent
            cannot be. Its reminders are then as the server has them. To keep a change, move
            the reminder first: 'remindav edit ID --list NAME'.
            """
        ],
        examples: [.init("remindav lists discard Office", "asks, then forgets what was not sent")],
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
            // A list without a server is told of as such.
            _ = try useCases.discardEdits(in: self.name)
            try context.output.note("Nothing in the list \(Sanitizer.line(waiting.name)) waits to be sent")
            return .success
        }
        context.output.remark(StyledText(sentence))
        guard try self.isSure || context.confirm("Give them up?") else {
            try context.output.note("Nothing was changed")
            return .success
        }
        let count = try useCases.discardEdits(in: waiting.name)
        let what = count == 1 ? "1 change" : "\(count) changes"
        try context.output.note("Gave up \(what) in the list \(Sanitizer.line(waiting.name))")
        return .success
    }
}

import Bridge

struct RemoveAccount: Command {
    static let page = CommandPage(
        name: "account remove",
        group: .servers,
        summary: "Remove an account; its lists stay on the server",
        usage: ["[NAME] [--yes]"],
        operands: [Operand("NAME", .optional, "The account; optional if there is only one")],
        options: [Option("--yes", short: "y", "Do not ask, and discard unsent changes")],
        examples: [
            .init("remindav account remove dav.example.org", "removes its lists and its password from this store")
        ],
        exits: [.notFound, .refused]
    )

    let name: String?
    let isSure: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = arguments.optionalOperand()
        self.isSure = arguments.flag("--yes")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        // A refusal comes before the question.
        let unsent = try useCases.unsentChanges(ofAccount: self.name, mayGo: self.isSure)
        let subject = self.name.map { "the account \(Sanitizer.line($0))" } ?? "the account"
        guard try self.isSure || context.confirm("Remove \(subject) and its lists from this store?") else {
            try context.output.note("Nothing was changed")
            return .success
        }
        let account = try useCases.removeAccount(named: self.name, discardUnsent: self.isSure)
        try context.output.note("Removed the account \(Sanitizer.line(account.name)); its lists stay on the server")
        if unsent > 0 {
            let changes = unsent == 1 ? "1 change" : "\(unsent) changes"
            let texts = "the trash has the reminders that were changed"
            try context.output.note("Discarded \(changes) that were not sent; \(texts)")
        }
        return .success
    }
}

import Bridge

struct RevokeFeed: Command {
    static let page = CommandPage(
        name: "feed revoke",
        summary: "Revoke the address of a feed",
        operands: [Operand("ID", .once, "The number that 'remindav feed list' shows")],
        examples: ["remindav feed revoke 2": "its address returns status 404"],
        exits: [.notFound]
    )

    let id: Int64

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.id = try ArgumentValues.number(arguments.operand("ID"), of: "feed")
    }

    func run(in context: Context) async throws -> ExitStatus {
        try context.useCases().revokeFeed(self.id)
        try context.output.note("Revoked feed \(self.id)")
        return .success
    }
}

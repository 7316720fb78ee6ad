import Bridge

/// `feed revoke ID`: makes a feed's address useless.
struct RevokeFeed: Command {
    static let page = CommandPage(
        name: "feed revoke",
        group: .feeds,
        summary: "Revoke the address of a feed",
        usage: ["ID"],
        operands: [Operand("ID", .once, "The number that 'remindav feed list' shows")],
        examples: [.init("remindav feed revoke 2", "its address returns status 404")],
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

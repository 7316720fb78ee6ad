import RemindavBridge

struct RevokeFeed: Command {
    static let page = CommandPage(
        name: "feed revoke",
        summary: "Revoke the address of a feed",
        operands: [.feed],
        examples: ["remindav feed revoke 2": "its address returns status 404"],
        exits: [.notFound]
    )

    let feed: String

    init(_ arguments: inout Arguments) throws(UsageError) { self.feed = try arguments.operand("FEED") }

    func run(in context: Context) async throws -> ExitStatus {
        let feed = try context.useCases().revokeFeed(self.feed)
        try context.output.note("Revoked feed \(feed.id), \(Sanitizer.line(feed.name))")
        return .success
    }
}

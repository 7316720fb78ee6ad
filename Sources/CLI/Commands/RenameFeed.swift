import RemindavBridge

struct RenameFeed: Command {
    static let page = CommandPage(
        name: "feed rename",
        summary: "Rename the calendar of a feed",
        operands: [.feed, Operand("NEW", .once, "The new name of the calendar")],
        options: [.json],
        details: """
            The address of the feed stays the same. Most calendar programs read the name only when
            they subscribe, and then keep it.
            """,
        examples: ["remindav feed rename 2 Family": "the calendar has the name Family"],
        exits: [.notFound]
    )

    let feed: String
    let name: String
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.feed = try arguments.operand("FEED")
        self.name = try arguments.operand("NEW")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let feed = try context.useCases().renameFeed(self.feed, to: self.name)
        return try context.answer(
            PublishedFeed(feed: feed, subscription: nil),
            note: "Renamed feed \(feed.id) to \(Sanitizer.line(feed.name))"
        )
    }
}

extension Operand {
    static let feed = Operand("FEED", .once, "The number or the name that 'remindav feed list' shows")
}

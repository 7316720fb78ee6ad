import Bridge
import JSON

struct ShowFeeds: Command {
    static let page = CommandPage(
        name: "feed list",
        summary: "Show the feeds",
        options: [.json],
        details: "Addresses are not shown, because the store does not contain them.",
        examples: ["remindav feed list": "number, content and age of each feed"]
    )

    let isJSON: Bool
    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let feeds = try context.useCases().feeds()
        if self.isJSON {
            try context.output.print(json: feeds.map { PublishedFeed(feed: $0, subscription: nil) })
        } else if feeds.isEmpty {
            try context.output.print("No feeds yet. Create one: remindav feed create")
        } else {
            let rows = feeds.map { feed in
                let labels = feed.labels.map { "#\($0)" }.joined(separator: " ")
                let form = [feed.style == .event ? "" : feed.style.rawValue, feed.showsPrivate ? "private" : ""]
                let kind = form.filter { !$0.isEmpty }.joined(separator: ", ")
                return ["\(feed.id)", feed.list ?? "all lists", labels, kind, "since \(feed.createdAt)"]
            }
            try context.output.print(Table.text(rows))
        }
        return .success
    }
}

struct PublishedFeed: JSONRecord {
    let feed: FeedView
    /// The addresses; `nil` for a feed that is read from the store, which has only a hash of the feed's token.
    let subscription: Subscription?

    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.feed.id },
        JSONMember("url") { $0.subscription?.address },
        JSONMember("webcal") { $0.subscription?.webcal },
        JSONMember("style") { $0.feed.style.rawValue },
        JSONMember("private") { $0.feed.showsPrivate },
        JSONMember("list") { $0.feed.list },
        JSONMember("labels") { $0.feed.labels },
        JSONMember("createdAt") { $0.feed.createdAt },
    ]
}

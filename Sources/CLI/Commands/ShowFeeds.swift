import Bridge

/// `feed list`: shows the feeds, without their addresses.
struct ShowFeeds: Command {
    static let page = CommandPage(
        name: "feed list",
        group: .feeds,
        summary: "Show the feeds",
        usage: ["[--json]"],
        options: [.json],
        details: ["Addresses are not shown: the store does not know them."],
        examples: [.init("remindav feed list", "number, content and age of each feed")]
    )

    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let feeds = try context.useCases().feeds()
        if self.isJSON {
            try context.output.print(.array(feeds.map { JSON($0, subscription: nil) }))
        } else if feeds.isEmpty {
            try context.output.print("No feeds yet. Make one: remindav feed create")
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

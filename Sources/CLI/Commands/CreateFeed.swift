import Bridge

/// `feed create`: makes an address that a calendar program can subscribe to.
struct CreateFeed: Command {
    static let page = CommandPage(
        name: "feed create",
        group: .feeds,
        summary: "Make an address that a calendar can subscribe to",
        usage: ["[--list NAME] [--label NAME]... [--json]"],
        options: [
            Option("--list", value: "NAME", "Only reminders of this list"),
            .labelFilter,
            .json,
        ],
        details: [
            """
            Whoever knows the address can read the feed, so it is shown once, now: the store
            keeps no copy. 'remindav serve' must run for it to answer. '?style=todo' or
            '?style=both' behind it gives tasks instead of, or besides, events.
            """
        ],
        examples: [.init("remindav feed create --label work", "an address with what is due at work")],
        exits: [.notFound]
    )

    let list: String?
    let labels: [String]
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.list = arguments.value("--list")
        self.labels = try Fields.labels(arguments.values("--label"))
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.made)
        try useCases.check(list: self.list, labels: [])
        // It may be made before the first reminder with the label.
        if let unknown = try useCases.unknownLabel(among: self.labels) {
            context.output.complain(ErrorMessages.explain(unknown).sentence)
        }
        let feed = try useCases.createFeed(list: self.list, labels: self.labels)
        let url = feed.path.map { "http://127.0.0.1:\(UseCases.defaultPort)\($0)" }
        if self.isJSON {
            try context.output.print(JSON(feed, url: url))
        } else {
            try context.output.print(StyledText(url ?? ""))
            context.output.remark("This address is shown only once. 'remindav serve' makes it answer.")
        }
        return .success
    }
}

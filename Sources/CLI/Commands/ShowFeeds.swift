import RemindavBridge
import RemindavICalendar
import RemindavJSON

struct ShowFeeds: Command {
    static let page = CommandPage(
        name: "feed list",
        summary: "Show the feeds and the programs that read them",
        options: [.json],
        details: """
            For each kind of program, the last visit is shown, with the status of the answer: 200
            for the whole feed, 304 if the feed had not changed since the previous visit. The kind
            of program is derived from the name that the program sends. 'remindav serve' records a
            visit within a minute, without the address of the visitor.

            Addresses of feeds are not shown, because the store does not contain them.
            """,
        examples: ["remindav feed list": "the content and the visits of each feed"]
    )

    static let isPaged = true

    let isJSON: Bool
    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let feeds = try context.useCases().feeds()
        if self.isJSON {
            try context.output.print(json: feeds.map { PublishedFeed(feed: $0, subscription: nil) })
        } else if feeds.isEmpty {
            try context.output.print(advice: "No feeds yet. Create one: remindav feed create")
        } else {
            let text = try context.localText()
            for feed in feeds {
                try context.output.print(StyledText("\(feed.id)  \(Sanitizer.line(feed.name))", .heading))
                try context.output.print(Table.text(feed.rows(text)))
            }
        }
        return .success
    }
}

extension FeedView {
    fileprivate func rows(_ text: LocalText) -> [[String]] {
        [["   publishes", self.content], ["   created", text.past(self.createdAt)]] + self.visitRows(text)
            + self.pushRows(text)
    }

    private func pushRows(_ text: LocalText) -> [[String]] {
        guard let push = self.push else { return [] }
        let last = push.at.map { text.past($0) } ?? "never"
        let words = push.error.map { "failed: \($0.rawValue); last success: \(last)" } ?? last
        return [["   push", words], ["", "\(push.url), user \(push.user), password: \(push.passwordOrigin)"]]
    }

    private func visitRows(_ text: LocalText) -> [[String]] {
        if self.visits.isEmpty { return [["   visits", "none yet"]] }
        return self.visits.enumerated().map { number, visit in
            let agent = visit.agent.isEmpty ? "" : " (\(visit.agent))"
            let words =
                "\(visit.programName): \(text.past(visit.at)), status \(visit.status), \(visit.count.counted("visit"))"
            return [number == 0 ? "   visits" : "", words + agent]
        }
    }

    /// The content in words: the list and labels, then the style and the private reminders if they are not the default.
    private var content: String {
        let labels = self.labels.map { "#\($0)" }.joined(separator: " ")
        let selection = [self.list.map { "list \($0)" } ?? "all lists", labels].filter { !$0.isEmpty }
        let style =
            switch self.style {
            case .event: ""
            case .todo: "as to-dos"
            case .both: "as events and to-dos"
            }
        let choices = [self.showsPrivate ? "private in full" : "", self.showsAlarms ? "with their alarms" : ""]
        return ([selection.joined(separator: " "), style] + choices).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

struct PublishedFeed: JSONRecord {
    let feed: FeedView
    /// The addresses; `nil` for a feed that is read from the store, which has only a hash of the feed's token.
    let subscription: Subscription?

    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.feed.id },
        JSONMember("name") { $0.feed.name },
        JSONMember("url") { $0.subscription?.address },
        JSONMember("webcal") { $0.subscription?.webcal },
        JSONMember("style") { $0.feed.style.rawValue },
        JSONMember("private") { $0.feed.showsPrivate },
        JSONMember("alarms") { $0.feed.showsAlarms },
        JSONMember("list") { $0.feed.list },
        JSONMember("labels") { $0.feed.labels },
        JSONMember("createdAt") { $0.feed.createdAt },
        JSONMember("visits") { $0.feed.visits },
        JSONMember("push") { $0.feed.push },
    ]
}

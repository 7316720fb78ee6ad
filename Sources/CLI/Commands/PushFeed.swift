import RemindavBridge
import RemindavJSON

struct PushFeed: Command {
    static let page = CommandPage(
        name: "feed push",
        summary: "Store feeds as files on a WebDAV server",
        usage: [
            "[FEED] [--overwrite] [--json]", "FEED URL --user NAME [--password-command CMD | --password-stdin |",
            "    --password-credential NAME | --token-command CMD] [--ca-file FILE] [--overwrite] [--json]",
            "FEED --forget [--json]",
        ],
        operands: [
            Operand(
                "FEED",
                .optional,
                "The number or the name that 'remindav feed list' shows;",
                "default: all feeds with an address"
            ),
            Operand("URL", .optional, "The https address of the file; it is stored for the next time"),
        ],
        options: [Option("--user", value: "NAME", "The user name on the server")] + PasswordChoice.options + [
            Option("--ca-file", value: "FILE", "Also trust the certificates in this PEM file"),
            Option("--overwrite", "Replace the file even if another program has written it"),
            Option("--forget", "Remove the stored address and its password; the file stays"), .json,
        ],
        details: """
            For calendar programs that cannot reach this computer: they subscribe to the file on
            the server. With URL, the feed is sent there, and the address is stored after the first
            success. Without URL, it is sent to the stored address; a feed that has not changed
            since the last time is not sent. So a timer can run 'remindav feed push'; the manual
            has an example. A file that another program has written or changed is not replaced.

            \(PasswordChoice.explanation)
            """,
        examples: [
            "remindav feed push Work https://cloud.example.org/dav/work.ics --user ada": "asks for the password",
            "remindav feed push": "sends all feeds that have an address and have changed",
        ],
        exits: [.partial, .notFound, .authentication, .network, .conflict, .refused],
        meanings: [.partial: "some feeds were not sent", .conflict: "another program has written the file"]
    )

    private enum Action: Hashable, Sendable {
        case all
        case again(String)
        case first(feed: String, url: String, user: String, PasswordChoice, caFile: String?)
        case forget(String)
    }

    private let action: Action
    let overwrites: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        let (feed, url) = (arguments.optionalOperand(), arguments.optionalOperand())
        let (user, caFile) = (arguments.value("--user"), arguments.value("--ca-file"))
        let password = try PasswordChoice(&arguments)
        self.overwrites = arguments.flag("--overwrite")
        self.isJSON = arguments.flag("--json")
        let forgets = arguments.flag("--forget")
        if let feed, let url, !forgets {
            guard let user, !user.isEmpty else {
                throw UsageError(.missingValue, "A new address needs a user name: --user NAME.")
            }
            self.action = .first(feed: feed, url: url, user: user, password, caFile: caFile)
        } else if url == nil, user == nil, caFile == nil, password == .prompt {
            guard !forgets || feed != nil else { throw UsageError(.missingOperand, "'--forget' needs a FEED.") }
            if let feed {
                self.action = forgets ? .forget(feed) : .again(feed)
            } else {
                self.action = .all
            }
        } else {
            throw UsageError(
                .badValue,
                forgets
                    ? "'--forget' cannot be combined with a URL or its options."
                    : "'--user', '--ca-file' and the password options need a FEED and a URL."
            )
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        var feeds: [String] = []
        switch self.action {
        case .forget(let feed):
            let view = try useCases.forgetPush(of: feed)
            return try context.answer(
                PublishedFeed(feed: view, subscription: nil),
                note: "\(view.words) is no longer pushed; the file on the server stays"
            )
        case .first(let feed, let url, let user, let choice, let caFile):
            // The address is checked first, so that the user types no password in vain.
            try UseCases.check(pushAddress: url)
            let address = NewPushAddress(
                url: url,
                user: user,
                password: try choice.source(in: context, user: user),
                caFile: caFile
            )
            let push = try await useCases.pushFeed(feed, to: address, overwrites: self.overwrites)
            return try self.report([push], in: context)
        case .again(let feed): feeds = [feed]
        case .all: feeds = try useCases.pushedFeeds()
        }
        var results: [FeedPush] = []
        for feed in feeds { results.append(try await useCases.pushFeed(feed, overwrites: self.overwrites)) }
        return try self.report(results, in: context)
    }

    private func report(_ results: [FeedPush], in context: Context) throws -> ExitStatus {
        var failures: [ExitStatus] = []
        for result in results {
            switch result.outcome {
            case .stored: if !self.isJSON { try context.output.note("\(result.feed.words): sent") }
            case .unchanged: if !self.isJSON { try context.output.note("\(result.feed.words): unchanged, not sent") }
            case .failed(let error):
                let explanation = error.explanation
                failures.append(explanation.status)
                context.output.complain(explanation.about(result.feed.words))
            }
        }
        if self.isJSON {
            try context.output.print(json: results.map { PublishedFeed(feed: $0.feed, subscription: nil) })
        } else if results.isEmpty {
            try context.output.note(
                advice: "No feed has a push address. Set one with 'remindav feed push FEED URL --user NAME'."
            )
        }
        guard let first = failures.first else { return .success }
        return failures.count == results.count ? first : .partial
    }
}

extension FeedView {
    /// The feed in a message, as `Feed 2 (Family)`.
    var words: String { "Feed \(self.id) (\(Sanitizer.excerpt(self.name)))" }
}

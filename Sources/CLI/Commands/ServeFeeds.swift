import Bridge

struct ServeFeeds: Command {
    static let page = CommandPage(
        name: "serve",
        summary: "Serve the feeds on this computer",
        usage: ["[--port N] [--feed-address URL]"],
        options: [
            Option("--port", value: "N", "The port; default: 8737; 0 selects a free port"),
            .feedAddress,
        ],
        details: """
            Listens on 127.0.0.1 until Ctrl-C, for programs on this computer only. For other
            computers, use a web server with TLS as a proxy, and set its address in the setting
            'feed-address'. Requests with another host name get status 421. The manual contains
            configurations for nginx, Caddy and Apache.
            """,
        examples: ["remindav serve": "http://127.0.0.1:8737/feed/… answers"]
    )

    let port: UInt16?
    let site: FeedSite?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.port = try arguments.value("--port").map { word throws(UsageError) in
            guard let port = UInt16(word) else {
                throw UsageError(.badValue, "'--port' must be a number from 0 to 65535, not '\(word)'.")
            }
            return port
        }
        self.site = try arguments.feedAddress()
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.create)
        let output = context.output
        let port = self.port ?? context.settings.port
        let site = self.site ?? context.settings.feedAddress
        try await context.untilInterrupted {
            try await useCases.serve(port: port, site: site) { port in
                let place = site.map { " (published as \($0.text))" } ?? ""
                output.remark(StyledText("Serving feeds on http://127.0.0.1:\(port)/\(place) until Ctrl-C"))
            }
        }
        return .success
    }
}

extension Option {
    static let feedAddress = Option(
        "--feed-address",
        value: "URL",
        "The https address of a web server that publishes the",
        "feeds; default: the setting 'feed-address'"
    )
}

extension Arguments {
    func feedAddress() throws(UsageError) -> FeedSite? {
        try self.value("--feed-address").map { text throws(UsageError) in
            try ArgumentValues.feedSite(text, of: "--feed-address")
        }
    }
}

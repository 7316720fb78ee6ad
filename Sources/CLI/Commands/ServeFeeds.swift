import RemindavBridge
import RemindavDatePhrases
import RemindavPages

struct ServeFeeds: Command {
    static let page = CommandPage(
        name: "serve",
        summary: "Serve the web pages and the feeds on this computer",
        usage: ["[--port N] [--feed-address URL]"],
        options: [
            Option("--port", value: "N", "The port; default: 8737; 0 selects a free port"),
            .feedAddress,
        ],
        details: """
            Listens on 127.0.0.1 until Ctrl-C, or on a socket that systemd passes, for programs on this computer only. Only your own
            processes get the web pages; 'remindav web' opens them in the browser. For other
            computers, use a web server with TLS as a proxy, and set its address in the setting
            'feed-address'. Requests with another host name get status 421. The manual contains
            configurations for nginx, Caddy and Apache.
            """,
        examples: ["remindav serve": "http://127.0.0.1:8737/feed/… answers"]
    )

    let port: UInt16?
    let site: FeedSite?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.port = try arguments.port()
        self.site = try arguments.feedAddress()
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.create)
        let output = context.output
        let port = self.port ?? context.settings.port
        let site = self.site ?? context.settings.feedAddress
        let pages = try context.pages(useCases)
        let proxy = try context.settings.proxy()
        try await context.untilInterrupted {
            let socket = UseCases.givenSocket(context.environment)
            try await useCases.serve(
                port: port,
                socket: socket,
                site: site,
                pages: pages.respond,
                uploads: pages.acceptsUpload,
                proxy: proxy
            ) { port in
                let place = site.map { " (published as \($0.text))" } ?? ""
                output.remark(StyledText("Serving feeds and pages on http://127.0.0.1:\(port)/\(place) until Ctrl-C"))
            }
        }
        return .success
    }
}

extension Context {
    func pages(_ useCases: UseCases) throws -> Site {
        var preferences = Site.Preferences(
            zone: try self.localZone(),
            standardDue: When.defaultDue(at: self.settings.dueTime)
        )
        preferences.alarms = self.settings.alarms
        preferences.muted = self.settings.muted
        preferences.feedSite = self.settings.feedAddress
        preferences.port = self.settings.port
        preferences.webSite = self.settings.webAddress
        let signIns = try SignIns(useCases.configuration)
        let alarms = AlarmTable(
            try useCases.withOwnConnection(),
            settings: preferences.alarms,
            muted: preferences.muted
        )
        return Site(
            useCases,
            reading: try useCases.withOwnConnection(),
            alarms: alarms,
            signIns,
            preferences,
            Computer(self),
            isOwnProcess: UseCases.isOwnProcess
        )
    }
}

extension Settings {
    /// The socket for the reverse proxy of the web pages; `nil` without one.
    func proxy() throws(UsageError) -> ProxySocket? {
        switch (self.webAddress, self.webSocket) {
        case (nil, nil): return nil
        case (let site?, let path?): return ProxySocket(path: path, site: site)
        case (_?, nil):
            throw UsageError(
                .badValue,
                "The setting 'web-address' needs the setting 'web-socket': the socket of the proxy."
            )
        case (nil, _?):
            throw UsageError(
                .badValue,
                "The setting 'web-socket' needs the setting 'web-address': the address of the proxy."
            )
        }
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
    /// The value of an option with a port; `nil` without the option.
    func port(_ option: String = "--port") throws(UsageError) -> UInt16? {
        try self.value(option).map { word throws(UsageError) in
            guard let port = UInt16(word) else {
                throw UsageError(.badValue, "'\(option)' must be a number from 0 to 65535, not '\(word)'.")
            }
            return port
        }
    }

    func feedAddress() throws(UsageError) -> FeedSite? {
        try self.value("--feed-address").map { text throws(UsageError) in
            try ArgumentValues.feedSite(text, of: "--feed-address")
        }
    }
}

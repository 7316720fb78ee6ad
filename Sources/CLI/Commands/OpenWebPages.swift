import RemindavBridge
import RemindavPages

struct OpenWebPages: Command {
    static let page = CommandPage(
        name: "web",
        summary: "Open the reminders in the browser",
        usage: ["[--port N] [--no-open | --link]"],
        options: [
            Option("--port", value: "N", "The port; default: the setting 'port'"),
            Option("--link", "Print an address that signs in within 10 minutes"),
            Option("--no-open", "Print the address instead of opening the browser"),
        ],
        details: """
            Opens the web pages of 'remindav serve', signed in. If that command does not run, this
            command serves the pages until Ctrl-C. The address signs one browser in, once and
            within a minute; only processes of your user get the pages. With --link, the printed
            address is valid for 10 minutes, and begins with the setting 'web-address' if it is set.
            """,
        examples: [
            "remindav web": "opens http://127.0.0.1:8737/ in the browser",
            "remindav web --link": "prints an address, to be opened in another browser",
        ]
    )

    let port: UInt16?
    let opensBrowser: Bool
    let isLink: Bool
    private var ticketSeconds: Int64 { self.isLink ? SignIns.linkSeconds : SignIns.ticketSeconds }

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.port = try arguments.port()
        self.isLink = arguments.flag("--link")
        self.opensBrowser = !arguments.flag("--no-open") && !self.isLink
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.create)
        let port = self.port ?? context.settings.port
        let ticket = try SignIns(useCases.configuration).ticket(validSeconds: self.ticketSeconds)
        switch port == 0 ? nil : UseCases.isOwnServer(onPort: port) {
        case true?:
            if await UseCases.isRefused(ticket, onPort: port) {
                throw UsageError(
                    .badValue,
                    "The program on the port \(port) serves the reminders of another store. Choose another port with "
                        + "'--port', or stop that program."
                )
            }
            try self.open(ticket, port, in: context)
        case false?:
            throw UsageError(
                .badValue,
                "Another user's program listens on the port \(port). Choose another port with '--port'."
            )
        case nil:
            let pages = try context.pages(useCases)
            let proxy = try context.settings.proxy()
            try await context.untilInterrupted {
                try await useCases.serve(
                    port: port,
                    site: context.settings.feedAddress,
                    pages: pages.respond,
                    uploads: pages.acceptsUpload,
                    proxy: proxy
                ) { port in
                    do {
                        try self.open(ticket, port, in: context)
                    } catch {
                        context.output.complain(ErrorMessages.explain(error))
                    }
                    context.output.remark("Serving the pages until Ctrl-C.")
                }
            }
        }
        return .success
    }

    private func open(_ ticket: String, _ port: UInt16, in context: Context) throws {
        let site = self.isLink ? context.settings.webAddress : nil
        let address = site?.address("/in/\(ticket)") ?? "http://127.0.0.1:\(port)/in/\(ticket)"
        if self.opensBrowser, UseCases.openInBrowser(address, environment: context.environment) { return }
        try context.output.print(StyledText(address))
    }
}

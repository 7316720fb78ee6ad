import Bridge
import Pages

struct OpenWebPages: Command {
    static let page = CommandPage(
        name: "web",
        summary: "Open the reminders in the browser",
        usage: ["[--port N] [--no-open]"],
        options: [
            Option("--port", value: "N", "The port; default: the setting 'port'"),
            Option("--no-open", "Print the address instead of opening the browser"),
        ],
        details: """
            Opens the web pages of 'remindav serve', signed in. If that command does not run, this
            command serves the pages until Ctrl-C. The address signs one browser in, once and
            within a minute; only processes of your user get the pages.
            """,
        examples: ["remindav web": "opens http://127.0.0.1:8737/ in the browser"]
    )

    let port: UInt16?
    let opensBrowser: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.port = try arguments.port()
        self.opensBrowser = !arguments.flag("--no-open")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.create)
        let port = self.port ?? context.settings.port
        let ticket = try SignIns(useCases.configuration).ticket(validSeconds: SignIns.ticketSeconds)
        switch port == 0 ? nil : UseCases.isOwnServer(onPort: port) {
        case true?:
            try self.open(ticket, port, in: context)
        case false?:
            throw UsageError(
                .badValue,
                "Another user's program listens on the port \(port). Choose another port with '--port'."
            )
        case nil:
            let pages = try context.pages(useCases)
            try await context.untilInterrupted {
                try await useCases.serve(port: port, site: context.settings.feedAddress, pages: pages.respond) { port in
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
        let address = "http://127.0.0.1:\(port)/in/\(ticket)"
        if self.opensBrowser, UseCases.openInBrowser(address, environment: context.environment) { return }
        try context.output.print(StyledText(address))
    }
}

import Bridge

/// `serve`: answers requests for the feeds, on this machine only.
struct ServeFeeds: Command {
    static let page = CommandPage(
        name: "serve",
        group: .feeds,
        summary: "Serve the feeds on this machine",
        usage: ["[--port N]"],
        options: [Option("--port", value: "N", "The port; without it: 8737; 0 takes any free one")],
        details: [
            """
            Listens on 127.0.0.1, so that only programs on this machine can ask, until
            Ctrl-C. For others, put a web server with TLS before it.
            """
        ],
        examples: [.init("remindav serve", "http://127.0.0.1:8737/feed/… answers")]
    )

    /// `nil` for that of the settings.
    let port: UInt16?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.port = try arguments.value("--port").map { word throws(UsageError) in
            guard let port = UInt16(word) else {
                throw UsageError(.badValue, "'--port' is a number from 0 to 65535, not '\(word)'.")
            }
            return port
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.made)
        let output = context.output
        let port = self.port ?? context.settings.port
        try await context.untilInterrupted {
            try await useCases.serve(port: port) { port in
                output.remark("Serving feeds on http://127.0.0.1:\(port)/ until Ctrl-C")
            }
        }
        return .success
    }
}

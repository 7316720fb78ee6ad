import RemindavBridge

struct WriteFeed: Command {
    static let page = CommandPage(
        name: "feed write",
        summary: "Write the content of a feed to a file",
        usage: ["FEED [-o FILE]"],
        operands: [.feed],
        options: [
            Option("--output", short: "o", value: "FILE", "Write to this file; default: standard output")
        ],
        details: """
            The file has the same bytes as the answer of 'remindav serve'. A new file gets the
            permissions 0644, so that a web server can read it; an existing file keeps its
            permissions. The file is replaced in one step, and not at all if its content is the
            same. So a timer can run this command; the manual has an example.
            """,
        examples: ["remindav feed write Work -o /srv/www/work.ics": "a file that a web server publishes"],
        exits: [.notFound]
    )

    let feed: String
    let path: String?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.feed = try arguments.operand("FEED")
        let path = arguments.value("--output")
        self.path = path == "-" ? nil : path
    }

    func run(in context: Context) async throws -> ExitStatus {
        let bytes = try context.useCases().feedFile(self.feed)
        guard let path = self.path else {
            try context.output.write(bytes)
            return .success
        }
        let isChanged = try context.files.publish(path, bytes)
        try context.output.note("\(isChanged ? "Wrote" : "Unchanged:") \(Sanitizer.line(path))")
        return .success
    }
}

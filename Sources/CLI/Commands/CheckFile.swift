import RemindavBridge

struct CheckFile: Command {
    static let page = CommandPage(
        name: "ics check",
        summary: "Report errors and warnings in an .ics file",
        usage: ["FILE|- [--json]"],
        operands: [Operand("FILE", .once, "The file; '-' is standard input")],
        options: [.json],
        details: """
            Each finding is one line: position, severity, description, code and remedy. An error
            means lost data; a warning means that the reader repaired the data. A repeated warning
            is printed 20 times, and then the number of others.
            """,
        examples: ["remindav ics check tasks.ics": "one line per finding; exit status 1 when there is an error"],
        meanings: [.failure: "there is an error, or the file cannot be read"]
    )

    static let isPaged = true

    /// The largest file that `ics` commands read, in bytes: more than ten times the size of calendar programs' files.
    static let limit = 512 * 1024 * 1024
    /// The longest line in bytes that is read from a pipe or a device; a component is limited to the same size.
    static let longestLine = 16 * 1024 * 1024

    let path: String
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.path = try arguments.operand("FILE")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let source = try context.source(self.path)
        let issues = UseCases.check(
            try source.contents(limit: Self.limit, line: CheckFile.longestLine),
            zones: Configuration.systemZones(environment: context.environment)
        )
        if self.isJSON {
            try context.output.print(json: issues)
        } else if issues.isEmpty {
            try context.output.note("\(Sanitizer.line(source.name)): no findings")
        } else {
            let name = Sanitizer.line(source.name)
            var writer = ChunkWriter(context.output)
            for issue in issues { try writer.line(Self.line(issue, in: name)) }
            try writer.flush()
        }
        return issues.contains { $0.severity == "error" } ? .failure : .success
    }

    private static func line(_ issue: IssueView, in name: String) -> String {
        let text = "\(issue.line): \(issue.severity): \(issue.message) (\(issue.code)). \(issue.advice)"
        let more = issue.more == 0 ? "" : " \(issue.more.counted("more finding")) of this kind."
        return "\(name):\(Sanitizer.line(text + more))"
    }
}

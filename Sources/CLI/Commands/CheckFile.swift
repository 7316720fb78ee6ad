import Bridge

/// `ics check FILE`: names what in a file is not as RFC 5545 asks.
struct CheckFile: Command {
    static let page = CommandPage(
        name: "ics check",
        group: .files,
        summary: "Name what is wrong in an .ics file",
        usage: ["FILE|- [--json]"],
        operands: [Operand("FILE", .once, "The file; '-' is standard input")],
        options: [.json],
        examples: [.init("remindav ics check tasks.ics", "one line per finding; exit status 1 when there is an error")]
    )

    /// The largest file that `ics` commands take into memory, in bytes.
    ///
    /// No calendar program writes one of a tenth of that.
    static let limit = 512 * 1024 * 1024

    let path: String
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.path = try arguments.operand("FILE")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let source = try context.source(self.path)
        let issues = UseCases.check(try context.contents(of: source, limit: Self.limit))
        if self.isJSON {
            try context.output.print(.array(issues.map { JSON(finding: $0) }))
        } else if issues.isEmpty {
            try context.output.note("\(Sanitizer.line(source.name)): nothing to complain about")
        } else {
            let lines = issues.map { "\(Sanitizer.line(source.name)):\($0.line): \($0.severity): \($0.message)" }
            try context.output.print(StyledText(lines.joined(separator: "\n")))
        }
        return issues.contains { $0.severity == "error" } ? .failure : .success
    }
}

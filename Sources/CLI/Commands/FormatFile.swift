import Bridge

/// `ics format FILE`: writes a file as RFC 5545 asks, and changes nothing else.
struct FormatFile: Command {
    static let page = CommandPage(
        name: "ics format",
        group: .files,
        summary: "Fold the lines of an .ics file as RFC 5545 asks",
        usage: ["FILE|-"],
        operands: [Operand("FILE", .once, "The file; '-' is standard input")],
        details: [
            """
            Lines end with CRLF and have at most 75 bytes; names, values, parameters and their
            order stay as they are. The answer goes to standard output; the file is not changed.
            """
        ],
        examples: [.init("remindav ics format tasks.ics > tidy.ics", "the same content, well folded")]
    )

    let path: String

    init(_ arguments: inout Arguments) throws(UsageError) { self.path = try arguments.operand("FILE") }

    func run(in context: Context) async throws -> ExitStatus {
        let bytes = try context.contents(of: context.source(self.path), limit: CheckFile.limit)
        try context.output.write(try UseCases.format(bytes))
        return .success
    }
}

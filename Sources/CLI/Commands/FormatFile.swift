import RemindavBridge

struct FormatFile: Command {
    static let page = CommandPage(
        name: "ics format",
        summary: "Format an .ics file as RFC 5545 requires",
        usage: ["FILE|- [-o OUT | --in-place]"],
        operands: [Operand("FILE", .once, "The file; '-' is standard input")],
        options: [
            .outputFile,
            Option("--in-place", short: "i", "Replace FILE with the result"),
        ],
        details: """
            Lines end with CRLF and have at most 75 bytes; names, values and parameters stay
            unchanged. Formatting a formatted file changes nothing. The result goes to standard
            output, or with --in-place to FILE. An incomplete file is written up to its end
            (status 3).
            """,
        examples: [
            "remindav ics format tasks.ics > tidy.ics": "the same content, correctly folded",
            "remindav ics format -i tasks.ics": "changes the file itself",
        ],
        exits: [.partial]
    )

    let path: String
    let target: String?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.path = try arguments.operand("FILE")
        let target = try arguments.outputFile()
        guard arguments.flag("--in-place") else {
            self.target = target
            return
        }
        guard target == nil else {
            throw UsageError(.badValue, "'--in-place' and '--output' cannot be combined.")
        }
        guard self.path != "-" else {
            throw UsageError(.badValue, "'--in-place' needs a file and cannot change standard input.")
        }
        self.target = self.path
    }

    func run(in context: Context) async throws -> ExitStatus {
        let source = try context.source(self.path)
        let bytes = try source.contents(limit: CheckFile.limit, line: CheckFile.longestLine)
        let isWhole: Bool
        if let target = self.target {
            var answer: [UInt8] = []
            isWhole = try UseCases.format(bytes, named: source.name) { answer += $0 }
            if target != self.path || answer != bytes {
                try context.files.replace(target) { write in try write(answer) }
            }
        } else {
            isWhole = try UseCases.format(bytes, named: source.name) { try context.output.write($0) }
        }
        guard !isWhole else { return .success }
        context.output.complain(
            "\(Sanitizer.line(source.name)) is incomplete; the beginning was written. Get the complete file."
        )
        return .partial
    }
}

extension Option {
    static let outputFile = Option(
        "--output",
        short: "o",
        value: "FILE",
        "Write to this file; default: standard output"
    )
}

extension Arguments {
    /// The file of `--output`, `nil` for standard output.
    func outputFile() throws(UsageError) -> String? {
        guard let path = self.value("--output"), path != "-" else { return nil }
        guard !path.isEmpty else { throw UsageError(.badValue, "'--output' cannot be empty.") }
        return path
    }
}

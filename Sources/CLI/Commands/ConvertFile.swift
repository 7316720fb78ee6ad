import Bridge

/// `ics convert FILE --to jcal|json`: writes a file as JSON.
struct ConvertFile: Command {
    static let page = CommandPage(
        name: "ics convert",
        group: .files,
        summary: "Write an .ics file as JSON",
        usage: ["FILE|- --to jcal|json [-o OUT]"],
        operands: [Operand("FILE", .once, "The file; '-' is standard input")],
        options: [
            Option("--to", value: "FORM", "jcal: as RFC 7265 describes it;", "json: objects for scripts"),
            .outputFile,
        ],
        details: [
            """
            json is an array of components. Each has 'component', 'properties' and 'components'; a
            property, under its name in small letters, is an array with an object for each line:
            'type', 'value', 'parameters'. 'value' is an array where there may be several.

            In both, dates are written as 2026-12-01T09:00:00, and a value that its type does not
            allow has the type 'unknown'. What cannot be read is named and left out (status 3).
            """
        ],
        examples: [
            .init("remindav ics convert tasks.ics --to jcal -o tasks.json", "for programs that know jCal"),
            .init(
                "remindav ics convert tasks.ics --to json | jq '.[].components[].properties.summary[0].value'",
                "all titles"
            ),
        ],
        exits: [.partial]
    )

    let path: String
    let target: ConversionTarget
    let output: String?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.path = try arguments.operand("FILE")
        guard let word = arguments.value("--to") else {
            throw UsageError(.missingOperand, "'--to' is missing: it is jcal or json.")
        }
        guard let target = ConversionTarget(rawValue: word.lowercased()) else {
            throw UsageError(.badValue, "'--to' is jcal or json, not '\(word)'.")
        }
        self.target = target
        self.output = try arguments.outputFile()
    }

    func run(in context: Context) async throws -> ExitStatus {
        let source = try context.source(self.path)
        let bytes = try context.contents(of: source, limit: CheckFile.limit)
        var issues: [IssueView] = []
        if let output = self.output {
            try context.files.replace(output) { write in
                issues = try UseCases.convert(bytes, named: source.name, to: self.target, write: write)
            }
        } else {
            issues = try UseCases.convert(bytes, named: source.name, to: self.target) { try context.output.write($0) }
        }
        let lost = issues.filter { $0.severity == "error" }
        context.output.complain(
            about: lost.map { ($0.line, $0.message) },
            of: lost.count,
            in: source.name,
            advice: "'remindav ics check' lists them"
        )
        return lost.isEmpty ? .success : .partial
    }
}

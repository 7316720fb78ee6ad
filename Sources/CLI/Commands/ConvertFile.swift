import RemindavBridge

struct ConvertFile: Command {
    static let page = CommandPage(
        name: "ics convert",
        summary: "Write an .ics file as JSON",
        usage: ["FILE|- --to jcal|json [-o OUT]"],
        operands: [Operand("FILE", .once, "The file; '-' is standard input")],
        options: [
            Option("--to", value: "FORM", "jcal: RFC 7265;", "json: objects for scripts"),
            .outputFile,
        ],
        details: """
            json is an array of components with 'component', 'properties' and 'components'. Each
            property, under its name in lower case, is an array with one object per line: 'type',
            'value', 'parameters'. 'value' is an array if the property can have several values.
            In both forms, dates are written as 2026-12-01T09:00:00, and a value that is not valid
            for its type has the type 'unknown'. Unreadable items are reported and omitted
            (status 3).
            """,
        examples: [
            "remindav ics convert tasks.ics --to jcal -o tasks.json": "for programs that know jCal",
            "remindav ics convert tasks.ics --to json | jq '.[].components[].properties'":
                "all titles",
        ],
        exits: [.partial]
    )

    let path: String
    let target: ConversionTarget
    let output: String?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.path = try arguments.operand("FILE")
        guard let word = arguments.value("--to") else {
            throw UsageError(.missingOperand, "'--to' is missing. Use jcal or json.")
        }
        guard let target = ConversionTarget(rawValue: word.lowercased()) else {
            throw UsageError(.badValue, "'--to' must be jcal or json, not '\(word)'.")
        }
        self.target = target
        self.output = try arguments.outputFile()
    }

    func run(in context: Context) async throws -> ExitStatus {
        let source = try context.source(self.path)
        let bytes = try source.contents(limit: CheckFile.limit)
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

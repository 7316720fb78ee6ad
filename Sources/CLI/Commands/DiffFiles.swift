import RemindavBridge
import RemindavICalendar

struct DiffFiles: Command {
    static let page = CommandPage(
        name: "ics diff",
        summary: "Compare the contents of two .ics files",
        operands: [
            Operand("A", .once, "The old file; '-' is standard input"),
            Operand("B", .once, "The new file; '-' is standard input"),
        ],
        options: [.json],
        details: """
            Only the meaning is compared, not the order of lines, folding, spelling of values or
            DTSTAMP. Components with the same UID and RECURRENCE-ID are compared by property,
            including alarms, time zones and properties of the calendar. '+' is only in B, '-' only
            in A, '~' differs.
            """,
        examples: [
            "remindav ics diff old.ics new.ics": "the changes",
            "remindav ics diff a.ics b.ics > /dev/null && echo same": "for scripts",
        ],
        meanings: [
            .success: "both files have the same content",
            .failure: "they differ",
            .usage: "wrong usage, or a file that cannot be read",
        ]
    )

    static let isPaged = true

    let old: String
    let new: String
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.old = try arguments.operand("A")
        self.new = try arguments.operand("B")
        self.isJSON = arguments.flag("--json")
        if self.old == "-", self.new == "-" {
            throw UsageError(.badValue, "Only one of the two files can be standard input.")
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let differences: [ComponentDifference]
        do {
            let files = try [self.old, self.new].map { path in
                let source = try context.source(path)
                return (try source.contents(limit: CheckFile.limit, line: CheckFile.longestLine), source.name)
            }
            differences = try UseCases.diff(files[0], files[1])
        } catch {
            // The status is 2, because 1 means that the files differ.
            context.output.complain(ErrorMessages.explain(error))
            return .usage
        }
        if self.isJSON {
            try context.output.print(json: differences)
        } else if differences.isEmpty {
            try context.output.note("Both files have the same content.")
        } else {
            var writer = ChunkWriter(context.output)
            for difference in differences { try Self.write(difference, indent: "", &writer) }
            try writer.flush()
        }
        return differences.isEmpty ? .success : .failure
    }

    private static func write(
        _ difference: ComponentDifference,
        indent: String,
        _ writer: inout ChunkWriter
    ) throws(OutputError) {
        let component = difference.component
        var title = [Self.mark(difference.kind), component.name.canonical]
        title += [difference.uid, component.recurrenceID?.value, component.first(.summary)?.text]
            .compactMap { $0.map(Self.shortened) }
        try writer.line(indent + title.joined(separator: " "))
        for property in difference.properties {
            let old = property.old.map(Self.shortened).joined(separator: ", ")
            let new = property.new.map(Self.shortened).joined(separator: ", ")
            let line =
                if property.old.isEmpty {
                    "+ \(property.name): \(new)"
                } else if property.new.isEmpty {
                    "- \(property.name): \(old)"
                } else {
                    "~ \(property.name): \(old) -> \(new)"
                }
            try writer.line("\(indent)    \(line)")
        }
        for inner in difference.components { try Self.write(inner, indent: indent + "    ", &writer) }
    }

    private static func mark(_ kind: ComponentDifference.Kind) -> String {
        switch kind {
        case .added: "+"
        case .removed: "-"
        case .changed: "~"
        }
    }

    /// The beginning of a value on one line; `--json` prints the whole value.
    private static func shortened(_ text: String) -> String {
        let clean = Sanitizer.line(String(text.prefix(Self.longestValue)))
        return text.count > Self.longestValue ? clean + "…" : clean
    }

    /// The number of printed characters of a value.
    private static let longestValue = 200
}

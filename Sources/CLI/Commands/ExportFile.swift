import Bridge

/// `export`: writes reminders as iCalendar.
struct ExportFile: Command {
    static let page = CommandPage(
        name: "export",
        group: .files,
        summary: "Write reminders as an .ics file",
        usage: ["[-o FILE] [--list NAME] [--label NAME]... [--style todo|event]"],
        options: [
            Option("--output", short: "o", value: "FILE", "Write to this file; without it: to standard output"),
            Option("--list", value: "NAME", "Only those of this list"),
            Option("--label", value: "NAME", occurs: .many, "Only those with this label; several: with any of them"),
            Option(
                "--style",
                value: "STYLE",
                "todo: everything, as it is stored (the default);",
                "event: what is open and dated, for calendars"
            ),
        ],
        examples: [
            .init("remindav export -o backup.ics", "everything, with all that other programs wrote into it"),
            .init("remindav export --list Work | less", "to look at it"),
        ],
        exits: [.notFound]
    )

    let path: String?
    let list: String?
    let labels: [String]
    let style: ExportStyle

    init(_ arguments: inout Arguments) throws(UsageError) {
        let path = arguments.value("--output")
        self.path = path == "-" ? nil : path
        self.list = arguments.value("--list")
        self.labels = try Fields.labels(arguments.values("--label"))
        let word = arguments.value("--style") ?? "todo"
        guard let style = ExportStyle(rawValue: word) else {
            throw UsageError(.badValue, "'--style' is todo or event, not '\(word)'.")
        }
        self.style = style
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        guard let path = self.path else {
            _ = try useCases.exportCalendar(list: self.list, labels: self.labels, style: self.style) { bytes in
                try context.output.write(bytes)
            }
            return .success
        }
        var count = 0
        try context.files.replace(path) { write in
            count = try useCases.exportCalendar(list: self.list, labels: self.labels, style: self.style, write: write)
        }
        try context.output.note("\(count) reminder\(count == 1 ? "" : "s") written to \(Sanitizer.line(path))")
        return .success
    }
}

import Bridge
import Movers

/// `export`: writes reminders as iCalendar, JSON, a table or a checklist.
struct ExportFile: Command {
    static let page = CommandPage(
        name: "export",
        group: .files,
        summary: "Write reminders as .ics, JSON, CSV or Markdown",
        usage: [
            "[-o FILE] [--format FORMAT] [--list NAME] [--label NAME]...",
            "[--open | --completed] [--style todo|event]",
        ],
        options: [
            Option("--output", short: "o", value: "FILE", "Write to this file; without it: to standard output"),
            Option("--format", value: "FORMAT", "ics (the default), json, csv or markdown"),
            Option("--list", value: "NAME", "Only those of this list"),
            .labelFilter,
            Option("--open", "Only what is still to be done"),
            Option("--completed", "Only what is done or cancelled"),
            Option(
                "--style",
                value: "STYLE",
                "Of ics; todo: everything, as it is stored (the default);",
                "event: what is open and dated, for calendars"
            ),
        ],
        details: [
            """
            ics and json hold all that is stored, and 'remindav import' takes either back.
            csv and markdown hold what a person sees. In csv an apostrophe stands in front of
            what a spreadsheet would take for a formula.
            """
        ],
        examples: [
            .init("remindav export -o backup.ics", "everything, with all that other programs wrote into it"),
            .init("remindav export --format csv --open -o open.csv", "what is open, for a spreadsheet"),
            .init("remindav export --format markdown --list Work", "a checklist to paste somewhere"),
        ],
        exits: [.notFound]
    )

    let path: String?
    let list: String?
    let labels: [String]
    let state: ExportState
    let style: ExportStyle
    /// `nil` for iCalendar.
    let form: ExportForm?

    init(_ arguments: inout Arguments) throws(UsageError) {
        let path = arguments.value("--output")
        self.path = path == "-" ? nil : path
        self.list = arguments.value("--list")
        self.labels = try Fields.labels(arguments.values("--label"))
        let (isOpen, isCompleted) = (arguments.flag("--open"), arguments.flag("--completed"))
        if isOpen, isCompleted {
            throw UsageError(.badValue, "'--open' and '--completed' exclude each other; without them all are written.")
        }
        self.state = isOpen ? .open : isCompleted ? .completed : .all
        let format = arguments.value("--format")?.lowercased() ?? "ics"
        self.form = ExportForm(rawValue: format)
        guard self.form != nil || format == "ics" else {
            throw UsageError(.badValue, "'--format' is one of ics, json, csv and markdown, not '\(format)'.")
        }
        let word = arguments.value("--style")
        guard let style = ExportStyle(rawValue: word ?? "todo") else {
            throw UsageError(.badValue, "'--style' is todo or event, not '\(word ?? "")'.")
        }
        guard word == nil || self.form == nil else {
            throw UsageError(.badValue, "'--style' is of iCalendar and cannot stand beside '--format \(format)'.")
        }
        self.style = style
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        try useCases.check(list: self.list, labels: self.labels)
        guard let path = self.path else {
            _ = try self.write(useCases, context) { bytes in try context.output.write(bytes) }
            return .success
        }
        var count = 0
        try context.files.replace(path) { write in count = try self.write(useCases, context, to: write) }
        try context.output.note("\(count) reminder\(count == 1 ? "" : "s") written to \(Sanitizer.line(path))")
        return .success
    }

    private func write(_ useCases: UseCases, _ context: Context, to write: Files.Write) throws -> Int {
        guard let form = self.form else {
            return try useCases.exportCalendar(
                list: self.list,
                labels: self.labels,
                state: self.state,
                style: self.style,
                write: write
            )
        }
        let sentence = form == .markdown ? RuleSentence(zone: try context.localZone()) : nil
        return try useCases.exportReminders(
            as: form,
            list: self.list,
            labels: self.labels,
            state: self.state,
            words: { rule in sentence?.text(rule) ?? rule },
            write: write
        )
    }
}

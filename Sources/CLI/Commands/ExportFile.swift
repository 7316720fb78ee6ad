import Bridge
import DatePhrases
import TaskFormats

struct ExportFile: Command {
    static let page = CommandPage(
        name: "export",
        summary: "Write reminders as .ics, JSON, CSV or Markdown",
        usage: [
            "[-o FILE] [--format FORMAT] [--list NAME] [--label NAME]...",
            "[--open | --completed] [--style todo|event] [--yes]",
        ],
        options: [
            Option("--output", short: "o", value: "FILE", "Write to this file; default: standard output"),
            Option(
                "--format",
                value: "FORMAT",
                "ics, json, csv or markdown; default: by the end of FILE (.json, .csv,",
                ".md, .markdown), or ics"
            ),
            Option("--list", value: "NAME", "Only reminders in this list"),
            .labelFilter,
            Option("--open", "Only open reminders"),
            Option("--completed", "Only completed and cancelled reminders"),
            Option(
                "--style",
                value: "STYLE",
                "For ics; todo: the stored data (default);",
                "event: open dated reminders, for calendar programs"
            ),
            Option("--yes", short: "y", "Overwrite a file even if there are no reminders"),
        ],
        details: """
            ics and json contain all stored data, and 'remindav import' reads both. csv and
            markdown contain the visible fields. In csv, an apostrophe before a value prevents a
            spreadsheet from executing the value as a formula.

            Without a store nothing is written. If the store has no reminders, you are asked before
            a file with contents is overwritten.
            """,
        examples: [
            "remindav export -o backup.ics": "all reminders, with data of other programs",
            "remindav export --open -o open.csv": "open reminders, for a spreadsheet",
            "remindav export --format markdown --list Work": "a checklist",
        ],
        exits: [.notFound]
    )

    let path: String?
    let list: String?
    let labels: [String]
    let state: ExportState
    let style: ExportStyle
    let isSure: Bool
    /// The format; `nil` for iCalendar.
    let form: ExportForm?

    init(_ arguments: inout Arguments) throws(UsageError) {
        let path = arguments.value("--output")
        self.path = path == "-" ? nil : path
        self.list = arguments.value("--list")
        self.labels = try ArgumentValues.labels(arguments.values("--label"))
        let (isOpen, isCompleted) = (arguments.flag("--open"), arguments.flag("--completed"))
        if isOpen, isCompleted {
            throw UsageError(.badValue, "'--open' and '--completed' cannot be combined. Without them, all are written.")
        }
        self.state = isOpen ? .open : isCompleted ? .completed : .all
        let named = arguments.value("--format")?.lowercased()
        let format = named ?? self.path.flatMap { Self.format(ofFile: $0) } ?? "ics"
        self.form = ExportForm(rawValue: format)
        guard self.form != nil || format == "ics" else {
            throw UsageError(.badValue, "'--format' must be ics, json, csv or markdown, not '\(format)'.")
        }
        self.isSure = arguments.flag("--yes")
        let word = arguments.value("--style")
        guard let style = ExportStyle(rawValue: word ?? "todo") else {
            throw UsageError(.badValue, "'--style' must be todo or event, not '\(word ?? "")'.")
        }
        guard word == nil || self.form == nil else {
            let other = named == nil ? "a \(format) file" : "'--format \(format)'"
            throw UsageError(.badValue, "'--style' is only for ics and cannot be combined with \(other).")
        }
        self.style = style
    }

    /// The format for the ending of a file's name.
    private static func format(ofFile path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return switch name[name.index(after: dot)...].lowercased() {
        case "json": "json"
        case "csv": "csv"
        case "md", "markdown": "markdown"
        default: nil
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.required)
        try useCases.check(list: self.list, labels: self.labels)
        guard let path = self.path else {
            _ = try self.write(useCases, context) { bytes in try context.output.write(bytes) }
            return .success
        }
        guard try self.confirms(path, useCases, context) else {
            try context.output.note("Nothing was written")
            return .success
        }
        var count = 0
        try context.files.replace(path) { write in count = try self.write(useCases, context, to: write) }
        try context.output.note("\(count) reminder\(count == 1 ? "" : "s") written to \(Sanitizer.line(path))")
        return .success
    }

    /// Returns whether to write the file; asks before an empty store replaces a file that has content.
    private func confirms(_ path: String, _ useCases: UseCases, _ context: Context) throws -> Bool {
        guard !self.isSure, context.files.holdsSomething(path), try useCases.reminderCount() == 0 else { return true }
        let name = Sanitizer.line(path)
        let question = "The store contains no reminder. Overwrite \(name) anyway? [y/N] "
        guard let answer = try context.terminal.ask(question) else {
            throw UsageError(
                .needsYes,
                "The store contains no reminder, and \(name) is not empty. Add --yes to overwrite it anyway."
            )
        }
        return ["y", "yes"].contains(answer.lowercased().filter { $0 != " " })
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

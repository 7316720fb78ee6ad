import RemindavBridge
import RemindavDatePhrases
import RemindavReminders
import RemindavTaskFormats

struct ExportFile: Command {
    static let page = CommandPage(
        name: "export",
        summary: "Write reminders as .ics, JSON, CSV, Markdown or another program's file",
        usage: [
            "[-o FILE] [--format FORMAT] [FILTER]... [--open | --completed]",
            "[--style todo|event] [--yes]",
        ],
        options: [
            Option("--output", short: "o", value: "FILE", "Write to this file; default: standard output"),
            Option(
                "--format",
                value: "FORMAT",
                "one of the formats above;",
                "default: by the end of FILE (.ics, .json, .csv, .md,",
                ".markdown, .txt), or ics"
            ),
            Option("--open", "Only open reminders"),
            Option("--completed", "Only completed and cancelled reminders"),
            Option(
                "--style",
                value: "STYLE",
                "For ics; todo: the stored data (default);",
                "event: open dated reminders, for calendar programs"
            ),
            Option("--yes", short: "y", "Overwrite a file even if there are no reminders"),
        ] + FilterOptions.options,
        details: """
            FORMAT is one of these:
              ics             iCalendar, with all stored data
              json            all stored data
              csv             the visible fields, as a table
              markdown        the visible fields, as checklists
              todotxt         todo.txt; it has no notes, times and subtasks
              taskwarrior     the file of 'task import'
              todoist-csv     a project of Todoist; it has no completed reminders
              google-json     Tasks.json of Google Takeout, for other programs
              outlook-csv     the table that Outlook imports
            In the last five formats, a reminder that was imported from this format keeps all data of
            its program. A message names the reminders whose repetition the format cannot express
            (todotxt and taskwarrior keep it for a later import), and those whose title has words
            with a meaning in todotxt. In csv, an apostrophe before a value prevents a spreadsheet
            from executing it as a formula.

            \(FilterOptions.details)

            \(QuickWord.details)

            Without a store nothing is written. If the store has no reminders, you are asked before
            a file with contents is overwritten.
            """,
        examples: [
            "remindav export -o backup.ics": "all reminders, with data of other programs",
            "remindav export --open -o open.csv": "open reminders, for a spreadsheet",
            "remindav export --format markdown --list Work": "a checklist",
            "remindav export --format taskwarrior | task import": "all reminders, for Taskwarrior",
        ],
        exits: [.notFound]
    )

    let path: String?
    private let filter: FilterOptions
    /// `nil` without `--open` and `--completed`.
    private let isCompleted: Bool?
    let style: ExportStyle
    let isSure: Bool
    /// The format; `nil` for iCalendar.
    let form: ExportForm?

    init(_ arguments: inout Arguments) throws(UsageError) {
        let output = arguments.value("--output")
        let path = output == "-" ? nil : output
        self.path = path
        try arguments.readOnlyFilterWords()
        try FilterConditions.joinPhrases(in: &arguments)
        self.filter = try FilterOptions(arguments)
        let (isOpen, isCompleted) = (arguments.flag("--open"), arguments.flag("--completed"))
        if isOpen, isCompleted {
            throw UsageError(.badValue, "'--open' and '--completed' cannot be combined. Without them, all are written.")
        }
        self.isCompleted = isOpen ? false : isCompleted ? true : nil
        let named = arguments.value("--format")?.lowercased()
        let format: String
        if let named {
            format = named
        } else {
            format = if let path { try Self.format(ofFile: path) } else { Self.calendar }
        }
        self.form = ExportForm(rawValue: format)
        guard self.form != nil || format == Self.calendar else {
            let words = ([Self.calendar] + ExportForm.allCases.map(\.rawValue)).joined(separator: ", ")
            throw UsageError(.badValue, "'--format' must be one of \(words), not '\(format)'.")
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

    /// The word for iCalendar.
    private static let calendar = "ics"

    /// The format for the ending of a file's name; a name without an ending means iCalendar.
    private static func format(ofFile path: String) throws(UsageError) -> String {
        let name = path.lastPathPart ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return self.calendar }
        let ending = name[name.index(after: dot)...].lowercased()
        if ending == self.calendar { return self.calendar }
        if let form = ExportForm.allCases.first(where: { $0.suffixes.contains(ending) }) { return form.rawValue }
        let endings = ([self.calendar] + ExportForm.allCases.flatMap(\.suffixes)).map { ".\($0)" }
        throw UsageError(
            .badValue,
            """
            The ending '.\(ending)' means no format of an export. Use one of \(endings.joined(separator: ", ")), or add \
            '--format FORMAT'.
            """
        )
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.required)
        var filter = try self.filter.filter(in: context)
        filter.includesCompleted = self.isCompleted == nil
        if self.isCompleted == true { filter.others.append(ReminderFilter(section: .completed)) }
        try useCases.check(filter)
        if let unknown = try useCases.unknownLabel(among: filter.namedLabels) { throw unknown }
        guard let path = self.path else {
            _ = try self.write(filter, useCases, context) { bytes in try context.output.write(bytes) }
            return .success
        }
        guard try self.confirms(path, useCases, context) else {
            try context.output.note("Nothing was written")
            return .success
        }
        var count = 0
        try context.files.replace(path) { write in count = try self.write(filter, useCases, context, to: write) }
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

    private func write(
        _ filter: ReminderFilter,
        _ useCases: UseCases,
        _ context: Context,
        to write: Files.Write
    ) throws -> Int {
        guard let form = self.form else {
            return try useCases.exportCalendar(matching: filter, style: self.style, write: write)
        }
        let sentence = form.hasWords || form.keepsRules ? RuleSentence(zone: try context.localZone()) : nil
        let result = try useCases.exportReminders(
            as: form,
            matching: filter,
            words: { rule in sentence?.text(rule) ?? rule },
            write: write
        )
        for loss in ExportLoss.allCases {
            guard let titles = result.losses[loss] else { continue }
            let sentence = loss.sentence(
                titles,
                form,
                listAdvice: "'--list NAME' exports one of them.",
                excerpt: Sanitizer.excerpt
            )
            context.output.remark(StyledText(sentence))
        }
        return result.count
    }
}

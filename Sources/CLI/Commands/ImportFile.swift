import Bridge

struct ImportFile: Command {
    static let page = CommandPage(
        name: "import",
        summary: "Import reminders from a file: iCalendar, or a format of another program",
        usage: ["FILE|- [--list NAME] [--format FORMAT] [--events] [--copy]", "[--dry-run] [--json]"],
        operands: [Operand("FILE", .once, "The file; '-' is standard input")],
        options: [
            Option("--list", value: "NAME", "The list for all reminders; it is created if necessary"),
            Option("--format", value: "FORMAT", "The format; default: detected from the content"),
            Option("--events", "Also import events that are not over, as reminders due at their start"),
            Option("--copy", "Also import reminders that another list already contains"),
            .dryRun,
            .json,
        ],
        details: """
            An existing reminder is updated if the file contains a newer version; otherwise it
            stays unchanged. A second import of the same file therefore changes nothing, even
            with another --list. Items that cannot be read are reported with their line, and all
            others are imported.

            FORMAT is one of these:
              ics             iCalendar, of any program
              json, csv       output of 'remindav export'; each reminder goes to its list
              todoist-csv     a project exported as CSV
              todoist-json    tasks of the Sync or REST interface
              microsoft-json  tasks of Microsoft To Do, from Microsoft Graph
              outlook-csv     tasks exported from Outlook as CSV
              taskwarrior     output of 'task export'
            Data without a corresponding field is kept in a property of the
            reminder or in its notes. Date phrases such as 'every monday' must be in English.
            """,
        examples: [
            "remindav import tasks.ics": "into the default list",
            "remindav import tasks.ics --list Work --dry-run": "shows the result without importing",
            "task export | remindav import -": "imports from Taskwarrior",
            "remindav import calendar.ics --events --list Appointments": "a reminder for each future event",
        ],
        exits: [.partial, .locked]
    )

    let path: String
    let list: String?
    let format: ImportFormat?
    let importsEvents: Bool
    let copies: Bool
    let isDryRun: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.path = try arguments.operand("FILE")
        self.list = try arguments.value("--list").map { text throws(UsageError) in
            try ArgumentValues.name(text, of: "A list's name")
        }
        self.format = try arguments.value("--format").map { word throws(UsageError) in
            guard let format = ImportFormat(word: word.lowercased()) else {
                let words = ImportFormat.all.map(\.word).joined(separator: ", ")
                throw UsageError(.badValue, "'--format' must be one of \(words), not '\(word)'.")
            }
            return format
        }
        self.importsEvents = arguments.flag("--events")
        self.copies = arguments.flag("--copy")
        self.isDryRun = arguments.flag("--dry-run")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let source = try context.source(self.path)
        let useCases = try context.useCases(self.isDryRun ? .temporary : .create)
        let progress = Progress(output: context.output)
        defer { progress.finish() }
        let options = ImportOptions(format: self.format, importsEvents: self.importsEvents, copies: self.copies)
        let report = try useCases.importCalendar(source, list: self.list, dryRun: self.isDryRun, options: options) {
            count in
            progress.show("\(count) reminders read")
        }
        progress.finish()
        if self.isJSON {
            try context.output.print(json: report)
        } else {
            try self.print(report, named: source.name, context.output)
        }
        return report.isWhole ? .success : .partial
    }

    private func print(_ report: ImportReport, named name: String, _ output: Output) throws {
        if self.isDryRun { output.remark("Dry run: nothing is changed.") }
        for issue in report.issues.prefix(Self.shownIssues) {
            let place = "\(Sanitizer.line(name)), line \(issue.line)"
            output.remark(StyledText("\(place): \(issue.message)\(Self.about(issue))"))
        }
        if report.issueCount > Self.shownIssues {
            output.remark("… and \(report.issueCount - Self.shownIssues) more; --json lists them.")
        }
        for sentence in self.remarks(report, named: Sanitizer.line(name)) { output.remark(StyledText(sentence)) }
        if report.makesList {
            let list = "the list '\(Sanitizer.line(report.list))'"
            output.remark(StyledText(self.isDryRun ? "It would create \(list)." : "Created \(list)."))
        }
        if report.labels > 0 { output.remark("Labels with a changed colour or name: \(report.labels).") }
        try output.note(
            """
            \(report.added) added, \(report.updated) updated, \(report.unchanged) unchanged, \
            \(report.skipped) left out (\(Self.places(report)))
            """
        )
        if let run = report.run { output.remark("'remindav undo --run \(run)' reverts this.") }
    }

    /// The words that caused an issue and the title of their task, as ` ('every blue moon', of 'Pay rent')`.
    private static func about(_ issue: IssueView) -> String {
        let words = issue.words.map { "'\(Sanitizer.excerpt($0))'" }
        let title = issue.title.map { "of '\(Sanitizer.excerpt($0))'" }
        let parts = [words, title].compactMap { $0 }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    /// The lists of an import, as `list Home` or `lists Home, Work`.
    private static func places(_ report: ImportReport) -> String {
        let lists = report.lists.isEmpty ? [report.list] : report.lists.sorted()
        let names = lists.prefix(Self.shownIssues).map { Sanitizer.line($0) }.joined(separator: ", ")
        let more = lists.count > Self.shownIssues ? " and \(lists.count - Self.shownIssues) more" : ""
        return "\(lists.count == 1 ? "list" : "lists") \(names)\(more)"
    }

    private func remarks(_ report: ImportReport, named name: String) -> [String] {
        var sentences: [String] = []
        if report.foreign > 0 {
            sentences.append("Events and journal entries left out: \(report.foreign).")
            if report.events > 0, !self.importsEvents {
                sentences.append(
                    "The file has \(report.events.counted("event")). '--events' imports the events that are not over."
                )
            }
        } else if report.isEmpty {
            sentences.append("\(name) contains no reminder.")
        }
        if self.list != nil, !report.elsewhere.isEmpty {
            let places = report.elsewhere.sorted { $0.key < $1.key }.map {
                "\($0.value) in '\(Sanitizer.line($0.key))'"
            }
            sentences.append(
                """
                Already in other lists, where they stay: \(places.joined(separator: ", ")). '--copy' also imports them \
                into '\(Sanitizer.line(report.list))'.
                """
            )
        }
        if report.past > 0 { sentences.append("Past events left out: \(report.past).") }
        if report.leftOut > 0 {
            sentences.append("Deleted tasks and occurrences of imported series left out: \(report.leftOut).")
        }
        if !report.keptRules.isEmpty {
            let lines = report.keptRules.prefix(Self.shownIssues).map(String.init).joined(separator: ", ")
            let more = report.keptRules.count > Self.shownIssues ? ", …" : ""
            sentences.append(
                """
                Repeat rules that are stored but cannot be edited: \(report.keptRules.count) \
                (of \(report.repeating.counted("repeating reminder")); line \(lines)\(more)).
                """
            )
        }
        return sentences
    }

    /// The maximum number of printed issues; more are not useful on a terminal.
    private static let shownIssues = 20
}

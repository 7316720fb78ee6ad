import Bridge

/// `import FILE`: brings the reminders of a file into the store.
struct ImportFile: Command {
    static let page = CommandPage(
        name: "import",
        group: .files,
        summary: "Add the reminders of a file: .ics, or another program's",
        usage: ["FILE|- [--list NAME] [--format FORMAT] [--events] [--copy]", "[--dry-run] [--json]"],
        operands: [Operand("FILE", .once, "The file; '-' is standard input")],
        options: [
            Option("--list", value: "NAME", "The list that they all go to; made when there is none"),
            Option("--format", value: "FORMAT", "What the file is; else its content tells"),
            Option("--events", "Events that are to come become reminders too, due when they start"),
            Option("--copy", "What another list has already comes into this one as well"),
            .dryRun,
            .json,
        ],
        details: [
            """
            A reminder that is here already is updated when the file holds a newer one, and
            left alone otherwise: importing a file twice does nothing the second time, also
            when '--list' names another list than before. What cannot be read is named with its
            line, and the rest is imported.
            """,
            """
            FORMAT is one of these:
              ics             iCalendar, of any program
              json, csv       what 'remindav export' writes: each goes to the list of its name
              todoist-csv     a project exported as CSV
              todoist-json    tasks of the Sync or REST interface
              microsoft-json  tasks of Microsoft To Do, from Microsoft Graph
              outlook-csv     tasks exported from Outlook as CSV
              taskwarrior     what 'task export' writes
            What such a program knows and a reminder does not is kept in a property of the
            reminder or in its notes. Words such as 'every monday' are read in English.
            """,
        ],
        examples: [
            .init("remindav import tasks.ics", "into the default list"),
            .init("remindav import tasks.ics --list Work --dry-run", "says what would come in"),
            .init("task export | remindav import -", "moves here from Taskwarrior"),
            .init("remindav import calendar.ics --events --list Appointments", "a reminder for each event"),
        ],
        exits: [.partial, .locked]
    )

    let path: String
    let list: String?
    let format: ImportFormat?
    let takesEvents: Bool
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
                throw UsageError(.badValue, "'--format' is one of \(words), not '\(word)'.")
            }
            return format
        }
        self.takesEvents = arguments.flag("--events")
        self.copies = arguments.flag("--copy")
        self.isDryRun = arguments.flag("--dry-run")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let source = try context.source(self.path)
        let useCases = try context.useCases(self.isDryRun ? .temporary : .create)
        let progress = Progress(output: context.output)
        defer { progress.finish() }
        let options = ImportOptions(format: self.format, takesEvents: self.takesEvents, copies: self.copies) { words in
            // A machine without a known zone reads no words; iCalendar needs none.
            (try? context.localZone()).flatMap { DuePhrase(now: context.now, zone: $0).reading(words) }
        }
        let report = try useCases.importCalendar(source, list: self.list, dryRun: self.isDryRun, options: options) {
            count in
            progress.show("\(count) reminders read")
        }
        progress.finish()
        if self.isJSON {
            try context.output.print(json: report)
        } else {
            try self.say(report, named: source.name, context.output)
        }
        return report.isWhole ? .success : .partial
    }

    private func say(_ report: ImportReport, named name: String, _ output: Output) throws {
        if self.isDryRun { output.remark("Nothing is changed: this is what an import would do.") }
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
            output.remark(StyledText(self.isDryRun ? "It would make \(list)." : "Made \(list)."))
        }
        if report.labels > 0 { output.remark("Labels that have another colour or name now: \(report.labels).") }
        try output.note(
            """
            \(report.added) added, \(report.updated) updated, \(report.unchanged) unchanged, \
            \(report.skipped) left out (\(Self.places(report)))
            """
        )
        if let run = report.run { output.remark("'remindav undo --run \(run)' takes this back.") }
    }

    /// ` ('every blue moon', of 'Pay rent')`: the words and the task that an issue is about.
    private static func about(_ issue: IssueView) -> String {
        let words = issue.words.map { "'\(Sanitizer.excerpt($0))'" }
        let title = issue.title.map { "of '\(Sanitizer.excerpt($0))'" }
        let parts = [words, title].compactMap { $0 }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    /// Where it all went: `list Home`, `lists Home, Work`.
    private static func places(_ report: ImportReport) -> String {
        let lists = report.lists.isEmpty ? [report.list] : report.lists.sorted()
        let names = lists.prefix(Self.shownIssues).map { Sanitizer.line($0) }.joined(separator: ", ")
        let more = lists.count > Self.shownIssues ? " and \(lists.count - Self.shownIssues) more" : ""
        return "\(lists.count == 1 ? "list" : "lists") \(names)\(more)"
    }

    private func remarks(_ report: ImportReport, named name: String) -> [String] {
        var sentences: [String] = []
        if report.foreign > 0 {
            sentences.append("Left out, since events and journals are no reminders: \(report.foreign).")
            if report.events > 0, !self.takesEvents {
                sentences.append(
                    "With --events, those of the \(report.events) events that are not over become reminders, due when they start."
                )
            }
        } else if report.isEmpty {
            sentences.append("There is no to-do in \(name).")
        }
        if self.list != nil, !report.elsewhere.isEmpty {
            let places = report.elsewhere.sorted { $0.key < $1.key }.map {
                "\($0.value) in '\(Sanitizer.line($0.key))'"
            }
            sentences.append(
                """
                Here already, and left where they are: \(places.joined(separator: ", ")). With --copy they come into \
                '\(Sanitizer.line(report.list))' as well.
                """
            )
        }
        if report.past > 0 { sentences.append("Left out, since they are events that are over: \(report.past).") }
        if report.leftOut > 0 {
            sentences.append("Left out, since they are deleted there or a series stands for them: \(report.leftOut).")
        }
        if !report.keptRules.isEmpty {
            let lines = report.keptRules.prefix(Self.shownIssues).map(String.init).joined(separator: ", ")
            let more = report.keptRules.count > Self.shownIssues ? ", …" : ""
            sentences.append(
                """
                Rules that are kept as they are, and cannot be edited here: \(report.keptRules.count) \
                (of \(report.repeating) that repeat; line \(lines)\(more)).
                """
            )
        }
        return sentences
    }

    /// What a person reads before giving up.
    private static let shownIssues = 20
}

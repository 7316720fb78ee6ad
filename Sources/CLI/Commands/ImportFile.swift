import RemindavBridge
import RemindavTaskFormats

struct ImportFile: Command {
    static let page = CommandPage(
        name: "import",
        summary: "Import reminders from files: iCalendar, or a format of another program",
        usage: [
            "FILE|-... [--list NAME | --lists] [--format FORMAT]",
            "[--date-order ORDER] [--events] [--copy] [--dry-run] [--json]",
        ],
        operands: [Operand("FILE", .many, "The files; '-' is standard input")],
        options: [
            Option("--list", value: "NAME", "The list for all reminders; it is created if necessary"),
            Option("--lists", "Make lists of the other program's projects and lists;", "default: they become labels"),
            Option("--format", value: "FORMAT", "The format; default: detected from the content"),
            Option(
                "--date-order",
                value: "ORDER",
                "dmy or mdy: the order in dates of a table such as 3/4/2027"
            ),
            Option("--events", "Also import events that are not over, as reminders due at their start"),
            Option("--copy", "Also import reminders that another list already contains"),
            .dryRun,
            .json,
        ],
        details: """
            An existing reminder is updated if the file contains a newer version; otherwise it
            stays unchanged. A second import of the same file therefore changes nothing, even
            with another --list. It adds a reminder again if you deleted it here. From a newer
            file of another program, a reminder gets only the fields that changed in the file
            since the last import. It keeps the fields that you edited here; a field that changed
            in both places is reported. If Taskwarrior deleted a task, its reminder moves to the
            trash, unless you edited it here. Items that cannot be read are reported with their
            line, and all others are imported. An import of several files is one step of
            'remindav undo'; a file that cannot be read does not stop the others.

            FORMAT is one of these:
              ics             iCalendar, of any program
              json, csv       output of 'remindav export'; each reminder goes to its list
              todoist-csv     a project exported as CSV, or a backup (.zip)
              todoist-json    tasks of the Sync or REST interface
              microsoft-json  tasks of Microsoft To Do, from Microsoft Graph
              google-json     Tasks.json of Google Takeout, or its archive (.zip)
              outlook-csv     tasks exported from Outlook as CSV
              taskwarrior     output of 'task export'
              todotxt         todo.txt or done.txt
              table           any CSV with column names such as title, due, notes, labels
            The manual says how to get the file of each program. Data without a corresponding
            field is kept in a property of the reminder or in its notes. Date phrases such as
            'every monday' must be in English.
            """,
        examples: [
            "remindav import tasks.ics": "into the default list",
            "remindav import tasks.ics --list Work --dry-run": "shows the result without importing",
            "remindav import *.csv --lists": "several files; each project becomes a list",
            "task export | remindav import -": "imports from Taskwarrior",
            "remindav import calendar.ics --events --list Appointments": "a reminder for each future event",
        ],
        exits: [.partial, .locked]
    )

    let paths: [String]
    let list: String?
    let makesLists: Bool
    let dateOrder: DateOrder?
    let format: ImportFormat?
    let importsEvents: Bool
    let copies: Bool
    let isDryRun: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.paths = try arguments.operands("FILE")
        guard self.paths.count(where: { $0 == "-" }) < 2 else {
            throw UsageError(.badValue, "'-' is standard input, which can be read only once.")
        }
        self.list = try arguments.value("--list").map { text throws(UsageError) in
            try ArgumentValues.name(text, of: "A list's name")
        }
        self.makesLists = arguments.flag("--lists")
        if self.makesLists, self.list != nil {
            throw UsageError(.badValue, "'--list' and '--lists' cannot be combined: '--list' puts all into one list.")
        }
        self.dateOrder = try arguments.value("--date-order").map { word throws(UsageError) in
            guard let order = DateOrder(word: word.lowercased()) else {
                let words = DateOrder.words.joined(separator: " or ")
                throw UsageError(.badValue, "'--date-order' must be \(words), not '\(word)'.")
            }
            return order
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
        let sources = self.paths.map { path in
            ImportSource(name: path == "-" ? Context.standardInputName : path, isStream: path == "-") {
                try context.source(path)
            }
        }
        let useCases = try context.useCases(self.isDryRun ? .temporary : .create)
        let progress = Progress(output: context.output)
        defer { progress.finish() }
        var options = ImportOptions(format: self.format, importsEvents: self.importsEvents, copies: self.copies)
        options.makesLists = self.makesLists
        options.dateOrder = self.dateOrder
        let files = try useCases.importFiles(sources, list: self.list, dryRun: self.isDryRun, options: options) {
            count in
            progress.show("\(count) reminders read")
        }
        progress.finish()
        if self.isDryRun, !self.isJSON { context.output.remark("Dry run: nothing is changed.") }
        for file in files { try self.print(file, isOnly: files.count == 1, context.output) }
        let reports = files.compactMap { try? $0.result.get() }
        if !self.isJSON {
            if files.count > 1 { try context.output.note(StyledText(Self.total(reports, of: files.count))) }
            if let run = reports.compactMap(\.run).first {
                context.output.remark("'remindav undo --run \(run)' reverts this.")
            }
        }
        if reports.isEmpty { return .failure }
        return reports.count == files.count && reports.allSatisfy(\.isWhole) ? .success : .partial
    }

    private func print(_ file: ImportedFile, isOnly: Bool, _ output: Output) throws {
        switch file.result {
        case .success(let report):
            if self.isJSON { return try output.print(json: report) }
            try self.print(report, named: file.name, isOnly: isOnly, output)
        case .failure(let error):
            let sentence = ErrorMessages.explain(error).sentence
            if self.isJSON { return try output.print(json: ImportFailure(file: file.name, error: sentence)) }
            // The sentence about a file that cannot be read begins with its path.
            output.complain(error is FileError ? sentence : "\(Sanitizer.line(file.name)): \(sentence)")
        }
    }

    private static func total(_ reports: [ImportReport], of count: Int) -> String {
        func sum(_ number: (ImportReport) -> Int) -> Int { reports.reduce(0) { $0 + number($1) } }
        let failed = count - reports.count
        return """
            Total of \(count) files: \(sum(\.added)) added, \(sum(\.updated)) updated, \(sum(\.unchanged)) unchanged, \
            \(sum(\.skipped)) left out\(failed > 0 ? "; not imported: \(failed.counted("file"))" : "")
            """
    }

    private func print(_ report: ImportReport, named name: String, isOnly: Bool, _ output: Output) throws {
        let sentences = ImportSentences(
            report,
            name: Sanitizer.line(name),
            hasList: self.list != nil,
            importsEvents: self.importsEvents,
            advice: (events: "'--events' imports", copies: "'--copy' also imports"),
            excerpt: Sanitizer.excerpt
        )
        for sentence in sentences.issues { output.remark(StyledText(sentence)) }
        if report.issueCount > ImportSentences.shown {
            output.remark("… and \(report.issueCount - ImportSentences.shown) more; --json lists them.")
        }
        for sentence in sentences.remarks { output.remark(StyledText(sentence)) }
        if report.makesList {
            let list = "the list '\(Sanitizer.line(report.list))'"
            output.remark(StyledText(self.isDryRun ? "It would create \(list)." : "Created \(list)."))
        }
        if report.labels > 0 { output.remark("Labels with a changed colour or name: \(report.labels).") }
        let prefix = isOnly ? "" : "\(Sanitizer.line(name)): "
        try output.note(StyledText(prefix + sentences.counts))
    }
}

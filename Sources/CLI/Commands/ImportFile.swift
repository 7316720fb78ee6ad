import Bridge

/// `import FILE`: brings the reminders of an iCalendar file into the store.
struct ImportFile: Command {
    static let page = CommandPage(
        name: "import",
        group: .files,
        summary: "Add the reminders of an .ics file",
        usage: ["FILE|- [--list NAME] [--dry-run] [--json]"],
        operands: [Operand("FILE", .once, "The file; '-' is standard input")],
        options: [
            Option("--list", value: "NAME", "The list that they go to; made when there is none"),
            .dryRun,
            .json,
        ],
        details: [
            """
            A reminder that is here already is updated when the file holds a newer one, and
            left alone otherwise: importing a file twice does nothing the second time. What
            cannot be read is named with its line, and the rest is imported.
            """
        ],
        examples: [
            .init("remindav import tasks.ics", "into the default list"),
            .init("remindav import tasks.ics --list Work --dry-run", "says what would come in"),
        ],
        exits: [.partial, .locked]
    )

    let path: String
    let list: String?
    let isDryRun: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.path = try arguments.operand("FILE")
        self.list = try arguments.value("--list").map { text throws(UsageError) in
            try Fields.name(text, of: "A list's name")
        }
        self.isDryRun = arguments.flag("--dry-run")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let source = try context.source(self.path)
        let useCases = try context.useCases()
        let progress = Progress(output: context.output)
        defer { progress.finish() }
        let report = try useCases.importCalendar(source, list: self.list, dryRun: self.isDryRun) { count in
            progress.show("\(count) reminders read")
        }
        progress.finish()
        if self.isJSON {
            try context.output.print(JSON(report))
        } else {
            try self.say(report, named: source.name, context.output)
        }
        return report.isWhole ? .success : .partial
    }

    private func say(_ report: ImportReport, named name: String, _ output: Output) throws {
        if self.isDryRun { output.remark("Nothing is changed: this is what an import would do.") }
        for issue in report.issues.prefix(Self.shownIssues) {
            output.remark(StyledText("\(Sanitizer.line(name)), line \(issue.line): \(issue.message)"))
        }
        if report.issueCount > Self.shownIssues {
            output.remark("… and \(report.issueCount - Self.shownIssues) more; --json lists them.")
        }
        if report.foreign > 0 {
            output.remark(StyledText("Left out, since events and journals are no reminders: \(report.foreign)."))
        } else if report.isEmpty {
            output.remark(StyledText("There is no to-do in \(Sanitizer.line(name))."))
        }
        try output.print(
            """
            \(report.added) added, \(report.updated) updated, \(report.unchanged) unchanged, \
            \(report.skipped) left out (list \(Sanitizer.line(report.list)))
            """
        )
    }

    /// What a person reads before giving up.
    private static let shownIssues = 20
}

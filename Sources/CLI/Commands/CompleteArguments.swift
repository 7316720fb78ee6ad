import RemindavBridge
import RemindavReminders

/// For completion scripts: the user is typing, so nothing is written to standard error, and the status is always 0.
struct CompleteArguments: Command {
    static let page = CommandPage(
        name: "__complete",
        summary: "Print candidates for the last word of a command line",
        usage: ["SHELL -- WORD..."],
        operands: [Operand("SHELL"), Operand("WORD", .many)]
    )

    static let needsSettings = false

    let shell: Shell?
    let words: [String]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.shell = Shell(rawValue: arguments.optionalOperand() ?? "")
        self.words = arguments.optionalOperands()
    }

    func run(in context: Context) async throws -> ExitStatus {
        guard let shell else { return .success }
        let (before, current) = shell.reading(self.words)
        let request = CompletionRequest(before, current: current.text)
        let kind =
            switch request.kind {
            case .files: "files"
            case .folders: "folders"
            default: "words"
            }
        var answers = request.words
        // An unreadable store gives no candidates. A name that begins with a hyphen would be read as an option.
        answers += ((try? self.found(request, in: context)) ?? []).filter { answer in
            if request.needsPlainNames { return answer.value.first?.isLetter == true && !answer.value.contains(" ") }
            return request.allowsHyphens || !answer.value.hasPrefix("-")
        }
        if shell.needsFilteredCandidates || answers.count > Self.maximumAnswers {
            answers = answers.filter { $0.value.hasPrefix(request.current) }
        }
        let lines = shell.lines(Array(answers.prefix(Self.maximumAnswers)), prefix: request.prefix, behind: current)
        try? context.output.write(Array(([kind] + lines).map { $0 + "\n" }.joined().utf8))
        return .success
    }

    /// The maximum number of candidates; more are not useful, and one or two typed letters reduce their number.
    private static let maximumAnswers = 1000

    private func found(_ request: CompletionRequest, in context: Context) throws -> [Candidate] {
        if case .words(let words) = request.kind { return words.map { Candidate(value: $0) } }
        var options = request.options
        // If the settings file is a pipe, it is not opened: without a writer, the call would wait forever.
        let file = try? SettingsFile.read(option: options.config, context.environment, from: context.files.plainSource)
        options.file = file ?? .absent
        func store() throws -> UseCases { try context.openReadOnly(options, false) }
        switch request.kind {
        case .reminders(let which):
            let section = which == .closed ? ListGroup.Section.completed : nil
            let filter = ReminderFilter(section: section, includesCompleted: which == .all)
            return try store().reminders(matching: filter, detail: .line).map {
                Candidate(value: String($0.id), note: $0.title)
            }
        case .lists: return try store().listNames().map { Candidate(value: $0) }
        case .labels: return try store().labels().map { Candidate(value: $0.name) }
        case .accounts:
            return try store().accounts().map { Candidate(value: $0.name, note: "\($0.user) \($0.address)") }
        case .feeds:
            return try store().feeds().map { feed in
                Candidate(value: String(feed.id), note: feed.name)
            }
        case .runs:
            return try store().log(limit: ShowLog.standardCount).map {
                Candidate(value: String($0.id), note: $0.account ?? JournalPrinter.operation($0) ?? "by hand")
            }
        case .conflicts:
            return try store().conflicts().map { Candidate(value: String($0.number), note: "\($0.title): \($0.field)") }
        case .trash: return try store().trash().map { Candidate(value: String($0.id), note: $0.title) }
        case .filters: return self.filters(options.file.settings)
        case .selections:
            return ListGroup.Section.allCases.map { Candidate(value: $0.rawValue) }
                + self.filters(options.file.settings)
        case .words, .commands, .files, .folders, .unknown: return []
        }
    }

    private func filters(_ settings: Settings) -> [Candidate] {
        settings.filters.sorted { $0.key < $1.key }.map { Candidate(value: $0.key, note: $0.value.text) }
    }
}

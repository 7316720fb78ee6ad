import Bridge
import Reminders

/// `__complete SHELL -- WORD...`: candidates for the last word of a command line, for the scripts of `completion`.
///
/// It writes nothing to standard error and always ends with 0, because the user is editing a line.
struct CompleteArguments: Command {
    static let page = CommandPage(
        name: "__complete",
        group: .help,
        summary: "Print candidates for the last word of a command line",
        usage: ["SHELL -- WORD..."],
        operands: [Operand("SHELL"), Operand("WORD", .many)]
    )

    static let needsSettings = false

    let shell: Shell?
    let words: [String]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.shell = Shell(rawValue: arguments.optionalOperand() ?? "")
        var words: [String] = []
        while let word = arguments.optionalOperand() { words.append(word) }
        self.words = words
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
        // A store that cannot be read has nothing to offer. A name may be any text, including text that looks like an
        // option at its position.
        answers += ((try? self.found(request, in: context)) ?? []).filter { answer in
            request.takesHyphens || !answer.value.hasPrefix("-")
        }
        if shell.wantsOnlyWhatFits || answers.count > Self.mostAnswers {
            answers = answers.filter { $0.value.hasPrefix(request.current) }
        }
        let lines = shell.lines(Array(answers.prefix(Self.mostAnswers)), prefix: request.prefix, behind: current)
        try? context.output.write(Array(([kind] + lines).map { $0 + "\n" }.joined().utf8))
        return .success
    }

    /// More candidates are useless; one or two letters reduce them.
    private static let mostAnswers = 1000

    private func found(_ request: CompletionRequest, in context: Context) throws -> [Candidate] {
        if case .words(let words) = request.kind { return words.map { Candidate(value: $0) } }
        var options = request.options
        // A pipe is not read, because its other end may never be opened.
        let file = try? SettingsFile.read(option: options.config, context.environment, from: context.files.plainSource)
        options.file = file ?? .absent
        // The store is opened only if the candidates come from it.
        func store() throws -> UseCases { try context.glance(options, false) }
        switch request.kind {
        case .reminders(let which):
            let filter = ReminderFilter(
                section: which == .closed ? .completed : nil,
                includesCompleted: which == .all
            )
            return try store().reminders(matching: filter, detail: .line).map {
                Candidate(value: String($0.id), note: $0.title)
            }
        case .lists: return try store().listNames().map { Candidate(value: $0) }
        case .labels: return try store().labels().map { Candidate(value: $0.name) }
        case .accounts:
            return try store().accounts().map { Candidate(value: $0.name, note: "\($0.user) \($0.address)") }
        case .feeds:
            return try store().feeds().map { feed in
                Candidate(value: String(feed.id), note: feed.list ?? feed.labels.joined(separator: ", "))
            }
        case .runs:
            return try store().log(limit: ShowLog.standardCount).map {
                Candidate(value: String($0.id), note: $0.account ?? JournalPrinter.operation($0) ?? "by hand")
            }
        case .conflicts:
            return try store().conflicts().map {
                Candidate(value: String($0.number), note: "\($0.title): \($0.field)")
            }
        case .trash: return try store().trash().map { Candidate(value: String($0.id), note: $0.title) }
        case .words, .commands, .files, .folders, .unknown: return []
        }
    }
}

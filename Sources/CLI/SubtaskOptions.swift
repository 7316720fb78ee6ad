import RemindavBridge

/// The decision whether a command also applies to the subtasks of its reminders.
struct SubtaskOptions {
    static func options(_ verb: String) -> [Option] {
        [
            Option("--subtasks", "\(verb) their subtasks too, without a question"),
            Option("--no-subtasks", "Leave their subtasks as they are, without a question"),
        ]
    }

    /// `nil` means to ask on a terminal.
    private let isWanted: Bool?

    init(_ arguments: Arguments) throws(UsageError) {
        let (with, without) = (arguments.flag("--subtasks"), arguments.flag("--no-subtasks"))
        if with, without {
            throw UsageError(.badValue, "'--subtasks' and '--no-subtasks' exclude each other. Remove one of them.")
        }
        self.isWanted = with ? true : without ? false : nil
    }

    /// The numbers of the reminders, each followed by its subtasks if they are wanted.
    ///
    /// - Parameters:
    ///   - verb: the verb of the question, such as `Complete`.
    ///   - onlyOpen: whether closed subtasks do not count.
    func expanded(
        _ ids: [Int64],
        _ verb: String,
        onlyOpen: Bool,
        in context: Context,
        _ useCases: UseCases
    ) throws -> [Int64] {
        if self.isWanted == false { return ids }
        let families = try useCases.subtasks(of: ids, onlyOpen: onlyOpen)
        guard let first = families.first else { return ids }
        let count = families.reduce(0) { $0 + $1.subtasks.count }
        let subtasks = "\(count)\(onlyOpen ? " open" : "") \(count == 1 ? "subtask" : "subtasks")"
        let title = Sanitizer.line(try useCases.reminder(first.parent).title)
        let whole = families.count == 1 ? "'\(title)' has" : "\(families.count) of the reminders have"
        let them = count == 1 ? "it" : "them"
        let isAgreed: Bool
        if let isWanted {
            isAgreed = isWanted
        } else if context.isInteractive, !context.isJSON, !context.isSure {
            isAgreed = try context.confirm("\(whole) \(subtasks). \(verb) \(them) too?")
        } else {
            isAgreed = false
            context.output.remark(
                "\(whole) \(subtasks), not changed. '--subtasks' would \(verb.lowercased()) \(them) too."
            )
        }
        guard isAgreed else { return ids }
        let below = Dictionary(families.map { ($0.parent, $0.subtasks) }, uniquingKeysWith: { first, _ in first })
        return ids.flatMap { [$0] + (below[$0] ?? []) }
    }
}

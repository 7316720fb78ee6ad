import Recurrence

/// What the two ways to expand share.
enum Expansion {
    /// Dates that one command shows unless `--limit` asks for more: some 20 MB of text, and a rule for each second of
    /// eleven days.
    static let maximum = 1_000_000

    /// Says that dates were left out without being asked to.
    static func sayThereIsMore(after count: Int, isOpen: Bool, _ output: Output) -> ExitStatus {
        guard !isOpen else {
            output.remark("The first \(count) are shown: the rule has no end. Use --to or --limit for more or fewer.")
            return .success
        }
        output.complain("The first \(count) are shown, and there are more. Use --limit N to see them.")
        return .partial
    }
}

/// Why the dates of a rule cannot be told.
struct ExpansionError: Error, Hashable, Sendable {
    let cause: RecurrenceError
}

extension Option {
    static let from = Option("--from", value: "T", "Nothing before this time")
    static let to = Option("--to", value: "T", "Nothing at this time or after it")
    static let limit = Option("--limit", value: "N", "At most so many")
}

extension ArgumentValues {
    /// `--from` and `--to`.
    static func bound(_ arguments: Arguments, _ name: String) throws(UsageError) -> TimeBound? {
        guard let text = arguments.value(name) else { return nil }
        return try TimeBound(text, option: name)
    }

    /// `--limit`: 1 and more.
    static func limit(_ arguments: Arguments) throws(UsageError) -> Int? {
        guard let text = arguments.value("--limit") else { return nil }
        guard let number = Int(text), number > 0 else {
            throw UsageError(.badValue, "'--limit' is a number from 1 on, not '\(text)'.")
        }
        return number
    }
}

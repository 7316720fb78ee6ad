enum Expansion {
    /// The maximum number of printed dates: about 20 MB of text, or eleven days of a rule with FREQ=SECONDLY.
    static let maximum = 1_000_000

    /// Reports that a limit ended the output; returns `.success` if the rule has no end (`isOpen`), else `.partial`.
    static func reportMore(after count: Int, isOpen: Bool, _ output: Output) -> ExitStatus {
        guard !isOpen else {
            output.remark(
                "The first \(count) dates are shown, because the rule has no end. Use --to or --limit to change this."
            )
            return .success
        }
        output.complain("Only the first \(count) dates are shown. Use --limit N to see more.")
        return .partial
    }
}

extension Option {
    static let from = Option("--from", value: "T", "Only from this time on")
    static let to = Option("--to", value: "T", "Only before this time")
    static let limit = Option("--limit", value: "N", "The maximum number")
}

extension ArgumentValues {
    static func bound(_ arguments: Arguments, _ name: String) throws(UsageError) -> TimeBound? {
        guard let text = arguments.value(name) else { return nil }
        return try TimeBound(text, option: name)
    }

    static func limit(_ arguments: Arguments) throws(UsageError) -> Int? {
        guard let text = arguments.value("--limit") else { return nil }
        guard let number = Int(text), number > 0 else {
            throw UsageError(.badValue, "'--limit' must be a number, 1 or more, not '\(text)'.")
        }
        return number
    }
}

/// A row of an option table: syntax and help.
struct Option: Hashable, Sendable {
    /// How often it is valid on one command line.
    enum Occurrence: Sendable {
        /// Twice is an error, because one value would be lost.
        case once
        /// The last one counts; for options in shell aliases.
        case last
        /// Each one counts.
        case many
    }

    /// The long form with its two hyphens.
    let name: String
    /// The short form's letter.
    var short: Character?
    /// The placeholder of its value in the help; `nil` for a flag.
    var value: String?
    var occurs: Occurrence = .once
    /// Lines of at most 60 columns.
    let help: [String]

    init(
        _ name: String,
        short: Character? = nil,
        value: String? = nil,
        occurs: Occurrence = .once,
        _ help: String...
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.occurs = occurs
        self.help = help
    }

    /// With generated help.
    init(_ name: String, value: String, lines: [String]) {
        self.name = name
        self.short = nil
        self.value = value
        self.help = lines
    }

    /// The left column of the help page.
    var signature: String {
        let value = self.value.map { " \($0)" } ?? ""
        return "\(self.short.map { "-\($0), " } ?? "    ")\(self.name)\(value)"
    }
}

/// A word on the command line that is no option.
struct Operand: Hashable, Sendable {
    enum Occurrence: Sendable {
        case once, optional, many
    }

    /// The placeholder in usage lines and messages.
    let name: String
    let occurs: Occurrence
    /// Lines of at most 60 columns.
    let help: [String]

    init(_ name: String, _ occurs: Occurrence = .once, _ help: String...) {
        self.name = name
        self.occurs = occurs
        self.help = help
    }
}

extension Option {
    static let json = Option("--json", "Answer in JSON, for programs")
    /// A filter of `list`, `search`, `export` and feeds.
    static let labelFilter = Option(
        "--label",
        short: "l",
        value: "NAME",
        occurs: .many,
        "Only reminders with this label, or one of several"
    )
    /// The alarms of `add` and `edit`.
    static let alarm = Option(
        "--alarm",
        value: "WHEN",
        occurs: .many,
        "When to notify: 15m before the due time, due, 'today 8:00', none"
    )
    static let dryRun = Option("--dry-run", short: "n", "Show the result without changing anything")
}

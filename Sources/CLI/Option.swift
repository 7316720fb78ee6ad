/// One row of an option table: what may be written, and what the help page says about it.
struct Option: Hashable, Sendable {
    /// How often it may stand on one command line.
    enum Occurrence: Sendable {
        /// Twice is a mistake, since one of the two would be lost.
        case once
        /// The last one counts; for what people put into aliases.
        case last
        /// Each one counts.
        case many
    }

    /// The long form with its two hyphens.
    let name: String
    /// The short form's letter.
    var short: Character?
    /// What the help page calls its value; `nil` for a flag.
    var value: String?
    var occurs: Occurrence = .once
    /// What it does; lines of at most 60 columns.
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

    /// An option whose help is made elsewhere.
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

    /// What usage lines and messages call it.
    let name: String
    let occurs: Occurrence
    /// What it is; lines of at most 60 columns.
    let help: [String]

    init(_ name: String, _ occurs: Occurrence = .once, _ help: String...) {
        self.name = name
        self.occurs = occurs
        self.help = help
    }
}

extension Option {
    static let json = Option("--json", "Answer in JSON, for programs")
    /// What `list`, `search`, `export` and feeds are narrowed with.
    static let labelFilter = Option(
        "--label",
        short: "l",
        value: "NAME",
        occurs: .many,
        "Only those with this label; several: with any of them"
    )
    /// The alarms of `add` and `edit`.
    static let alarm = Option(
        "--alarm",
        value: "WHEN",
        occurs: .many,
        "When to notify: 15m before it is due, due, 'today 8:00', none"
    )
    static let dryRun = Option("--dry-run", short: "n", "Say what would be done, and do nothing")
}

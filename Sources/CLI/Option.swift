struct Option: Hashable, Sendable {
    enum Occurrence: Sendable {
        /// A second use of the option is an error, because one of the values would be lost.
        case once
        /// The last use of the option is valid, so that a command line can override an option of a shell alias.
        case last
        case many
    }

    /// The long form with its two hyphens.
    private(set) var name: String
    var short: Character?
    /// The placeholder of the value in the help; `nil` for an option without a value.
    var value: String?
    var occurs: Occurrence = .once
    /// Whether the value may begin with the name of an option.
    var isHyphenated = false
    /// The help, in lines of at most 60 columns.
    let help: [String]

    init(
        _ name: String,
        short: Character? = nil,
        value: String? = nil,
        occurs: Occurrence = .once,
        isHyphenated: Bool = false,
        _ help: String...
    ) {
        self.isHyphenated = isHyphenated
        self.name = name
        self.short = short
        self.value = value
        self.occurs = occurs
        self.help = help
    }

    init(_ name: String, value: String, lines: [String]) {
        self.name = name
        self.value = value
        self.help = lines
    }

    func named(_ name: String) -> Self {
        var option = self
        option.name = name
        return option
    }

    fileprivate var word: String { self.name + (self.value.map { " \($0)" } ?? "") }
    var usage: String { "[\(self.word)]\(self.occurs == .many ? "..." : "")" }
    /// The text in the left column of the help page.
    var signature: String { "\(self.short.map { "-\($0), " } ?? "    ")\(self.word)" }
}

/// An argument that is not an option.
struct Operand: Hashable, Sendable {
    enum Occurrence: Sendable {
        case once, optional, many
    }

    /// The placeholder in usage lines and messages.
    let name: String
    let occurs: Occurrence
    /// The help, in lines of at most 60 columns.
    let help: [String]
    var usage: String { self.occurs == .once ? self.name : self.occurs == .many ? "\(self.name)..." : "[\(self.name)]" }

    init(_ name: String, _ occurs: Occurrence = .once, _ help: String...) {
        self.name = name
        self.occurs = occurs
        self.help = help
    }
}

extension Option {
    static let json = Option("--json", "Answer in JSON, for programs")
    static let yes = Option("--yes", short: "y", "Do not ask")
    static let confirmation = Option("--yes", short: "y", "Do not ask; without a terminal, a question needs it")
    static let labelFilter = Option(
        "--label",
        short: "l",
        value: "NAME",
        occurs: .many,
        "Only reminders with this label, or one of several"
    )
    static let alarm = Option(
        "--alarm",
        value: "WHEN",
        occurs: .many,
        "When to notify: 15m before the due time, due, 'today 8:00', none"
    )
    static let dryRun = Option("--dry-run", short: "n", "Show the result without changing anything")
}

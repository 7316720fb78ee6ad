/// A command: `init` parses the arguments without a side effect, and `run` executes the command.
protocol Command: Sendable {
    static var page: CommandPage { get }

    /// Whether an invalid line in the settings file is an error for this command.
    static var needsSettings: Bool { get }

    /// Whether a text that is longer than the screen is shown in a pager; such a command asks nothing after its first
    /// output.
    static var isPaged: Bool { get }

    /// The words after the command's name, with `--` before an operand that begins with a hyphen.
    static func marked(_ words: [String]) -> [String]

    init(_ arguments: inout Arguments) throws(UsageError)

    func run(in context: Context) async throws -> ExitStatus
}

extension Command {
    static var needsSettings: Bool { true }
    static var isPaged: Bool { false }
    static func marked(_ words: [String]) -> [String] { words }
}

/// The help page of a command; the parser uses the same option table.
struct CommandPage: Sendable {
    /// The name of the command, of one or two words: `list`, `account add`.
    let name: String
    /// The purpose of the command as an imperative, without a full stop.
    let summary: String
    /// The arguments for each usage line; if the array is empty, ``usageLines`` derives one line from the options.
    var usage: [String] = []
    var operands: [Operand] = []
    var options: [Option] = []
    /// The text of the help page: paragraphs with blank lines between them, and lines of at most 78 columns.
    var details = ""
    var examples: KeyValuePairs<String, String> = [:]
    /// The exit statuses of the command besides 0, 1 and 2.
    var exits: [ExitStatus] = []
    var meanings: [ExitStatus: String] = [:]

    var usageLines: [String] {
        self.usage.isEmpty
            ? [(self.operands.map(\.usage) + self.options.map(\.usage)).joined(separator: " ")] : self.usage
    }
}

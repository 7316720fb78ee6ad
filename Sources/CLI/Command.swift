/// `init` parses the arguments and has no effects; `run` has no access to the arguments.
protocol Command: Sendable {
    static var page: CommandPage { get }

    /// Whether an invalid line in the settings file is an error for this command.
    static var needsSettings: Bool { get }

    init(_ arguments: inout Arguments) throws(UsageError)

    func run(in context: Context) async throws -> ExitStatus
}

extension Command {
    static var needsSettings: Bool { true }
}

/// The help page of a command; the parser uses the same option table.
struct CommandPage: Sendable {
    /// One word, or two: `account add`.
    let name: String
    /// An imperative without a full stop.
    let summary: String
    /// The arguments after the name, one entry per line; empty if ``usageLines`` derives them.
    var usage: [String] = []
    var operands: [Operand] = []
    var options: [Option] = []
    /// Paragraphs with blank lines between; lines of at most 78 columns.
    var details = ""
    var examples: KeyValuePairs<String, String> = [:]
    /// The exit statuses besides 0, 1 and 2.
    var exits: [ExitStatus] = []
    var meanings: [ExitStatus: String] = [:]

    var usageLines: [String] {
        self.usage.isEmpty
            ? [(self.operands.map(\.usage) + self.options.map(\.usage)).joined(separator: " ")] : self.usage
    }
}

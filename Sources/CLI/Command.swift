/// A command of the program.
///
/// `init` parses the arguments and has no effects; `run` has no access to the arguments.
protocol Command: Sendable {
    /// The help page and the valid arguments.
    static var page: CommandPage { get }

    /// Whether an invalid line in the settings file is an error for this command.
    static var needsSettings: Bool { get }

    init(_ arguments: inout Arguments) throws(UsageError)

    func run(in context: Context) async throws -> ExitStatus
}

extension Command {
    static var needsSettings: Bool { true }
}

/// The parts of `remindav --help`.
enum CommandGroup: String, CaseIterable, Sendable {
    case reminders = "Reminders"
    case servers = "Lists and servers"
    case files = "Files"
    case feeds = "Feeds"
    case help = "Help and settings"
}

/// The help page of a command; the parser uses the same option table.
struct CommandPage: Sendable {
    /// One word, or two: `account add`.
    let name: String
    let group: CommandGroup
    /// An imperative without a full stop.
    let summary: String
    /// The arguments after the name, one entry per line.
    let usage: [String]
    var operands: [Operand] = []
    var options: [Option] = []
    /// Paragraphs; lines of at most 78 columns.
    var details: [String] = []
    /// Valid command lines with their effects.
    var examples: [Example] = []
    /// The exit statuses besides 0, 1 and 2.
    var exits: [ExitStatus] = []
    /// Special meanings of 0, 1 and 2.
    var meanings: [ExitStatus: String] = [:]

    struct Example: Sendable {
        let line: String
        let meaning: String

        init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }
}

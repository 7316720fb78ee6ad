/// `help [COMMAND]`: shows a help page.
struct ShowHelp: Command {
    static let page = CommandPage(
        name: "help",
        group: .help,
        summary: "Explain a command",
        usage: ["[COMMAND]"],
        operands: [Operand("COMMAND", .optional, "One or two words; without them: all commands")],
        examples: [.init("remindav help account add", "the page of that command")]
    )

    static let needsSettings = false

    let text: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        var words: [String] = []
        while let word = arguments.optionalOperand() { words.append(word) }
        self.text = try Invocation.helpText(words)
    }

    func run(in context: Context) async throws -> ExitStatus {
        try context.output.write(Array(self.text.utf8))
        return .success
    }
}

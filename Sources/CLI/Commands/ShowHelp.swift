struct ShowHelp: Command {
    static let page = CommandPage(
        name: "help",
        group: .help,
        summary: "Explain a command",
        usage: ["[COMMAND] [--man]"],
        operands: [Operand("COMMAND", .optional, "One or two words; default: all commands")],
        options: [Option("--man", "Print a manual page for man")],
        examples: [
            .init("remindav help account add", "the page of that command"),
            .init("remindav help --man > ~/.local/share/man/man1/remindav.1", "makes 'man remindav' available"),
        ]
    )

    static let needsSettings = false

    let text: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        let isForMan = arguments.flag("--man")
        var words: [String] = []
        while let word = arguments.optionalOperand() { words.append(word) }
        self.text = try isForMan ? Self.manualPage(words) : Invocation.helpText(words)
    }

    private static func manualPage(_ words: [String]) throws(UsageError) -> String {
        words.isEmpty ? ManualPages.whole() : ManualPages.page(try CommandTable.find(words).command.page)
    }

    func run(in context: Context) async throws -> ExitStatus {
        try context.output.write(Array(self.text.utf8))
        return .success
    }
}

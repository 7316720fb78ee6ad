struct ShowHelp: Command {
    static let page = CommandPage(
        name: "help",
        summary: "Explain a command",
        operands: [Operand("COMMAND", .optional, "One or two words; default: the most used commands")],
        options: [Option("--all", short: "a", "List all commands"), Option("--man", "Print a manual page for man")],
        examples: [
            "remindav help account add": "the page of that command",
            "remindav help --all": "all commands, the common options and the exit statuses",
            "remindav help --man > ~/.local/share/man/man1/remindav.1": "makes 'man remindav' available",
        ]
    )

    static let isPaged = true

    static let needsSettings = false

    let text: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        let isForMan = arguments.flag("--man")
        let showsAll = arguments.flag("--all")
        let words = arguments.optionalOperands()
        self.text =
            !isForMan
            ? try Invocation.helpText(showsAll && words.isEmpty ? ["commands"] : words)
            : words.isEmpty ? ManualPages.whole() : ManualPages.page(try CommandTable.find(words).command.page)
    }

    func run(in context: Context) async throws -> ExitStatus {
        try context.output.write(Array(self.text.utf8))
        return .success
    }
}

struct ShowVersion: Command {
    static let page = CommandPage(
        name: "version",
        summary: "Show the version",
        examples: ["remindav version": "the same as remindav --version"]
    )

    static let needsSettings = false

    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        try context.output.print(StyledText(RemindavCommand.versionLine))
        return .success
    }
}

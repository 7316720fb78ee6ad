struct ShowVersion: Command {
    static let page = CommandPage(
        name: "version",
        group: .help,
        summary: "Show the version",
        usage: [""],
        examples: [.init("remindav version", "the same as remindav --version")]
    )

    static let needsSettings = false

    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        try context.output.print("remindav \(RemindavCommand.version)")
        return .success
    }
}

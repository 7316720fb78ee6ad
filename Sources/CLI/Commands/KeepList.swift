import Bridge

struct KeepList: Command {
    static let page = CommandPage(
        name: "lists keep",
        group: .servers,
        summary: "Keep a list that its server no longer has, as a local list",
        usage: ["NAME [--json]"],
        operands: [Operand("NAME", .once, "The name of the list")],
        options: [.json],
        details: [
            """
            If a list is deleted on its server, it stays here until you decide: keep it as a
            local list, delete it with 'remindav lists delete', or upload it again with 'remindav
            lists add NAME --account ACCOUNT'.
            """
        ],
        examples: [.init("remindav lists keep Garden", "makes it a local list")],
        exits: [.notFound]
    )

    let name: String
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.name(arguments.operand("NAME"), of: "A list's name")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let list = try context.useCases().keepList(self.name)
        if self.isJSON {
            try context.output.print(json: list)
        } else {
            try context.output.note("The list \(Sanitizer.line(list.name)) is now a local list")
        }
        return .success
    }
}

import Bridge

/// `lists keep NAME`: makes a list that its server has lost a list of this machine.
struct KeepList: Command {
    static let page = CommandPage(
        name: "lists keep",
        group: .servers,
        summary: "Keep a list that its server has lost, as a list of this machine",
        usage: ["NAME [--json]"],
        operands: [Operand("NAME", .once, "What the list is called")],
        options: [.json],
        details: [
            """
            A list that is deleted on its server stays here until you decide: keep it here,
            delete it with 'remindav lists delete', or put it back on a server with
            'remindav lists add NAME --account ACCOUNT'.
            """
        ],
        examples: [.init("remindav lists keep Garden", "it is here only from now on")],
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
            try context.output.note("The list \(Sanitizer.line(list.name)) is here only from now on")
        }
        return .success
    }
}

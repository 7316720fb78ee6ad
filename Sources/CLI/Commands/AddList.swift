import Bridge

struct AddList: Command {
    static let page = CommandPage(
        name: "lists add",
        group: .servers,
        summary: "Create a list, local or on a server",
        usage: ["NAME [--account NAME] [--color #RRGGBB] [--json]"],
        operands: [Operand("NAME", .once, "The name of the list")],
        options: [
            Option("--account", value: "NAME", "Create it on the server of this account; default: local only"),
            Option("--color", value: "#RRGGBB", "Its colour"),
            .json,
        ],
        details: [
            """
            With --account, an existing local list of this name is uploaded with all its
            reminders, including a list that its server no longer has. If the server already has
            a list of this name, it is downloaded; nothing is deleted on either side.
            """
        ],
        examples: [
            .init("remindav lists add Garden --color '#4CAF50'", "a local list in green"),
            .init("remindav lists add Work --account dav.example.org", "a list on the server"),
        ],
        exits: [.notFound, .authentication, .network]
    )

    let name: String
    let account: String?
    let color: String?
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.name(arguments.operand("NAME"), of: "A list's name")
        self.account = arguments.value("--account")
        self.color = try arguments.value("--color").map { text throws(UsageError) in try ArgumentValues.color(text) }
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let addition = try await context.useCases(.create)
            .addList(named: self.name, account: self.account, color: self.color)
        let list = addition.list
        if self.isJSON {
            try context.output.print(json: list)
            return .success
        }
        let place = list.account.map { " on \(Sanitizer.line($0))" } ?? ""
        let done = addition.isJoined ? "Joined" : "Created"
        try context.output.note("\(done) the list \(Sanitizer.line(list.name))\(place)")
        return .success
    }
}

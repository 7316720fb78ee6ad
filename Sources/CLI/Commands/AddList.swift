import Bridge

/// `lists add NAME`: makes a list, here or on a server.
struct AddList: Command {
    static let page = CommandPage(
        name: "lists add",
        group: .servers,
        summary: "Make a list, here or on a server",
        usage: ["NAME [--account NAME] [--color #RRGGBB] [--json]"],
        operands: [Operand("NAME", .once, "What the list is called")],
        options: [
            Option("--account", value: "NAME", "Make it on this account's server; without it: here only"),
            Option("--color", value: "#RRGGBB", "Its colour"),
            .json,
        ],
        details: [
            """
            With an account, a list of this name that is here only is put on its server with
            all that is in it, and so is one that its server has lost. A list of this name
            that is on the server and not here is joined: nothing is deleted on either side.
            """
        ],
        examples: [
            .init("remindav lists add Garden --color '#4CAF50'", "a green list that no server knows"),
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
        let done = addition.isJoined ? "Joined" : "Made"
        try context.output.note("\(done) the list \(Sanitizer.line(list.name))\(place)")
        return .success
    }
}

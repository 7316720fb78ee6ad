import Bridge

struct ShowAccounts: Command {
    static let page = CommandPage(
        name: "account list",
        group: .servers,
        summary: "Show the accounts",
        usage: ["[--json]"],
        options: [.json],
        details: ["Passwords are never shown."],
        examples: [.init("remindav account list", "name, user, address and lists of each account")]
    )

    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let accounts = try context.useCases().accounts()
        if self.isJSON {
            try context.output.print(json: accounts)
        } else if accounts.isEmpty {
            try context.output.print(
                "No accounts yet. Add one: remindav account add https://dav.example.org --user NAME"
            )
        } else {
            try context.output.print(
                Table.text(accounts.map { [$0.name, $0.user, $0.address, $0.lists.joined(separator: ", ")] })
            )
        }
        return .success
    }
}

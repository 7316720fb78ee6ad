import Bridge

/// `lists`: shows the lists.
struct ShowLists: Command {
    static let page = CommandPage(
        name: "lists",
        group: .servers,
        summary: "Show the lists",
        usage: ["[--json]"],
        options: [.json],
        examples: [.init("remindav lists", "each list with its account and how much is open")]
    )

    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let lists = try context.useCases().lists()
        if self.isJSON {
            try context.output.print(.array(lists.map { JSON($0) }))
        } else if lists.isEmpty {
            try context.output.print("No lists yet. The first reminder makes one: remindav add 'Buy milk'")
        } else {
            let rows = lists.map { list in
                var words = ["\(list.open) open"]
                if list.completed > 0 { words.append("\(list.completed) completed") }
                if list.unsent > 0 { words.append("\(list.unsent) not sent yet") }
                if list.isReadOnly { words.append("read-only") }
                if list.isDefault { words.append("default") }
                return [list.name, list.account ?? "here only", words.joined(separator: ", ")]
            }
            try context.output.print(Table.text(rows))
        }
        return .success
    }
}

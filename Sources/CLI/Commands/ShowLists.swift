import Bridge

struct ShowLists: Command {
    static let page = CommandPage(
        name: "lists",
        group: .servers,
        summary: "Show the lists",
        usage: ["[--json]"],
        options: [.json],
        details: [
            """
            A read-only list cannot be changed, because its server does not allow it. A list that
            its server no longer has stays here until you keep, delete or upload it. 'new
            reminders:' shows the defaults of a list: see 'remindav help lists set'.
            """,
            """
            'new reminders:' names the defaults of a list: see 'remindav help lists set'.
            """,
        ],
        examples: [.init("remindav lists", "each list with its account and the number of open reminders")]
    )

    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let lists = try useCases.lists()
        if self.isJSON {
            try context.output.print(json: lists)
            return .success
        }
        if lists.isEmpty {
            try context.output.print("No lists yet. The first reminder creates one: remindav add 'Buy milk'")
        } else {
            let rows = lists.map { [$0.name, $0.account ?? "here only", Self.words($0).joined(separator: ", ")] }
            try context.output.print(Table.text(rows))
        }
        if let lost = lists.first(where: { $0.state == .detached }) {
            context.output.remark(
                """
                A server no longer has a list: 'remindav lists keep \(Sanitizer.line(lost.name))' keeps it here, 'lists \
                delete' deletes it, and 'lists add' with --account uploads it again.
                """
            )
        }
        if let trouble = try useCases.defaultListTrouble() {
            context.output.remark(StyledText(ErrorMessages.explain(trouble).sentence))
        }
        for ignored in try useCases.ignoredLists() {
            let (name, account) = (Sanitizer.line(ignored.name), Sanitizer.line(ignored.account))
            context.output.remark(
                "Left on \(account): \(name). 'remindav lists add \(name) --account \(account)' brings it back."
            )
        }
        return .success
    }

    private static func words(_ list: ListView) -> [String] {
        var words = ["\(list.open) open"]
        if list.completed > 0 { words.append("\(list.completed) completed") }
        if list.state == .detached {
            words.append("lost by the server")
        } else if list.unsent > 0 {
            words.append("\(list.unsent) not sent yet")
        }
        if list.isReadOnly { words.append("read-only") }
        if list.isDefault { words.append("default") }
        let defaults = [
            list.defaults.due.map { "due \($0.rawValue)" },
            list.defaults.alarms.map { "alarm \(AlarmFormatter.text($0))" },
        ].compactMap { $0 }
        if !defaults.isEmpty { words.append("new reminders: \(defaults.joined(separator: ", "))") }
        return words
    }
}

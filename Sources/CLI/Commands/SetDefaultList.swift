import Bridge

struct SetDefaultList: Command {
    static let page = CommandPage(
        name: "lists default",
        group: .servers,
        summary: "Set or show the default list of new reminders",
        usage: ["[NAME] [--json]"],
        operands: [Operand("NAME", .optional, "The list; without it, the default list is shown")],
        options: [.json],
        details: [
            """
            The first list of a store becomes its default list. If the default list is deleted or
            becomes read-only, 'remindav add' reports an error and does not use another list. The
            setting 'list' takes precedence.
            """
        ],
        examples: [
            .init("remindav lists default Private", "new reminders go to this list"),
            .init("remindav lists default", "shows the default list"),
        ],
        exits: [.notFound, .locked]
    )

    /// `nil` to show the default list.
    let name: String?
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try arguments.optionalOperand().map { text throws(UsageError) in
            try ArgumentValues.name(text, of: "A list's name")
        }
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        guard let name = self.name else { return try self.show(useCases, in: context) }
        let list = try useCases.setDefaultList(name)
        if self.isJSON {
            try context.output.print(json: list)
        } else {
            try context.output.note("New reminders go to \(Sanitizer.line(list.name))")
        }
        if let setting = context.settings.list, setting != list.name {
            context.output.remark(
                StyledText(
                    "The settings name another list, which comes first: list = \(Sanitizer.line(setting)). 'remindav config' "
                        + "shows the file."
                )
            )
        }
        return .success
    }

    private func show(_ useCases: UseCases, in context: Context) throws -> ExitStatus {
        if let trouble = try useCases.defaultListTrouble() { throw trouble }
        let list = try useCases.lists().first(where: \.isDefault)
        if self.isJSON {
            try context.output.print(json: list)
        } else if let list {
            try context.output.print(StyledText("New reminders go to \(Sanitizer.line(list.name))"))
        } else {
            try context.output.print(
                "There is no default list yet. The first reminder creates one: remindav add Buy milk"
            )
        }
        return .success
    }
}

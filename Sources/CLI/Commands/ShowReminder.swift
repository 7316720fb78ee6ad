import Bridge

/// `show ID`: everything about one reminder.
struct ShowReminder: Command {
    static let page = CommandPage(
        name: "show",
        group: .reminders,
        summary: "Show everything about one reminder",
        usage: ["ID [--json]"],
        operands: [Operand("ID", .once, "The number in front of its title in 'remindav list'")],
        options: [.json],
        examples: [.init("remindav show 12", "title, dates, labels, alarms and notes")],
        exits: [.notFound]
    )

    let id: Int64
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.id = try Fields.number(arguments.operand("ID"), of: "reminder")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let reminder = try context.useCases().reminder(self.id)
        if self.isJSON {
            try context.output.print(JSON(reminder))
        } else {
            let text = LocalText(zone: try context.localZone(), now: context.now)
            try context.output.print(ListPrinter(text: text, columns: context.output.columns).details(reminder))
        }
        return .success
    }
}

import Bridge
import DatePhrases
import Reminders

struct ListReminders: Command {
    static let page = CommandPage(
        name: "list",
        summary: "Show reminders",
        options: [
            Option("--list", value: "NAME", "Only reminders in this list"),
            .labelFilter,
            Option("--section", value: "SECTION", "Only this section: today, upcoming or completed"),
            Option("--all", short: "a", "Include completed and cancelled reminders"),
            .json,
        ],
        details: """
            Overdue reminders are in the section Today and marked. Upcoming contains reminders for
            tomorrow, for this week (until Sunday), for later, and without a date. A snoozed
            reminder is shown at the end of its snooze. Other commands use the number before a
            title as the ID.
            """,
        examples: [
            "remindav list": "open reminders, by day",
            "remindav list --label work --section today": "reminders for today with the label work",
            "remindav list --all --json": "all reminders, for a program",
        ],
        exits: [.notFound]
    )

    let filter: ReminderFilter

    init(_ arguments: inout Arguments) throws(UsageError) {
        var filter = try ReminderFilter(arguments)
        filter.section = try arguments.value("--section", ArgumentValues.section)
        self.filter = filter
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        try useCases.check(list: self.filter.list, labels: [])
        let reminders = try useCases.reminders(matching: self.filter, detail: context.isJSON ? .everything : .line)
        // A label disappears with its last reminder, so an unknown label causes a message but no error status.
        if let unknown = try useCases.unknownLabel(among: self.filter.labels, shown: reminders) {
            context.output.complain(ErrorMessages.explain(unknown).sentence)
        }
        guard !context.isJSON, !reminders.isEmpty else {
            return try context.answer(
                reminders,
                ifNone: try self.emptyText(total: useCases.reminderCount()),
                text: StyledText.init
            )
        }
        try context.output.print(try ListPrinter(in: context, useCases).list(consume reminders))
        return .success
    }

    private func emptyText(total: Int) -> StyledText {
        if total == 0 {
            return """
                No reminders yet
                Add your first reminder: remindav add 'Buy milk' --due 'tomorrow 09:00'
                """
        }
        if self.filter == ReminderFilter() {
            return "No reminder is open. 'remindav list --all' also shows completed reminders."
        }
        return "No reminder matches."
    }
}

extension ReminderFilter {
    init(_ arguments: Arguments) throws(UsageError) {
        self.init(includesCompleted: arguments.flag("--all"))
        self.list = arguments.value("--list")
        self.labels = try ArgumentValues.labels(arguments.values("--label"))
    }
}

extension ListPrinter {
    /// Reads the colours of the labels only if the output is coloured.
    init(in context: Context, _ useCases: UseCases) throws {
        self.init(text: try context.localText(), columns: context.output.columns)
        guard context.output.answersAreColored else { return }
        let depth = context.output.colorDepth
        self.labelStyles = try useCases.labelColors().mapValues { .foreground($0, depth) }
    }
}

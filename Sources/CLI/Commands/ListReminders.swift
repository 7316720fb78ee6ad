import Bridge
import DatePhrases
import Reminders

/// `list`: shows reminders in their sections.
struct ListReminders: Command {
    static let page = CommandPage(
        name: "list",
        group: .reminders,
        summary: "Show reminders",
        usage: ["[--list NAME] [--label NAME]... [--section SECTION] [--all] [--json]"],
        options: [
            Option("--list", value: "NAME", "Only those of this list"),
            .labelFilter,
            Option("--section", value: "SECTION", "Only this section: today, upcoming or completed"),
            Option("--all", short: "a", "Include completed and cancelled reminders"),
            .json,
        ],
        details: [
            """
            Overdue reminders are in the section Today and marked. Upcoming contains reminders for
            tomorrow, for this week (until Sunday), for later, and without a date. A snoozed
            reminder is shown at the end of its snooze. Other commands use the number before a
            title as the ID.
            """
        ],
        examples: [
            .init("remindav list", "open reminders, by day"),
            .init("remindav list --label work --section today", "reminders for today with the label work"),
            .init("remindav list --all --json", "all reminders, for a program"),
        ],
        exits: [.notFound]
    )

    let filter: ReminderFilter
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        var filter = ReminderFilter(includesCompleted: arguments.flag("--all"))
        filter.list = arguments.value("--list")
        filter.labels = try ArgumentValues.labels(arguments.values("--label"))
        if let section = arguments.value("--section") { filter.section = try ArgumentValues.section(section) }
        self.filter = filter
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        try useCases.check(list: self.filter.list, labels: [])
        let reminders = try useCases.reminders(matching: self.filter, detail: self.isJSON ? .everything : .line)
        // A label goes with its last reminder, and a script that asks for it gets an empty answer.
        if let unknown = try useCases.unknownLabel(among: self.filter.labels, shown: reminders) {
            context.output.complain(ErrorMessages.explain(unknown).sentence)
        }
        if self.isJSON {
            try context.output.print(json: reminders)
        } else if reminders.isEmpty {
            try context.output.print(try self.emptyText(total: useCases.reminderCount()))
        } else {
            try context.output.print(try ListPrinter(in: context, useCases).list(consume reminders))
        }
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
            return "Nothing is open. 'remindav list --all' shows the completed ones."
        }
        return "No reminder matches."
    }
}

extension ListPrinter {
    /// A printer for the output of a command, with the colours of the labels where it has colours.
    init(in context: Context, _ useCases: UseCases) throws {
        self.init(
            text: LocalText(zone: try context.localZone(), now: context.now),
            columns: context.output.columns
        )
        guard context.output.answersAreColored else { return }
        let depth = context.output.colorDepth
        self.labelStyles = try useCases.labelColors().mapValues { .foreground($0, depth) }
    }
}

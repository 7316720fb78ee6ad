import Bridge
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
            Option("--all", short: "a", "Completed and cancelled ones too"),
            .json,
        ],
        details: [
            """
            What is overdue stands under Today and says so. Upcoming has what is for
            tomorrow, for this week (to Sunday), for later, and what has no date. A snoozed
            reminder stands where its snooze ends. The number in front of a title is how
            other commands name the reminder.
            """
        ],
        examples: [
            .init("remindav list", "what is open, by day"),
            .init("remindav list --label work --section today", "what is due at work today"),
            .init("remindav list --all --json", "everything, for a program"),
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

import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

struct ShowStatistics: Command {
    static let page = CommandPage(
        name: "stats",
        summary: "Count open and completed reminders",
        options: FilterOptions.options + [.json],
        details: """
            The filters of 'list' and their short forms select the reminders: 'stats +home'.
            A week ends on Sunday. A reminder that was due earlier today counts as overdue and as
            due today. A day ends at midnight in the local time zone.
            """,
        examples: [
            "remindav stats": "open, overdue and completed reminders by day, list and label",
            "remindav stats +home --due-before monday": "only reminders with this label, due this week",
            "remindav stats --list Work --json": "one list, for a program",
        ],
        exits: [.notFound]
    )

    static let isPaged = true

    let filter: FilterOptions

    init(_ arguments: inout Arguments) throws(UsageError) {
        try arguments.readOnlyFilterWords()
        try FilterConditions.joinPhrases(in: &arguments)
        self.filter = try FilterOptions(arguments)
    }

    func run(in context: Context) async throws -> ExitStatus {
        let filter = try self.filter.filter(in: context)
        let useCases = try context.useCases()
        try useCases.check(filter)
        if let unknown = try useCases.unknownLabel(among: filter.namedLabels) {
            context.output.complain(ErrorMessages.explain(unknown))
        }
        let statistics = try useCases.statistics(matching: filter)
        return try context.answer(statistics) {
            try $0.print(StatisticsPrinter(columns: context.output.columns).text(statistics))
        }
    }
}

struct StatisticsPrinter: Sendable {
    let columns: Int

    func text(_ statistics: ReminderStatistics) -> StyledText {
        var text = Table.text([
            ["Open", "\(statistics.open)"], ["Overdue", "\(statistics.overdue)"],
            ["Due today", "\(statistics.dueToday)"], ["Due this week", "\(statistics.dueThisWeek)"],
            ["No date", "\(statistics.undated)"],
        ])
        text += StyledText("\n\nCompleted", .heading)
        text += StyledText("\n" + self.days(statistics).joined(separator: "\n"))
        text += self.parts("Lists", statistics.lists) + self.parts("Labels", statistics.labels)
        return text
    }

    private func days(_ statistics: ReminderStatistics) -> [String] {
        let week = statistics.completedByDay.suffix(7)
        let most = week.map(\.completed).max() ?? 0
        let room = min(max(self.columns - 30, 10), 40)
        let days = week.reversed().map { day in
            let name = "\(Vocabulary.weekdayNames[day.date.weekday.rawValue]) \(day.date)"
            // Each reminder is one mark if the longest bar fits; otherwise all bars are shortened in proportion.
            let length = most > room ? (day.completed * room + most - 1) / most : day.completed
            return [name, "\(day.completed)", String(repeating: "#", count: length)]
        }
        let sums = [7, ReminderStatistics.days].map { ["Last \($0) days", "\(statistics.completed(inLast: $0))", ""] }
        return Table.lines(days + sums).map(\.trimmingWhiteSpace)
    }

    private func parts(_ heading: String, _ parts: [ReminderStatistics.Part]) -> StyledText {
        if parts.isEmpty { return StyledText() }
        let rows = parts.map { part in
            [
                DisplayWidth.fit(Sanitizer.line(part.name), into: 40), "\(part.open) open", "\(part.overdue) overdue",
                "\(part.completed) completed",
            ]
        }
        return StyledText("\n\n\(heading)", .heading) + "\n" + Table.text(rows)
    }
}

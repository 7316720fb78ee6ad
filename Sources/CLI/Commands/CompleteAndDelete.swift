import RemindavBridge
import RemindavReminders

struct CompleteReminders: Command {
    static let page = CommandPage(
        name: "done",
        summary: "Complete reminders",
        usage: ReminderSelection.usage,
        operands: [ReminderSelection.operand],
        options: FilterOptions.options + SubtaskOptions.options("Complete") + [
            Option("--missed", "Complete all missed dates of a repeating reminder, up to now"),
            Option("--skip", "Go to the next date of a repeating reminder, without a completion"), .confirmation, .json,
        ],
        details: """
            \(ReminderSelection.details)

            A repeating reminder moves to its next date. The completed occurrence becomes a
            separate reminder, and its number is printed. A completed reminder stays unchanged.
            'skip 12' is 'done 12 --skip': the date is left out, and no completion is stored.

            If a reminder has open subtasks, a question asks whether to complete them too. Without
            a terminal they stay open, and a remark names the option. The subtasks of a repeating
            reminder belong to its next date too: they stay open, and completed ones are reopened.
            """,
        examples: [
            "remindav done 12 13": "completes both",
            "remindav done milk": "asks, then completes the reminder with this word in its title",
            "remindav done --label shopping --overdue": "asks, then completes all of them",
            "remindav done +shopping": "asks, then completes all with this label",
            "remindav done 12 --subtasks": "completes it and all its open subtasks",
            "remindav skip 12": "goes to its next date without completing this one",
            "remindav done 12 --missed": "completes all its dates up to now, for example after a holiday",
        ],
        exits: [.partial, .notFound, .locked]
    )

    let selection: ReminderSelection
    let subtasks: SubtaskOptions
    let withMissed: Bool
    let skips: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.selection = try ReminderSelection(&arguments)
        self.subtasks = try SubtaskOptions(arguments)
        self.withMissed = arguments.flag("--missed")
        self.skips = arguments.flag("--skip")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let verb = self.skips ? "Skip a date of" : "Complete"
        let words = SelectedAction.Words(command: Self.page.name, verb: verb)
        let action = try SelectedAction(self.selection, words, in: context)
        let numbers = try action.numbers()
        // A skipped date completes nothing, so its subtasks stay open.
        let ids =
            try self.skips
            ? numbers : self.subtasks.expanded(numbers, verb, onlyOpen: true, in: context, action.useCases)
        return try action.perform(
            .complete(withMissed: self.withMissed, skips: self.skips),
            on: ids,
            json: \.completion
        ) { outcome in
            let operation = outcome.completion
            let isOver = operation.reminder.section == .completed
            if operation.isChanged, !isOver {
                try Confirmation(context: context).printNext(self.skips ? "Skipped a date of" : "Completed", operation)
            } else {
                let verb = operation.isChanged ? "Completed" : "Already completed"
                try Confirmation(context: context).print(verb, operation.reminder)
            }
            if !operation.reopened.isEmpty {
                let count = operation.reopened.count
                context.output.remark(
                    "\(count.counted("completed subtask")) \(count == 1 ? "is" : "are") open again for the next date."
                )
            }
            if operation.isChanged, outcome.before.isBlocked {
                let open = try action.useCases.reminders(outcome.before.dependencyIDs).filter { !$0.status.isClosed }
                let names = open.map { "\($0.id) (\(Sanitizer.excerpt($0.title)))" }
                if !names.isEmpty {
                    context.output.remark(
                        "It depends on \(names.listed(atMost: SelectedAction.maximumNamed)), still open."
                    )
                }
            }
            if operation.isChanged, !isOver, operation.reminder.overdue {
                context.output.remark(
                    """
                    The next date is already past, so the reminder is still overdue. \
                    'remindav done \(operation.reminder.id) --missed' completes all dates up to now.
                    """
                )
            }
        }
    }
}

struct ReopenReminders: Command {
    static let page = CommandPage(
        name: "undone",
        summary: "Reopen completed reminders",
        usage: ReminderSelection.usage,
        operands: [ReminderSelection.operand],
        options: FilterOptions.options + [.confirmation, .json],
        details: """
            \(ReminderSelection.details)

            An open reminder stays unchanged. A completed occurrence of a repeating reminder is a
            separate reminder with its own number.
            """,
        examples: ["remindav undone 12": "reopens it"],
        exits: [.partial, .notFound, .locked]
    )

    let selection: ReminderSelection

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.selection = try ReminderSelection(&arguments)
    }

    func run(in context: Context) async throws -> ExitStatus {
        let words = SelectedAction.Words(command: Self.page.name, verb: "Reopen", areOpen: false)
        let action = try SelectedAction(self.selection, words, in: context)
        return try action.perform(.reopen, on: action.numbers(), json: \.completion) { outcome in
            let operation = outcome.completion
            let verb = operation.isChanged ? "Reopened" : "Already open"
            try Confirmation(context: context).print(verb, operation.reminder)
            if !operation.isChanged, operation.reminder.repeatRule != nil {
                context.output.remark(
                    "Completed occurrences are separate reminders; 'remindav list --section completed' shows them."
                )
            }
        }
    }
}

struct DeleteReminders: Command {
    static let page = CommandPage(
        name: "delete",
        summary: "Delete reminders",
        usage: ReminderSelection.usage,
        operands: [ReminderSelection.operand],
        options: FilterOptions.options + SubtaskOptions.options("Delete") + [.confirmation, .json],
        details: """
            \(ReminderSelection.details)

            Deleted reminders stay in the trash for 30 days. 'remindav undo' restores all reminders
            that one command deleted; 'remindav trash' shows the trash. If a reminder has subtasks,
            a question asks whether to delete them too; with --yes they stay, unless --subtasks is
            given too.
            """,
        examples: ["remindav delete 12": "asks, then deletes it; the next sync deletes it on the server"],
        exits: [.partial, .notFound, .locked]
    )

    let selection: ReminderSelection
    let subtasks: SubtaskOptions

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.selection = try ReminderSelection(&arguments)
        self.subtasks = try SubtaskOptions(arguments)
    }

    func run(in context: Context) async throws -> ExitStatus {
        let words = SelectedAction.Words(command: Self.page.name, verb: "Delete")
        let action = try SelectedAction(self.selection, words, in: context)
        var ids = try action.numbers()
        if case .numbers = self.selection.choice, !context.isSure { ids = try self.agreed(ids, in: action) }
        var deleted = 0
        ids = try self.subtasks.expanded(ids, "Delete", onlyOpen: false, in: context, action.useCases)
        let status = try action.perform(.delete, on: ids, json: \.before) { outcome in
            try context.output.note("Deleted \(outcome.before.id): \(Sanitizer.line(outcome.before.title))")
            deleted += 1
        }
        guard deleted > 0, !self.selection.isFilter else { return status }
        try context.output.note(advice: "'remindav undo' restores \(deleted == 1 ? "it" : "them").")
        return status
    }

    /// The numbers of the reminders whose deletion the user confirms, and the numbers without a reminder.
    private func agreed(_ ids: [Int64], in action: SelectedAction) throws -> [Int64] {
        var agreesToAll = false
        return try ids.enumerated().filter { index, id in
            let title: String
            do {
                title = Sanitizer.line(try action.useCases.reminder(id).title)
            } catch is UseCaseError {
                return true
            }
            if agreesToAll { return true }
            let answer = try action.context.confirm("Delete '\(title)'?", orAll: index + 1 < ids.count)
            agreesToAll = answer == .all
            if answer != .no { return true }
            if !action.context.isJSON { try action.context.output.note("Not deleted \(id): \(title)") }
            return false
        }.map(\.element)
    }
}

import RemindavBridge
import RemindavDatePhrases

struct UndoChanges: Command {
    static let page = CommandPage(
        name: "undo",
        summary: "Undo the changes of commands, imports or syncs",
        usage: ["[CHANGE... | --run N | --last] [--allow-mass-delete] [--dry-run]", "[--yes] [--json]"],
        operands: [Operand("CHANGE", .many, "The number before a change in 'remindav log --run N', as 12, 3,5 or 7-9")],
        options: [
            Option("--run", value: "N", "Undo all changes of this run"),
            Option("--last", "Undo all changes of the last run without asking"),
            Option("--allow-mass-delete", "Undo even if a list on a server becomes empty"),
            .dryRun,
            Option("--yes", short: "y", "Do not ask"),
            .json,
        ],
        details: """
            Each command, import, sync and undo is one run in the log. The undo of a sync reverts
            the changes that the sync received. The changes that it sent are your own edits: they
            stay, and belong to the run that made them. The output names the run that is undone.

            Without a number, the last run that is not undone yet is shown, and you are asked
            before it is undone. Repeat the command to undo the run before. A run without
            reversible changes is named and skipped. With a number you are asked only before
            more than 10 reminders are deleted; without a terminal, this requires --yes.

            Undo restores values that have not changed since; later edits are kept. Deleted
            reminders are restored, and added ones are deleted. An undo is an edit: the next
            sync sends it to the server, where all users see it, and 'undo --run' reverts it.
            Changes that were not sent yet are removed completely.

            Reminders that the first sync of a list downloaded existed on the server before, and
            are not deleted. 'account remove' removes an account from this computer.
            """,
        examples: [
            "remindav undo": "shows the changes of the last run and asks",
            "remindav undo --run 12 --dry-run": "shows the result without undoing run 12",
            "remindav undo 345 346": "undoes two changes",
        ],
        exits: [.partial, .notFound, .locked, .refused]
    )

    let selection: UndoSelection
    let isSure: Bool
    /// Whether the option `--yes` is given.
    let wantsNoQuestion: Bool
    let allowsMassDelete: Bool
    let isDryRun: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        var selections: [UndoSelection] = []
        if let run = arguments.value("--run") { selections.append(.run(try ArgumentValues.number(run, of: "run"))) }
        if arguments.flag("--last") { selections.append(.last) }
        let numbers = try NumberList(arguments.optionalOperands(), of: "change").numbers
        if !numbers.isEmpty { selections.append(.changes(numbers)) }
        guard selections.count <= 1 else {
            throw UsageError(.badValue, "Use only one of CHANGE, --run and --last.")
        }
        self.selection = selections.first ?? .last
        self.wantsNoQuestion = arguments.flag("--yes")
        self.isSure = !selections.isEmpty || self.wantsNoQuestion
        self.allowsMassDelete = arguments.flag("--allow-mass-delete")
        self.isDryRun = arguments.flag("--dry-run")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        let printer = JournalPrinter(output: context.output)
        var selection = self.selection
        var mayEmpty = self.allowsMassDelete
        if self.isSure, !self.isDryRun, try !self.isSmallOrWanted(useCases, context) {
            try context.output.note("Nothing was changed")
            return .success
        }
        if self.isDryRun || !self.isSure {
            let plan = try useCases.undo(self.selection, isDryRun: true)
            guard plan.hasWork || !plan.missing.isEmpty else { return try self.nothing(plan, context) }
            if self.isDryRun {
                if self.isJSON {
                    try context.output.print(json: plan)
                    return .success
                }
                context.output.remark("Dry run: nothing is changed.")
                try self.printSummary(plan, context)
                return try printer.print(plan, isDone: false)
            }
            guard plan.isPossible else { return try printer.print(plan, isDone: false) }
            guard try self.isWanted(plan, context) else {
                try context.output.note("Nothing was changed")
                return .success
            }
            // The user has agreed to undo this run. Without its number, a later run could be undone instead.
            if let run = plan.undone { selection = .run(run) }
            mayEmpty = mayEmpty || !plan.emptied.isEmpty
        }
        let summary = try useCases.undo(selection, mayEmpty: mayEmpty)
        // The user does not know which run `--last` means, so the run is printed.
        if self.isSure, !self.isJSON, case .last = selection, summary.isPossible {
            try self.printSummary(summary, context)
        }
        if self.isJSON {
            try context.output.print(json: summary)
            return try JournalPrinter(output: context.output.withoutNotes).print(summary)
        }
        guard summary.hasWork || !summary.missing.isEmpty else { return try self.nothing(summary, context) }
        return try printer.print(summary)
    }

    /// The maximum number of reminders that an undo deletes without a question; a sync has the same limit.
    private static let deletedUnasked = 10

    /// Whether the undo deletes few reminders, or the user permits more deletions.
    private func isSmallOrWanted(_ useCases: UseCases, _ context: Context) throws -> Bool {
        if self.wantsNoQuestion { return true }
        if context.isInteractive, self.isJSON || self.selection == .last { return true }
        let plan = try useCases.undo(self.selection, isDryRun: true)
        guard plan.deletesHere > Self.deletedUnasked else { return true }
        guard plan.emptied.isEmpty || self.allowsMassDelete else { return true }
        if !context.isInteractive {
            if self.allowsMassDelete { return true }
            throw UsageError(
                .needsYes,
                "Undo would delete \(plan.deletesHere) reminders. Without a terminal, this requires --yes."
            )
        }
        return try self.answer(plan, context) ?? true
    }

    /// Prints the run to undo, and the runs that were skipped because they cannot be undone.
    private func printSummary(_ summary: UndoSummary, _ context: Context) throws {
        let text = LocalText(zone: try context.localZone(), now: context.now)
        let printer = JournalPrinter(output: context.output)
        printer.printSkippedRuns(summary, in: text)
        guard let run = summary.undoneRun else { return }
        context.output.remark(StyledText(printer.headline(run, in: text)))
    }

    private func nothing(_ summary: UndoSummary, _ context: Context) throws -> ExitStatus {
        if self.isJSON {
            try context.output.print(json: summary)
        } else if let run = summary.undone {
            let advice = "'remindav log' shows other runs, and 'remindav undo --run N' undoes one."
            try context.output.print("Run \(run) is already undone. \(advice)")
        } else if summary.changes.isEmpty, summary.labels.isEmpty {
            try context.output.print("There is nothing to undo")
        } else {
            try context.output.print("These changes are already undone")
        }
        return .success
    }

    /// The maximum number of changes that are shown before the question.
    private static let shown = 20

    private func isWanted(_ plan: UndoSummary, _ context: Context) throws -> Bool {
        guard let answer = try self.answer(plan, context) else {
            throw UsageError(
                .needsYes,
                "There is no terminal for a question. Add --last to undo the last run without a question."
            )
        }
        return answer
    }

    /// Prints the plan and asks; returns `nil` without a terminal.
    private func answer(_ plan: UndoSummary, _ context: Context) throws -> Bool? {
        try self.printSummary(plan, context)
        var last = ""
        let lines = plan.changes.prefix(Self.shown).map { JournalPrinter.plan($0) }
        for line in lines + plan.labels.prefix(Self.shown).map({ JournalPrinter.plan(label: $0) }) where line != last {
            context.output.remark(StyledText("  \(line)"))
            last = line
        }
        let lists = plan.lists.compactMap { JournalPrinter.plan(list: $0) }
        for line in lists.prefix(Self.shown) { context.output.remark(StyledText("  \(line)")) }
        let count = plan.changes.count + plan.labels.count + lists.count
        let hidden =
            max(0, plan.changes.count - Self.shown) + max(0, plan.labels.count - Self.shown)
            + max(0, lists.count - Self.shown)
        if hidden > 0 { context.output.remark("  and \(hidden) more") }
        for remark in [plan.sentRemark, plan.warning].compactMap({ $0 }) { context.output.remark(StyledText(remark)) }
        let run = plan.undone.map { " of run \($0)" } ?? ""
        let what = count == 1 ? "this change" : "these \(count) changes"
        guard let answer = try context.terminal.ask("Undo \(what)\(run)? [y/N] ") else { return nil }
        return ["y", "yes"].contains(answer.lowercased().filter { $0 != " " })
    }
}

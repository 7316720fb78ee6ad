import RemindavBridge
import RemindavDatePhrases

struct ShowConflicts: Command {
    static let page = CommandPage(
        name: "conflicts",
        summary: "Show values that lost a conflict in a sync",
        options: [
            Option("--all", "Include restored and dismissed conflicts"),
            Option("--raw", "Show iCalendar values and property names"), .json,
        ],
        details: """
            The sync has already chosen one value for each conflict. If the other value is
            correct, 'remindav conflicts restore' restores it. Otherwise 'remindav conflicts
            dismiss' removes the conflict from this list.
            """,
        examples: ["remindav conflicts": "newest first"]
    )

    let showsAll: Bool
    let isRaw: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.showsAll = arguments.flag("--all")
        self.isRaw = arguments.flag("--raw")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let conflicts = try context.useCases().conflicts(includingSettled: self.showsAll)
        let status = try context.answer(conflicts, ifNone: "No conflicts") {
            let formatter = ConflictFormatter(text: try context.localText(), isRaw: self.isRaw)
            return StyledText(conflicts.map(formatter.paragraph), between: "\n\n")
        }
        if !context.isJSON, let first = conflicts.first(where: { $0.settledAt == nil })?.number {
            context.output.remark(
                """
                'remindav conflicts restore \(first)' restores the other value, 'remindav conflicts dismiss \(first)' \
                accepts the value that was kept.
                """
            )
        }
        return status
    }
}

struct RestoreConflicts: Command {
    static let page = CommandPage(
        name: "conflicts restore",
        summary: "Restore the value that lost a conflict",
        operands: [Operand("ID", .many, "The number before a conflict in 'remindav conflicts', as 12, 3,5 or 7-9")],
        details: """
            Only the field of the conflict is changed. The next sync sends the change to the
            server, and 'remindav undo' reverts it.
            """,
        examples: ["remindav conflicts restore 3": "restores the value that lost conflict 3"],
        exits: [.partial, .notFound, .locked]
    )

    let numbers: [Int64]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.numbers = try NumberList(arguments.operands("ID"), of: "conflict").numbers
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        return try context.forEach(self.numbers) { number in
            let (conflict, run) = try useCases.restoreConflict(number)
            let place = "\(number): \(conflict.field) of \(Sanitizer.line(conflict.title))"
            guard let run else { return try context.output.note("Already restored \(place)") }
            try context.output.note("Restored \(place)")
            context.output.remark("'remindav undo --run \(run)' reverts this.")
        }
    }
}

struct DismissConflicts: Command {
    static let page = CommandPage(
        name: "conflicts dismiss",
        summary: "Accept the values that won, and settle the conflicts",
        usage: ["ID...", "--all"],
        operands: [Operand("ID", .many, "The number before a conflict in 'remindav conflicts', as 12, 3,5 or 7-9")],
        options: [Option("--all", "Settle all conflicts")],
        examples: ["remindav conflicts dismiss --all": "empties the list; 'conflicts --all' still shows them"],
        exits: [.partial, .notFound, .locked]
    )

    /// The numbers of the conflicts; `nil` for all conflicts.
    let numbers: [Int64]?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.numbers =
            arguments.flag("--all") ? nil : try NumberList(arguments.operands("ID"), of: "conflict").numbers
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        guard let numbers = self.numbers else {
            let count = try useCases.dismissAllConflicts()
            try context.output.note("Dismissed \(count.counted("conflict"))")
            return .success
        }
        return try context.forEach(numbers) { number in
            let isNew = try useCases.dismissConflict(number)
            try context.output.note(isNew ? "Dismissed conflict \(number)" : "Conflict \(number) is already settled")
        }
    }
}

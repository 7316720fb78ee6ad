import Bridge
import DatePhrases

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
        return try context.answer(conflicts, ifNone: "No conflicts") {
            let formatter = ConflictFormatter(text: try context.localText(), isRaw: self.isRaw)
            return StyledText(conflicts.map(formatter.paragraph), between: "\n\n")
        }
    }
}

struct RestoreConflicts: Command {
    static let page = CommandPage(
        name: "conflicts restore",
        summary: "Restore the value that lost a conflict",
        operands: [Operand("ID", .many, "The number before a conflict in 'remindav conflicts'")],
        details: """
            Only the field of the conflict is changed. The next sync sends the change to the
            server, and 'remindav undo' reverts it.
            """,
        examples: ["remindav conflicts restore 3": "restores the value that lost conflict 3"],
        exits: [.partial, .notFound, .locked]
    )

    let numbers: [Int64]

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.numbers = try ArgumentValues.numbers(arguments.operands("ID"), of: "conflict")
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
        operands: [Operand("ID", .many, "The number before a conflict in 'remindav conflicts'")],
        options: [Option("--all", "Settle all conflicts")],
        examples: ["remindav conflicts dismiss --all": "empties the list; 'conflicts --all' still shows them"],
        exits: [.partial, .notFound, .locked]
    )

    /// The numbers of the conflicts; `nil` for all conflicts.
    let numbers: [Int64]?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.numbers =
            arguments.flag("--all") ? nil : try ArgumentValues.numbers(arguments.operands("ID"), of: "conflict")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        guard let numbers = self.numbers else {
            let count = try useCases.dismissAllConflicts()
            try context.output.note("Dismissed \(count.counted("conflict"))")
            return .success
        }
        return try context.forEach(numbers) { number in
            try useCases.dismissConflict(number)
            try context.output.note("Dismissed conflict \(number)")
        }
    }
}

import Bridge

/// `labels delete NAME`: takes a label away from all reminders.
struct DeleteLabel: Command {
    static let page = CommandPage(
        name: "labels delete",
        group: .reminders,
        summary: "Delete a label; its reminders stay",
        usage: ["NAME [--dry-run] [--yes] [--json]"],
        operands: [Operand("NAME", .once, "What the label is called")],
        options: [.dryRun, Option("--yes", short: "y", "Do not ask"), .json],
        details: [
            """
            The label is taken away from the reminders that have it; nothing else in them is
            changed, and other labels stay. Lists that are read-only keep it. 'remindav undo'
            brings it back.
            """
        ],
        examples: [.init("remindav labels delete Work", "asks, then takes the label away")],
        exits: [.partial, .notFound, .locked],
        meanings: [.notFound: "no such label"]
    )

    let name: String
    let isRehearsal: Bool
    let isSure: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try LabelFields.existing(arguments.operand("NAME"))
        self.isRehearsal = arguments.flag("--dry-run")
        self.isSure = arguments.flag("--yes")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        if !self.isSure, !self.isRehearsal {
            let plan = try useCases.deleteLabel(self.name, isRehearsal: true)
            guard try context.confirm(Self.question(plan)) else {
                try context.output.note("Nothing was changed")
                return .success
            }
        }
        let deed = try useCases.deleteLabel(self.name, isRehearsal: self.isRehearsal)
        let words = self.isRehearsal ? "Would delete" : "Deleted"
        let printer = LabelDeedPrinter(
            output: context.output,
            isRehearsal: self.isRehearsal,
            isJSON: self.isJSON
        )
        return try printer.print(deed, "\(words) the label \(Sanitizer.line(deed.name))")
    }

    private static func question(_ plan: LabelDeed) -> String {
        let name = Sanitizer.line(plan.name)
        let count = plan.changed.count
        return """
            Are you sure you want to delete '\(name)'? Reminders with this label will keep their data but lose the label \
            association.\(count == 0 ? "" : " It goes from \(LabelWords.reminders(count)).")
            """
    }
}

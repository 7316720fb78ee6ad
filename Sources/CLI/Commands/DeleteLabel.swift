import Bridge

struct DeleteLabel: Command {
    static let page = CommandPage(
        name: "labels delete",
        group: .reminders,
        summary: "Delete a label; its reminders stay",
        usage: ["NAME [--dry-run] [--yes] [--json]"],
        operands: [Operand("NAME", .once, "The name of the label")],
        options: [.dryRun, Option("--yes", short: "y", "Do not ask"), .json],
        details: [
            """
            The label is removed from all its reminders; nothing else in them is changed. Reminders
            in read-only lists keep it. 'remindav undo' restores it.
            """
        ],
        examples: [.init("remindav labels delete Work", "asks, then removes the label")],
        exits: [.partial, .notFound, .locked],
        meanings: [.notFound: "no such label"]
    )

    let name: String
    let isDryRun: Bool
    let isSure: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try LabelFields.existing(arguments.operand("NAME"))
        self.isDryRun = arguments.flag("--dry-run")
        self.isSure = arguments.flag("--yes")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        if !self.isSure, !self.isDryRun {
            let plan = try useCases.deleteLabel(self.name, isDryRun: true)
            guard try context.confirm(Self.question(plan)) else {
                try context.output.note("Nothing was changed")
                return .success
            }
        }
        let operation = try useCases.deleteLabel(self.name, isDryRun: self.isDryRun)
        let words = self.isDryRun ? "Would delete" : "Deleted"
        let printer = LabelChangePrinter(
            output: context.output,
            isDryRun: self.isDryRun,
            isJSON: self.isJSON
        )
        return try printer.print(operation, "\(words) the label \(Sanitizer.line(operation.name))")
    }

    private static func question(_ plan: LabelChangeResult) -> String {
        let name = Sanitizer.line(plan.name)
        let count = plan.changed.count
        return """
            Are you sure you want to delete '\(name)'? Reminders with this label will keep their data but lose the label \
            association.\(count == 0 ? "" : " It goes from \(LabelUpdates.reminders(count)).")
            """
    }
}

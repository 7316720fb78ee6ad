import Bridge
import Reminders

struct RenameLabel: Command {
    static let page = CommandPage(
        name: "labels rename",
        group: .reminders,
        summary: "Rename a label in all its reminders",
        usage: ["OLD NEW [--dry-run] [--json]"],
        operands: [Operand("OLD", .once, "The current name"), Operand("NEW", .once, "The new name")],
        options: [.dryRun, .json],
        details: [
            """
            The label keeps its colour and feeds. Nothing else in a reminder is changed, and the next
            sync sends the change. Reminders in read-only lists keep the old name.
            """
        ],
        examples: [.init("remindav labels rename Work Office", "renames the label Work to Office")],
        exits: [.partial, .notFound, .locked],
        meanings: [.notFound: "no such label"]
    )

    let old: String
    let new: String
    let isDryRun: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.old = try LabelFields.existing(arguments.operand("OLD"))
        self.new = try ArgumentValues.label(arguments.operand("NEW"))
        self.isDryRun = arguments.flag("--dry-run")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let operation = try context.useCases().renameLabel(self.old, to: self.new, isDryRun: self.isDryRun)
        let words = self.isDryRun ? "Would rename" : "Renamed"
        let printer = LabelChangePrinter(
            output: context.output,
            isDryRun: self.isDryRun,
            isJSON: self.isJSON
        )
        if operation.name == self.new, operation.changed.isEmpty, operation.kept.isEmpty, !self.isJSON {
            let name = Sanitizer.line(operation.name)
            try context.output.note(StyledText("The label \(name) already has this name; nothing was changed"))
            return .success
        }
        return try printer.print(
            operation,
            "\(words) the label \(Sanitizer.line(operation.name)) to \(Sanitizer.line(self.new))"
        )
    }
}

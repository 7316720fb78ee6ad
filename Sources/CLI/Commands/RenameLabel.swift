import Bridge
import Reminders

/// `labels rename OLD NEW`: gives a label another name.
struct RenameLabel: Command {
    static let page = CommandPage(
        name: "labels rename",
        group: .reminders,
        summary: "Give a label another name, in all reminders that have it",
        usage: ["OLD NEW [--dry-run] [--json]"],
        operands: [Operand("OLD", .once, "What it is called now"), Operand("NEW", .once, "What it shall be called")],
        options: [.dryRun, .json],
        details: [
            """
            Colour and feeds stay with the label. Nothing else in a reminder is changed, and
            the next sync sends it. Lists that are read-only keep the old name.
            """
        ],
        examples: [.init("remindav labels rename Work Office", "the same label under another name")],
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
            try context.output.note(StyledText("The label \(name) is called so already; nothing was changed"))
            return .success
        }
        return try printer.print(
            operation,
            "\(words) the label \(Sanitizer.line(operation.name)) to \(Sanitizer.line(self.new))"
        )
    }
}

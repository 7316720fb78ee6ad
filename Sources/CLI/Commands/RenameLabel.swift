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
    let isRehearsal: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.old = try LabelFields.existing(arguments.operand("OLD"))
        self.new = try Fields.label(arguments.operand("NEW"))
        self.isRehearsal = arguments.flag("--dry-run")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let deed = try context.useCases().renameLabel(self.old, to: self.new, isRehearsal: self.isRehearsal)
        let words = self.isRehearsal ? "Would rename" : "Renamed"
        let printer = LabelDeedPrinter(
            output: context.output,
            isRehearsal: self.isRehearsal,
            isJSON: self.isJSON
        )
        if deed.name == self.new, deed.changed.isEmpty, deed.kept.isEmpty, !self.isJSON {
            let name = Sanitizer.line(deed.name)
            try context.output.note(StyledText("The label \(name) is called so already; nothing was changed"))
            return .success
        }
        return try printer.print(
            deed,
            "\(words) the label \(Sanitizer.line(deed.name)) to \(Sanitizer.line(self.new))"
        )
    }
}

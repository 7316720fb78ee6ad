import Bridge
import Reminders

struct MergeLabels: Command {
    static let page = CommandPage(
        name: "labels merge",
        group: .reminders,
        summary: "Replace one label by another",
        usage: ["OLD NEW [--dry-run] [--json]"],
        operands: [
            Operand("OLD", .once, "The label to remove"),
            Operand("NEW", .once, "The label that replaces it"),
        ],
        options: [.dryRun, .json],
        details: [
            """
            NEW keeps its colour. A reminder with both labels keeps NEW. Reminders in read-only lists
            keep the old label.
            """
        ],
        examples: [.init("remindav labels merge Job Work", "replaces Job by Work in all reminders")],
        exits: [.partial, .notFound, .locked],
        meanings: [.notFound: "no such label"]
    )

    let old: String
    let new: String
    let isDryRun: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.old = try LabelFields.existing(arguments.operand("OLD"))
        self.new = try LabelFields.existing(arguments.operand("NEW"))
        self.isDryRun = arguments.flag("--dry-run")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let operation = try context.useCases().mergeLabel(self.old, into: self.new, isDryRun: self.isDryRun)
        let words = self.isDryRun ? "Would merge" : "Merged"
        let target = operation.label?.name ?? self.new
        let printer = LabelChangePrinter(
            output: context.output,
            isDryRun: self.isDryRun,
            isJSON: self.isJSON
        )
        return try printer.print(
            operation,
            "\(words) the label \(Sanitizer.line(operation.name)) into \(Sanitizer.line(target))"
        )
    }
}

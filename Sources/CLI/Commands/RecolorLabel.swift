import Bridge
import Reminders

struct RecolorLabel: Command {
    static let page = CommandPage(
        name: "labels recolor",
        group: .reminders,
        summary: "Change the colour of a label",
        usage: ["NAME COLOR [--json]"],
        operands: [
            Operand("NAME", .once, "The name of the label"),
            Operand("COLOR", .once, "Six hexadecimal digits after a '#', or a colour name"),
        ],
        options: [.json],
        details: [LabelFields.paletteText],
        examples: [.init("remindav labels recolor Garden '#4CAF50'", "green")],
        exits: [.notFound, .locked],
        meanings: [.notFound: "no such label"]
    )

    let name: String
    let color: LabelColor
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try LabelFields.existing(arguments.operand("NAME"))
        self.color = try LabelFields.color(arguments.operand("COLOR"), called: "A colour")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let label = try context.useCases().recolorLabel(self.name, to: self.color)
        if self.isJSON {
            try context.output.print(json: label)
            return .success
        }
        let dot = Swatch.dot(label.color, context.output.colorDepth)
        try context.output.note(
            "The label " + dot + StyledText(" \(Sanitizer.line(label.name)) is \(LabelUpdates.color(label.color)) now")
        )
        return .success
    }
}

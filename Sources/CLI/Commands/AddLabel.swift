import Bridge
import Reminders

struct AddLabel: Command {
    static let page = CommandPage(
        name: "labels add",
        group: .reminders,
        summary: "Create a label, or set the colour of an existing one",
        usage: ["NAME [--color COLOR] [--json]"],
        operands: [Operand("NAME", .once, "The name of the label")],
        options: [
            Option("--color", value: "COLOR", "Its colour; default: deep orange"),
            .json,
        ],
        details: [
            """
            Label names ignore case. COLOR is six hexadecimal digits such as '#4CAF50', a name
            from below such as 'light blue' or light-blue, or another colour name of CSS such as
            tomato.
            """,
            LabelFields.paletteText,
        ],
        examples: [
            .init("remindav labels add Work", "a label in deep orange"),
            .init("remindav labels add Garden --color '#4CAF50'", "a green one"),
        ],
        exits: [.locked]
    )

    let name: String
    let color: LabelColor?
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.label(arguments.operand("NAME"))
        self.color = try arguments.value("--color").map { text throws(UsageError) in
            try LabelFields.color(text, called: "'--color'")
        }
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let label = try context.useCases(.create).addLabel(named: self.name, color: self.color)
        if self.isJSON {
            try context.output.print(json: label)
            return .success
        }
        let dot = Swatch.dot(label.color, context.output.colorDepth)
        try context.output.note(
            "Created the label " + dot
                + StyledText(" \(Sanitizer.line(label.name)), \(LabelUpdates.color(label.color))")
        )
        return .success
    }
}

enum LabelFields {
    /// An existing label, which may be longer than a valid new one.
    static func existing(_ text: String) throws(UsageError) -> String {
        try ArgumentValues.name(text, of: "A label's name")
    }

    static func color(_ text: String, called name: String) throws(UsageError) -> LabelColor {
        guard let color = LabelColor(said: text) else {
            throw UsageError(
                .badValue,
                "\(name) must be six digits such as '#FF5722', or a name such as amber, light-blue or tomato, not '\(text)'."
            )
        }
        return color
    }

    /// The colours that are offered, for a help page.
    static let paletteText: String = {
        let names = LabelColor.palette.map { "\($0.color.hex) \($0.name)" }
        var lines = ["These go well together:"]
        for row in stride(from: 0, to: names.count, by: 4) {
            let cells = names[row..<min(row + 4, names.count)].map { DisplayWidth.pad($0, to: 20) }
            lines.append((cells.joined()).trimmingWhiteSpace)
        }
        return lines.joined(separator: "\n")
    }()
}

import Bridge
import Reminders

/// `labels add NAME`: makes a label.
struct AddLabel: Command {
    static let page = CommandPage(
        name: "labels add",
        group: .reminders,
        summary: "Make a label, or give one a colour that reminders have",
        usage: ["NAME [--color COLOR] [--json]"],
        operands: [Operand("NAME", .once, "What the label is called")],
        options: [
            Option("--color", value: "COLOR", "Its colour; without it: deep orange"),
            .json,
        ],
        details: [
            """
            A label is known by its name, in capital or small letters alike. COLOR is six
            digits such as '#4CAF50', a name from below such as 'light blue' or light-blue, or
            any other name of CSS such as tomato.
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
            "Made the label " + dot + StyledText(" \(Sanitizer.line(label.name)), \(LabelUpdates.color(label.color))")
        )
        return .success
    }
}

/// Reads what commands take about labels.
enum LabelFields {
    /// A label that is there already; it may be longer than a person types.
    static func existing(_ text: String) throws(UsageError) -> String {
        try ArgumentValues.name(text, of: "A label's name")
    }

    /// - Parameter what: what a message calls it.
    static func color(_ text: String, called what: String) throws(UsageError) -> LabelColor {
        guard let color = LabelColor(said: text) else {
            throw UsageError(
                .badValue,
                "\(what) is six digits such as '#FF5722', or a name such as amber, light-blue or tomato, not '\(text)'."
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
            lines.append(ArgumentValues.trimmed(cells.joined()))
        }
        return lines.joined(separator: "\n")
    }()
}

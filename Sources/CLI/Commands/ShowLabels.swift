import Bridge
import Reminders

struct ShowLabels: Command {
    static let page = CommandPage(
        name: "labels",
        group: .reminders,
        summary: "Show the labels",
        usage: ["[--json]"],
        options: [.json],
        details: [
            """
            Shows each label with its colour and the number of its reminders. A label without a
            colour is shown in deep orange.
            """
        ],
        examples: [.init("remindav labels", "each label with its colour and number of open reminders")]
    )

    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        if let word = arguments.optionalOperand() {
            throw UsageError(
                .unknownCommand,
                "There is no 'labels \(word)': 'remindav labels' alone shows the labels; add, delete, merge, recolor or "
                    + "rename stands behind it."
            )
        }
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let labels = try context.useCases().labels()
        if self.isJSON {
            try context.output.print(json: labels)
        } else if labels.isEmpty {
            try context.output.print(
                """
                No labels yet
                Add your first label: remindav labels add Work
                """
            )
        } else {
            try context.output.print(Self.text(labels, context.output.colorDepth))
        }
        return .success
    }

    private static func text(_ labels: [LabelView], _ depth: ColorDepth) -> StyledText {
        let rows = labels.map { label in
            let name = DisplayWidth.fit(bothEndsOf: Sanitizer.line(label.name), into: Self.longestName)
            return [name, LabelUpdates.color(label.color), LabelUpdates.counts(label)]
        }
        var text = StyledText()
        let lines = Table.lines(rows, widest: Self.nameColumns)
        // Many labels share a few colours, and the search for the nearest terminal colour is slow.
        var dots: [LabelColor: StyledText] = [:]
        for (index, (label, line)) in zip(labels, lines).enumerated() {
            if index > 0 { text += "\n" }
            let dot = dots[label.color] ?? Swatch.dot(label.color, depth)
            dots[label.color] = dot
            text += dot + StyledText(" \(line)")
        }
        return text
    }

    /// Longer names come from files and servers; they are cut in the middle where they are shown, since such names often
    /// begin alike.
    private static let longestName = Label.longestName

    /// The column is no wider for a name that is longer: that one takes its own room.
    private static let nameColumns = 40
}

enum LabelUpdates {
    /// The digits, and the name if it has one: `#FF5722 deep orange`.
    static func color(_ color: LabelColor) -> String {
        color.paletteName.map { "\(color.hex) \($0)" } ?? color.hex
    }

    /// How many reminders have it: `3 open, 1 completed`.
    static func counts(_ label: LabelView) -> String {
        label.completed > 0 ? "\(label.open) open, \(label.completed) completed" : "\(label.open) open"
    }

    /// A number of reminders: `1 reminder`.
    static func reminders(_ count: Int) -> String { count == 1 ? "1 reminder" : "\(count) reminders" }
}

/// Prints the result of renaming, merging or deleting a label.
struct LabelChangePrinter {
    let output: Output
    let isDryRun: Bool
    let isJSON: Bool

    /// - Parameter summary: such as `Renamed the label a to b`.
    /// - Returns: partial if read-only lists still have the label.
    func print(_ operation: LabelChangeResult, _ summary: String) throws(OutputError) -> ExitStatus {
        if self.isJSON {
            try self.output.print(json: operation)
            return operation.kept.isEmpty ? .success : .partial
        }
        if self.isDryRun { self.output.remark("Dry run: nothing is changed.") }
        let count = operation.changed.count
        let places = count == 0 ? "; no reminder has it" : ", in \(LabelUpdates.reminders(count))"
        try self.output.note(StyledText(summary + places))
        if self.isDryRun {
            for reminder in operation.changed {
                try self.output.note(StyledText("  \(reminder.id): \(Sanitizer.line(reminder.title))"))
            }
        }
        for feed in operation.feeds {
            self.output.remark(
                "Feed \(feed) is one of the label \(Sanitizer.line(operation.name)) still; 'feed revoke' ends it."
            )
        }
        if let run = operation.run { self.output.remark("'remindav undo --run \(run)' reverts this.") }
        for kept in operation.kept {
            self.output.complain(
                """
                \(LabelUpdates.reminders(kept.count)) of the list '\(Sanitizer.line(kept.list))' \
                \(kept.count == 1 ? "keeps" : "keep") the label, because it is read-only.
                """
            )
        }
        return operation.kept.isEmpty ? .success : .partial
    }
}

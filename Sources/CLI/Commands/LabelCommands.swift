import RemindavBridge
import RemindavReminders

struct ShowLabels: Command {
    static let page = CommandPage(
        name: "labels",
        summary: "Show the labels",
        options: [.json],
        details: """
            Shows each label with its colour and the number of its reminders. A label without a
            colour is shown in deep orange.
            """,
        examples: ["remindav labels": "each label with its colour and number of open reminders"]
    )

    init(_ arguments: inout Arguments) throws(UsageError) {
        guard let word = arguments.optionalOperand() else { return }
        throw UsageError(
            .unknownCommand,
            "There is no command 'labels \(word)'. Use 'labels' to show the labels, or 'labels' with add, delete, "
                + "merge, recolor or rename."
        )
    }

    func run(in context: Context) async throws -> ExitStatus {
        let labels = try context.useCases().labels()
        return try context.answer(labels, ifNone: "No labels yet\nAdd your first label: remindav labels add Work") {
            Self.text(labels, context.output.colorDepth)
        }
    }

    private static func text(_ labels: [LabelView], _ depth: ColorDepth) -> StyledText {
        let rows = labels.map { label in
            // Names from files and servers may be long and may have the same beginning, so the end is shown too.
            let name = DisplayWidth.fit(bothEndsOf: Sanitizer.line(label.name), into: Label.longestName)
            let completed = label.completed > 0 ? ", \(label.completed) completed" : ""
            return [name, label.color.words, "\(label.open) open\(completed)"]
        }
        var text = StyledText()
        // A name of more than 40 columns moves the rest of its row to the right.
        let lines = Table.lines(rows, widest: 40)
        // The search for the nearest terminal colour is slow, so it runs once for labels of the same colour.
        var dots: [LabelColor: StyledText] = [:]
        for (index, (label, line)) in zip(labels, lines).enumerated() {
            if index > 0 { text += "\n" }
            let dot = dots[label.color] ?? StyledText(dotIn: label.color, depth)
            dots[label.color] = dot
            text += dot + StyledText(" \(line)")
        }
        return text
    }
}

extension LabelColor {
    /// The colour as `#FF5722 deep orange`, or only its digits if it has no name in the palette.
    var words: String { self.paletteName.map { "\(self.hex) \($0)" } ?? self.hex }
}

extension Context {
    /// Prints the result of a change; returns `.partial` if reminders in read-only lists still have the label.
    fileprivate func answer(
        _ operation: LabelChangeResult,
        _ verb: (past: String, plan: String),
        _ target: String = ""
    ) throws -> ExitStatus {
        let status = operation.kept.isEmpty ? ExitStatus.success : .partial
        if self.isJSON {
            try self.output.print(json: operation)
            return status
        }
        if self.isDryRun { self.output.remark("Dry run: nothing is changed.") }
        let count = operation.changed.count
        let places = count == 0 ? "; no reminder has it" : ", in \(count.counted("reminder"))"
        let name = Sanitizer.line(operation.name)
        try self.output.note("\(self.isDryRun ? "Would \(verb.plan)" : verb.past) the label \(name)\(target)\(places)")
        for reminder in self.isDryRun ? operation.changed : [] {
            try self.output.note("  \(reminder.id): \(Sanitizer.line(reminder.title))")
        }
        for feed in operation.feeds {
            self.output.remark("Feed \(feed) still uses the label \(name). 'remindav feed revoke \(feed)' revokes it.")
        }
        if let run = operation.run { self.output.remark("'remindav undo --run \(run)' reverts this.") }
        for kept in operation.kept {
            self.output.complain(
                """
                \(kept.count.counted("reminder")) of the list '\(Sanitizer.line(kept.list))' \
                \(kept.count == 1 ? "keeps" : "keep") the label, because the list is read-only.
                """
            )
        }
        return status
    }
}

struct AddLabel: Command {
    static let page = CommandPage(
        name: "labels add",
        summary: "Create a label; reminders may already use its name",
        operands: [Operand("NAME", .once, "The name of the label")],
        options: [
            Option("--color", value: "COLOR", "Its colour; default: deep orange"),
            .json,
        ],
        details: """
            Label names ignore case. COLOR is six hexadecimal digits such as '#4CAF50', a name
            from below such as 'light blue' or light-blue, or another colour name of CSS such as
            tomato.

            \(LabelFields.paletteText)
            """,
        examples: [
            "remindav labels add Work": "a label in deep orange",
            "remindav labels add Garden --color '#4CAF50'": "a green label",
        ],
        exits: [.locked]
    )

    let name: String
    let color: LabelColor?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try ArgumentValues.label(arguments.operand("NAME"))
        self.color = try arguments.value("--color") { text throws(UsageError) in
            try ArgumentValues.color(text)
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let label = try context.useCases(.create).addLabel(named: self.name, color: self.color)
        let dot = StyledText(dotIn: label.color, context.output.colorDepth)
        let words = StyledText(" \(Sanitizer.line(label.name)), \(label.color.words)")
        return try context.answer(label, note: "Created the label " + dot + words)
    }
}

enum LabelFields {
    /// The name of an existing label, which may exceed the maximum length of new names.
    static func existing(_ text: String) throws(UsageError) -> String {
        try ArgumentValues.name(text, of: "A label's name")
    }

    static let paletteText: String = {
        let names = LabelColor.palette.map { "\($0.color.hex) \($0.name)" }
        var lines = ["Matching colours:"]
        for row in stride(from: 0, to: names.count, by: 4) {
            let cells = names[row..<min(row + 4, names.count)].map { DisplayWidth.pad($0, to: 20) }
            lines.append((cells.joined()).trimmingWhiteSpace)
        }
        return lines.joined(separator: "\n")
    }()
}

struct RenameLabel: Command {
    static let page = CommandPage(
        name: "labels rename",
        summary: "Rename a label in all its reminders",
        operands: [Operand("OLD", .once, "The current name"), Operand("NEW", .once, "The new name")],
        options: [.dryRun, .json],
        details: """
            The label keeps its colour and feeds. Nothing else in a reminder is changed, and the next
            sync sends the change. Reminders in read-only lists keep the old name.
            """,
        examples: ["remindav labels rename Work Office": "renames the label Work to Office"],
        exits: [.partial, .notFound, .locked],
        meanings: [.notFound: "no such label"]
    )

    let old: String
    let new: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.old = try LabelFields.existing(arguments.operand("OLD"))
        self.new = try ArgumentValues.label(arguments.operand("NEW"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let operation = try context.useCases().renameLabel(self.old, to: self.new, isDryRun: context.isDryRun)
        if operation.name == self.new, operation.changed.isEmpty, operation.kept.isEmpty, !context.isJSON {
            let name = Sanitizer.line(operation.name)
            try context.output.note("The label \(name) already has this name; nothing was changed")
            return .success
        }
        let target = " to \(Sanitizer.line(self.new))"
        return try context.answer(operation, ("Renamed", "rename"), target)
    }
}

struct RecolorLabel: Command {
    static let page = CommandPage(
        name: "labels recolor",
        summary: "Change the colour of a label",
        operands: [
            Operand("NAME", .once, "The name of the label"),
            Operand("COLOR", .once, "Six hexadecimal digits after a '#', or a colour name"),
        ],
        options: [.json],
        details: LabelFields.paletteText,
        examples: ["remindav labels recolor Garden '#4CAF50'": "green"],
        exits: [.notFound, .locked],
        meanings: [.notFound: "no such label"]
    )

    let name: String
    let color: LabelColor

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try LabelFields.existing(arguments.operand("NAME"))
        self.color = try ArgumentValues.color(arguments.operand("COLOR"), called: "A colour")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let label = try context.useCases().recolorLabel(self.name, to: self.color)
        let dot = StyledText(dotIn: label.color, context.output.colorDepth)
        let words = StyledText(" \(Sanitizer.line(label.name)) is \(label.color.words) now")
        return try context.answer(label, note: "The label " + dot + words)
    }
}

struct MergeLabels: Command {
    static let page = CommandPage(
        name: "labels merge",
        summary: "Replace one label with another",
        operands: [
            Operand("OLD", .once, "The label to remove"),
            Operand("NEW", .once, "The label that replaces it"),
        ],
        options: [.dryRun, .json],
        details: """
            NEW keeps its colour. A reminder with both labels keeps NEW. Reminders in read-only lists
            keep the old label.
            """,
        examples: ["remindav labels merge Job Work": "replaces Job with Work in all reminders"],
        exits: [.partial, .notFound, .locked],
        meanings: [.notFound: "no such label"]
    )

    let old: String
    let new: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.old = try LabelFields.existing(arguments.operand("OLD"))
        self.new = try LabelFields.existing(arguments.operand("NEW"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let operation = try context.useCases().mergeLabel(self.old, into: self.new, isDryRun: context.isDryRun)
        let target = " into \(Sanitizer.line(operation.label?.name ?? self.new))"
        return try context.answer(operation, ("Merged", "merge"), target)
    }
}

struct DeleteLabel: Command {
    static let page = CommandPage(
        name: "labels delete",
        summary: "Delete a label; its reminders stay",
        operands: [Operand("NAME", .once, "The name of the label")],
        options: [.dryRun, .yes, .json],
        details: """
            The label is removed from all its reminders; nothing else in them is changed. Reminders
            in read-only lists keep it. 'remindav undo' restores it.
            """,
        examples: ["remindav labels delete Work": "asks, then removes the label"],
        exits: [.partial, .notFound, .locked],
        meanings: [.notFound: "no such label"]
    )

    let name: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = try LabelFields.existing(arguments.operand("NAME"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        if !context.isSure, !context.isDryRun {
            let plan = try useCases.deleteLabel(self.name, isDryRun: true)
            guard try context.agrees(Self.question(plan)) else { return .success }
        }
        let operation = try useCases.deleteLabel(self.name, isDryRun: context.isDryRun)
        return try context.answer(operation, ("Deleted", "delete"))
    }

    private static func question(_ plan: LabelChangeResult) -> String {
        let name = Sanitizer.line(plan.name)
        let count = plan.changed.count
        return """
            Are you sure you want to delete '\(name)'? Reminders with this label will keep their data but lose the label \
            association.\(count == 0 ? "" : " It is removed from \(count.counted("reminder")).")
            """
    }
}

import Bridge

/// `conflicts`: shows the values that lost when both sides changed the same thing.
struct ShowConflicts: Command {
    static let page = CommandPage(
        name: "conflicts",
        group: .servers,
        summary: "Show what lost when both sides changed the same thing",
        usage: ["[--json]"],
        options: [.json],
        details: [
            """
            Nothing is waiting for an answer: each conflict is decided. If the other value
            was the right one, put it back with 'remindav edit'.
            """
        ],
        examples: [.init("remindav conflicts", "the newest first")]
    )

    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let conflicts = try context.useCases().conflicts()
        if self.isJSON {
            try context.output.print(.array(conflicts.map { JSON($0) }))
        } else if conflicts.isEmpty {
            try context.output.print("No conflicts")
        } else {
            var text = StyledText()
            for (index, conflict) in conflicts.enumerated() {
                if index > 0 { text += "\n\n" }
                let number = conflict.reminder.map { "\($0)" } ?? "gone"
                text += StyledText(
                    "\(number): \(Sanitizer.line(conflict.title)) (\(Sanitizer.line(conflict.list)))",
                    .heading
                )
                let loser = conflict.lostSide == "here" ? "from here" : "from the server"
                text += StyledText("\n  decided  \(Sanitizer.line(conflict.decidedAt))")
                text += StyledText("\n  kept     \(self.value(conflict.kept, conflict.property))")
                text += StyledText("\n  lost     \(self.value(conflict.lost, conflict.property)) (\(loser))")
            }
            try context.output.print(text)
        }
        return .success
    }

    private func value(_ line: String, _ property: String) -> String {
        line.isEmpty ? "no \(Sanitizer.line(property))" : Sanitizer.line(line)
    }
}

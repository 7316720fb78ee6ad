import Bridge

/// `conflicts`: shows the values that lost when both sides changed the same thing.
struct ShowConflicts: Command {
    static let page = CommandPage(
        name: "conflicts",
        group: .servers,
        summary: "Show what lost when both sides changed the same thing",
        usage: ["[--all] [--json]"],
        options: [Option("--all", "Those too that were restored or dismissed"), .json],
        details: [
            """
            Nothing is waiting for an answer: each conflict is decided. If the other value
            was the right one, 'remindav conflicts restore' puts it back; if not,
            'remindav conflicts dismiss' takes it from this list.
            """
        ],
        examples: [.init("remindav conflicts", "the newest first")]
    )

    let showsAll: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.showsAll = arguments.flag("--all")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let conflicts = try context.useCases().conflicts(includingSettled: self.showsAll)
        if self.isJSON {
            try context.output.print(.array(conflicts.map { JSON($0) }))
        } else if conflicts.isEmpty {
            try context.output.print("No conflicts")
        } else {
            var text = StyledText()
            for (index, conflict) in conflicts.enumerated() {
                if index > 0 { text += "\n\n" }
                text += Self.text(conflict)
            }
            try context.output.print(text)
        }
        return .success
    }

    private static func text(_ conflict: ConflictView) -> StyledText {
        let reminder = conflict.reminder.map { "reminder \($0), \(conflict.title)" } ?? "a reminder that is gone"
        var text = StyledText(
            "\(conflict.number): \(conflict.field) of \(Sanitizer.line(reminder)) (\(Sanitizer.line(conflict.list)))",
            .heading
        )
        let isHereLost = conflict.lostSide == "here"
        let (here, server) = isHereLost ? (conflict.lost, conflict.kept) : (conflict.kept, conflict.lost)
        let settled = conflict.settledAt.map { ", settled \(Sanitizer.line($0))" } ?? ""
        text += StyledText("\n  here     \(self.value(here))\(isHereLost ? "" : " (kept)")")
        text += StyledText("\n  server   \(self.value(server))\(isHereLost ? " (kept)" : "")")
        text += StyledText("\n  decided  \(Sanitizer.line(conflict.decidedAt))\(settled)")
        text += StyledText("\n  property \(self.place(conflict))")
        return text
    }

    private static func place(_ conflict: ConflictView) -> String {
        let part = conflict.isOfAlarm ? " of an alarm" : ""
        let occurrence = conflict.occurrence.map { " of the occurrence \($0)" } ?? ""
        return Sanitizer.line("\(conflict.property)\(part)\(occurrence)")
    }

    private static func value(_ text: String) -> String { text.isEmpty ? "nothing" : "'\(Sanitizer.line(text))'" }
}

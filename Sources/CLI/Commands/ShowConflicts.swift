import Bridge

/// `conflicts`: shows the values that lost when both sides changed the same thing.
struct ShowConflicts: Command {
    static let page = CommandPage(
        name: "conflicts",
        group: .servers,
        summary: "Show what lost when both sides changed the same thing",
        usage: ["[--all] [--raw] [--json]"],
        options: [
            Option("--all", "Those too that were restored or dismissed"),
            Option("--raw", "Values as iCalendar has them, and which property it is"), .json,
        ],
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
    let isRaw: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.showsAll = arguments.flag("--all")
        self.isRaw = arguments.flag("--raw")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let conflicts = try context.useCases().conflicts(includingSettled: self.showsAll)
        if self.isJSON {
            try context.output.print(json: conflicts)
        } else if conflicts.isEmpty {
            try context.output.print("No conflicts")
        } else {
            let local = LocalText(zone: try context.localZone(), now: context.now)
            let words = ConflictFormatter(text: local, isRaw: self.isRaw)
            var text = StyledText()
            for (index, conflict) in conflicts.enumerated() {
                if index > 0 { text += "\n\n" }
                text += words.paragraph(conflict)
            }
            try context.output.print(text)
        }
        return .success
    }
}

import Bridge
import DatePhrases

struct ShowConflicts: Command {
    static let page = CommandPage(
        name: "conflicts",
        group: .servers,
        summary: "Show values that lost a conflict in a sync",
        usage: ["[--all] [--raw] [--json]"],
        options: [
            Option("--all", "Include restored and dismissed conflicts"),
            Option("--raw", "Show iCalendar values and property names"), .json,
        ],
        details: [
            """
            Every conflict is already decided. If the other value is correct, 'remindav conflicts
            restore' restores it. Otherwise 'remindav conflicts dismiss' removes the conflict from
            this list.
            """
        ],
        examples: [.init("remindav conflicts", "newest first")]
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

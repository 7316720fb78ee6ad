import RemindavBridge
import RemindavReminders

/// The page of `remindav` without a command: the reminders for today and the next ones, or the first steps.
struct ShowOverview: Command {
    static let page = CommandPage(name: "", summary: "Show the reminders for today and the next ones")

    /// The least number of reminders that are shown after those for today.
    private static let nextCount = 5
    /// The number of rows on a screen for headings, remarks and the prompt.
    private static let otherRows = 12

    init() {}
    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        // A missing store counts as empty, also if the user named its folder.
        let useCases = try context.useCases(.temporary)
        let listing = try useCases.listing(ReminderFilter(), detail: .line)
        let reminders = listing.reminders
        let hidden = listing.hiddenCount
        let later = hidden > 0 ? "\(hidden) start\(hidden == 1 ? "s" : "") later: 'remindav list --not-started'. " : ""
        guard !reminders.isEmpty else {
            let isNew = try useCases.reminderCount() == 0
            let words = hidden > 0 ? "No open reminder has started. \(later)" : "No reminder is open. "
            try context.output.print(
                advice: isNew ? Self.firstSteps : StyledText("\(words)'remindav help' shows commands.")
            )
            return .success
        }
        let today = reminders.prefix { $0.section == .today }.count
        let room = (context.output.answers.rows ?? 0) - Self.otherRows
        let shown = Array(reminders.prefix(max(today + Self.nextCount, room)))
        if today == 0 { try context.output.print("Nothing is due today.\n") }
        try context.output.print(list: shown, ListPrinter(in: context, useCases))
        let rest = reminders.count - shown.count
        let more = rest > 0 ? "\(rest) more: 'remindav list'. " : ""
        try context.output.print(advice: StyledText("\n\(more)\(later)All commands: 'remindav help'."))
        return .success
    }

    private static let firstSteps: StyledText = """
        There are no reminders yet. The first steps:
          remindav add 'Buy milk tomorrow 9am'  adds a reminder
          remindav list                         shows the reminders
          remindav setup                        sets up notifications and an account
          remindav help                         shows the most used commands
        """
}

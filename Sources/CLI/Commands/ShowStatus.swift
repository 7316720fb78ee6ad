import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavNotifications
import RemindavReminders

struct ShowStatus: Command {
    static let page = CommandPage(
        name: "status",
        summary: "Show the next alarm and the last sync of each account",
        options: [.json],
        details: """
            Shows the next alarm, the number of future and of unacknowledged alarms, failed
            notifications, and the last sync of each account. No server is contacted.
            """,
        examples: [
            "remindav status": "alarms and accounts",
            "remindav status --json": "for a status bar",
        ]
    )

    let isJSON: Bool
    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let report = try context.useCases().status(settings: context.settings.alarms, muted: context.settings.muted)
        if self.isJSON {
            try context.output.print(json: report)
        } else {
            let text = LocalText(zone: try context.localZone(), now: context.now)
            try context.output.print(Table.text(Self.rows(report, text)))
        }
        return .success
    }

    private static func rows(_ report: StatusReport, _ text: LocalText) -> [[String]] {
        let next = report.next.map {
            "\(text.long($0.alarm.fires)): \($0.reminder)  \(Sanitizer.title($0.alarm.title))"
        }
        return [
            ["next alarm", next ?? "none"], ["pending", String(report.pending)],
            ["unacknowledged", String(report.unacknowledged)],
        ] + (report.unshown.map { [["not shown", self.text($0, text)]] } ?? [])
            + (report.unplanned.isEmpty ? [] : [["not planned", self.unplanned(report.unplanned)]])
            + report.accounts.map { ["account", self.text($0, text)] }
    }

    /// The maximum number of reminders that one line names; there may be thousands.
    private static let mostNamed = 5

    private static func unplanned(_ reminders: [Int64]) -> String {
        let names = reminders.prefix(Self.mostNamed).map(String.init).joined(separator: ", ")
        let rest = reminders.count - Self.mostNamed
        return "\(names)\(rest > 0 ? " and \(rest) more" : ""): the repeat rule takes too long to compute"
    }

    private static func text(_ failure: DeliveryFailure, _ text: LocalText) -> String {
        "\(failure.count) since \(text.short(failure.since)). \(Sanitizer.line(failure.description))"
    }

    private static func text(_ account: StatusReport.Account, _ text: LocalText) -> String {
        let verb = account.error == nil ? "synced" : "tried"
        let sync = account.lastSync.map { "\(verb) \(text.short($0))" }
        var words = "\(account.name): " + (sync ?? (account.wasSynced ? "not synced for 30 days" : "never synced"))
        if let error = account.error { words += ", incomplete (\(ErrorCategoryName.shown(error)))" }
        if account.unsent > 0 { words += ", \(account.unsent) not sent" }
        if let until = account.restsUntil { words += ", waits until \(text.short(until))" }
        return words
    }
}

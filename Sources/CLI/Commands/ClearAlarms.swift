import RemindavBridge

struct ClearAlarms: Command {
    static let page = CommandPage(
        name: "alarms clear",
        summary: "Acknowledge all alarms that have fired",
        options: [Option("--yes", short: "y", "Do not ask; required without a terminal"), .json],
        details: """
            Acknowledges every alarm that has fired. Notifications on this desktop close; other
            devices follow with the next sync. No reminder is completed. Later alarms, the next
            date of a repeating reminder and the end of a snooze are not affected. 'remindav
            undo' reverts the whole command.

            'remindav status' shows the number of alarms. Alarms in read-only lists stay
            unacknowledged.
            """,
        examples: ["remindav alarms clear": "shows the number, asks, then acknowledges them"],
        exits: [.partial, .locked]
    )

    let isSure: Bool
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.isSure = arguments.flag("--yes")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        if !self.isSure {
            let plan = try self.clear(useCases, context, isDryRun: true)
            guard try plan.cleared.isEmpty || context.confirm(Self.question(plan)) else {
                try context.output.note("Nothing was changed")
                return .success
            }
        }
        let clearing = try self.clear(useCases, context, isDryRun: false)
        try self.report(clearing, context.output)
        if clearing.kept.isEmpty { return .success }
        return clearing.cleared.isEmpty ? .failure : .partial
    }

    private func clear(_ useCases: UseCases, _ context: Context, isDryRun: Bool) throws -> AlarmClearing {
        try useCases.clearAlarms(
            // This time is before the question, so alarms that fire while the user answers stay unacknowledged.
            upTo: context.now,
            settings: context.settings.alarms,
            muted: context.settings.muted,
            isDryRun: isDryRun
        )
    }

    private static func question(_ plan: AlarmClearing) -> String {
        let count = plan.cleared.count
        return count == 1
            ? "1 reminder has an unacknowledged alarm. Acknowledge it?"
            : "\(count) reminders have unacknowledged alarms. Acknowledge them?"
    }

    private func report(_ clearing: AlarmClearing, _ output: Output) throws(OutputError) {
        if self.isJSON {
            try output.print(json: clearing)
        } else if clearing.cleared.isEmpty, clearing.kept.isEmpty {
            try output.print("There are no unacknowledged alarms")
        } else if !clearing.cleared.isEmpty {
            let count = clearing.cleared.count.counted("reminder")
            try output.note(advice: StyledText("Cleared the alarms of \(count). 'remindav undo' reverts this."))
        }
        for kept in clearing.kept {
            output.complain(
                """
                \(kept.count.counted("reminder")) of the list '\(Sanitizer.line(kept.list))' \
                \(kept.count == 1 ? "keeps its alarm" : "keep their alarms"): the list is read-only.
                """
            )
        }
    }
}

import Bridge

/// `snooze ID [5m|15m|30m|1h]`: puts a reminder off, counted from now.
struct SnoozeReminder: Command {
    static let page = CommandPage(
        name: "snooze",
        group: .reminders,
        summary: "Put a reminder off for a while",
        usage: ["ID [5m|15m|30m|1h] [--json]"],
        operands: [
            Operand("ID", .once, "The number in front of its title in 'remindav list'"),
            Operand("5m", .optional, "For how long, from now: 5m, 15m, 30m or 1h; else as the settings say"),
        ],
        options: [.json],
        examples: [.init("remindav snooze 12 15m", "it comes back in 15 minutes")],
        exits: [.notFound, .locked]
    )

    /// The choices and their seconds.
    static let presets: [(word: String, seconds: Int64)] = [("5m", 300), ("15m", 900), ("30m", 1800), ("1h", 3600)]

    let id: Int64
    /// `nil` for what the settings say.
    let word: String?
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.id = try Fields.number(arguments.operand("ID"), of: "reminder")
        self.word = arguments.optionalOperand()?.lowercased()
        self.isJSON = arguments.flag("--json")
        if let word { _ = try Self.seconds(word) }
    }

    func run(in context: Context) async throws -> ExitStatus {
        guard let word = self.word ?? context.settings.snooze else {
            throw UsageError(
                .missingOperand,
                "5m, 15m, 30m or 1h is missing. A line 'snooze = 15m' in the settings makes it unnecessary.",
                command: Self.page.name
            )
        }
        let reminder = try context.useCases().snooze(self.id, seconds: Self.seconds(word))
        if self.isJSON {
            try context.output.print(JSON(reminder))
        } else {
            try Confirmation(context: context).say("Snoozed", reminder)
        }
        return .success
    }

    private static func seconds(_ word: String) throws(UsageError) -> Int64 {
        guard let preset = self.presets.first(where: { $0.word == word }) else {
            throw UsageError(.badValue, "A reminder is snoozed for 5m, 15m, 30m or 1h, not '\(word)'.")
        }
        return preset.seconds
    }
}

import Bridge

/// `snooze ID 5m|15m|30m|1h`: puts a reminder off, counted from now.
struct SnoozeReminder: Command {
    static let page = CommandPage(
        name: "snooze",
        group: .reminders,
        summary: "Put a reminder off for a while",
        usage: ["ID 5m|15m|30m|1h"],
        operands: [
            Operand("ID", .once, "The number in front of its title in 'remindav list'"),
            Operand("5m", .once, "For how long, from now: 5m, 15m, 30m or 1h"),
        ],
        examples: [.init("remindav snooze 12 15m", "it comes back in 15 minutes")],
        exits: [.notFound, .locked]
    )

    /// The choices and their seconds.
    static let presets: [(word: String, seconds: Int64)] = [("5m", 300), ("15m", 900), ("30m", 1800), ("1h", 3600)]

    let id: Int64
    let seconds: Int64

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.id = try Fields.number(arguments.operand("ID"), of: "reminder")
        let word = try arguments.operand("5m, 15m, 30m or 1h")
        guard let preset = Self.presets.first(where: { $0.word == word.lowercased() }) else {
            throw UsageError(.badValue, "A reminder is snoozed for 5m, 15m, 30m or 1h, not '\(word)'.")
        }
        self.seconds = preset.seconds
    }

    func run(in context: Context) async throws -> ExitStatus {
        let reminder = try context.useCases().snooze(self.id, seconds: self.seconds)
        try Confirmation(context: context).say("Snoozed", reminder)
        return .success
    }
}

import Bridge
import ICalendar

/// `snooze ID [WHEN]`: puts a reminder off.
struct SnoozeReminder: Command {
    static let page = CommandPage(
        name: "snooze",
        group: .reminders,
        summary: "Put a reminder off for a while",
        usage: ["ID [WHEN] [--json]"],
        operands: [
            Operand("ID", .once, "The number in front of its title in 'remindav list'"),
            Operand("WHEN", .optional, "For how long, or until when; else as the settings say"),
        ],
        options: [.json],
        details: [
            """
            WHEN is a length of time, such as 15m, 2h or 'in 3 days', or a moment, such as
            'tomorrow 9am' or friday. It needs no quotation marks here. A length counts from
            now. A day without a time ends when what is due on a day rings. The due time stays.
            """
        ],
        examples: [
            .init("remindav snooze 12 15m", "it comes back in 15 minutes"),
            .init("remindav snooze 12 tomorrow 9am", "it comes back then"),
        ],
        exits: [.notFound, .locked]
    )

    /// The lengths that a shell offers.
    static let presets = ["5m", "15m", "30m", "1h"]

    let id: Int64
    /// `nil` for what the settings say.
    let when: When?
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.id = try ArgumentValues.number(arguments.operand("ID"), of: "reminder")
        var words: [String] = []
        while let word = arguments.optionalOperand() { words.append(word) }
        self.when = try words.isEmpty ? nil : When(words.joined(separator: " "))
        self.isJSON = arguments.flag("--json")
        if self.when == .absent {
            throw UsageError(.badValue, "A reminder is put off for a time, or until one: '15m', 'tomorrow 9am'.")
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        guard let when = try self.when ?? context.settings.snooze.map({ text throws(UsageError) in try When(text) })
        else {
            throw UsageError(
                .missingOperand,
                """
                WHEN is missing, such as 15m or 'tomorrow 9am'. A line 'snooze = 15m' in the settings makes it \
                unnecessary.
                """,
                command: Self.page.name
            )
        }
        let until = try self.end(when, in: context)
        let reminder = try context.useCases().snooze(self.id, until: until)
        if self.isJSON {
            try context.output.print(json: reminder)
        } else {
            try Confirmation(context: context).say("Snoozed", reminder)
        }
        return .success
    }

    /// - Throws: when it is not after now, or further away than anything is put off.
    private func end(_ when: When, in context: Context) throws -> Instant {
        let until: Instant
        switch when {
        // To the second: five minutes are five minutes.
        case .later(let seconds): until = context.now.adding(seconds: seconds)
        case .day, .exact, .absent:
            let zone = try context.localZone()
            switch when.resolved(now: context.now, zone: zone) {
            case .date(let day)?: until = zone.instant(day, context.settings.alarmTime)
            case .local(let day, let time)?: until = zone.instant(day, time)
            case .exact(let instant)?: until = instant
            case nil: until = context.now
            }
            guard until > context.now else {
                let text = LocalText(zone: zone, now: context.now).short(until)
                throw UsageError(
                    .mustBeInFuture,
                    "A reminder is put off until later than now: \(text) is over. Give a later day or time."
                )
            }
        }
        guard until <= context.now.adding(seconds: Int(UseCases.longestSnooze)) else {
            throw UsageError(.badValue, "Nothing is put off for more than a hundred years.", command: Self.page.name)
        }
        return until
    }
}

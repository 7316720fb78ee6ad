import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

struct SnoozeReminder: Command {
    static let page = CommandPage(
        name: "snooze",
        summary: "Postpone the alarms of reminders",
        usage: ["ID... [WHEN] [--yes] [--json]", "FILTER... [WHEN] [--yes] [--json]"],
        operands: [
            ReminderSelection.operand,
            Operand("WHEN", .optional, "A duration or a time; default: the setting 'snooze'"),
        ],
        options: FilterOptions.options + [.confirmation, .json],
        details: """
            \(ReminderSelection.details)

            WHEN is a duration from now, such as 15m, 2h or 'in 3 days', or a time, such as
            'tomorrow 9am' or friday. Quotation marks are optional. For a day without a
            time, the snooze ends at the time of the setting 'alarm-time'. The due time does not
            change.
            """,
        examples: [
            "remindav snooze 12 15m": "notifies again in 15 minutes",
            "remindav snooze 12 tomorrow 9am": "notifies again tomorrow at 9",
            "remindav snooze 3,5 7-9 1h": "postpones five reminders",
        ],
        exits: [.partial, .notFound, .locked]
    )

    /// The durations that TAB completion offers.
    static let presets = ["5m", "15m", "30m", "1h"]

    let selection: ReminderSelection
    let when: When?

    init(_ arguments: inout Arguments) throws(UsageError) {
        try arguments.readFilterWords()
        let filter = try FilterOptions(arguments)
        var words = arguments.optionalOperands()
        if filter.isEmpty {
            (words, self.when) = try Self.split(words)
        } else {
            self.when = try words.isEmpty ? nil : ArgumentValues.when(words.joined(separator: " "))
            words = []
        }
        self.selection = try ReminderSelection(words, filter: filter)
        if self.when == .absent || self.when == .later(seconds: 0) {
            throw UsageError(.badValue, "Give a duration or a time: '15m', 'tomorrow 9am'.")
        }
    }

    /// Splits the operands into the words of ID and those of WHEN, which is as long as possible.
    private static func split(_ words: [String]) throws(UsageError) -> (ids: [String], when: When?) {
        for start in words.indices.dropFirst() {
            if let when = try? When(words[start...].joined(separator: " ")) { return (Array(words[..<start]), when) }
        }
        let numbers = words.prefix(while: NumberList.isNumber)
        if !numbers.isEmpty, numbers.count < words.count {
            return (Array(numbers), try ArgumentValues.when(words[numbers.count...].joined(separator: " ")))
        }
        if let last = words.last, numbers.count > 1 {
            throw UsageError(
                .badValue,
                """
                It is not clear whether '\(last)' is an ID or a duration. Write several IDs with commas \
                (\(words.joined(separator: ","))), and a duration with its unit (\(last)m).
                """
            )
        }
        return (words, nil)
    }

    func run(in context: Context) async throws -> ExitStatus {
        guard let when = try self.when ?? context.settings.snooze.map({ try ArgumentValues.when($0) }) else {
            throw UsageError(
                .missingOperand,
                """
                WHEN is missing. Give a duration or a time such as 15m or 'tomorrow 9am', or add a line such as \
                'snooze = 15m' to the settings file.
                """,
                command: Self.page.name
            )
        }
        let until = try self.end(when, in: context)
        let words = SelectedAction.Words(command: Self.page.name, verb: "Snooze")
        let action = try SelectedAction(self.selection, words, in: context)
        return try action.perform(
            .snooze(until: until),
            on: action.numbers(),
            asObject: true,
            json: \.completion.reminder
        ) { outcome in
            try Confirmation(context: context).print("Snoozed", outcome.completion.reminder)
        }
    }

    private func end(_ when: When, in context: Context) throws -> Instant {
        let (zone, dayTime) = (try context.localZone(), context.settings.alarms.dayTime)
        do throws(PhraseError) {
            return try when.endOfSnooze(now: context.now, zone: zone, dayTime: dayTime, longest: UseCases.longestSnooze)
        } catch {
            throw UsageError(error, command: Self.page.name)
        }
    }
}

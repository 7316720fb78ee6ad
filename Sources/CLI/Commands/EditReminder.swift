import Bridge
import DatePhrases
import ICalendar
import Reminders

struct EditReminder: Command {
    static let page = CommandPage(
        name: "edit",
        summary: "Change a reminder",
        usage: [
            "ID [--title TEXT] [--notes TEXT] [--due WHEN] [--repeat HOW] [--label NAME]...",
            "[--priority low|medium|high] [--alarm WHEN]... [--list NAME]",
            "\(LineOptions.usage)[--json]",
        ],
        operands: [Operand("ID", .once, "The number before its title in 'remindav list'")],
        options: [
            Option("--title", short: "t", value: "TEXT", "The new title"),
            Option("--notes", value: "TEXT", "The new notes; '-' reads them from standard input"),
            Option("--due", short: "d", value: "WHEN", "The new due time"),
            Option("--repeat", value: "HOW", "How it repeats, such as daily or 'every 2 weeks on mon,thu'"),
            Option("--label", short: "l", value: "NAME", occurs: .many, "The new labels; they replace all others"),
            Option("--priority", short: "p", value: "HOW", "low, medium or high"),
            .alarm,
            Option("--list", value: "NAME", "The new list"),
        ] + LineOptions.options + [
            .json
        ],
        details: """
            'none' clears the notes, due date, repetition, labels, priority, location or alarms.
            Fields without an option stay unchanged, including data of other programs.

            Without an option the reminder opens in your editor: VISUAL, or EDITOR, or vi. Save
            and quit to apply your changes. If a line is not valid, an error names it and you can
            edit again. Changes that a sync or another program made meanwhile are kept. If they
            concern the same field, nothing is changed and your text is saved in a file.

            \(HelpText.fields)
            """,
        examples: [
            "remindav edit 12 --title 'Buy groceries' --due 'tomorrow 10:00'": "changes the title and the due time",
            "remindav edit 12 --alarm 1h": "replaces all alarms by one, an hour before",
            "remindav edit 12": "opens the reminder in your editor",
            "remindav edit 12 --repeat none --label none": "removes the repetition and all labels",
        ],
        exits: [.notFound, .locked, .conflict, .interrupted]
    )

    let id: Int64
    /// The changes of all fields except ``notes``, ``when`` and ``alarms``, which are computed in ``run(in:)``.
    let change: ReminderChange
    let notes: NotesChoice
    let when: When?
    let alarms: FieldChange<[AlarmPhrase]>

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.id = try ArgumentValues.number(arguments.operand("ID"), of: "reminder")
        var change = ReminderChange()
        change.title = try arguments.value("--title", ArgumentValues.title)
        self.notes = NotesChoice(arguments.value("--notes"))
        self.when = try arguments.value("--due", ArgumentValues.when)
        if let rule = try arguments.value("--repeat", ArgumentValues.repeatRule) {
            change.recurrenceRule = rule.map { .set($0) } ?? .clear
        }
        change.labels = try ArgumentValues.labelChange(arguments.values("--label"))
        change.priority = try arguments.value("--priority", ArgumentValues.priority).map { .set($0) } ?? .keep
        change.list = try arguments.value("--list", ArgumentValues.listName)
        LineOptions(&arguments).apply(to: &change)
        self.change = change
        self.alarms = try ArgumentValues.alarmChange(arguments.values("--alarm"))
    }

    func run(in context: Context) async throws -> ExitStatus {
        if self.change.isEmpty, self.notes == .keep, self.when == nil, self.alarms == .keep {
            return try self.openEditor(in: context)
        }
        var change = self.change
        change.notes = try self.notes.change(in: context)
        if let when = self.when {
            // A past date is not refused here, because the use case accepts it if it is the old date of the reminder.
            let zone = try context.localZone()
            let due = when.resolved(now: context.now, zone: zone)?.moment(localZone: zone.name)
            change.due = due.map { .set($0) } ?? .clear
        }
        var alarms: [AlarmChoice]?
        if self.alarms != .keep {
            change.alarms = try self.alarms.resolved(in: context, context.localZone())
            if case .set(let choices) = change.alarms { alarms = choices } else { alarms = [] }
        }
        let useCases = try context.useCases()
        let old = try useCases.reminder(self.id)
        let reminder = try useCases.edit(self.id, change)
        let withRule = change.recurrenceRule != .keep
        return try context.answer(reminder) { _ in
            try Confirmation(context: context).print(from: old, to: reminder, withRule: withRule, alarms: alarms)
            if self.when != nil { try Confirmation(context: context).warnOfSilence(reminder, useCases) }
        }
    }

    private func openEditor(in context: Context) throws -> ExitStatus {
        guard context.isInteractive, context.output.answers.isTerminal else {
            let names = ReminderField.settable.compactMap(\.option).map { "--\($0.name)" }
            throw UsageError(
                .nothingToChange,
                """
                There is nothing to change, and there is no terminal for an editor. \
                Give \(names.listed("or")).
                """,
                command: Self.page.name
            )
        }
        let useCases = try context.useCases()
        let session = EditingSession(context: context, useCases: useCases, base: try useCases.reminder(self.id))
        switch try session.run() {
        case .unchanged where context.isJSON: try context.output.print(json: session.base)
        case .unchanged: try context.output.note("Nothing was changed")
        case .changed(_, let reminder, _) where context.isJSON: try context.output.print(json: reminder)
        case .changed(let old, let reminder, let change):
            let withRule = change.recurrenceRule != .keep
            try Confirmation(context: context).print(from: old, to: reminder, withRule: withRule)
            if change.due != .keep { try Confirmation(context: context).warnOfSilence(reminder, useCases) }
        case .kept(let status): return status
        }
        return .success
    }
}

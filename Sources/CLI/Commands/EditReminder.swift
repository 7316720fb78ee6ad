import Bridge
import ICalendar
import Reminders

/// `edit ID`: changes what is named and leaves the rest as it is.
struct EditReminder: Command {
    static let page = CommandPage(
        name: "edit",
        group: .reminders,
        summary: "Change a reminder",
        usage: [
            "ID [--title TEXT] [--notes TEXT] [--due WHEN] [--repeat HOW] [--label NAME]...",
            "[--priority low|medium|high] [--alarm WHEN]... [--list NAME] [--json]",
        ],
        operands: [Operand("ID", .once, "The number in front of its title in 'remindav list'")],
        options: [
            Option("--title", short: "t", value: "TEXT", "The new title"),
            Option("--notes", value: "TEXT", "The new notes; '-' reads them from standard input"),
            Option("--due", short: "d", value: "WHEN", "When it is due"),
            Option("--repeat", value: "HOW", "How it repeats, such as daily or 'every 2 weeks on mon,thu'"),
            Option("--label", short: "l", value: "NAME", occurs: .many, "All its labels: those not named here go"),
            Option("--priority", short: "p", value: "HOW", "low, medium or high"),
            .alarm,
            Option("--list", value: "NAME", "The list that it moves to"),
            .json,
        ],
        details: [
            """
            'none' clears notes, due, repeat, label, priority and alarm. What is not named stays
            as it is, also what other programs wrote into the reminder.
            """,
            """
            Without an option it opens in your editor: VISUAL, else EDITOR, else vi. Save and
            leave it to change what you have changed. What cannot be understood is said with
            its line, and you can edit it again. What somebody else, or a sync, changed
            meanwhile stays; where that is the same field, nothing is changed, and what you
            wrote is kept in a file.
            """,
            WhenHelp.text,
            RepeatHelp.text,
            AlarmHelp.text,
        ],
        examples: [
            .init("remindav edit 12 --title 'Buy groceries' --due 'tomorrow 10:00'", "another title, another time"),
            .init("remindav edit 12 --alarm 1h", "an alarm an hour before, in the place of the others"),
            .init("remindav edit 12", "all of it, in your editor"),
            .init("remindav edit 12 --repeat none --label none", "no longer repeats, has no label"),
        ],
        exits: [.notFound, .locked, .conflict, .interrupted]
    )

    let id: Int64
    let title: String?
    let notes: NotesChoice
    let when: When?
    let repeatRule: FieldChange<RecurrenceRule>
    let labels: FieldChange<[String]>
    let priority: FieldChange<ReminderView.Priority>
    let list: String?
    let alarms: FieldChange<[AlarmPhrase]>
    let isJSON: Bool
    /// Whether nothing is named that should change.
    let isOpen: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.id = try ArgumentValues.number(arguments.operand("ID"), of: "reminder")
        self.title = try arguments.value("--title").map { text throws(UsageError) in try ArgumentValues.title(text) }
        self.notes = NotesChoice(arguments.value("--notes"))
        self.when = try arguments.value("--due").map { text throws(UsageError) in try When(text) }
        self.repeatRule =
            try arguments.value("--repeat").map { text throws(UsageError) in
                try ArgumentValues.repeatRule(text).map { .set($0) } ?? .clear
            } ?? .keep
        self.labels = try ArgumentValues.labelChange(arguments.values("--label"))
        self.priority =
            try arguments.value("--priority").map { text throws(UsageError) in
                let priority = try ArgumentValues.priority(text)
                return priority == .undefined ? .clear : .set(priority)
            } ?? .keep
        self.list = try arguments.value("--list").map { text throws(UsageError) in
            try ArgumentValues.name(text, of: "A list's name")
        }
        self.alarms = try ArgumentValues.alarmChange(arguments.values("--alarm"))
        self.isJSON = arguments.flag("--json")
        self.isOpen =
            self.title == nil && self.notes == .keep && self.when == nil && self.list == nil
            && self.repeatRule == .keep && self.labels == .keep && self.priority == .keep
            && self.alarms == .keep
    }

    func run(in context: Context) async throws -> ExitStatus {
        guard !self.isOpen else { return try self.edit(in: context) }
        var change = ReminderEdit(
            title: self.title,
            notes: try self.notes.change(in: context),
            repeatRule: self.repeatRule,
            labels: self.labels,
            priority: self.priority,
            list: self.list
        )
        if let when = self.when {
            // That it is past is for the use case to say, which knows whether it is another time at all.
            let due = try when.resolved(now: context.now, zone: context.localZone())
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
        if self.isJSON {
            try context.output.print(json: reminder)
        } else {
            let withRule = self.repeatRule != .keep
            try Confirmation(context: context).say(from: old, to: reminder, withRule: withRule, alarms: alarms)
            if self.when != nil { try Confirmation(context: context).warnOfSilence(reminder, useCases) }
        }
        return .success
    }

    /// All of it, in an editor.
    private func edit(in context: Context) throws -> ExitStatus {
        guard context.isInteractive, context.output.answers.isTerminal else {
            throw UsageError(
                .nothingToChange,
                """
                Nothing is named that should change, and there is no terminal for an editor. \
                Give --title, --notes, --due, --repeat, --label, --priority, --alarm or --list.
                """,
                command: Self.page.name
            )
        }
        let useCases = try context.useCases()
        let session = EditingSession(context: context, useCases: useCases, base: try useCases.reminder(self.id))
        switch try session.run() {
        case .unchanged where self.isJSON: try context.output.print(json: session.base)
        case .unchanged: try context.output.note("Nothing was changed")
        case .changed(_, let reminder, _, _) where self.isJSON: try context.output.print(json: reminder)
        case .changed(let old, let reminder, let hasNewDue, let hasNewRule):
            try Confirmation(context: context).say(from: old, to: reminder, withRule: hasNewRule)
            if hasNewDue { try Confirmation(context: context).warnOfSilence(reminder, useCases) }
        case .kept(let status): return status
        }
        return .success
    }
}

import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

struct EditReminder: Command {
    static let page = CommandPage(
        name: "edit",
        summary: "Change reminders",
        usage: [
            "ID...|FILTER... [CHANGE...] [--title TEXT] [--notes TEXT] [--due WHEN]",
            "[--repeat HOW]",
            "[--label NAME]... [--priority low|medium|high] [--alarm WHEN]... [--list NAME]",
            LineOptions.usage, "[--this-date-only] [--yes] [--json]",
        ],
        operands: [
            ReminderSelection.operand,
            Operand("CHANGE", .many, "A date, a repetition, +label, -+label, @list, or p1 to p4"),
        ],
        options: [
            Option("--title", short: "t", value: "TEXT", "The new title"),
            Option("--notes", value: "TEXT", "The new notes; '-' reads them from standard input"),
            Option("--add-notes", value: "TEXT", "A text to add below the notes"),
            Option("--due", short: "d", value: "WHEN", "The new due time; +1w or -2d moves the present one"),
            Option("--repeat", value: "HOW", "How it repeats, such as daily or 'every 2 weeks on mon,thu'"),
            Option("--label", short: "l", value: "NAME", occurs: .many, "A label to add, or to remove: -NAME"),
            Option("--priority", short: "p", value: "HOW", "low, medium or high; also l, m, h and 1 to 9"),
            .alarm,
            Option("--list", value: "NAME", "The new list"),
        ] + LineOptions.options + [
            Option("--this-date-only", "Change one date of a repeating reminder, and keep the others"),
            .confirmation, .json,
        ] + FilterOptions.optionsOfEdit,
        details: """
            \(ReminderSelection.details)
            The filters --list, --label and --priority of 'list' have other names here:
            --from-list, --with-label and --from-priority.

            CHANGE after the ID or filter is a date or 'none', a repetition such as 'every monday',
            +home or -+home for a label to add or to remove, @Work for another list, or p1 to p4 for
            the priority high, medium, low or none. 'edit 12 tomorrow 9am +home p1' has three.
            After words of a title, CHANGE is as long as possible: 'edit milk friday'.

            Pairs of taskwarrior are changes too: due:friday, pri:H, project:Work, recur:weekly,
            tags:a,b, wait:monday, depends:3, status:active. An empty value clears the field.

            +1w, -2d, 'later 3h' and due+1w move each due time from its present value, and
            'in 1 week' counts from now. 'start' and 'stop' are names for --status in-progress
            and --status pending.

            'none' clears the notes, due date, start, repetition, labels, priority, location,
            link, parent or alarms. Fields without an option stay unchanged, including data of
            other programs.

            --label NAME and +NAME add a label, -NAME removes one, and 'none,NAME' replaces all
            labels. Separate several with commas. Only the first sign counts: ++NAME adds the
            label +NAME, and --label=--NAME removes the label -NAME.

            --alarm 15m replaces all alarms, --alarm +15m adds one, and --alarm -15m removes one.

            Without --this-date-only, a new due time moves the later dates of a repeating reminder
            too. With it, only the present date is moved, or gets another title, notes, labels,
            priority, alarms, location or link. 'done' then goes on to the next date of the rule.
            A start moves with a new due time and keeps its distance, unless --start sets it.

            Without a change the reminder opens in your editor: VISUAL, or EDITOR, or vi. Save
            and quit to apply your changes. If a line is not valid, an error names it and you can
            edit again. Changes that a sync or another program made meanwhile are kept. If they
            concern the same field, nothing is changed and your text is saved in a file.

            \(HelpText.fields)
            """,
        examples: [
            "remindav edit 12 friday 9am +home p1": "changes the due time and the priority, and adds a label",
            "remindav edit 12 14 +1w": "moves both due times by a week",
            "remindav edit 12 --title 'Buy groceries' --due 'tomorrow 10:00'": "changes the title and the due time",
            "remindav edit 12 --alarm 1h": "replaces all alarms by one, an hour before",
            "remindav edit 12 --alarm +15m,-1h": "adds one alarm, removes another, and keeps the rest",
            "remindav edit 12 14-16 --priority high": "changes the priority of all of them",
            "remindav edit --overdue --due today": "asks, then moves all overdue reminders to today",
            "remindav edit 12 friday --this-date-only": "postpones one date of a repeating reminder",
            "remindav edit 12": "opens the reminder in your editor",
            "remindav edit 12 --label +shop,-home": "adds one label and removes another",
            "remindav edit 12 --repeat none --label none": "removes the repetition and all labels",
        ],
        exits: [.partial, .notFound, .locked, .conflict, .interrupted]
    )

    let selection: ReminderSelection
    /// The changes of the other fields; those of ``lines``, ``notes``, the due time and ``alarms`` are computed in
    /// ``run(in:)``.
    let change: ReminderChange
    let lines: LineOptions
    let notes: NotesChoice
    let addedNotes: String?
    let when: When?
    let shift: DueShift?
    /// The word that selects the reminders as a filter, such as `+home`; `nil` for IDs, a title, or options.
    let filterWord: String?
    let repetition: RepeatPhrase?
    let alarms: FieldChange<[AlarmPhrase]>
    let alarmAdjustment: (added: [AlarmPhrase], removed: [AlarmPhrase])?

    /// Whether a due time may mean "no date" or "move it", so that `edit` refuses it.
    static func isAmbiguous(_ due: String) -> Bool { due.lowercased() == "later" }

    init(_ arguments: inout Arguments) throws(UsageError) {
        let isFiltered = try !FilterOptions(arguments, ofEdit: true).isEmpty
        self.filterWord = try arguments.readEditWords(hasFilter: isFiltered)
        let hasFilter = isFiltered || self.filterWord != nil
        // In `edit --due tomorrow 12`, the number is the reminder.
        for option in ["--due", "--start"] where arguments.hasWordsAround(option) {
            try arguments.joinPhrase(of: option) { Arguments.isDue($0) }
        }
        if arguments.hasWordsAround("--repeat") {
            try arguments.joinPhrase(of: "--repeat") { (try? ArgumentValues.repetition($0)) != nil }
        }
        try arguments.readEditTime(hasFilter: hasFilter)
        let filter = try FilterOptions(arguments, ofEdit: true)
        self.selection = try ReminderSelection(arguments.optionalOperands(), filter: filter)
        var change = ReminderChange()
        change.title = try arguments.value("--title", ArgumentValues.title)
        self.notes = NotesChoice(arguments.value("--notes"))
        self.addedNotes = arguments.value("--add-notes")
        if self.addedNotes != nil, self.notes != .keep {
            throw UsageError(.badValue, "'--notes' and '--add-notes' cannot be combined.")
        }
        if let due = arguments.value("--due"), Self.isAmbiguous(due) {
            throw UsageError(
                .badWhen,
                "'later' states no time. Write 'later 3h' to move the due time, or 'none' to remove it."
            )
        }
        self.shift = try arguments.value("--due", ArgumentValues.shift) ?? nil
        self.when = self.shift == nil ? try arguments.value("--due", ArgumentValues.when) : nil
        let repetition = try arguments.value("--repeat", ArgumentValues.repetition)
        self.repetition = repetition ?? nil
        if self.shift != nil, self.repetition != nil { throw UsageError.shiftWithRule }
        change.dueShift = self.shift
        if let repetition { change.recurrenceRule = repetition.map { .set($0.rule) } ?? .clear }
        try LabelOption(arguments.values("--label")).apply(to: &change)
        change.priority = try arguments.value("--priority", ArgumentValues.priority).map { .set($0) } ?? .keep
        change.list = try arguments.value("--list", ArgumentValues.listName)
        change.changesOnlyThisDate = arguments.flag("--this-date-only")
        self.change = change
        self.lines = try LineOptions(&arguments)
        let alarms = arguments.values("--alarm")
        self.alarmAdjustment = try ArgumentValues.alarmAdjustment(alarms)
        self.alarms = self.alarmAdjustment == nil ? try ArgumentValues.alarmChange(alarms) : .keep
    }

    func run(in context: Context) async throws -> ExitStatus {
        if self.change.isEmpty, self.lines.isEmpty, self.notes == .keep, self.when == nil, self.alarms == .keep,
            self.alarmAdjustment == nil, self.addedNotes == nil
        {
            return try self.openEditor(in: context)
        }
        var change = self.change
        change.notes = try self.notes.change(in: context)
        try self.lines.apply(to: &change, in: context)
        var alarms: [AlarmChoice]?
        if self.alarms != .keep {
            change.alarms = try self.alarms.resolved(in: context, context.localZone())
            if case .set(let choices) = change.alarms { alarms = choices } else { alarms = [] }
        }
        if let adjustment = self.alarmAdjustment {
            change.alarmAdjustment = AlarmAdjustment(
                added: try adjustment.added.resolved(in: context),
                removed: try adjustment.removed.resolved(in: context)
            )
        }
        if let word = self.filterWord, !context.isJSON {
            context.output.remark(
                "'\(Sanitizer.excerpt(word))' selects the reminders; the rest of the command is the change."
            )
        }
        let action = try SelectedAction(self.selection, Self.words, in: context)
        let withRule = change.recurrenceRule != .keep
        return try action.perform(
            .edit { [change] old in
                var change = change
                if let text = self.addedNotes {
                    change.notes = .set([old.notes, text].compactMap(\.self).joined(separator: "\n"))
                }
                if self.shift == nil { _ = try self.setDue(of: old, in: context, &change) }
                return change
            },
            on: action.numbers(),
            asObject: true,
            json: \.completion.reminder
        ) { outcome in
            let (old, new) = (outcome.before, outcome.completion.reminder)
            try Confirmation(context: context).print(from: old, to: new, withRule: withRule, alarms: alarms)
            if new.list != old.list {
                let families = try action.useCases.subtasks(of: [new.id], onlyOpen: false)
                let moved = families.reduce(0) { $0 + $1.subtasks.count }
                let list = Sanitizer.line(new.list)
                if moved > 0 { context.output.remark("\(moved.counted("subtask")) moved to '\(list)' too.") }
            }
            var change = change
            let moved = try self.shift == nil ? self.setDue(of: old, in: context, &change) : nil
            try Confirmation(context: context).noteDates(from: old, to: new, change)
            if change.due == .keep, self.shift == nil { return }
            try Confirmation(context: context).warnOfSilence(new, action.useCases)
            if let moved { Confirmation(context: context).noteMove(from: moved) }
            if old.isSnoozed, !new.isSnoozed {
                context.output.remark("The snooze was removed, because the due time changed.")
            }
        }
    }

    private static let words = SelectedAction.Words(command: page.name, verb: "Change")

    /// Sets the due time and the rule of the change, as ``PresentDue/apply(due:removingTime:repetition:now:to:)``.
    private func setDue(of old: ReminderView, in context: Context, _ change: inout ReminderChange) throws
        -> CalendarDate?
    {
        let present = PresentDue(old, zone: try context.localZone())
        return try UsageError.phrase { () throws(PhraseError) in
            try present.apply(due: self.when, repetition: self.repetition, now: context.now, to: &change)
        }
    }

    private func openEditor(in context: Context) throws -> ExitStatus {
        guard context.isInteractive, context.output.answers.isTerminal else {
            let names = ReminderField.settable.compactMap(\.option).map { "--\($0.name)" }
            throw UsageError(
                .nothingToChange,
                """
                No option gives a change, and there is no terminal for an editor. \
                Give \(names.listed("or")).
                """,
                command: Self.page.name
            )
        }
        guard self.selection.isSingle else {
            throw UsageError(
                .nothingToChange,
                "The editor opens one reminder at a time. Give one ID, or an option such as --label.",
                command: Self.page.name
            )
        }
        let selected = try SelectedAction(self.selection, Self.words, in: context)
        guard let id = try selected.numbers().first else { return .success }
        let useCases = selected.useCases
        let session = EditingSession(
            context: context,
            useCases: useCases,
            base: try useCases.reminder(id),
            changesOnlyThisDate: self.change.changesOnlyThisDate
        )
        switch try session.run() {
        case .unchanged where context.isJSON: try context.output.print(json: session.base)
        case .unchanged: try context.output.note("Nothing was changed")
        case .changed(_, let reminder, _, _) where context.isJSON: try context.output.print(json: reminder)
        case .changed(let old, let reminder, let change, let moved):
            let withRule = change.recurrenceRule != .keep
            try Confirmation(context: context).print(from: old, to: reminder, withRule: withRule)
            try Confirmation(context: context).noteDates(from: old, to: reminder, change)
            if change.due != .keep { try Confirmation(context: context).warnOfSilence(reminder, useCases) }
            if let moved { Confirmation(context: context).noteMove(from: moved) }
        case .kept(let status): return status
        }
        return .success
    }
}

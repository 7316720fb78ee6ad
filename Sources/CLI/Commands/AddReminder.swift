import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

struct AddReminder: Command {
    static let page = CommandPage(
        name: "add",
        summary: "Add a reminder",
        usage: [
            "TITLE... [--notes TEXT] [--due WHEN] [--repeat HOW] [--label NAME]...",
            "[--priority low|medium|high] [--alarm WHEN]... [--list NAME] [--id KEY]",
            LineOptions.usage, "[--literal] [--json]",
        ],
        operands: [
            Operand(
                "TITLE",
                .many,
                "The title, as one or several words. Write '--' before a word with a",
                "hyphen. '-' alone reads titles from standard input, one per line"
            )
        ],
        options: [
            Option("--notes", value: "TEXT", "The notes; '-' reads them from standard input"),
            Option(
                "--due",
                short: "d",
                value: "WHEN",
                "The due time; default: the setting 'due' or that of the list,",
                "usually tomorrow 09:00, or the next date of --repeat"
            ),
            Option("--repeat", value: "HOW", "How it repeats, such as daily or 'every 2 weeks on mon,thu'"),
            Option("--label", short: "l", value: "NAME", occurs: .many, "A label, or several with commas"),
            Option("--priority", short: "p", value: "HOW", "low, medium or high; also l, m, h and 1 to 9"),
            .alarm,
            Option("--list", value: "NAME", "The list of the reminder"),
        ] + LineOptions.options + [
            Option("--id", value: "KEY", "A key for scripts; a second 'add' with it changes nothing"),
            Option("--literal", "Use the title unchanged"),
            .json,
        ],
        details: """
            \(HelpText.titles)

            \(HelpText.fields)

            With --id, a script can repeat the command without adding a second reminder. If a
            reminder with this KEY exists in any list, open or completed, nothing is changed;
            fields that differ are printed. A deleted reminder is added again. KEY has up to 200
            characters from a-z, A-Z, 0-9 and '-_.@+'.
            """,
        examples: [
            "remindav add Call Ben": "due tomorrow at 09:00, unless the settings differ",
            "remindav add Call Ben friday 9am +home p1": "due on Friday at 09:00, with a label and a priority",
            "remindav add -": "one reminder for each line of standard input",
            "remindav add 'Bring the bins out' --due 'sunday 8pm'": "due on the first Sunday after today",
            "remindav add 'Water the plants' --due 'today 18:30' --repeat weekly": "every week, from today",
            "remindav add Rent --due '1 jan' --repeat 'monthly on the 1st until 2027-12-31'":
                "on the first of each month of 2027",
            "remindav add Taxes --due 2027-05-31 --label home --priority high": "an all-day date",
            "remindav add Dentist --due 'friday 9am' --alarm 1d,15m":
                "an alarm one day before and another 15 minutes before",
            "remindav add 'Learn to juggle' --due none": "no due date and no alarm",
            "remindav add Report --start monday --due friday --link https://example.org":
                "work begins on Monday",
            "remindav add 'Buy paint' --parent 12": "a subtask of the reminder 12, in the same list",
            "remindav add 'Check the backup' --literal --id backup-2026-11":
                "adds it only once, even if a script repeats the command",
        ],
        exits: [.notFound, .locked]
    )

    /// The title; `nil` if the titles come from standard input.
    let title: String?
    let notes: NotesChoice
    let when: When?
    let repetition: RepeatPhrase?
    let labels: [String]
    let lines: LineOptions
    let priority: Priority
    let list: String?
    /// The alarms; `keep` means the default alarms of the list or of the settings.
    let alarms: FieldChange<[AlarmPhrase]>
    let key: ReminderKey?
    /// The fields to look for in the title, because no option sets them.
    let kinds: Set<ParsedTitle.Kind>
    /// The words among those of the title that stand for options: `wait:monday`.
    let pairs: [String]

    init(_ arguments: inout Arguments) throws(UsageError) {
        try arguments.joinPhrase(of: "--due") { (try? When($0)) != nil }
        try arguments.joinPhrase(of: "--start") { (try? When($0)) != nil }
        try arguments.joinPhrase(of: "--repeat") { (try? ArgumentValues.repetition($0)) != nil }
        if arguments.hasWordsAround("--notes") {
            throw UsageError(
                .badValue,
                "It is not clear where the notes end. Write them in quotation marks, and the title in one place."
            )
        }
        let isLiteral = arguments.flag("--literal")
        let later = arguments.hasWordsAround("--due") && !isLiteral ? arguments.text(behind: "--due") : nil
        if let later, let due = arguments.value("--due"), (try? When(later)) != nil {
            let advice = "If it belongs to the title, write it before '--due'."
            throw .secondValue(OptionValue("--due", later), due, advice)
        }
        self.pairs = isLiteral ? [] : try arguments.readOperands(as: { AttributePair($0)?.addition })
        var words = try arguments.operands("TITLE")
        // The shell removes the quotation marks of `project:"Home Garden"`.
        if !isLiteral, words.count > 1 { words = words.map { TitleParser.quotedPair($0) ?? $0 } }
        self.title = words == ["-"] ? nil : try ArgumentValues.title(words.joined(separator: " "))
        self.notes = NotesChoice(arguments.value("--notes"))
        self.when = try arguments.value("--due", ArgumentValues.when)
        self.repetition = try arguments.value("--repeat", ArgumentValues.repetition) ?? nil
        let labels = try LabelOption(arguments.values("--label"))
        self.labels = labels.edit.added
        if let removed = labels.edit.removed.first {
            let name = Sanitizer.excerpt(removed)
            throw UsageError(
                .badValue,
                "'-\(name)' removes a label, but a new reminder has none. The label '-\(name)' is '+-\(name)'."
            )
        }
        self.lines = try LineOptions(&arguments)
        self.priority = try ArgumentValues.priority(arguments.value("--priority") ?? "none")
        self.list = try arguments.value("--list", ArgumentValues.listName)
        self.alarms = try ArgumentValues.alarmChange(arguments.values("--alarm"))
        self.key = try arguments.value("--id", ArgumentValues.key)
        var kinds = Set(isLiteral ? [] : ParsedTitle.Kind.allCases)
        if labels.clears { kinds.remove(.label) }
        if arguments.value("--priority") != nil { kinds.remove(.priority) }
        if self.list != nil { kinds.remove(.list) }
        if self.alarms != .keep { kinds.remove(.alarm) }
        if self.when != nil { kinds.remove(.due) }
        // With `--due none`, words in the title are no rule, because a reminder without a date cannot repeat.
        if arguments.value("--repeat") != nil || self.when == .absent { kinds.remove(.rule) }
        self.kinds = kinds
        if self.title == nil, self.key != nil {
            throw UsageError(
                .badValue,
                "'--id' names one reminder, and '-' reads several titles. Give the title as words."
            )
        }
        if self.title == nil, self.notes == .standardInput {
            throw UsageError(.badValue, "Standard input cannot contain both the titles and the notes.")
        }
        if self.repetition != nil, self.when == .absent {
            throw UsageError(.badValue, "A repeating reminder needs a date. Remove '--due none'.")
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let zone = try context.localZone()
        guard let title = self.title else { return try self.addEach(in: context, zone) }
        if let key = self.key { return try self.add(title, once: key, in: context, zone) }
        let line = try self.completed(self.line(title, in: context, zone), in: context)
        let addition = try self.addition(line, in: context, zone)
        let draft = addition.draft
        let useCases = try context.useCases(.create)
        guard let reminder = try self.withDefaultList(draft, useCases, in: context, { try useCases.add(draft) }) else {
            return .failure
        }
        return try context.answer(reminder) { _ in try self.print(reminder, addition, useCases, in: context) }
    }

    /// A title, and the fields of its reminder.
    private struct Addition {
        let line: ParsedTitle
        let draft: ReminderDraft
        /// The day that the user stated, if the repetition has no date on it.
        let moved: CalendarDate?
    }

    /// Asks for the due time of a title that may contain a date that was not understood.
    private func completed(_ line: ParsedTitle, in context: Context) throws -> ParsedTitle {
        guard line.isUndated, self.when == nil, self.repetition == nil, context.isInteractive, !context.isJSON else {
            return line
        }
        var line = line
        context.output.remark("\(line.reasonForNoDate(Sanitizer.excerpt)).")
        for _ in 0..<ListChoice.maximumAnswers {
            let answer = try context.terminal.ask("When is it due? Enter for no date: ") ?? Terminal.endOfInput
            if answer == Terminal.endOfInput || answer.trimmingWhiteSpace.isEmpty { break }
            do throws(UsageError) {
                line.when = try ArgumentValues.when(answer)
                break
            } catch {
                context.output.remark("\(error.sentence)")
            }
        }
        return line
    }

    private func addition(_ line: ParsedTitle, in context: Context, _ zone: LocalZone) throws -> Addition {
        let schedule = try self.schedule(line, in: context, zone)
        var draft = line.draft(schedule, zone: zone)
        draft.list = line.list ?? self.list
        switch try self.alarms.resolved(in: context, zone) {
        case .keep: break
        case .clear: draft.alarms = []
        case .set(let alarms): draft.alarms = alarms
        }
        draft.labels = ArgumentValues.unique(self.labels + line.labels)
        draft.priority = line.priority ?? self.priority
        if case .set(let notes) = try self.notes.change(in: context) { draft.notes = notes }
        try self.lines.apply(to: &draft.change, in: context)
        return Addition(line: line, draft: draft, moved: schedule.moved)
    }

    private func print(
        _ reminder: ReminderView,
        _ addition: Addition,
        _ useCases: UseCases,
        in context: Context
    ) throws {
        let confirmation = Confirmation(context: context)
        let (line, alarms) = (addition.line, addition.draft.alarms)
        let shown: Confirmation.Fields = try useCases.listNames().count > 1 ? .withList : .withoutList
        try confirmation.print("Added", reminder, withRule: true, fields: shown, alarms: alarms)
        try confirmation.printParsedParts(line, and: self.pairs, reminder)
        if let day = addition.moved { confirmation.noteMove(from: day) }
        try confirmation.warnOfSilence(reminder, useCases)
    }

    /// Parses the title; the names of the lists are read from the store only if it may contain one.
    private func line(_ title: String, in context: Context, _ zone: LocalZone) throws -> ParsedTitle {
        if self.kinds.isEmpty { return ParsedTitle(title: title) }
        let namesList = self.kinds.contains(.list) && TitleParser.mayNameList(title)
        let lists = namesList ? try context.useCases(.temporary).listNames() : []
        let reader = TitleParser(kinds: self.kinds, lists: lists, now: context.now, zone: zone)
        do throws(PhraseError) { return try reader.read(title) } catch {
            throw UsageError(error, command: Self.page.name)
        }
    }

    /// Runs `add`; if the default list is not usable, asks for another one, and returns `nil` if the user chooses none.
    private func withDefaultList<Value>(
        _ draft: ReminderDraft,
        _ useCases: UseCases,
        in context: Context,
        _ add: () throws -> Value
    ) throws -> Value? {
        do {
            return try add()
        } catch  where draft.list == nil && context.isInteractive && !context.isJSON && UseCases.needsDefaultList(error)
        {
            let names = try useCases.lists().filter { !$0.isReadOnly && $0.state != .detached }.map(\.name)
            guard !names.isEmpty else { throw error }
            context.output.remark("\(ErrorMessages.explain(error).sentence)")
            context.output.remark("Which list is the default for new reminders?")
            context.output.remark(ListChoice.table(names))
            let place = try ListChoice.ask("Number or name, Ctrl-D for none [] ", in: context) { answer in
                ListChoice.place(of: answer, in: names)
            }
            guard let place else {
                try context.output.note("Nothing was changed")
                return nil
            }
            _ = try useCases.setDefaultList(names[place])
            return try add()
        }
    }

    private func schedule(_ line: ParsedTitle, in context: Context, _ zone: LocalZone) throws -> ParsedTitle.Schedule {
        do {
            return try line.schedule(
                due: self.when,
                repetition: self.repetition,
                hasStart: self.lines.hasStart,
                standard: When.defaultDue(at: context.settings.dueTime),
                now: context.now,
                zone: zone
            ) {
                let useCases = try context.useCases(.temporary)
                return try useCases.defaults(ofList: line.list ?? self.list).due == .undated
            }
        } catch let error as PhraseError {
            throw UsageError(error)
        }
    }
}

// MARK: With a key

extension AddReminder {
    private func add(_ title: String, once key: ReminderKey, in context: Context, _ zone: LocalZone) throws
        -> ExitStatus
    {
        let useCases = try context.useCases(.create)
        let made: Addition
        do throws {
            made = try self.addition(self.line(title, in: context, zone), in: context, zone)
        } catch let error as UsageError where error.code == .mustBeInFuture {
            // The date of an existing reminder may be past, because it was in the future when the reminder was added.
            guard let existing = try useCases.reminder(with: key) else { throw error }
            return try self.print(IdempotentAdd(reminder: existing, isNew: false, differing: []), in: context)
        }
        let addition = try self.withDefaultList(made.draft, useCases, in: context) {
            try useCases.add(made.draft, once: key)
        }
        guard let addition else { return .failure }
        if addition.isNew, !context.isJSON {
            try self.print(addition.reminder, made, useCases, in: context)
            return .success
        }
        // If the command names no date, the date of the existing reminder does not count as a difference.
        let hasDate = self.when != nil || made.line.when != nil
        let differing = addition.differing.filter { hasDate || $0 != "due" }
        let (reminder, isNew) = (addition.reminder, addition.isNew)
        return try self.print(IdempotentAdd(reminder: reminder, isNew: isNew, differing: differing), in: context)
    }

    private func print(_ addition: IdempotentAdd, in context: Context) throws -> ExitStatus {
        let fields = addition.differing.joined(separator: ", ")
        let others = fields.isEmpty ? "" : "; not changed, although this command differs in: \(fields)"
        return try context.answer(addition) { _ in
            try Confirmation(context: context).print("Already added", addition.reminder, withRule: true, behind: others)
        }
    }
}

// MARK: From standard input

extension AddReminder {
    /// The maximum size in bytes of all titles on standard input; for more, the user can import a file.
    static let maximumInputBytes = 1 << 20
    /// The maximum number of titles on standard input; for more, the user can import a file, first with `--dry-run`.
    static let maximumTitles = 1000

    /// Adds a reminder for each line of standard input, or none if one of the lines cannot be used.
    private func addEach(in context: Context, _ zone: LocalZone) throws -> ExitStatus {
        let text = String(decoding: try context.source("-").contents(limit: Self.maximumInputBytes), as: UTF8.self)
        let titles = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .filter { !String($0.element).trimmingWhiteSpace.isEmpty }
        let error = { (code: UsageError.Code, sentence: String) in
            UsageError(code, sentence, command: Self.page.name)
        }
        guard !titles.isEmpty else { throw error(.missingOperand, "Standard input contains no title.") }
        guard titles.count <= Self.maximumTitles else {
            let most = "Standard input contains \(titles.count) titles, but the maximum is \(Self.maximumTitles)."
            throw error(.badValue, "\(most) Nothing was added.")
        }
        let drafts = try titles.map { number, title in
            do {
                let line = try self.line(ArgumentValues.title(String(title)), in: context, zone)
                return try self.addition(line, in: context, zone)
            } catch let cause as UsageError {
                let sentence = "Line \(number + 1) of standard input: \(cause.sentence) Nothing was added."
                throw error(cause.code, sentence)
            }
        }
        let useCases = try context.useCases(.create)
        let reminders: [ReminderView]
        do {
            reminders = try useCases.add(drafts.map(\.draft))
        } catch let error as DraftError {
            throw InputLineError(line: titles[error.index].offset + 1, underlying: error.underlying)
        }
        if context.isJSON {
            try context.output.print(json: reminders)
            return .success
        }
        for (addition, reminder) in zip(drafts, reminders) {
            try self.print(reminder, addition, useCases, in: context)
        }
        return .success
    }
}

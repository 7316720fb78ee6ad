import Bridge
import ICalendar
import Reminders

/// `add TITLE`: makes a reminder.
struct AddReminder: Command {
    static let page = CommandPage(
        name: "add",
        group: .reminders,
        summary: "Add a reminder",
        usage: [
            "TITLE [--notes TEXT] [--due WHEN] [--repeat HOW] [--label NAME]...",
            "[--priority low|medium|high] [--list NAME] [--id KEY] [--literal] [--json]",
        ],
        operands: [Operand("TITLE", .once, "What to remember; in quotation marks when it has spaces")],
        options: [
            Option("--notes", value: "TEXT", "More about it; '-' reads them from standard input"),
            Option(
                "--due",
                short: "d",
                value: "WHEN",
                "When it is due; else tomorrow 09:00, or from then on as --repeat says"
            ),
            Option("--repeat", value: "HOW", "How it repeats, such as daily or 'every 2 weeks on mon,thu'"),
            Option("--label", short: "l", value: "NAME", occurs: .many, "A label; may stand several times"),
            Option("--priority", short: "p", value: "HOW", "low, medium or high"),
            Option("--list", value: "NAME", "The list that it goes to"),
            Option("--id", value: "KEY", "A name of a script's own: said again, it makes no second one"),
            Option("--literal", "Take no words out of the title"),
            .json,
        ],
        details: [
            QuickHelp.text, WhenHelp.text, RepeatHelp.text,
            """
            With --id a script may run as often as it likes. Where a reminder with that KEY is, in
            whatever list, open or done, nothing is made or changed, and what it has otherwise is said.
            One that was deleted is made anew. KEY has up to 200 of a-z, A-Z, 0-9 and '-_.@+'.
            """,
        ],
        examples: [
            .init("remindav add 'Call Ben'", "due tomorrow at 09:00"),
            .init("remindav add 'Call Ben friday 9am #home !high'", "the words at the end say when"),
            .init("remindav add 'Bring the bins out' --due 'sunday 8pm'", "due on the first Sunday after today"),
            .init("remindav add 'Water the plants' --due 'today 18:30' --repeat weekly", "every week from today on"),
            .init("remindav add Rent --due '1 jan' --repeat 'monthly on the 1st until 2027-12-31'", "until that day"),
            .init("remindav add Taxes --due 2027-05-31 --label home --priority high", "due some time on that day"),
            .init("remindav add 'Learn to juggle' --due none", "without a date"),
            .init("remindav add 'Check the backup' --literal --id backup-2026-11", "once, however often it runs"),
        ],
        exits: [.notFound, .locked]
    )

    let title: String
    let notes: NotesChoice
    /// `nil` when nothing was said: tomorrow at nine, or the first date from then on that a rule names.
    let when: When?
    let repeatRule: RecurrenceRule?
    let labels: [String]
    let priority: ReminderView.Priority
    let list: String?
    /// The script's own name for it; `nil` for a new one each time.
    let key: ReminderKey?
    /// What words of the title may say, which no option has said.
    let kinds: Set<QuickLine.Kind>
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.title = try Fields.title(arguments.operand("TITLE"))
        self.notes = NotesChoice(arguments.value("--notes"))
        self.when = try arguments.value("--due").map { text throws(UsageError) in try When(text) }
        self.repeatRule = try arguments.value("--repeat").flatMap { text throws(UsageError) in
            try Fields.repeatRule(text)
        }
        let labels = try Fields.labelChange(arguments.values("--label"))
        if case .set(let labels) = labels { self.labels = labels } else { self.labels = [] }
        self.priority = try Fields.priority(arguments.value("--priority") ?? "none")
        self.list = try arguments.value("--list").map { text throws(UsageError) in
            try Fields.name(text, of: "A list's name")
        }
        self.key = try arguments.value("--id").map { text throws(UsageError) in try Fields.key(text) }
        self.isJSON = arguments.flag("--json")
        var kinds = Set(arguments.flag("--literal") ? [] : QuickLine.Kind.allCases)
        if labels == .clear { kinds.remove(.label) }
        if arguments.value("--priority") != nil { kinds.remove(.priority) }
        if self.list != nil { kinds.remove(.list) }
        if self.when != nil { kinds.remove(.due) }
        // Without a date nothing repeats.
        if arguments.value("--repeat") != nil || self.when == .absent { kinds.remove(.rule) }
        self.kinds = kinds
        if self.repeatRule != nil, self.when == .absent {
            throw UsageError(.badValue, "A reminder that repeats needs a date: leave out '--due none'.")
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let zone = try context.localZone()
        if let key = self.key { return try self.add(once: key, in: context, zone) }
        let line = try self.line(in: context, zone)
        let draft = try self.draft(line, in: context, zone)
        let useCases = try context.useCases(.made)
        try self.say(try useCases.add(draft), line, useCases, in: context)
        return .success
    }

    private func draft(_ line: QuickLine, in context: Context, _ zone: LocalZone) throws -> NewReminder {
        var draft = NewReminder(title: try Fields.title(line.title), list: line.list ?? self.list)
        draft.repeatRule = line.rule ?? self.repeatRule
        draft.due = try self.due(line, rule: draft.repeatRule, in: context, zone)
        draft.labels = try Fields.labels(self.labels + line.labels)
        draft.priority = line.priority ?? self.priority
        if case .set(let notes) = try self.notes.change(in: context) { draft.notes = notes }
        return draft
    }

    private func say(
        _ reminder: ReminderView,
        _ line: QuickLine,
        _ useCases: UseCases,
        in context: Context
    ) throws {
        if self.isJSON { return try context.output.print(JSON(reminder)) }
        let confirmation = Confirmation(context: context)
        try confirmation.say("Added", reminder, withRule: true, marks: Set(line.taken.map(\.kind)))
        try confirmation.sayTaken(line)
        try confirmation.warnOfSilence(reminder, useCases)
    }

    /// What the title says; the lists are asked for only when one may be named.
    private func line(in context: Context, _ zone: LocalZone) throws -> QuickLine {
        if self.kinds.isEmpty { return QuickLine(title: self.title) }
        let namesList = self.kinds.contains(.list) && self.title.contains("@")
        let lists = namesList ? try context.useCases(.trial).listNames() : []
        let reader = QuickReader(kinds: self.kinds, lists: lists, now: context.now, zone: zone)
        do throws(UsageError) { return try reader.read(self.title) } catch {
            throw UsageError(error.code, error.sentence, command: Self.page.name)
        }
    }

    private func due(
        _ line: QuickLine,
        rule: RecurrenceRule?,
        in context: Context,
        _ zone: LocalZone
    ) throws -> DueChoice? {
        let when = line.when ?? self.when
        let due = try (when ?? .whenNothingIsSaid(at: context.settings.dueTime))
            .resolved(now: context.now, zone: zone)?
            .checkedToBeInFuture(now: context.now, zone: zone)
        guard let rule, when == nil || line.isStart else { return due }
        return due.map { rule.firstDue(from: $0) }
    }
}

// MARK: Once, however often it is said

extension AddReminder {
    private func add(once key: ReminderKey, in context: Context, _ zone: LocalZone) throws -> ExitStatus {
        let useCases = try context.useCases(.made)
        let line: QuickLine
        let draft: NewReminder
        do throws {
            line = try self.line(in: context, zone)
            draft = try self.draft(line, in: context, zone)
        } catch let error as UsageError where error.code == .mustBeInFuture {
            // It was to come when the reminder was made.
            guard let there = try useCases.reminder(with: key) else { throw error }
            return try self.say(KeyedAddition(reminder: there, isNew: false, differing: []), in: context)
        }
        let addition = try useCases.add(draft, once: key)
        if addition.isNew, !self.isJSON {
            try self.say(addition.reminder, line, useCases, in: context)
            return .success
        }
        // A date that nobody has said is no other one.
        let isSaid = self.when != nil || line.when != nil
        let differing = addition.differing.filter { isSaid || $0 != "due" }
        return try self.say(
            KeyedAddition(reminder: addition.reminder, isNew: addition.isNew, differing: differing),
            in: context
        )
    }

    private func say(_ addition: KeyedAddition, in context: Context) throws -> ExitStatus {
        if self.isJSON {
            try context.output.print(JSON(addition))
        } else {
            let fields = addition.differing.joined(separator: ", ")
            let others = fields.isEmpty ? "" : "; it stays so, though this says otherwise: \(fields)"
            try Confirmation(context: context).say("Already there", addition.reminder, withRule: true, behind: others)
        }
        return .success
    }
}

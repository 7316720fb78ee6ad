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
            "[--priority low|medium|high] [--list NAME] [--literal] [--json]",
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
            Option("--literal", "Take no words out of the title"),
            .json,
        ],
        details: [QuickHelp.text, WhenHelp.text, RepeatHelp.text],
        examples: [
            .init("remindav add 'Call Ben'", "due tomorrow at 09:00"),
            .init("remindav add 'Call Ben friday 9am #home !high'", "the words at the end say when"),
            .init("remindav add 'Bring the bins out' --due 'sunday 8pm'", "due on the first Sunday after today"),
            .init("remindav add 'Water the plants' --due 'today 18:30' --repeat weekly", "every week from today on"),
            .init("remindav add Rent --due '1 jan' --repeat 'monthly on the 1st until 2027-12-31'", "until that day"),
            .init("remindav add Taxes --due 2027-05-31 --label home --priority high", "due some time on that day"),
            .init("remindav add 'Learn to juggle' --due none", "without a date"),
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
        let line = try self.line(in: context, zone)
        var draft = NewReminder(title: try Fields.title(line.title), list: line.list ?? self.list)
        draft.repeatRule = line.rule ?? self.repeatRule
        draft.due = try self.due(line, rule: draft.repeatRule, in: context, zone)
        draft.labels = try Fields.labels(self.labels + line.labels)
        draft.priority = line.priority ?? self.priority
        if case .set(let notes) = try self.notes.change(in: context) { draft.notes = notes }
        let useCases = try context.useCases()
        let reminder = try useCases.add(draft)
        if self.isJSON {
            try context.output.print(JSON(reminder))
        } else {
            let confirmation = Confirmation(context: context)
            try confirmation.say("Added", reminder, withRule: true, marks: Set(line.taken.map(\.kind)))
            try confirmation.sayTaken(line)
            try confirmation.warnOfSilence(reminder, useCases)
        }
        return .success
    }

    /// What the title says; the lists are asked for only when one may be named.
    private func line(in context: Context, _ zone: LocalZone) throws -> QuickLine {
        if self.kinds.isEmpty { return QuickLine(title: self.title) }
        let namesList = self.kinds.contains(.list) && self.title.contains("@")
        let lists = namesList ? try context.useCases().listNames() : []
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

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
            "[--priority low|medium|high] [--list NAME] [--json]",
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
            .json,
        ],
        details: [WhenHelp.text, RepeatHelp.text],
        examples: [
            .init("remindav add 'Call Ben'", "due tomorrow at 09:00"),
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
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.title = try Fields.title(arguments.operand("TITLE"))
        self.notes = NotesChoice(arguments.value("--notes"))
        self.when = try arguments.value("--due").map { text throws(UsageError) in try When(text) }
        self.repeatRule = try arguments.value("--repeat").flatMap { text throws(UsageError) in
            try Fields.repeatRule(text)
        }
        if case .set(let labels) = try Fields.labelChange(arguments.values("--label")) {
            self.labels = labels
        } else {
            self.labels = []
        }
        self.priority = try Fields.priority(arguments.value("--priority") ?? "none")
        self.list = try arguments.value("--list").map { text throws(UsageError) in
            try Fields.name(text, of: "A list's name")
        }
        self.isJSON = arguments.flag("--json")
        if self.repeatRule != nil, self.when == .absent {
            throw UsageError(.badValue, "A reminder that repeats needs a date: leave out '--due none'.")
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let zone = try context.localZone()
        var due = try (self.when ?? .whenNothingIsSaid).resolved(
            now: context.now,
            zone: zone,
            usual: context.settings.dueTime
        )?
        .checkedToBeInFuture(now: context.now, zone: zone)
        if self.when == nil, let rule = self.repeatRule { due = due.map { rule.firstDue(from: $0) } }
        var draft = NewReminder(title: self.title, due: due, repeatRule: self.repeatRule, list: self.list)
        draft.labels = self.labels
        draft.priority = self.priority
        if case .set(let notes) = try self.notes.change(in: context) { draft.notes = notes }
        let useCases = try context.useCases()
        let reminder = try useCases.add(draft)
        if self.isJSON {
            try context.output.print(JSON(reminder))
        } else {
            try Confirmation(context: context).say("Added", reminder, withRule: true)
            try Confirmation(context: context).warnOfSilence(reminder, useCases)
        }
        return .success
    }
}

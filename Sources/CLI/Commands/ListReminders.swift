import RemindavBridge
import RemindavDatePhrases
import RemindavReminders

struct ListReminders: Command {
    static let page = CommandPage(
        name: "list",
        summary: "Show reminders",
        usage: ["[SELECTION] [FILTER]... [--all] [--sort KEYS] [--limit NUMBER] [--json]"],
        operands: [
            Operand("SELECTION", .optional, "A section (today, upcoming or completed), or a saved filter")
        ],
        options: FilterOptions.options + [FilterOptions.all, FilterOptions.sort, FilterOptions.limit, .json],
        details: """
            Overdue reminders are in the section Today and marked. Upcoming contains reminders for
            tomorrow, for this week (until Sunday), for later, and without a date. A snoozed
            reminder is shown at the end of its snooze. Other commands use the number before a
            title as the ID.

            Marks after a title, in parentheses in a locale that is not UTF-8:
            \(RowMark.help)

            \(FilterOptions.details)

            \(FilterOptions.hiding)

            \(QuickWord.details) These words need no command: 'remindav +home'
            means 'remindav list +home'.

            Subtasks are indented below their parent. A subtask stands alone if its parent is not
            shown, or if it is due in an earlier group; the number of the parent is then at its
            end.
            """,
        examples: [
            "remindav list": "open reminders, by day",
            "remindav list --label work --section today": "reminders for today with the label work",
            "remindav list --overdue --priority high": "overdue reminders with high priority",
            "remindav +home p1": "reminders with the label home and high priority",
            "remindav list --due-before monday --sort -priority,due": "until Sunday, the least urgent first",
            "remindav list --all --json": "all reminders, for a program",
        ],
        exits: [.notFound]
    )

    static let isPaged = true

    private let options: FilterOptions
    private let selection: String?
    private let isAll: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        try arguments.readOnlyFilterWords()
        try FilterConditions.joinPhrases(in: &arguments)
        self.options = try FilterOptions(arguments)
        self.isAll = arguments.flag("--all")
        // `list no date` means the option without a value that has these words.
        let words = arguments.plainOperands
        let option = "--" + words.joined(separator: "-").lowercased()
        if words.count > 1, Self.page.options.contains(where: { $0.name == option && $0.value == nil }) {
            let text = words.joined(separator: " ")
            throw UsageError(.tooManyOperands, "'\(text)' is no section. Write 'remindav list \(option)'.")
        }
        self.selection = arguments.optionalOperand()
    }

    func run(in context: Context) async throws -> ExitStatus {
        let section = self.selection.flatMap { ListGroup.Section(rawValue: $0.lowercased()) }
        let saved = try section == nil ? self.savedFilter(in: context) : nil
        let selection = try self.options.selection(and: saved.map { [$0] } ?? [], in: context)
        let order = selection.order
        var filter = selection.filter
        filter.includesCompleted = self.isAll
        if let section { filter.others.append(ReminderFilter(section: section)) }
        let useCases = try context.useCases()
        try useCases.check(filter)
        let detail: ReminderDetail = context.isJSON ? .everything : order?.detail ?? .line
        let listing = try useCases.listing(filter, detail: detail)
        let hiddenCount = listing.hiddenCount
        var reminders = (consume listing).reminders
        // A label disappears with its last reminder, so an unknown label causes a message but no error status.
        if let unknown = try useCases.unknownLabel(among: filter.namedLabels, shown: reminders) {
            context.output.complain(ErrorMessages.explain(unknown))
        }
        if let order { reminders.sort(in: order) }
        let others = reminders.shorten(to: self.options.limit)
        defer {
            context.remark(unshown: others)
            context.remark(hidden: hiddenCount)
        }
        guard !context.isJSON, !reminders.isEmpty else {
            return try context.answer(
                reminders,
                ifNone: try self.emptyText(filter, isHiding: hiddenCount > 0, total: useCases.reminderCount()),
                text: StyledText.init
            )
        }
        let printer = try ListPrinter(in: context, useCases)
        if order == nil { reminders.nestSubtasks() }
        try context.output.print(list: consume reminders, hasHeadings: order == nil, printer)
        return .success
    }

    private func savedFilter(in context: Context) throws -> String? {
        guard let word = self.selection else { return nil }
        let settings = context.settings
        if settings.filters[word.lowercased()] != nil { return word }
        let sections = ListGroup.Section.allCases.map(\.rawValue)
        // Shorter words are similar to too many names: `work` to `week`.
        let options = CommandAliases.words.filter { $0.value.first == Self.page.name && $0.key.count > 4 }.map(\.key)
        let names = sections + settings.filters.keys.sorted() + options
        let guess =
            (try Self.options(for: word.lowercased()) ?? Self.named(word, in: context)).map {
                " Write 'remindav \($0)'."
            }
            ?? Spelling.nearest(to: word.lowercased(), among: names).map { name in
                let isName = sections.contains(name) || settings.filters[name] != nil
                return " Did you mean '\(isName ? name : Self.options(for: name) ?? name)'?"
            }
        throw UsageError(
            .badValue,
            "There is no section and no saved filter '\(Sanitizer.excerpt(word))'."
                + (guess ?? " For a list, write '--list NAME'; for words of a reminder, 'remindav search WORD'."),
            command: Self.page.name
        )
    }

    /// The command with the meaning of `list overdue`, `list week` or `list high`; `nil` for other words.
    private static func options(for word: String) -> String? {
        if ArgumentValues.priorities.contains(word) { return "\(Self.page.name) --priority \(word)" }
        let alias = CommandAliases.words.first { $0.key == word }?.value
        return alias?.first == Self.page.name ? alias?.joined(separator: " ") : nil
    }

    /// The command for the label or the list with this name, or for this day; `nil` for other words.
    private static func named(_ word: String, in context: Context) throws -> String? {
        let useCases = try context.useCases(.temporary)
        if try useCases.labels().contains(where: { LabelKey($0.name) == LabelKey(word) }) {
            return "list --with-label \(word.shellWord)"
        }
        if let list = try useCases.listNames().first(where: { $0.lowercased() == word.lowercased() }) {
            return "list --list \(list.shellWord)"
        }
        if case .day(let day, .whole)? = try? When(word), day != .soonest { return "list --due-on \(word.shellWord)" }
        return nil
    }

    private func emptyText(_ filter: ReminderFilter, isHiding: Bool, total: Int) -> StyledText {
        if total == 0 {
            return """
                No reminders yet
                Add your first reminder: remindav add 'Buy milk' --due 'tomorrow 09:00'
                """
        }
        if isHiding { return "No matching reminder has started." }
        var blocked = ReminderFilter()
        blocked.isBlocked = true
        if filter == blocked { return "No open reminder is blocked." }
        if filter == ReminderFilter() {
            return "No reminder is open. 'remindav list --all' also shows completed reminders."
        }
        return "No reminder matches."
    }
}

extension ListPrinter {
    /// Reads the colours of the labels only if the output is coloured.
    init(in context: Context, _ useCases: UseCases) throws {
        self.init(text: try context.localText(), columns: context.output.columns)
        self.hasASCIIMarks = context.environment.hasOtherLocaleThanUTF8
        guard context.output.answersAreColored else { return }
        let depth = context.output.colorDepth
        self.labelStyles = try useCases.labelColors().mapValues { .foreground($0, depth) }
    }
}

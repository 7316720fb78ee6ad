import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

/// The options that select reminders, which all commands for a selection of reminders have.
struct FilterOptions: Hashable, Sendable {
    static let options = FilterConditions.options + [Self.byName]

    private static let byName = Option(
        "--filter",
        value: "FILTER",
        occurs: .many,
        isHyphenated: true,
        "Only reminders of this saved filter, or of these options:",
        "--filter '--overdue --list Work'"
    )

    /// The options for `edit`, where `--list`, `--label` and `--priority` give new values.
    static let optionsOfEdit = Self.options.compactMap { option -> Option? in
        if option.name == Option.labelFilter.name { return nil }
        guard ["--list", "--priority"].contains(option.name) else { return option }
        return option.named("--from-\(option.name.dropFirst(2))")
    }

    /// The option for completed reminders, of commands that otherwise work on open reminders.
    static let all = Option("--all", short: "a", "Include completed and cancelled reminders")

    static let sort = Option(
        "--sort",
        value: "KEYS",
        "Without headings, sorted by due, start, priority, title,",
        "created, changed, list or label; -due: reversed;",
        "due,title: by both"
    )

    static let limit = Option("--limit", value: "NUMBER", "Show at most this number of reminders")

    /// The paragraph about the options in help pages.
    static let details = """
        All given filters must match. --due-before and --due-after exclude the given day or
        time: '--due-after friday' begins on Saturday. Commas separate values of which one must
        match: '--list Work,Home', 'p1,p2'. An all-day reminder counts as the
        beginning of its day. A time of day without a day is the next such time. The line
        'filter.NAME = OPTIONS' of the settings file saves these options and --sort.
        """

    /// The paragraph about hidden reminders in help pages.
    static let hiding = """
        Reminders that start later are hidden, unless they are due today, in progress, were
        snoozed, or had an alarm. --not-started shows only these reminders, and --started
        --not-started shows both. --all and --text hide none.
        """

    private let conditions: FilterConditions
    private let saved: [String]
    private let ownOrder: ReminderOrder?
    /// The maximum number of printed reminders; `nil` without a limit.
    let limit: Int?

    /// Whether no option selects reminders.
    var isEmpty: Bool { self.conditions == FilterConditions() && self.saved.isEmpty }

    /// - Parameter ofEdit: whether the options are ``optionsOfEdit``.
    init(_ arguments: Arguments, ofEdit: Bool = false) throws(UsageError) {
        self.conditions = try FilterConditions(arguments, ofEdit: ofEdit)
        self.saved = arguments.values("--filter")
        self.ownOrder = arguments.declares("--sort") ? try arguments.value("--sort", ArgumentValues.order) : nil
        self.limit = arguments.declares("--limit") ? try arguments.value("--limit", Self.limit) : nil
    }

    private static func limit(_ text: String) throws(UsageError) -> Int {
        if let number = Int64(text), number > 0 { return Int(clamping: number) }
        throw UsageError(.badValue, "'--limit' must be a number of reminders, 1 or more, not '\(text)'.")
    }

    /// The filter and the order at the present time in the local zone.
    ///
    /// The filter selects open reminders, except for the section Completed and `--all` in a saved filter. The order is
    /// that of `--sort`, or else of the first saved filter that has one, or else `nil`.
    ///
    /// - Parameter names: names of further saved filters.
    /// - Throws: `UsageError` for an unknown or invalid saved filter.
    func selection(and names: [String] = [], in context: Context) throws -> (
        filter: ReminderFilter, order: ReminderOrder?
    ) {
        let saved = try (names + self.saved).map { try Self.saved($0, context.settings) }
        var filter = try self.conditions.filter(now: context.now, zone: context.localZone)
        for one in saved {
            var other = try one.conditions.filter(now: context.now, zone: context.localZone)
            other.includesCompleted = one.includesCompleted
            filter.others.append(other)
        }
        return (filter, self.ownOrder ?? saved.lazy.compactMap(\.order).first)
    }

    /// The filter of ``selection(and:in:)``.
    func filter(in context: Context) throws -> ReminderFilter { try self.selection(in: context).filter }

    private static func saved(_ text: String, _ settings: Settings) throws(UsageError) -> SavedFilter {
        if let filter = settings.filters[text.lowercased()] { return filter }
        if text.hasPrefix("-") || QuickWord(String(text.prefix { $0 != " " })) != nil {
            do throws(UsageError) { return try SavedFilter(text) } catch {
                throw UsageError(error.code, "'--filter': \(error.sentence)")
            }
        }
        throw self.unknown(text, settings)
    }

    private static func unknown(_ name: String, _ settings: Settings) -> UsageError {
        let names = settings.filters.keys.sorted()
        let guess =
            Spelling.nearest(to: name.lowercased(), among: names).map { "Did you mean '\($0)'?" }
            ?? "Save it with a line such as 'filter.\(SavedFilter.isName(name) ? name : "work") = --label work' in the "
            + "settings file."
        return UsageError(.badValue, "There is no saved filter '\(Sanitizer.excerpt(name))'. \(guess)")
    }
}

extension UseCases {
    /// - Throws: ``UnknownName`` for a list of the filter that does not exist; an empty result would look correct.
    func check(_ filter: ReminderFilter) throws {
        for list in filter.all.flatMap(\.lists) {
            do {
                try self.check(list: list, labels: [])
            } catch var error as UnknownName {
                // `add Report project:Work` makes a label if there is no such list. Without the labels, the error stays.
                error.label = (try? self.labels())?.map(\.name).first { LabelKey($0) == LabelKey(list) }
                throw error
            }
        }
    }
}

extension ReminderFilter {
    /// The labels that the filter names.
    var namedLabels: [String] { self.all.flatMap { $0.labels + $0.requiredLabels + $0.excludedLabels } }
}

extension Array {
    /// Removes the elements after the first `limit`, and returns their number; `nil` removes none.
    mutating func shorten(to limit: Int?) -> Int {
        guard let limit, self.count > limit else { return 0 }
        let others = self.count - limit
        self.removeLast(others)
        return others
    }
}

extension Context {
    /// Says how many reminders a listing hides because they start later; nothing for 0.
    func remark(hidden count: Int) {
        guard count > 0, !self.isJSON else { return }
        let words = count == 1 ? "reminder starts later and is" : "reminders start later and are"
        self.output.remark(StyledText("\(count) \(words) hidden (--not-started)."))
    }

    /// Says how many reminders a command does not change because they start later; nothing for 0.
    func remark(leftOut count: Int) {
        guard count > 0, !self.isJSON else { return }
        let words = count == 1 ? "reminder starts later and is" : "reminders start later and are"
        let them = count == 1 ? "it" : "them"
        self.output.remark(
            StyledText("\(count) matching \(words) left out. '--started --not-started' includes \(them).")
        )
    }

    /// Says how many reminders `--limit` leaves out; nothing for 0.
    func remark(unshown count: Int) {
        guard count > 0 else { return }
        self.output.remark(StyledText("\(count) more reminder\(count == 1 ? " is" : "s are") not shown (--limit)."))
    }
}

import RemindavBridge
import RemindavReminders

struct SearchReminders: Command {
    static let page = CommandPage(
        name: "search",
        summary: "Find reminders by their words",
        usage: ["WORD... [FILTER]... [--all] [--sort KEYS] [--limit NUMBER] [--json]"],
        operands: [Operand("WORD", .many, "Text to find; words in quotation marks must be adjacent")],
        options: FilterOptions.options + [FilterOptions.all, FilterOptions.sort, FilterOptions.limit, .json],
        details: """
            Finds reminders that contain all words in the title, labels, location, link or notes.
            Case and diacritics are ignored: 'cafe' finds 'Café'. Parts of words match.
            Reminders with all words in the title come first.

            \(FilterOptions.details)

            \(QuickWord.details) In 'search', the first word is always a text.
            """,
        examples: [
            "remindav search milk": "reminders that contain 'milk'",
            "remindav search 'call ben' offer --all": "both, in any order, including completed reminders",
        ],
        exits: [.notFound]
    )

    static let isPaged = true

    let query: SearchQuery
    /// The error if no reminder is found, for words that could have been meant as a command; otherwise `nil`.
    var unknown: UsageError?
    private let options: FilterOptions
    private let isAll: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        // The first word is always a text, also `+home`.
        try arguments.readOperands(behind: 1, as: { QuickWord($0)?.filter() })
        self.query = try ArgumentValues.query(try arguments.operands("WORD"))
        self.options = try FilterOptions(arguments)
        self.isAll = arguments.flag("--all")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases: UseCases
        let found: [FoundReminder]
        let others: Int
        do {
            (useCases, found, others) = try self.search(in: context)
        } catch {
            // Without a store, or with an unusable one, the word is an unknown command too.
            throw self.unknown ?? error
        }
        if let unknown = self.unknown, found.isEmpty, try !self.isFoundWithoutFilter(useCases) { throw unknown }
        defer { context.remark(unshown: others) }
        return try context.answer(found, ifNone: "No reminder matches.") {
            try ListPrinter(in: context, useCases).found(found, self.query)
        }
    }

    private func isFoundWithoutFilter(_ useCases: UseCases) throws -> Bool {
        guard !self.options.isEmpty else { return false }
        return try !useCases.search(self.query, matching: ReminderFilter(), detail: .line).isEmpty
    }

    /// The reminders to show, and the number of others beyond the limit.
    private func search(in context: Context) throws -> (UseCases, [FoundReminder], Int) {
        let selection = try self.options.selection(in: context)
        let order = selection.order
        var filter = selection.filter
        filter.includesCompleted = self.isAll
        let useCases = try context.useCases()
        try useCases.check(filter)
        let detail: ReminderDetail = context.isJSON ? .everything : order?.detail ?? .line
        var found = try useCases.search(self.query, matching: filter, detail: detail)
        if let unknown = try useCases.unknownLabel(among: filter.namedLabels, shown: found.lazy.map(\.view)) {
            context.output.complain(ErrorMessages.explain(unknown))
        }
        if let order {
            found.sort { ReminderView.inListOrder($0.view, $1.view) }
            found = order.indices(of: found.map(\.view)).map { found[$0] }
        }
        let others = found.shorten(to: self.options.limit)
        return (useCases, found, others)
    }
}

extension ListPrinter {
    /// A row for each reminder, with highlighted matches in the title; below it, each other field that has a match.
    func found(_ found: [FoundReminder], _ query: SearchQuery) -> StyledText {
        let layout = self.layout(found.map(\.view))
        var result = StyledText()
        var tail = RowTail()
        for (index, reminder) in found.enumerated() {
            if index > 0 { result += "\n" }
            self.add(reminder.view, layout, query, to: &result, &tail)
            for text in reminder.texts { result += self.excerpt(text, layout, query) }
        }
        return result
    }

    /// The part of a text around the first match.
    private func excerpt(_ text: String, _ layout: Layout, _ query: SearchQuery) -> StyledText {
        let indent = String(repeating: " ", count: layout.textIndent)
        let room = max(self.columns - indent.utf8.count, 10)
        guard let first = query.ranges(in: text).first else { return StyledText() }
        let before = text.index(first.lowerBound, offsetBy: -min(room / 4, 30), limitedBy: text.startIndex)
        let start = before ?? text.startIndex
        let end = text.index(start, offsetBy: room, limitedBy: text.endIndex) ?? text.endIndex
        let line = (String(text[start..<max(end, first.upperBound)].map { $0.isWhitespace ? " " : $0 }))
            .trimmingWhiteSpace
        let shown = (start > text.startIndex ? "…" : "") + Sanitizer.line(line) + (end < text.endIndex ? "…" : "")
        var result = StyledText("\n" + indent)
        self.addMarked(DisplayWidth.fit(shown, into: room), query, nil, to: &result)
        return result
    }

    /// Adds a text in which matches of `query` are highlighted.
    func addMarked(_ text: String, _ query: SearchQuery?, _ style: TextStyle?, to result: inout StyledText) {
        guard let query else { return result.append(text, style) }
        var position = text.startIndex
        for range in query.ranges(in: text) {
            result.append(String(text[position..<range.lowerBound]), style)
            result.append(String(text[range]), .match)
            position = range.upperBound
        }
        result.append(String(text[position...]), style)
    }
}

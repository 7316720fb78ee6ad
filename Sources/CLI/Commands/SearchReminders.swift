import Bridge
import Reminders

struct SearchReminders: Command {
    static let page = CommandPage(
        name: "search",
        summary: "Find reminders by their words",
        operands: [Operand("WORD", .many, "Text to find; words in quotation marks must be adjacent")],
        options: [
            Option("--list", value: "NAME", "Only reminders in this list"),
            .labelFilter,
            Option("--all", short: "a", "Include completed and cancelled reminders"),
            .json,
        ],
        details: """
            Finds reminders that contain all words in the title, labels, location, link or notes.
            Case and diacritics are ignored: 'cafe' finds 'Café'. Parts of words match.
            Reminders with all words in the title come first.
            """,
        examples: [
            "remindav search milk": "reminders that contain 'milk'",
            "remindav search 'call ben' offer --all": "both, in any order, including completed reminders",
        ],
        exits: [.notFound]
    )

    let query: SearchQuery
    let filter: ReminderFilter

    init(_ arguments: inout Arguments) throws(UsageError) {
        let words = try arguments.operands("WORD")
        guard let query = SearchQuery(words) else {
            throw UsageError(
                .badValue,
                words.count > SearchQuery.maximumWords
                    ? "A search can have at most \(SearchQuery.maximumWords) words."
                    : "A search word cannot be empty."
            )
        }
        self.query = query
        self.filter = try ReminderFilter(arguments)
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases()
        try useCases.check(list: self.filter.list, labels: [])
        let found = try useCases.search(self.query, matching: self.filter, detail: context.isJSON ? .everything : .line)
        if let unknown = try useCases.unknownLabel(among: self.filter.labels, shown: found.lazy.map(\.view)) {
            context.output.complain(ErrorMessages.explain(unknown).sentence)
        }
        return try context.answer(found, ifNone: "No reminder matches.") {
            try ListPrinter(in: context, useCases).found(found, self.query)
        }
    }
}

extension ListPrinter {
    /// A row for each reminder, with highlighted matches in the title; below it, each other field that has a match.
    func found(_ found: [FoundReminder], _ query: SearchQuery) -> StyledText {
        let layout = Layout(found.map(\.view))
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
        let indent = String(repeating: " ", count: layout.idColumns + 4)
        let room = max(self.columns - indent.utf8.count, 10)
        guard let first = query.ranges(in: text).first else { return StyledText() }
        let before = text.index(first.lowerBound, offsetBy: -min(room / 4, 30), limitedBy: text.startIndex)
        let start = before ?? text.startIndex
        let end = text.index(start, offsetBy: room, limitedBy: text.endIndex) ?? text.endIndex
        let line = (String(text[start..<max(end, first.upperBound)].map { $0.isWhitespace ? " " : $0 }))
            .trimmingWhiteSpace
        let shown = (start > text.startIndex ? "…" : "") + Sanitizer.line(line) + (end < text.endIndex ? "…" : "")
        return StyledText("\n" + indent) + self.marked(DisplayWidth.fit(shown, into: room), query, .quiet)
    }

    func marked(_ text: String, _ query: SearchQuery?, _ style: TextStyle?) -> StyledText {
        guard let query else { return StyledText(text, style) }
        var result = StyledText()
        var position = text.startIndex
        for range in query.ranges(in: text) {
            if position < range.lowerBound { result += StyledText(String(text[position..<range.lowerBound]), style) }
            result += StyledText(String(text[range]), .match)
            position = range.upperBound
        }
        if position < text.endIndex { result += StyledText(String(text[position...]), style) }
        return result
    }
}

import RemindavBridge
import RemindavReminders

/// The reminders that a command acts on, as the user names them: numbers, words of a title, or filter options.
struct ReminderSelection: Sendable {
    enum Choice: Sendable {
        /// The numbers in the order of the command line, without duplicates.
        case numbers([Int64])
        case title(SearchQuery, text: String)
        case filter(FilterOptions)
    }

    let choice: Choice
    /// The numbers that only a range names; a missing one is no error.
    private(set) var ofRanges: Set<Int64> = []
    /// Whether the user named one reminder, by its number or its title; its JSON is then an object instead of an array.
    let isSingle: Bool
    var isFilter: Bool { if case .filter = self.choice { true } else { false } }

    static let operand = Operand(
        "ID",
        .many,
        "The number before a title in 'remindav list', as 12, 3,5 or 7-9,",
        "or words of the title"
    )

    static let usage = ["ID... [--yes] [--json]", "FILTER... [--yes] [--json]"]

    static let details = """
        ID names reminders by number (12, 3,5 or 7-9), or one reminder by words of its title.
        Filter options in place of ID, or their short forms +home, @Work, p1 and /milk, select
        all matching reminders. The command asks before it changes the reminders of a title or a
        filter. All changes are made together, and 'remindav undo' reverts them together. A
        reminder that cannot be changed is named, and the others are changed (status 3).
        """

    /// Reads all operands and the filter options.
    init(_ arguments: inout Arguments) throws(UsageError) {
        try arguments.readFilterWords()
        try FilterConditions.joinPhrases(in: &arguments)
        let filter = try FilterOptions(arguments)
        try self.init(arguments.optionalOperands(), filter: filter)
    }

    /// - Throws: if there are neither words nor filter options, or both, or if a number or range is not valid.
    init(_ words: [String], filter: FilterOptions? = nil) throws(UsageError) {
        if let filter, !filter.isEmpty {
            guard words.isEmpty else {
                throw UsageError(
                    .badValue,
                    "Give either IDs or filter options, not both. '\(Sanitizer.excerpt(words[0]))' is read as an ID."
                )
            }
            self.choice = .filter(filter)
            self.isSingle = false
            return
        }
        guard let first = words.first else {
            let others = filter == nil ? "" : ", or filter options such as --overdue"
            throw UsageError(.missingOperand, "ID is missing. Give the number of a reminder\(others).")
        }
        if !NumberList.isNumber(first), words.dropFirst().allSatisfy({ !NumberList.isNumber($0) }) {
            let text = words.joined(separator: " ")
            let query = try ArgumentValues.query(text.split(whereSeparator: \.isWhitespace).map(String.init))
            self.choice = .title(query, text: text)
            self.isSingle = true
            return
        }
        let list = try NumberList(words, of: "reminder")
        self.choice = .numbers(list.numbers)
        self.ofRanges = list.ofRanges
        self.isSingle = words.count == 1 && list.numbers.count == 1 && list.ofRanges.isEmpty
    }
}

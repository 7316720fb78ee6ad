import DatePhrases
import Reminders

/// A word that stands for an option, in the form that it has in the title of a new reminder: `+home`, `@Work`, `p1`.
enum QuickWord: Hashable, Sendable {
    case label(String)
    /// `-+home`: without the label.
    case noLabel(String)
    case list(String)
    /// `p1`, with the word of `--priority`.
    case priority(String)
    /// `/milk` or `/milk/`: with this text.
    case text(String)

    /// The beginning of a word such as `-+home`, which is no option although it begins with a hyphen.
    static let withoutLabel = "-+"

    init?(_ word: String) {
        let rest = String(word.dropFirst())
        switch word.first {
        case "+" where rest.first?.isLetter == true, "#" where rest.first?.isLetter == true: self = .label(rest)
        case "-" where rest.first == "+" && rest.count > 1: self = .noLabel(String(rest.dropFirst()))
        case "@" where !rest.isEmpty: self = .list(rest)
        case "p" where Priority(word: word) != nil: self = .priority(word)
        case "!" where rest.first == "!" && Priority(word: word) != nil: self = .priority(word)
        case "!" where Priority(word: rest) != nil: self = .priority(rest)
        case "/":
            let text = rest.hasSuffix("/") ? String(rest.dropLast()) : rest
            // Two slashes are the path of a file.
            guard !text.isEmpty, !text.contains("/") else { return nil }
            self = .text(text)
        default: return nil
        }
    }

    /// The option of `list` with this meaning, as `edit` names it if `ofEdit` is true.
    func filter(ofEdit: Bool = false) -> OptionValue {
        switch self {
        case .label(let name): OptionValue("--with-label", name)
        case .noLabel(let name): OptionValue("--without-label", name)
        case .list(let name): OptionValue(ofEdit ? "--from-list" : "--list", name)
        case .priority(let word): OptionValue(ofEdit ? "--from-priority" : "--priority", word)
        case .text(let text): OptionValue("--text", text)
        }
    }

    /// The option of `edit` that changes a reminder; `nil` for a text.
    var change: OptionValue? {
        switch self {
        case .label(let name): OptionValue("--label", "+" + name)
        case .noLabel(let name): OptionValue("--label", "-" + name)
        case .list(let name): OptionValue("--list", name)
        case .priority(let word): OptionValue("--priority", word)
        case .text: nil
        }
    }

    /// The lines about these words in help pages.
    static let details = """
        Short forms of filters: +home means --with-label home, -+home --without-label home,
        @Work --list Work, p1 to p4 --priority high, medium, low and none, and /milk
        --text milk.
        """
}

/// An option with its value, as the user could have typed it.
struct OptionValue: Hashable, Sendable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension Arguments {
    /// Reads the operands that stand for filters, such as `+home`, as options of `list`.
    mutating func readFilterWords() throws(UsageError) {
        try self.readOperands(as: { QuickWord($0)?.filter() })
    }

    /// Reads the operands of `edit` that stand for options: a filter at the beginning, and changes after it or after IDs.
    ///
    /// - Parameter hasFilter: whether an option selects the reminders, so that all operands are changes.
    /// - Returns: whether an option selects the reminders now.
    mutating func readEditWords(hasFilter: Bool) throws(UsageError) -> Bool {
        let filter = hasFilter ? nil : self.plainOperands.first.flatMap { QuickWord($0) }
        if let filter {
            self.removeOperands(0..<1)
            try self.give(filter.filter(ofEdit: true))
        }
        let isFiltered = hasFilter || filter != nil
        // Words of a title select a reminder.
        if isFiltered || self.plainOperands.first.map(NumberList.isNumber) == true {
            try self.readOperands(as: { QuickWord($0)?.change })
        }
        return isFiltered
    }

    /// Reads the operands of `edit` after IDs or filters as a due time or a repetition.
    ///
    /// - Throws: if they are neither.
    mutating func readEditTime(hasFilter: Bool) throws(UsageError) {
        let start = hasFilter ? 0 : self.plainOperands.prefix(while: NumberList.isNumber).count
        let range = start..<self.plainOperands.count
        guard hasFilter || start > 0, let first = self.plainOperands[range].first, !NumberList.isNumber(first) else {
            return
        }
        let text = self.plainOperands[range].joined(separator: " ")
        self.removeOperands(range)
        if RepeatPhrase.isTitlePhrase(text) {
            try self.give(OptionValue("--repeat", text))
        } else if (try? When(text)) != nil {
            try self.give(OptionValue("--due", text))
        } else {
            throw UsageError(
                .badValue,
                """
                '\(Sanitizer.excerpt(text))' is no date, repetition, +label, @list or p1 to p4. For a new title, write \
                --title \(text.shellWord).
                """
            )
        }
    }
}

import RemindavDatePhrases
import RemindavReminders

/// A pair of taskwarrior such as `due:friday` or `pri:H`, in place of an option.
struct AttributePair: Hashable, Sendable {
    /// The name as typed: `due`, or `due.before` in a filter.
    let key: String
    /// The text after the colon; empty to clear the field, as in taskwarrior.
    let value: String

    /// - Returns: `nil` if the word is no pair with a known name.
    init?(_ word: String) {
        guard let colon = word.prefix(PairField.longestKey + 1).firstIndex(of: ":") else { return nil }
        self.key = String(word[..<colon])
        let value = word[word.index(after: colon)...]
        // `due://` may be the beginning of an address.
        guard Self.option(self.key) != nil || Self.bounds[self.key] != nil, !value.hasPrefix("/") else { return nil }
        self.value = QuotedWords.withoutMarks(String(value))
    }

    /// The option of `edit` with the meaning of the key; `nil` for a field that an edit does not set.
    private static func option(_ key: String) -> String? {
        switch PairField(key: key) {
        case .due: "--due"
        case .priority: "--priority"
        case .list: "--list"
        case .rule: "--repeat"
        case .label: "--label"
        case .status: "--status"
        case .title: "--title"
        case .dependencies: "--depends"
        case .wait, .start: "--start"
        case .creation, .completion, .until, nil: nil
        }
    }

    /// The filters with a comparison.
    private static let bounds = [
        "due.before": "--due-before", "due.after": "--due-after", "due.is": "--due-on", "due.on": "--due-on",
    ]

    /// The option of `edit` that changes a reminder; `nil` for a comparison.
    var change: OptionValue? {
        guard let option = Self.option(self.key) else { return nil }
        // A reminder always has a list and a title, so an empty value is an error of these options.
        if self.value.isEmpty, option != "--list", option != "--title" { return OptionValue(option, "none") }
        return OptionValue(option, option == "--label" ? "none,\(self.value)" : self.value)
    }

    /// The option of `add` for a pair that the title parser does not read: `wait:`, `start:` and `depends:`; `nil` for
    /// others.
    var addition: OptionValue? {
        guard let change = self.change, ["--start", "--depends"].contains(change.name), !self.value.isEmpty else {
            return nil
        }
        // `start:button` may be words of a title.
        return change.name == "--start" && (try? When(self.value)) == nil ? nil : change
    }

    /// The option of a filter; `nil` for a pair that is no filter.
    func filter(ofEdit: Bool) -> OptionValue? {
        if let bound = Self.bounds[self.key] { return OptionValue(bound, self.value) }
        switch Self.option(self.key) {
        case "--due": return self.isEmpty ? OptionValue("--no-date") : OptionValue("--due-on", self.value)
        case "--priority":
            return OptionValue(ofEdit ? "--from-priority" : "--priority", self.isEmpty ? "none" : self.value)
        case "--list": return OptionValue(ofEdit ? "--from-list" : "--list", self.value)
        case "--label": return OptionValue("--with-label", self.value)
        case "--status": return Self.statuses[self.value.lowercased()]
        default: return nil
        }
    }

    private var isEmpty: Bool { self.value.isEmpty || self.value.lowercased() == "none" }

    private static let statuses = [
        "completed": OptionValue("--section", "completed"), "waiting": OptionValue("--not-started"),
        "pending": OptionValue.open,
    ]
}

import RemindavBridge
import RemindavReminders

/// A filter with its order, from a line `filter.NAME = OPTIONS` of the settings file or from `--filter OPTIONS`.
struct SavedFilter: Hashable, Sendable {
    /// The options as written.
    let text: String
    let conditions: FilterConditions
    let includesCompleted: Bool
    /// The order of a listing; `nil` for the order by day.
    let order: ReminderOrder?

    static let options = FilterConditions.options + [FilterOptions.all, FilterOptions.sort]

    /// - Parameter text: options with their values, separated by spaces; a value with spaces is in quotation marks.
    init(_ text: String) throws(UsageError) {
        self.text = text
        var arguments = try Arguments(try QuotedWords.split(text), options: Self.options)
        try arguments.readOnlyFilterWords()
        try FilterConditions.joinPhrases(in: &arguments)
        self.conditions = try FilterConditions(arguments)
        self.includesCompleted = arguments.flag("--all")
        self.order = try arguments.value("--sort", ArgumentValues.order)
        try arguments.finish()
    }

    /// Whether a text is a valid name: lower-case letters of ASCII, digits, `-` and `_`, and not the name of a section.
    static func isName(_ text: String) -> Bool {
        text.first?.isLetter ?? false && ListGroup.Section(rawValue: text) == nil
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}

import Bridge
import Reminders

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
        try arguments.readFilterWords()
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

/// Splits a text into words at spaces, as a shell does.
enum QuotedWords {
    // text = *( space / word );  word = 1*( "'" *any "'" / DQUOTE *( "\" any / any ) DQUOTE / "\" any / any )
    static func split(_ text: String) throws(UsageError) -> [String] {
        var words: [String] = []
        var word: String?
        var rest = text[...]
        while let letter = rest.popFirst() {
            switch letter {
            case _ where letter.isWhitespace:
                if let whole = word { words.append(whole) }
                word = nil
            case "'", "\"": word = (word ?? "") + (try self.quoted(by: letter, &rest))
            case "\\": word = (word ?? "") + (rest.popFirst().map(String.init) ?? "\\")
            default: word = (word ?? "") + String(letter)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// The text without the quotation marks around it: `Home Garden` for `"Home Garden"`.
    static func withoutMarks(_ text: String) -> String {
        guard text.count > 2, let mark = text.first, "'\"".contains(mark), text.last == mark else { return text }
        return String(text.dropFirst().dropLast())
    }

    private static func quoted(by quote: Character, _ rest: inout Substring) throws(UsageError) -> String {
        var word = ""
        while let letter = rest.popFirst() {
            if letter == quote { return word }
            if letter == "\\", quote == "\"", let next = rest.popFirst() {
                word.append(next)
            } else {
                word.append(letter)
            }
        }
        throw UsageError(.badValue, "The closing \(quote) of a value is missing.")
    }
}

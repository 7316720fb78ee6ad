import RemindavICalendar

extension Reminder {
    /// The title of the occurrence, or else of the series (SUMMARY, RFC 5545 §3.8.1.12); empty when there is none.
    public var title: String { (self.todo.first(.summary) ?? self.main.first(.summary))?.text ?? "" }

    /// The notes (DESCRIPTION, RFC 5545 §3.8.1.5); `nil` when there are none.
    public var notes: String? {
        guard let text = self.todo.first(.description)?.text, !text.isEmpty else { return nil }
        return text
    }

    /// The address of further information (URL, RFC 5545 §3.8.4.6); `nil` when there is none.
    public var link: String? { self.text(of: .url) }

    /// The labels in all CATEGORIES (RFC 5545 §3.8.1.2), in order; each label occurs once, in its first spelling.
    public var labels: [String] {
        var seen: Set<LabelKey> = []
        return self.todo.all(.categories)
            .flatMap(\.textList)
            .map(\.trimmingSpaces)
            .filter { !$0.isEmpty && seen.insert(LabelKey($0)).inserted }
    }

    /// The first label of the reminder that is in `known`, for a view that shows one label; `nil` when there is none.
    public func label(among known: [LabelKey: Label]) -> Label? {
        self.labels.lazy.compactMap { known[LabelKey($0)] }.first
    }

    package static let untitled = "(no title)"

    /// The title on one line, without white space at its ends; throws when it has no visible character.
    ///
    /// White space, invisible characters and characters that iCalendar does not allow do not count as visible.
    public static func checked(title: String) throws(TitleError) -> String {
        let trimmed = String(title.map { $0.isNewline ? " " : $0 }).trimmingWhiteSpace
        guard trimmed.hasVisibleLetter else { throw .titleRequired }
        return trimmed
    }
}

/// The reason why a text cannot be a title.
public enum TitleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has no letter.
    case titleRequired

    /// The message for the user.
    public var description: String { "Title is required" }
}

extension [String] {
    /// The words with commas, and with `conjunction` before the last word: `newer, here or server`.
    package func listed(_ conjunction: String) -> String {
        let last = self.count > 1 ? " \(conjunction) " : ""
        return self.dropLast().joined(separator: ", ") + last + self.suffix(1).joined()
    }
}

extension String {
    var hasVisibleLetter: Bool {
        !self.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
                || TextValue.escape(String(scalar)).isEmpty
        }
    }
}

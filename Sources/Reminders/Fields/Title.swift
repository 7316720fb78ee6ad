import ICalendar

extension Reminder {
    /// The title, empty when there is none (SUMMARY, RFC 5545 §3.8.1.12).
    ///
    /// An occurrence that differs in something else may leave it to the series.
    public var title: String { (self.todo.first(.summary) ?? self.main.first(.summary))?.text ?? "" }

    /// The display text of an empty title.
    package static let untitled = "(no title)"

    /// A title as a person may give it: on one line, without white space at its ends.
    ///
    /// Invisible letters do not count as a title, nor do letters that are not written.
    ///
    /// - Throws: when no visible letter is left.
    public static func checked(title: String) throws(TitleError) -> String {
        let trimmed = String(title.map { $0.isNewline ? " " : $0 }).trimmingWhiteSpace
        let isBlank = trimmed.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
                || TextValue.escape(String(scalar)).isEmpty
        }
        guard !isBlank else { throw .titleRequired }
        return trimmed
    }
}

/// Why a text is no title.
public enum TitleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The title has no visible letter.
    case titleRequired

    /// The words of the form.
    public var description: String { "Title is required" }
}

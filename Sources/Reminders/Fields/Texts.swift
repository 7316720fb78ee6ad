import ICalendar

extension Reminder {
    /// The title, also of the series for an occurrence without one; empty for none (SUMMARY, RFC 5545 §3.8.1.12).
    public var title: String { (self.todo.first(.summary) ?? self.main.first(.summary))?.text ?? "" }

    /// The notes, `nil` when there are none (DESCRIPTION, RFC 5545 §3.8.1.5).
    public var notes: String? {
        guard let text = self.todo.first(.description)?.text, !text.isEmpty else { return nil }
        return text
    }

    /// An address with more about it; `nil` when there is none (URL, RFC 5545 §3.8.4.6).
    public var link: String? { self.text(of: .url) }

    /// The labels of all CATEGORIES, in order; of several that are the same one, the first (RFC 5545 §3.8.1.2).
    public var labels: [String] {
        var seen: Set<LabelKey> = []
        return self.todo.all(.categories)
            .flatMap(\.textList)
            .map(\.trimmingSpaces)
            .filter { !$0.isEmpty && seen.insert(LabelKey($0)).inserted }
    }

    /// The first known label of the reminder, for a place with room for one; `nil` for none.
    public func label(among known: [LabelKey: Label]) -> Label? {
        self.labels.lazy.compactMap { known[LabelKey($0)] }.first
    }

    package static let untitled = "(no title)"

    /// A valid title: on one line, without white space at its ends; throws when no visible letter is left.
    ///
    /// Invisible letters and letters that are not written do not count.
    public static func checked(title: String) throws(TitleError) -> String {
        let trimmed = String(title.map { $0.isNewline ? " " : $0 }).trimmingWhiteSpace
        guard trimmed.hasVisibleLetter else { throw .titleRequired }
        return trimmed
    }
}

/// Why a text is no title.
public enum TitleError: Error, Hashable, Sendable, CustomStringConvertible {
    case titleRequired

    /// The words of the form.
    public var description: String { "Title is required" }
}

extension String {
    var hasVisibleLetter: Bool {
        !self.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
                || TextValue.escape(String(scalar)).isEmpty
        }
    }
}

package import ICalendar
package import Reminders

/// A parsed title: `Call Ben tomorrow 9am #home !high every monday`.
///
/// Laws: the words of the title and the removed words are the words of the line, except a comma before a phrase at the end.
/// Parsing the resulting title finds nothing more.
package struct ParsedTitle: Hashable, Sendable {
    /// The parts that a line may contain besides the title.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case label, priority, list, due, rule
    }

    /// Words that were removed from the title.
    package struct Taken: Hashable, Sendable {
        package let kind: Kind
        /// In order, at least one; substrings of the line, with its indices.
        package let words: [Substring]

        package var text: String { self.words.joined(separator: " ") }
    }

    /// The rest of the line; the whole line if nothing was removed.
    package var title: String
    /// Without duplicates, ignoring case.
    package var labels: [String] = []
    package var priority: Priority?
    /// The name of an existing list, in its own spelling.
    package var list: String?
    package var when: When?
    package var rule: RecurrenceRule?
    /// Whether ``when`` is the start of the rule's dates, but not necessarily the first of them: `every monday at 9am`,
    /// `every monday starting 1 may`.
    package var isStart = false
    /// In the order of the line.
    package var taken: [Taken] = []
    /// Whether the title contains words that may be a date, so that no default date may be assumed.
    package var isUndated = false

    package init(title: String) { self.title = title }
}

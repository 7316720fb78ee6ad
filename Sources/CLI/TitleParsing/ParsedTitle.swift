import Bridge
import ICalendar

/// What a title says that was typed as one line: `Call Ben tomorrow 9am #home !high every monday`.
///
/// Laws: the words of the title and those that were taken are the words of the line, but for a comma before a phrase at
/// the end; and in the title itself nothing more is found.
struct ParsedTitle: Hashable, Sendable {
    /// What a line may say besides its title.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case label, priority, list, due, rule
    }

    /// Words of the line that are not in the title.
    struct Taken: Hashable, Sendable {
        let kind: Kind
        /// In their order, at least one; parts of the line, whose indices say where they stood.
        let words: [Substring]

        /// The words with one blank between them.
        var text: String { self.words.joined(separator: " ") }
    }

    /// What is left: the line itself when nothing was taken.
    var title: String
    /// None twice, whatever their case.
    var labels: [String] = []
    /// `nil` when the line has none.
    var priority: ReminderView.Priority?
    /// The name of a list that there is, as it is written there.
    var list: String?
    /// `nil` when the line says nothing about it.
    var when: When?
    /// `nil` when the line says nothing about it.
    var rule: RecurrenceRule?
    /// Whether ``when`` is where the rule's dates begin, and not itself the first of them: `every monday at 9am`,
    /// `every monday starting 1 may`.
    var isStart = false
    /// In the order of the line.
    var taken: [Taken] = []
    /// Sentences about words that stay in the title though they may have been meant to say more.
    var hints: [String] = []
    /// Whether words that look like a date stay in the title, so that no other date may be assumed.
    var isUndated = false
}

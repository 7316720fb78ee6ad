import RemindavReminders

extension String {
    /// The title, or words for an empty one.
    var shownTitle: String { self.isEmpty ? Reminder.untitled : self }

    /// The names of labels, with commas between them.
    var labelNames: [String] {
        self.split(separator: ",").map { String($0).trimmingWhiteSpace }.filter { !$0.isEmpty }
    }

    /// The maximum number of characters of a foreign text in a sentence.
    private static let maximumExcerpt = 200

    /// The text, shortened for a sentence.
    var excerpt: String {
        self.count <= Self.maximumExcerpt ? self : self.prefix(Self.maximumExcerpt) + "…"
    }
}

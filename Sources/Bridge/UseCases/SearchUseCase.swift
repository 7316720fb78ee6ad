package import RemindavJSON
package import RemindavReminders
import RemindavStore

package struct FoundReminder: Hashable, Sendable {
    package var view: ReminderView
    package let match: SearchMatch
    /// The texts of other fields than title and labels that contain a word of the query, in the order of the fields.
    package let texts: [String]
}

extension UseCases {
    /// The reminders that contain all words in the title, labels, place, link or notes of the current occurrence.
    ///
    /// Reminders with all words in the title come first, and then those with some words in the title. Each group is in
    /// the order of a listing. The text is searched only if the title and the labels do not contain all words.
    ///
    /// - Parameter detail: `.line` fills in only the fields of a listing.
    package func search(
        _ query: SearchQuery,
        matching filter: ReminderFilter,
        detail: ReminderDetail = .everything
    ) throws -> [FoundReminder] {
        var filter = filter
        filter.query = filter.query.map { query.joined(with: $0) } ?? query
        var found = try self.store.read { [filter] snapshot -> [FoundReminder] in
            var found: [FoundReminder] = []
            try FilteredReading(filter, self.reader, snapshot).forEachFound(detail) { found.append($0) }
            return found
        }
        found.sort { left, right in
            if left.match.relevance != right.match.relevance { return left.match.relevance < right.match.relevance }
            return ReminderView.inListOrder(left.view, right.view)
        }
        return found
    }
}

extension FoundReminder: JSONRecord {
    package static let jsonMembers =
        JSONMember<Self>.all { $0.view } + [JSONMember("matched") { $0.match.fields }]
}

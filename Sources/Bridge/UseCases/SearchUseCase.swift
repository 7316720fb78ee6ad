import ICalendar
package import JSON
package import Reminders
import Store

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
        let reader = self.reader
        let labels = LabelFilter(filter.labels)
        var found = try self.store.read { snapshot -> [FoundReminder] in
            let names = try snapshot.listNames()
            let list = try filter.list.map { try snapshot.list(named: $0).id }
            let statuses = Status.allCases.filter { filter.includesCompleted || !$0.isClosed }
            var found: [FoundReminder] = []
            var prefilter = SubstringPrefilter(query)
            try snapshot.forEachObject(in: list, ofStatus: statuses, where: { prefilter.mayMatch($0) }) { record in
                guard labels.matches(record.index.labels) else { return true }
                let reading = LazyReading(record.source, reader)
                guard
                    let match = query.match(
                        title: record.index.title,
                        labels: record.index.labels,
                        others: { reading.texts }
                    )
                else { return true }
                let name = names[record.list] ?? ""
                let view =
                    detail == .everything
                    ? reader.view(record, of: reading.reminder, list: name) : reader.line(record, list: name)
                found.append(FoundReminder(view: view, match: match, texts: reading.texts(of: match.fields)))
                return true
            }
            return found
        }
        found.sort { left, right in
            if left.match.relevance != right.match.relevance { return left.match.relevance < right.match.relevance }
            return ReminderView.inListOrder(left.view, right.view)
        }
        return found
    }
}

/// Reads the text of a reminder when the text is first used.
private final class LazyReading {
    private let source: [UInt8]
    private let reader: ReminderReader
    /// The texts of the fields besides the title and the labels.
    private(set) lazy var texts =
        self.reminder.map { $0.current(zones: self.reader.resolver(for: $0.object)).searchTexts } ?? []
    private(set) lazy var reminder = Reminder(ICalendarDocument(self.source))

    init(_ source: [UInt8], _ reader: ReminderReader) {
        self.source = source
        self.reader = reader
    }

    /// The texts of the given fields; the reminder is read only for fields besides title and labels.
    func texts(of fields: [String]) -> [String] {
        let others = fields.filter { $0 != "title" && $0 != "label" }
        return others.isEmpty ? [] : self.texts.filter { others.contains($0.field) }.map(\.text)
    }
}

extension FoundReminder: JSONRecord {
    package static let jsonMembers =
        JSONMember<Self>.all { $0.view } + [JSONMember("matched") { $0.match.fields }]
}

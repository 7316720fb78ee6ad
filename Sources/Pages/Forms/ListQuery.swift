import RemindavBridge
import RemindavDatePhrases
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

/// The conditions and the length of a list, which are the query of its address.
struct ListQuery: Sendable {
    /// The maximum number of reminders of the section Today on a page; few people have more for one day.
    static let todayLimit = 200
    /// The number of reminders of the section Upcoming on a page; few people read more at a time.
    static let upcomingLimit = 100
    /// The maximum size in bytes of the open reminders on a page, which has at most 120 kB with all other parts.
    static let openBytes = 98_000
    /// The number of completed reminders on a page; few people look for an older one without a search.
    static let completedLimit = 10
    /// The number of reminders of a group on a page with all reminders; a browser lays a group out when it is visible.
    static let lazyRows = 100
    /// The number of further reminders that a link adds to a section.
    static let step = 100

    private let fields: FormFields
    let words: String

    init(_ fields: FormFields) {
        self.fields = fields
        self.words = (fields["q"] ?? "").trimmingWhiteSpace
    }

    var lists: [String] { self.fields.values(of: "list").filter { !$0.isEmpty } }
    var labels: [String] { self.fields.values(of: "label").filter { !$0.isEmpty } }
    var section: ListGroup.Section? { self.fields["section"].flatMap { ListGroup.Section(rawValue: $0) } }
    var showsAll: Bool { self.fields["all"] != nil }
    /// Whether the page shows the reminders that start later, and no others.
    var startsLater: Bool { self.fields["later"] != nil }

    var filter: ReminderFilter {
        var filter = ReminderFilter(lists: self.lists, labels: self.labels, section: self.section)
        if !self.words.isEmpty { filter.query = SearchQuery(self.words.split(separator: " ").map(String.init)) }
        if self.startsLater { filter.starts = [.later] }
        return filter
    }

    var isFiltered: Bool { self.filter != ReminderFilter() }

    /// The wanted number of reminders of a section; `nil` if the address does not name one.
    func wanted(_ section: ListGroup.Section) -> Int? {
        self.fields[section.rawValue].flatMap { Int($0) }.map { max($0, 1) }
    }

    /// The address of the list without some parameters, and with others.
    func address(
        without names: Set<String> = [],
        value: String? = nil,
        with added: (name: String, value: String)? = nil
    )
        -> Address
    {
        let removed = names.union(["did", "there"])
        let pairs = self.fields.pairs.filter { pair in
            !removed.contains(pair.name) || (value != nil && names.contains(pair.name) && pair.value != value)
        }
        return .list(
            pairs.filter { !$0.value.isEmpty || ["all", "later"].contains($0.name) } + (added.map { [$0] } ?? [])
        )
    }

    /// The query for the field `back` of forms.
    var text: String { String(self.address().text.drop { $0 != "?" }.dropFirst()) }
}

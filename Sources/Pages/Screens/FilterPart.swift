import RemindavBridge
import RemindavDatePhrases
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

/// The search and the filters of the list.
struct FilterPart: Part {
    /// The maximum number of labels beside the list; the screen of the labels has all.
    static let labelLimit = 30

    let query: ListQuery
    let lists: [ListHead]
    let labels: [(name: String, color: LabelColor)]

    var body: some HTML {
        let query = self.query
        let chosen = query.lists.first ?? ""
        let active = Set(query.labels.map { LabelKey($0) })
        form(.class("filter"), .id("filter"), .action(.list), .role(.search)) {
            h2 { "Filter" }
            Each(query.labels) { name in input(.type(.hidden), .name("label"), .value(name)) }
            label(.for("search")) { "Search" }
            input(.type(.search), .id("search"), .name("q"), .value(query.words))
            if !self.lists.isEmpty {
                label(.for("list")) { "List" }
                select(.id("list"), .name("list")) {
                    option(.value("")) { "all" }
                    Each(self.lists) { list in
                        option(.value(list.name), list.name == chosen ? .isSelected : nil) {
                            list.isReadOnly ? "\(list.name) (read-only)" : list.name
                        }
                    }
                }
            }
            button(.class("button")) { "Search" }
            if !self.labels.isEmpty {
                ul(.class("chips"), .role(.list)) {
                    Each(self.labels) { one in
                        li {
                            if active.contains(LabelKey(one.name)) {
                                span(.class("button current")) {
                                    Dot(one.color)
                                    bdi { one.name }
                                }
                            } else {
                                a(.class("button"), .href(query.address(with: (name: "label", value: one.name)))) {
                                    Dot(one.color)
                                    bdi { one.name }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

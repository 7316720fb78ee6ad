import RemindavBridge
import RemindavHTML
import RemindavReminders

/// The list of the reminders, with the line for a new one.
struct ListScreen: Part {
    let query: ListQuery
    let sections: [Shown]
    let style: RowStyle
    let token: String
    let status: Status?
    /// The answer to a form that was saved before.
    let there: Words.Sentence?
    let hasOpen: Bool
    /// The number of reminders that start later and are not shown.
    let hiddenCount: Int
    /// The key of the next reminder that the line adds.
    let key: String
    /// Whether the page offers to turn on alarms.
    let offersAlarms: Bool
    let syncs: SyncLines
    /// A name similar to an unknown one in the filter.
    let nearest: (name: String, address: Address)?

    var body: some HTML {
        div(.class("head")) {
            h1 { Words.reminders }
            self.syncs.button
            a(.class("button main-button"), .href(.add), .label("Add reminder")) { "+" }
        }
        self.syncs
        form(.class("quick"), .action(.quickAdd), .isPosted) {
            TokenField(self.token)
            input(.type(.hidden), .name("uid"), .value(self.key))
            input(.type(.hidden), .name("back"), .value(self.query.text))
            label(.for("quick")) { "Add a reminder, such as \"Call Ben tomorrow 9am #home\"" }
            input(.type(.text), .id("quick"), .name("text"), .autocomplete("off"), .enterKeyHint("done"))
            button(.class("button main-button")) { "Add" }
        }
        a(.class("to-filter"), .href(Address.anchor("filter"))) { "Search and filter" }
        StatusLine(self.status, remark: self.there, dismissal: self.query.address(), self.token)
        if self.offersAlarms { AlarmBanner(token: self.token) }
        self.chips
        self.empty
        form(.action(.act), .isPosted) {
            TokenField(self.token)
            input(.type(.hidden), .name("back"), .value(self.query.text))
            Each(self.sections) { section in SectionPart(section: section, style: self.style) }
        }
        if self.hiddenCount > 0 {
            p {
                self.hiddenCount == 1 ? "1 reminder starts later. " : "\(self.hiddenCount) reminders start later. "
                a(.href(self.query.address(with: (name: "later", value: "")))) { "Show" }
            }
        }
    }

    /// The conditions of the filter, each with a link that removes it.
    @HTMLBuilder private var chips: some HTML {
        let query = self.query
        let chips =
            query.lists.map { (kind: "list", value: $0) } + query.labels.map { (kind: "label", value: $0) }
            + (query.words.isEmpty ? [] : [(kind: "q", value: query.words)])
            + (query.section.map { [(kind: "section", value: $0.rawValue)] } ?? [])
            + (query.startsLater ? [(kind: "later", value: "starts later")] : [])
        if !chips.isEmpty {
            ul(.class("chips"), .role(.list)) {
                Each(chips) { chip in
                    li {
                        a(
                            .class("button"),
                            .href(query.address(without: [chip.kind], value: chip.kind == "later" ? nil : chip.value)),
                            .label("Remove the filter: \(chip.kind == "q" ? "search" : chip.kind) \(chip.value)")
                        ) {
                            bdi { chip.value }
                            " ✕"
                        }
                    }
                }
            }
        }
    }

    @HTMLBuilder private var empty: some HTML {
        if self.sections.isEmpty {
            if self.query.isFiltered {
                p {
                    "No reminder matches. "
                    a(.href(.list)) { "Show all reminders" }
                }
                if let nearest = self.nearest {
                    p {
                        "Did you mean "
                        a(.href(nearest.address)) { bdi { nearest.name } }
                        "?"
                    }
                }
            } else {
                p { Words.noReminders }
                p { a(.class("button main-button"), .href(.add)) { Words.addFirstReminder } }
                p { a(.class("button"), .href(.importing)) { "Import a file" } }
                if self.syncs.button == nil { p { a(.href(.connect)) { "Connect a server" } } }
            }
        } else if !self.hasOpen, !self.query.isFiltered {
            p { "Nothing is open." }
        }
    }
}

/// A section of the list with its groups.
private struct SectionPart: Part {
    let section: ListScreen.Shown
    let style: RowStyle

    var body: some HTML {
        let (section, style) = (self.section, self.style)
        h2(.id(section.section.rawValue), .tabIndex(-1)) { "\(section.name) (\(section.count))" }
        Each(section.groups) { group in
            // Only a page with all reminders is so long that a browser should skip the hidden groups.
            if style.isPlain {
                div(.class("lazy")) { GroupPart(group: group, style: style) }
            } else {
                GroupPart(group: group, style: style)
            }
        }
        if let more = section.more {
            p(.class("bar")) {
                a(.class("button"), .href(more.next)) {
                    section.section == .completed ? "Show more" : "Show \(ListQuery.step) more"
                }
                a(.class("button"), .href(more.all)) { "Show all on one page" }
            }
        }
    }
}

private struct GroupPart: Part {
    let group: ListScreen.Group
    let style: RowStyle

    var body: some HTML {
        let style = self.style
        if let name = self.group.name { h3 { name } }
        ul(.class("rows card"), .role(.list)) {
            Each(self.group.reminders) { reminder in ReminderRow(reminder, style) }
        }
    }
}

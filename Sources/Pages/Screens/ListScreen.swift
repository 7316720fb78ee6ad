import Bridge
import HTML
import HTTP
import ICalendar
import Reminders

extension Visit {
    func list(_ query: FormFields) throws -> Frame<ListScreen> {
        var filter = ReminderFilter()
        filter.lists = query["list"].map { [$0] } ?? []
        filter.labels = query.values(of: "label")
        let words = query["q"] ?? ""
        if !words.isEmpty { filter.query = SearchQuery(words.split(separator: " ").map(String.init)) }
        if query["section"] == "completed" { filter.section = .completed }
        let reminders = try self.useCases.listing(filter, detail: .line).reminders
        let screen = ListScreen(
            sections: ListScreen.sections(reminders, showsAll: query["all"] != nil),
            dueText: self.dueText,
            token: self.token,
            run: try self.run(query),
            query: words,
            isFiltered: filter != ReminderFilter(),
            offersAlarms: self.showsAlarmBanner,
            wholeList: .list(query.pairs.filter { $0.name != "did" } + [(name: "all", value: "")])
        )
        let alarms = try self.firedAlarms
        return try self.frame(alarms > 0 ? "(\(alarms)) Reminders" : "Reminders") { screen }
    }
}

/// The list of the reminders, with the line for a new one.
struct ListScreen: Part {
    /// The shown reminders of a section, and how many the section has.
    struct Shown: Sendable {
        let name: String
        let count: Int
        let groups: [(name: String?, reminders: [ReminderView])]
        var isCut: Bool { self.groups.reduce(0) { $0 + $1.reminders.count } < self.count }
    }

    /// The maximum number of reminders of the section Today on a page; a page of 300 rows has about 100 kB.
    private static let todayLimit = 200
    /// The maximum number of reminders of the sections Upcoming and Completed on a page; few people read more at a time.
    private static let upcomingLimit = 100

    let sections: [Shown]
    let dueText: DueText
    let token: String
    let run: RunView?
    let query: String
    /// Whether the page shows only a part of the reminders.
    let isFiltered: Bool
    /// Whether the page offers to turn on alarms.
    let offersAlarms: Bool
    /// The address of the same list with all reminders.
    let wholeList: Address

    static func sections(_ reminders: [ReminderView], showsAll: Bool) -> [Shown] {
        var sections: [Shown] = []
        for (section, name, limit) in [
            (ListGroup.Section.today, "Today", Self.todayLimit), (.upcoming, "Upcoming", Self.upcomingLimit),
            (.completed, "Completed", Self.upcomingLimit),
        ] {
            let all = reminders.filter { $0.section == section }
            guard !all.isEmpty else { continue }
            var groups: [(name: String?, reminders: [ReminderView])] = []
            for reminder in all.prefix(showsAll ? all.count : limit) {
                let name = Self.name(of: reminder.group)
                if groups.last?.name == name, !groups.isEmpty {
                    groups[groups.count - 1].reminders.append(reminder)
                } else {
                    groups.append((name, [reminder]))
                }
            }
            sections.append(Shown(name: name, count: all.count, groups: groups))
        }
        return sections
    }

    private static func name(of group: ListGroup) -> String? {
        switch group {
        case .today, .completed: nil
        case .tomorrow: "Tomorrow"
        case .thisWeek: "This week"
        case .later: "Later"
        case .undated: "No date"
        }
    }

    var body: some HTML {
        let (dueText, token, wholeList) = (self.dueText, self.token, self.wholeList)
        div(.class("head")) {
            h1 { "Reminders" }
            a(.class("button main-button"), .href(.add), .label("Add reminder")) { "+" }
        }
        StatusLine(self.run, self.token)
        if self.offersAlarms { AlarmBanner(token: token) }
        form(.class("quick"), .action(.quickAdd), .isPosted) {
            TokenField(token)
            label(.for("quick")) { "Add a reminder, such as \"Call Ben tomorrow 9am #home\"" }
            input(.type(.text), .id("quick"), .name("text"), .autocomplete("off"))
            button(.class("button main-button")) { "Add" }
        }
        form(.class("quick"), .action(.list), .role(.search)) {
            label(.for("search")) { "Search" }
            input(.type(.search), .id("search"), .name("q"), .value(self.query))
            button(.class("button")) { "Search" }
        }
        if self.sections.isEmpty {
            if self.isFiltered {
                p {
                    "No reminder matches. "
                    a(.href(.list)) { "Show all reminders" }
                }
            } else {
                p { "No reminders yet" }
                p { a(.class("button main-button"), .href(.add)) { "Add your first reminder" } }
            }
        }
        form(.action(.act), .isPosted) {
            TokenField(token)
            Each(self.sections) { section in
                h2 { "\(section.name) (\(section.count))" }
                Each(section.groups) { group in
                    if let name = group.name { h3 { name } }
                    ul(.class("rows card"), .role(.list)) {
                        Each(group.reminders) { reminder in ReminderRow(reminder, dueText) }
                    }
                }
                if section.isCut { p { a(.class("button"), .href(wholeList)) { "Show all \(section.count)" } } }
            }
        }
        p { a(.href(.list([(name: "section", value: "completed")]))) { "Completed reminders" } }
    }
}

/// A row of the list: the round button, the reminder, and the links to the operations.
struct ReminderRow: Part {
    let reminder: ReminderView
    let dueText: DueText

    init(_ reminder: ReminderView, _ dueText: DueText) {
        self.reminder = reminder
        self.dueText = dueText
    }

    var body: some HTML {
        let reminder = self.reminder
        let isDone = reminder.section == .completed
        li(.class(isDone ? "row done" : "row"), .id("r\(reminder.id)")) {
            button(
                .class("box"),
                .name("do"),
                .value("\(isDone ? "reopen" : "complete") \(reminder.id)"),
                .label("\(isDone ? "Uncomplete" : "Complete"): \(reminder.title)")
            )
            a(.class("open"), .href(.reminder(reminder.id))) {
                bdi { reminder.title.isEmpty ? Reminder.untitled : reminder.title }
                small(reminder.overdue ? .class("overdue") : nil) {
                    if let words = self.dueText.words(reminder) {
                        time(self.dueText.attribute(reminder).map { .datetime($0) }) { words }
                    }
                    if reminder.overdue { ", overdue" }
                    Each(reminder.labels) { name in
                        " #"
                        bdi { name }
                    }
                }
            }
            a(
                .class("button danger-button"),
                .href(.deletion(reminder.id)),
                .label("Delete: \(reminder.title)")
            ) { "Delete" }
            a(.class("button"), .href(.actions(reminder.id)), .label("More actions for \(reminder.title)")) { "⋯" }
        }
    }
}

/// The result of the last operation, with a button to undo it.
struct StatusLine: Part {
    let run: RunView?
    let token: String

    init(_ run: RunView?, _ token: String) {
        self.run = run
        self.token = token
    }

    var body: some HTML {
        form(.class("status"), .action(.undo), .isPosted) {
            TokenField(self.token)
            span(.role(.status)) {
                if let run = self.run { RunWords(run) }
            }
            if let run = self.run {
                button(.class("button"), .name("run"), .value(String(run.id))) { "Undo" }
            }
        }
    }
}

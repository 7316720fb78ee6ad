import Bridge
import DatePhrases
import HTML
import HTTP
import ICalendar
import Reminders

extension Visit {
    func list(_ fields: FormFields) throws -> Response {
        let query = ListQuery(fields)
        let heads = try self.useCases.listHeads()
        let status = try self.status(fields)
        var style = RowStyle(
            dueText: self.dueText,
            colors: try self.useCases.labelColors(),
            readOnly: Set(heads.filter(\.isReadOnly).map(\.name)),
            hasSeveralLists: heads.count > 1,
            focused: status?.reminder,
            isPlain: query.showsAll
        )
        let there = try fields["there"].flatMap { Int64($0) }.flatMap { try self.useCases.reminders([$0]).first }
        if let there { style.focused = there.id }
        let content = try self.content(query, style)
        let screen = ListScreen(
            query: query,
            sections: content.sections,
            style: style,
            token: self.token,
            status: status,
            there: there.map { Words.Sentence(before: "\"", text: $0.shownTitle, after: "\" was added before.") },
            hasOpen: content.hasOpen,
            hiddenCount: content.hiddenCount,
            key: try self.lineKey(),
            offersAlarms: self.showsAlarmBanner,
            syncs: try self.syncLines(fields),
            nearest: content.sections.isEmpty ? try self.nearest(query, heads) : nil
        )
        let side = FilterPart(
            query: query,
            lists: heads.count > 1 ? heads : [],
            labels: content.labels.map { (name: $0.name, color: style.colors[$0.key] ?? .standard) }
        )
        let alarms = try self.firedAlarms
        let name = (alarms > 0 ? "(\(alarms)) " : "") + Words.reminders.rawValue
        return try self.show(screen, name, side: side)
    }

    /// The key in the form of the line for a new reminder.
    ///
    /// It changes only with an operation, so that equal pages have equal bytes.
    private func lineKey() throws -> String {
        let run = try self.useCases.log(limit: 1, includingDismissals: false).first?.id ?? 0
        return String(SHA256("line \(run) \(self.token)".utf8).hexadecimal.prefix(Self.lineKeyDigits))
    }

    /// 128 bits, which never occur twice.
    private static let lineKeyDigits = 32

    private func content(_ query: ListQuery, _ style: RowStyle) throws -> ListContent {
        let minute = self.useCases.now.secondsSince1970 / 60
        // A page with all reminders is too long to be kept.
        if query.showsAll { return try self.readContent(query, style) }
        let moment = ListCache.Moment(version: try self.useCases.contentVersion, minute: minute)
        let name = "\(style.focused ?? 0)?\(query.text)"
        return try self.site.lists.content(name, at: moment) { try self.readContent(query, style) }
    }

    private func readContent(_ query: ListQuery, _ style: RowStyle) throws -> ListContent {
        let found: (open: [ReminderView], completed: [ReminderView], hidden: Int)
        do {
            found = try self.found(query)
        } catch let error as UseCaseError where error.code == .listNotFound || error.code == .listNameUnclear {
            found = ([], [], 0)
        }
        // The names are collected before they are folded, because folding takes longer than hashing.
        var spellings: Set<String> = []
        for reminder in found.open { spellings.formUnion(reminder.labels) }
        let names = Dictionary(spellings.map { (LabelKey($0), $0) }, uniquingKeysWith: min)
        return ListContent(
            sections: ListScreen.sections(query, found.open, found.completed, style),
            labels: names.sorted { $0.key.text < $1.key.text }.prefix(FilterPart.labelLimit)
                .map { (key: $0.key, name: $0.value) },
            hasOpen: !found.open.isEmpty,
            hiddenCount: found.hidden
        )
    }

    private func found(_ query: ListQuery) throws -> (open: [ReminderView], completed: [ReminderView], hidden: Int) {
        var filter = query.filter
        if query.section == .completed {
            return ([], try self.useCases.listing(filter, detail: .line).reminders, 0)
        }
        let listing = try self.useCases.listing(filter, detail: .line)
        var open = listing.reminders
        open.nestSubtasks()
        guard query.section == nil, !query.startsLater else { return (open, [], listing.hiddenCount) }
        filter.section = .completed
        return (open, try self.useCases.listing(filter, detail: .line).reminders, listing.hiddenCount)
    }

    /// A name similar to an unknown label or list of the filter, with the address of its reminders.
    private func nearest(_ query: ListQuery, _ heads: [ListHead]) throws -> (name: String, address: Address)? {
        let lists = heads.map(\.name)
        for name in query.lists where !lists.contains(where: { $0.lowercased() == name.lowercased() }) {
            guard let near = Spelling.nearestName(to: name, among: lists) else { continue }
            return (near, query.address(without: ["list"], with: (name: "list", value: near)))
        }
        if query.labels.isEmpty { return nil }
        let labels = try self.useCases.labels().map(\.name)
        let keys = Set(labels.map { LabelKey($0) })
        for name in query.labels where !keys.contains(LabelKey(name)) {
            guard let near = Spelling.nearestName(to: name, among: labels) else { continue }
            return (near, query.address(without: ["label"], with: (name: "label", value: near)))
        }
        return nil
    }
}

/// The list of the reminders, with the line for a new one.
struct ListScreen: Part {
    /// The shown reminders of a section, and the number of all its reminders.
    struct Shown: Sendable {
        let section: ListGroup.Section
        let name: String
        let count: Int
        let groups: [Group]
        /// The addresses of longer lists; `nil` if the page shows the whole section.
        let more: (next: Address, all: Address)?
    }

    struct Group: Sendable {
        /// The heading; `nil` for none.
        let name: String?
        var reminders: [ReminderView]
    }

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

    static func sections(
        _ query: ListQuery,
        _ open: [ReminderView],
        _ completed: [ReminderView],
        _ style: RowStyle
    ) -> [Shown] {
        var sections: [Shown] = []
        var rest = ListQuery.openBytes
        for (section, name, limit) in [
            (ListGroup.Section.today, Words.today, ListQuery.todayLimit),
            (.upcoming, .upcoming, ListQuery.upcomingLimit), (.completed, .completed, ListQuery.completedLimit),
        ] {
            let all = section == .completed ? completed : open.filter { $0.section == section }
            guard !all.isEmpty else { continue }
            var count = query.wanted(section) ?? limit
            if query.wanted(section) == nil, section != .completed { count = self.fitting(all, count, &rest) }
            if query.section == section, query.wanted(section) == nil { count = ListQuery.step }
            // The reminder of the last operation is on the page, so that it can get the focus.
            if let index = all.firstIndex(where: { $0.id == style.focused }) { count = max(count, index + 1) }
            count = query.showsAll ? all.count : min(count, all.count)
            sections.append(
                Shown(
                    section: section,
                    name: name.rawValue,
                    count: all.count,
                    groups: self.groups(all.prefix(count), byMonth: query.showsAll, style.dueText),
                    more: count == all.count ? nil : self.more(query, section, count, next: all[count].id)
                )
            )
        }
        return sections
    }

    /// The number of reminders whose rows fit into the rest of the page; at least ``ListQuery/completedLimit``
    /// of a longer section, so that no section is hidden.
    private static func fitting(_ reminders: [ReminderView], _ limit: Int, _ rest: inout Int) -> Int {
        var count = 0
        for reminder in reminders.prefix(limit) {
            let labels = reminder.labels.reduce(0) { $0 + Self.labelBytes + $1.utf8.count }
            // A row contains the title four times: as its text, and in the names of its three buttons.
            rest -= Self.rowBytes + 4 * reminder.title.utf8.count + labels
            if rest < 0, count >= ListQuery.completedLimit { break }
            count += 1
        }
        return count
    }

    /// The size of a row without title and labels, and of a label without its name.
    private static let (rowBytes, labelBytes) = (430, 75)

    private static func more(
        _ query: ListQuery,
        _ section: ListGroup.Section,
        _ count: Int,
        next: Int64
    ) -> (next: Address, all: Address) {
        let longer = (name: section.rawValue, value: String(count + ListQuery.step))
        return (
            // The page continues at the first added row.
            query.address(without: [section.rawValue], with: longer).at("r\(next)"),
            query.address(with: (name: "all", value: ""))
        )
    }

    /// - Parameter byMonth: whether later reminders have a group for each month, and long groups are divided.
    private static func groups(_ reminders: ArraySlice<ReminderView>, byMonth: Bool, _ dueText: DueText) -> [Group] {
        var groups: [Group] = []
        var name: String?
        for reminder in reminders {
            let heading = byMonth && reminder.group == .later ? dueText.month(reminder) : self.name(of: reminder.group)
            let isLong = byMonth && groups.last?.reminders.count == ListQuery.lazyRows
            if groups.isEmpty || heading != name || isLong {
                groups.append(Group(name: groups.isEmpty || heading != name ? heading : nil, reminders: []))
                name = heading
            }
            groups[groups.count - 1].reminders.append(reminder)
        }
        return groups
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

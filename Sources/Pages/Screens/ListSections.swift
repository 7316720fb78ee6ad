import RemindavBridge
import RemindavHTML
import RemindavReminders

// The division of the list into sections and groups.
extension ListScreen {
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
}

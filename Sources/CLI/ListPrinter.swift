import Bridge
import DatePhrases
import ICalendar
import Reminders

struct ListPrinter: Sendable {
    let text: LocalText
    /// At most in a row.
    let columns: Int
    /// The style of the mark before the name of a label with a colour.
    var labelStyles: [LabelKey: TextStyle] = [:]

    /// A heading per section and a row per reminder; Upcoming has a line before each group.
    ///
    /// - Parameter reminders: in list order.
    func list(_ reminders: [ReminderView]) -> StyledText {
        var result = StyledText()
        let layout = Layout(reminders)
        var former: ListGroup?
        for reminder in reminders {
            let group = reminder.group
            if group.section != former?.section {
                if former != nil { result += "\n\n" }
                result += StyledText(self.heading(group.section), .heading)
            }
            if group != former, let words = self.subheading(group) {
                result += "\n"
                result += StyledText("  \(words)", .quiet)
            }
            former = group
            result.append("\n")
            self.add(reminder, layout, to: &result)
        }
        return result
    }

    struct Layout {
        let idColumns: Int
        let hasPriorities: Bool
        let hasSeveralLists: Bool

        init(_ reminders: [ReminderView]) {
            self.idColumns = String(reminders.lazy.map { $0.id }.max() ?? 0).utf8.count
            self.hasPriorities = reminders.contains { $0.priority != .undefined }
            self.hasSeveralLists = reminders.contains { $0.list != reminders[0].list }
        }
    }

    private func heading(_ section: ListGroup.Section) -> String {
        switch section {
        case .today: "Today"
        case .upcoming: "Upcoming"
        case .completed: "Completed"
        }
    }

    private func subheading(_ group: ListGroup) -> String? {
        switch group {
        case .today, .completed: nil
        case .tomorrow: "Tomorrow"
        case .thisWeek: "This week"
        case .later: "Later"
        case .undated: "No date"
        }
    }

    /// - Parameter query: its words stand out in the title.
    func add(_ reminder: ReminderView, _ layout: Layout, _ query: SearchQuery? = nil, to result: inout StyledText) {
        let (tail, tailColumns) = self.tail(reminder, layout)
        let start = result.byteCount
        let id = String(reminder.id)
        result.append(spaces: layout.idColumns - id.utf8.count + 2)
        result.append(id)
        result.append(spaces: 2)
        let beginning = result.byteCount
        self.addMoment(reminder, to: &result)
        // Digits and marks: one byte, one column.
        result.append(spaces: beginning + 16 - result.byteCount + 2)
        if layout.hasPriorities {
            let mark = self.priorityMark(reminder.priority)
            result.append(mark)
            result.append(spaces: 4 - mark.utf8.count)
        }
        let room = self.columns - (result.byteCount - start) - tailColumns
        let shown = DisplayWidth.fit(Sanitizer.title(reminder.title), into: max(room, 10))
        if let query {
            result += self.marked(shown, query, self.style(reminder))
        } else {
            result.append(shown, self.style(reminder))
        }
        result += tail
    }

    /// At most sixteen columns: when it asks for attention, or was done.
    private func addMoment(_ reminder: ReminderView, to result: inout StyledText) {
        let isOver = reminder.section == .completed
        if !isOver, reminder.snoozedInstant == nil, let day = reminder.dueDay {
            self.text.add(day, to: &result)
        } else if let moment = isOver ? reminder.completedInstant : reminder.snoozedInstant ?? reminder.dueInstant {
            self.text.add(moment, to: &result)
        }
    }

    private func priorityMark(_ priority: Priority) -> String {
        switch priority {
        case .undefined: ""
        case .low: "!"
        case .medium: "!!"
        case .high: "!!!"
        }
    }

    private func style(_ reminder: ReminderView) -> TextStyle? {
        if reminder.section == .completed { return .quiet }
        return reminder.priority == .high ? .important : nil
    }

    /// The part behind the title, and its columns.
    private func tail(_ reminder: ReminderView, _ layout: Layout) -> (text: StyledText, columns: Int) {
        var tail = StyledText()
        var columns = 0
        if reminder.repeatRule != nil {
            tail.append(" \u{21BB}")
            columns += 2
        }
        var quiet = " "
        for label in reminder.labels.prefix(Self.labelLimit) {
            quiet += " "
            // The mark alone has the colour: a name in yellow on white could not be read.
            if !self.labelStyles.isEmpty, let style = self.labelStyles[LabelKey(label)] {
                tail.append(quiet, .quiet)
                tail.append("#", style)
                quiet = ""
            } else {
                quiet += "#"
            }
            columns += 2 + Self.add(label, to: &quiet)
        }
        if reminder.labels.count > Self.labelLimit {
            let more = " +\(reminder.labels.count - Self.labelLimit)"
            quiet += more
            columns += more.utf8.count
        }
        if layout.hasSeveralLists {
            quiet += " ("
            columns += 3 + Self.add(reminder.list, to: &quiet)
            quiet += ")"
        }
        if quiet != " " {
            tail.append(quiet, .quiet)
            columns += 1
        }
        var states: [(words: String, style: TextStyle?)] = []
        if reminder.snoozedInstant != nil, reminder.section != .completed { states.append(("  snoozed", nil)) }
        if reminder.status == .inProgress { states.append(("  in progress", nil)) }
        if reminder.status == .cancelled { states.append(("  cancelled", nil)) }
        if reminder.overdue { states.append(("  overdue", .warning)) }
        for (words, style) in states {
            tail.append(words, style)
            columns += words.utf8.count
        }
        return (tail, columns)
    }

    /// Adds the name of a label or a list, cut at 24 columns; returns its columns.
    private static func add(_ name: String, to text: inout String) -> Int {
        let shown = DisplayWidth.fit(Sanitizer.line(name), into: 24)
        text += shown
        return DisplayWidth.columns(shown)
    }

    /// More labels in a row would leave no room for the title.
    private static let labelLimit = 5
}

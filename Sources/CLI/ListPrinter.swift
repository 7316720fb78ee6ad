import Bridge
import DatePhrases
import ICalendar
import Reminders

struct ListPrinter: Sendable {
    let text: LocalText
    let columns: Int
    /// The style of the `#` before the name of each label that has a colour.
    var labelStyles: [LabelKey: TextStyle] = [:]

    /// Headings for each section and each group in Upcoming, and rows for `reminders`, which must be in display order.
    func list(_ reminders: consuming [ReminderView]) -> StyledText {
        var result = StyledText()
        let layout = Layout(copy reminders)
        var former: ListGroup?
        var tail = RowTail()
        // A row has about a hundred bytes and two styled parts.
        result.reserve(reminders.count * 112, parts: reminders.count * 2)
        for index in reminders.indices {
            // Each reminder is moved out of the array, not copied, so its memory is free as soon as its row exists.
            var reminder = Self.nothing
            swap(&reminder, &reminders[index])
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
            self.add(reminder, layout, to: &result, &tail)
        }
        return result
    }

    private static let nothing = ReminderView(id: 0, uid: "", list: "", title: "", group: .undated)

    struct Layout {
        let idColumns: Int
        let hasPriorities: Bool
        let hasSeveralLists: Bool

        init(_ reminders: [ReminderView]) {
            var (highest, hasPriorities, hasSeveralLists) = (reminders.first?.id ?? 0, false, false)
            let first = reminders.first?.list
            for reminder in reminders {
                highest = max(highest, reminder.id)
                hasPriorities = hasPriorities || reminder.priority != .undefined
                hasSeveralLists = hasSeveralLists || reminder.list != first
            }
            self.idColumns = String(highest).utf8.count
            self.hasPriorities = hasPriorities
            self.hasSeveralLists = hasSeveralLists
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

    /// Adds a row; words of `query` are highlighted in the title, and all rows share the buffer `tail`.
    func add(
        _ reminder: ReminderView,
        _ layout: Layout,
        _ query: SearchQuery? = nil,
        to result: inout StyledText,
        _ tail: inout RowTail
    ) {
        tail.text.removeAll()
        let tailColumns = self.addTail(reminder, layout, to: &tail)
        let start = result.byteCount
        let id = String(reminder.id)
        result.append(spaces: layout.idColumns - id.utf8.count + 2)
        result.append(id)
        result.append(spaces: 2)
        let beginning = result.byteCount
        self.addMoment(reminder, to: &result)
        // A printed moment has only ASCII characters, so each byte takes one column.
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
        result += tail.text
    }

    /// Adds the due time, the end of the snooze or the time of completion, in at most sixteen columns.
    private func addMoment(_ reminder: ReminderView, to result: inout StyledText) {
        let isOver = reminder.section == .completed
        if !isOver, !reminder.isSnoozed, let day = reminder.dueDay {
            self.text.add(day, to: &result)
        } else if let moment = isOver ? reminder.completedInstant : reminder.effectiveInstant {
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

    /// Adds the part of the row after the title; returns the columns of this part.
    private func addTail(_ reminder: ReminderView, _ layout: Layout, to tail: inout RowTail) -> Int {
        var columns = 0
        func add(_ words: String, _ style: TextStyle? = nil) {
            tail.text.append(words, style)
            columns += words.utf8.count
        }
        if reminder.repeatRule != nil {
            tail.text.append(" \u{21BB}")
            columns += 2
        }
        var quiet = " "
        for label in reminder.labels.prefix(Self.labelLimit) {
            quiet += " "
            // Only the `#` has the label's colour: a name in yellow on white would not be readable.
            if !self.labelStyles.isEmpty, let style = self.labelStyles[LabelKey(label)] {
                tail.text.append(quiet, .quiet)
                tail.text.append("#", style)
                quiet = ""
            } else {
                quiet += "#"
            }
            let name = tail.fitted(label)
            quiet += name.text
            columns += 2 + name.columns
        }
        if reminder.labels.count > Self.labelLimit {
            let more = " +\(reminder.labels.count - Self.labelLimit)"
            quiet += more
            columns += more.utf8.count
        }
        if layout.hasSeveralLists {
            let name = tail.fitted(reminder.list)
            quiet += " ("
            quiet += name.text
            quiet += ")"
            columns += 3 + name.columns
        }
        if quiet != " " {
            tail.text.append(quiet, .quiet)
            columns += 1
        }
        if reminder.isSnoozed, reminder.section != .completed { add("  snoozed") }
        if reminder.status == .inProgress { add("  in progress") }
        if reminder.status == .cancelled { add("  cancelled") }
        if reminder.overdue { add("  overdue", .warning) }
        return columns
    }

    /// The part of a row after the title, with a cache of the shortened names of labels and lists for all rows.
    struct RowTail {
        fileprivate var text = StyledText()
        private var names: [String: (name: String, text: String, columns: Int)] = [:]

        /// The name of a label or list, shortened to 24 columns.
        fileprivate mutating func fitted(_ name: String) -> (text: String, columns: Int) {
            // Canonically equivalent names are equal keys of a dictionary, but each is printed with its own bytes.
            if let known = self.names[name], known.name.utf8.elementsEqual(name.utf8) {
                return (known.text, known.columns)
            }
            let text = DisplayWidth.fit(Sanitizer.line(name), into: 24)
            let columns = DisplayWidth.columns(text)
            // The cache has a limit, because a hostile list may have a different label for each reminder.
            if self.names.count < 256 { self.names[name] = (name, text, columns) }
            return (text, columns)
        }
    }

    /// The maximum number of labels in a row; more would leave no room for the title.
    private static let labelLimit = 5
}

import Bridge
import DatePhrases
import ICalendar
import Reminders

/// Writes moments as a person at this place reads them.
struct LocalText: Sendable {
    let zone: LocalZone
    let now: Instant

    /// `2026-11-27 09:00`, in the local zone.
    func short(_ instant: Instant) -> String {
        self.zone.text(instant)
    }

    /// Adds a moment in the short form.
    func add(_ instant: Instant, to text: inout StyledText) {
        let wall = self.zone.wallClock(at: instant)
        self.add(wall.date, to: &text)
        text.append(" ")
        text.append(wall.time.hour, digits: 2)
        text.append(":")
        text.append(wall.time.minute, digits: 2)
    }

    /// Adds a day, as it describes itself.
    func add(_ date: CalendarDate, to text: inout StyledText) {
        text.append(date.year, digits: 4)
        text.append("-")
        text.append(date.month, digits: 2)
        text.append("-")
        text.append(date.day, digits: 2)
    }

    /// `Fri 2026-11-27 09:00, in 6 days`: enough to check the day.
    func long(_ instant: Instant) -> String {
        let wall = self.zone.wallClock(at: instant)
        return "\(self.weekday(wall.date)) \(wall.date) \(wall.time.hoursAndMinutes), \(self.distance(to: wall.date))"
    }

    /// `Fri 2026-11-27, in 6 days`.
    func long(_ date: CalendarDate) -> String { "\(self.weekday(date)) \(date), \(self.distance(to: date))" }

    /// The due time of a reminder in the long form; `nil` for an undated one.
    func due(_ reminder: ReminderView) -> String? {
        if let day = reminder.dueDay { return self.long(day) }
        return reminder.dueInstant.map { self.long($0) } ?? reminder.due
    }

    private func distance(to date: CalendarDate) -> String {
        let days = date.dayNumber - self.zone.wallClock(at: self.now).date.dayNumber
        return switch days {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        case 2...: "in \(days) days"
        default: "\(-days) days ago"
        }
    }

    private func weekday(_ date: CalendarDate) -> String {
        Vocabulary.weekdayNames[date.weekday.rawValue]
    }
}

/// Lays out reminders as text.
struct ListPrinter: Sendable {
    let text: LocalText
    /// The columns that a row may take.
    let columns: Int
    /// How the mark before a label's name looks, where the label has a colour.
    var labelStyles: [LabelKey: TextStyle] = [:]

    /// The sections that have reminders, each with a heading and one row per reminder; in Upcoming a line before what is
    /// for tomorrow, this week, later, and has no date.
    ///
    /// - Parameter reminders: in list order.
    func list(_ reminders: consuming [ReminderView]) -> StyledText {
        var result = StyledText()
        let layout = Layout(copy reminders)
        var former: ListGroup?
        var tail = RowTail()
        // A row has some hundred letters, and two parts with a style; one copy fewer of all of them.
        result.reserve(reminders.count * 112, parts: reminders.count * 2)
        for index in reminders.indices {
            // Swapped out and not copied: each reminder is released as soon as its row is printed.
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
            self.add(reminder, layout, to: &result, tail: &tail)
        }
        return result
    }

    private static let nothing = ReminderView(id: 0, uid: "", list: "", title: "", group: .undated)

    /// The common layout of all rows of a list.
    struct Layout {
        let idColumns: Int
        let hasPriorities: Bool
        let hasSeveralLists: Bool

        init(_ reminders: [ReminderView]) {
            var (highest, hasPriorities, hasSeveralLists): (Int64, Bool, Bool) = (0, false, false)
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

    /// - Parameter query: its words stand out in the title.
    func row(_ reminder: ReminderView, _ layout: Layout, _ query: SearchQuery? = nil) -> StyledText {
        var result = StyledText()
        var tail = RowTail()
        self.add(reminder, layout, query, to: &result, tail: &tail)
        return result
    }

    /// Adds a row.
    ///
    /// - Parameter tail: a buffer for the end of the row; its content is replaced.
    private func add(
        _ reminder: ReminderView,
        _ layout: Layout,
        _ query: SearchQuery? = nil,
        to result: inout StyledText,
        tail: inout RowTail
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
        result += tail.text
    }

    /// At most sixteen columns: the moment, in the local zone, at which it asks for attention, or was done.
    private func addMoment(_ reminder: ReminderView, to result: inout StyledText) {
        if reminder.section == .completed {
            if let completed = reminder.completedInstant { self.text.add(completed, to: &result) }
        } else if let snoozed = reminder.snoozedInstant {
            self.text.add(snoozed, to: &result)
        } else if let day = reminder.dueDay {
            self.text.add(day, to: &result)
        } else if let due = reminder.dueInstant {
            self.text.add(due, to: &result)
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

    /// Adds the part behind the title.
    ///
    /// - Returns: the columns that it takes.
    private func addTail(_ reminder: ReminderView, _ layout: Layout, to tail: inout RowTail) -> Int {
        var columns = 0
        func add(_ words: String, _ style: TextStyle? = nil, _ tail: inout RowTail) {
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
            // The mark alone has the colour: a name in yellow on white could not be read.
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
            quiet += " (\(name.text))"
            columns += 3 + name.columns
        }
        if quiet != " " {
            tail.text.append(quiet, .quiet)
            columns += 1
        }
        if reminder.snoozedInstant != nil, reminder.section != .completed { add("  snoozed", nil, &tail) }
        if reminder.status == .inProgress { add("  in progress", nil, &tail) }
        if reminder.status == .cancelled { add("  cancelled", nil, &tail) }
        if reminder.overdue { add("  overdue", .warning, &tail) }
        return columns
    }

    /// The end of a row, and the names that those of other rows had.
    private struct RowTail {
        var text = StyledText()
        private var names: [String: (text: String, columns: Int)] = [:]

        /// A name of a label or a list, as far as there is room for it.
        mutating func fitted(_ name: String) -> (text: String, columns: Int) {
            if let known = self.names[name] { return known }
            let text = DisplayWidth.fit(Sanitizer.line(name), into: 24)
            let fitted = (text: text, columns: DisplayWidth.columns(text))
            // A person has dozens, and a hostile list one for each reminder.
            if self.names.count < Self.keptNames { self.names[name] = fitted }
            return fitted
        }

        private static let keptNames = 256
    }

    /// More labels in a row would leave no room for the title.
    private static let labelLimit = 5
}

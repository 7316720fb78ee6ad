import Bridge
import ICalendar
import Reminders

/// Writes moments as a person at this place reads them.
struct LocalText: Sendable {
    let zone: LocalZone
    let now: Instant

    /// `2026-11-27 09:00`, in the local zone.
    func short(_ instant: Instant) -> String {
        let wall = self.zone.wallClock(at: instant)
        return "\(wall.date) \(wall.time.hoursAndMinutes)"
    }

    /// `Fri 2026-11-27 09:00, in 6 days`: what somebody needs to see that it is the right day.
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
    func list(_ reminders: [ReminderView]) -> StyledText {
        var result = StyledText()
        let layout = Layout(reminders)
        var former: ListGroup?
        let all = reminders.span
        for index in all.indices {
            let group = all[index].group
            if group.section != former?.section {
                if former != nil { result += "\n\n" }
                result += StyledText(self.heading(group.section), .heading)
            }
            if group != former, let words = self.subheading(group) {
                result += "\n"
                result += StyledText("  \(words)", .quiet)
            }
            former = group
            result += "\n"
            result += self.row(all[index], layout)
        }
        return result
    }

    /// What all rows of one list have in common.
    struct Layout {
        let idColumns: Int
        let hasPriorities: Bool
        let hasSeveralLists: Bool

        init(_ reminders: [ReminderView]) {
            var (highest, hasPriorities, hasSeveralLists): (Int64, Bool, Bool) = (0, false, false)
            let all = reminders.span
            for index in all.indices {
                highest = max(highest, all[index].id)
                hasPriorities = hasPriorities || all[index].priority != .undefined
                hasSeveralLists = hasSeveralLists || all[index].list != all[0].list
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
        let id = String(reminder.id)
        var start = String(repeating: " ", count: layout.idColumns - id.count + 2) + id + "  "
        start += DisplayWidth.pad(self.moment(reminder), to: 16) + "  "
        if layout.hasPriorities { start += DisplayWidth.pad(self.priorityMark(reminder.priority), to: 3) + " " }
        let tail = self.tail(reminder, layout)
        let room = self.columns - start.utf8.count - tail.columns
        let shown = DisplayWidth.fit(Sanitizer.title(reminder.title), into: max(room, 10))
        return StyledText(start) + self.marked(shown, query, self.style(reminder)) + tail
    }

    /// Sixteen columns: the moment, in the local zone, at which it asks for attention, or was done.
    private func moment(_ reminder: ReminderView) -> String {
        if reminder.section == .completed { return reminder.completedInstant.map { self.text.short($0) } ?? "" }
        if let snoozed = reminder.snoozedInstant { return self.text.short(snoozed) }
        return reminder.dueDay.map { "\($0)" } ?? reminder.dueInstant.map { self.text.short($0) } ?? ""
    }

    private func priorityMark(_ priority: ReminderView.Priority) -> String {
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

    private func tail(_ reminder: ReminderView, _ layout: Layout) -> StyledText {
        var tail = StyledText()
        if reminder.repeatRule != nil { tail += " \u{21BB}" }
        var quiet = " "
        for label in reminder.labels.prefix(Self.labelLimit) {
            quiet += " "
            // The mark alone has the colour: a name in yellow on white could not be read.
            if let style = self.labelStyles[LabelKey(label)] {
                tail += StyledText(quiet, .quiet) + StyledText("#", style)
                quiet = ""
            } else {
                quiet += "#"
            }
            quiet += DisplayWidth.fit(Sanitizer.line(label), into: 24)
        }
        if reminder.labels.count > Self.labelLimit { quiet += " +\(reminder.labels.count - Self.labelLimit)" }
        if layout.hasSeveralLists { quiet += " (\(DisplayWidth.fit(Sanitizer.line(reminder.list), into: 24)))" }
        if quiet != " " { tail += StyledText(quiet, .quiet) }
        if reminder.snoozedInstant != nil, reminder.section != .completed { tail += "  snoozed" }
        if reminder.status == .inProgress { tail += "  in progress" }
        if reminder.status == .cancelled { tail += "  cancelled" }
        if reminder.overdue { tail += StyledText("  overdue", .warning) }
        return tail
    }

    /// More labels in a row would leave no room for the title.
    private static let labelLimit = 5
}

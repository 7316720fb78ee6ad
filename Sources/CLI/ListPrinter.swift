import Bridge
import DatePhrases
import ICalendar
import Reminders

struct ListPrinter: Sendable {
    let text: LocalText
    let columns: Int
    /// The style of the `#` before the name of each label that has a colour.
    var labelStyles: [LabelKey: TextStyle] = [:]
    /// Whether marks are ASCII characters, for a locale that is not UTF-8.
    var hasASCIIMarks = false

    /// Headings for each section and each group in Upcoming, and rows for `reminders`, which must be in display order.
    func list(_ reminders: consuming [ReminderView]) -> StyledText {
        var result = StyledText()
        let layout = self.layout(copy reminders)
        var former: ListGroup?
        var tail = RowTail()
        // A row has about a hundred bytes and two styled parts.
        result.reserve(reminders.count * 112, parts: reminders.count * 2)
        for index in reminders.indices {
            // Each reminder is moved out of the array, not copied, so its memory is free as soon as its row exists.
            var reminder = Self.nothing
            swap(&reminder, &reminders[index])
            // A subtask belongs to the group of its parent.
            let group = reminder.depth > 0 ? former ?? reminder.group : reminder.group
            if group.section != former?.section {
                if former != nil { result += "\n\n" }
                result += StyledText(self.heading(group.section), .heading)
            }
            if group != former, let words = self.subheading(group) {
                result += "\n"
                result += StyledText("  \(words)")
            }
            former = group
            result.append("\n")
            self.add(reminder, layout, to: &result, &tail)
        }
        return result
    }

    /// Rows without headings, in the order of `reminders`.
    func rows(_ reminders: [ReminderView]) -> StyledText {
        let layout = self.layout(reminders)
        var result = StyledText()
        var tail = RowTail()
        for (index, reminder) in reminders.enumerated() {
            if index > 0 { result.append("\n") }
            self.add(reminder, layout, to: &result, &tail)
        }
        return result
    }

    private static let nothing = ReminderView(id: 0, uid: "", list: "", title: "", group: .undated)

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
}

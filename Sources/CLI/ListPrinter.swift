import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

struct ListPrinter: Sendable {
    let text: LocalText
    let columns: Int
    /// The style of the `#` before the name of each label that has a colour.
    var labelStyles: [LabelKey: TextStyle] = [:]
    /// Whether marks are ASCII characters, for a locale that is not UTF-8.
    var hasASCIIMarks = false

    /// A piece of a long list ends with the row that reaches this size.
    ///
    /// A pager shows the first page while the other rows are made. With smaller pieces, system calls take more time.
    private static let pieceBytes = 16 * 1024

    /// Passes the lines of a list to `write` in pieces, without the line end of the last line of each piece.
    ///
    /// The lines are rows for `reminders` in their order. With headings, they are also headings for each section and
    /// each group in Upcoming; then the reminders must be in display order.
    func list<Problem>(
        _ reminders: consuming [ReminderView],
        hasHeadings: Bool = true,
        write: (StyledText) throws(Problem) -> Void
    ) throws(Problem) {
        var piece = StyledText()
        let layout = self.layout(copy reminders)
        var former: ListGroup?
        var tail = RowTail()
        // Each reminder is moved out of the array, not copied, so its memory is free as soon as its row exists.
        reminders.arrange(reminders.indices.reversed())
        var isFirst = true
        while let reminder = reminders.popLast() {
            if hasHeadings {
                // A subtask belongs to the group of its parent.
                let group = reminder.depth > 0 ? former ?? reminder.group : reminder.group
                self.addHeadings(of: group, after: former, to: &piece)
                former = group
            }
            if piece.byteCount >= Self.pieceBytes {
                try write(piece)
                piece.removeAll()
            } else if hasHeadings || !isFirst {
                piece.append("\n")
            }
            isFirst = false
            self.add(reminder, layout, to: &piece, &tail)
        }
        try write(piece)
    }

    private func addHeadings(of group: ListGroup, after former: ListGroup?, to text: inout StyledText) {
        if group.section != former?.section {
            if former != nil { text += "\n\n" }
            text += StyledText(self.heading(group.section), .heading)
        }
        if group != former, let words = self.subheading(group) {
            text += "\n"
            text += StyledText("  \(words)")
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
}

extension Output {
    /// Prints a list as ``ListPrinter/list(_:hasHeadings:write:)`` passes it.
    func print(
        list reminders: consuming [ReminderView],
        hasHeadings: Bool = true,
        _ printer: ListPrinter
    ) throws(OutputError) {
        try printer.list(reminders, hasHeadings: hasHeadings) { piece throws(OutputError) in try self.print(piece) }
    }
}

import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

/// The values that all rows of a list share.
struct RowStyle: Sendable {
    let dueText: DueText
    let colors: [LabelKey: LabelColor]
    /// The lists that permit no changes.
    let readOnly: Set<String>
    let hasSeveralLists: Bool
    /// The row whose link gets the focus; `nil` for none.
    var focused: Int64?
    /// Whether the rows have only their links and texts, for a page with all reminders.
    var isPlain = false
}

/// A row of the list: the round button, the reminder, and the links to the operations.
struct ReminderRow: Part {
    let reminder: ReminderView
    let style: RowStyle

    init(_ reminder: ReminderView, _ style: RowStyle) {
        self.reminder = reminder
        self.style = style
    }

    private var isDone: Bool { self.reminder.section == .completed }

    /// The class of a row; a subtask below its parent is indented.
    private var rowClass: Attribute {
        if self.isDone { return .class("row done") }
        switch self.reminder.depth {
        case 0: return .class("row")
        case 1: return .class("row sub1")
        case 2: return .class("row sub2")
        default: return .class("row sub3")
        }
    }

    /// The words after the due time, the most important first.
    private var remarks: [String] {
        let reminder = self.reminder
        var words: [String] = []
        if reminder.overdue { words.append("overdue") }
        if reminder.priority != .undefined { words.append("\(reminder.priority.rawValue) priority") }
        if reminder.repeatRule != nil { words.append("repeats") }
        if reminder.marks.contains(.notes) { words.append("notes") }
        if reminder.marks.contains(.alarms) { words.append("alarm at another time") }
        if reminder.marks.contains(.link) { words.append("link") }
        if reminder.hasOpenSubtasks { words.append("open subtasks") }
        if reminder.depth == 0, let parent = reminder.parentID { words.append("subtask of \(parent)") }
        if reminder.startsLater { words.append("starts later") }
        if reminder.isBlocked { words.append("blocked") }
        if reminder.status == .inProgress { words.append("in progress") }
        if reminder.status == .cancelled { words.append("cancelled") }
        return words
    }

    /// A number that changes with the shown content, also when `Tomorrow` becomes `Today`.
    private func version(_ due: String?, _ remarks: [String]) -> String {
        var hash = ContentHash()
        hash.add(self.reminder.title)
        hash.add(due ?? "")
        for part in remarks + self.reminder.labels { hash.add(part) }
        for label in self.reminder.labels { hash.add(self.style.colors[LabelKey(label)]?.hex ?? "") }
        hash.add(self.reminder.list)
        return hash.text
    }

    var body: some HTML {
        let (reminder, style, remarks) = (self.reminder, self.style, self.remarks)
        let title = reminder.shownTitle
        let due = style.dueText.words(reminder)
        let isReadOnly = style.readOnly.contains(reminder.list)
        li(self.rowClass, .id("r\(reminder.id)"), style.isPlain ? nil : .version(self.version(due, remarks))) {
            if !isReadOnly, !style.isPlain {
                button(
                    .class("box"),
                    .name("do"),
                    .value(reminder.toggle),
                    .label("\(self.isDone ? Words.uncomplete.rawValue : Words.complete.rawValue): \(title)")
                )
            }
            a(.class("open"), .href(.reminder(reminder.id)), style.focused == reminder.id ? .hasFocus : nil) {
                bdi { title }
                small(reminder.overdue ? .class("overdue") : nil) {
                    if let due {
                        if style.isPlain {
                            due
                        } else {
                            time(style.dueText.attribute(reminder).map { .datetime($0) }) { due }
                        }
                    }
                    if !remarks.isEmpty { (due == nil ? "" : ", ") + remarks.joined(separator: ", ") }
                    if style.isPlain {
                        if !reminder.labels.isEmpty {
                            " "
                            bdi { reminder.labels.joined(separator: ", ") }
                        }
                    } else {
                        Each(reminder.labels) { name in
                            " "
                            Dot(style.colors[LabelKey(name)] ?? .standard)
                            bdi { name }
                        }
                    }
                    if style.hasSeveralLists {
                        " in "
                        bdi { reminder.list }
                    }
                    if isReadOnly {
                        " "
                        Icon.lock
                        "read-only"
                    }
                }
            }
            if style.isPlain {
                // The page with all reminders has only links, so that it opens fast.
            } else if isReadOnly {
                a(.class("button"), .href(.reminder(reminder.id)), .label("Edit: \(title)")) { Words.edit }
            } else {
                a(.class("del"), .href(.deletion(reminder.id)), .label("Delete: \(title)")) { Words.delete }
                a(.class("more"), .href(.actions(reminder.id)), .label("More actions for \(title)")) { "⋯" }
            }
        }
    }
}

/// A short hash of texts (FNV-1a, 32 bits), which is equal in each process.
struct ContentHash: Sendable {
    private var value: UInt32 = 2_166_136_261

    mutating func add(_ text: String) {
        for byte in text.utf8 { self.value = (self.value ^ UInt32(byte)) &* 16_777_619 }
        // The end of the text, so that "a" and "b" differ from "ab".
        self.value = (self.value ^ 0xFF) &* 16_777_619
    }

    var text: String { String(self.value, radix: 36) }
}

/// A small picture beside a text that has the same meaning.
struct Icon: Part {
    private let shape: Attribute

    static let lock = Icon(
        shape: .shape(
            "M7 10V7a5 5 0 0 1 10 0v3h1a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zm2 0h6V7a3 3 0 0 0-6 0z"
        )
    )

    var body: some HTML { svg(.class("icon"), .isHidden, .viewBox) { path(self.shape) } }
}

/// A dot in the colour of a label; the name of the label is always beside it.
struct Dot: Part {
    let color: LabelColor
    init(_ color: LabelColor) { self.color = color }

    var body: some HTML { svg(.class("dot")) { circle(.fill(self.color.hex)) } }
}

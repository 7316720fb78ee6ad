import RemindavBridge
import RemindavHTML
import RemindavReminders

/// The operations on a reminder, as a page of their own.
struct ActionMenu: Part {
    let reminder: ReminderView
    let token: String
    let dueText: DueText
    /// Whether the list of the reminder permits no changes.
    let isReadOnly: Bool

    init(_ reminder: ReminderView, _ token: String, _ dueText: DueText, isReadOnly: Bool) {
        self.reminder = reminder
        self.token = token
        self.dueText = dueText
        self.isReadOnly = isReadOnly
    }

    private var isDone: Bool { self.reminder.section == .completed }

    var body: some HTML {
        let id = self.reminder.id
        h1 { bdi { self.reminder.shownTitle } }
        if let due = self.dueText.words(self.reminder) { p { due } }
        if self.isReadOnly {
            p { "The list of this reminder is read-only. Edit offers another list." }
        } else {
            self.operations
        }
        p(.class("bar")) {
            a(.class("button"), .href(.reminder(id))) { Words.edit }
            if !self.isReadOnly { a(.class("button danger-button"), .href(.deletion(id))) { Words.delete } }
        }
    }

    @HTMLBuilder private var operations: some HTML {
        let id = self.reminder.id
        form(.action(.act), .isPosted) {
            TokenField(self.token)
            p(.class("bar")) {
                button(.class("button"), .name("do"), .value(self.reminder.toggle)) {
                    self.isDone ? Words.markIncomplete : Words.markComplete
                }
                if !self.isDone, self.reminder.repeatRule != nil {
                    button(.class("button"), .name("do"), .value(self.reminder.occurrence("skip"))) {
                        "Skip this date"
                    }
                }
                if !self.isDone, self.reminder.overdue {
                    button(.class("button"), .name("do"), .value("acknowledge \(id)")) { "Clear its alarms" }
                }
            }
            if !self.isDone {
                h2 { Words.snooze }
                p(.class("bar")) {
                    Each(SnoozeChoice.allCases) { choice in
                        button(.class("button"), .name("do"), .value("snooze \(id) \(choice.rawValue)")) {
                            choice.name
                        }
                    }
                    a(.class("button"), .href(.snooze(id))) { "Other…" }
                }
            }
        }
    }
}

/// The choices for a snooze, in the order of the menu.
enum SnoozeChoice: String, CaseIterable, Sendable {
    case fiveMinutes = "5m"
    case fifteenMinutes = "15m"
    case thirtyMinutes = "30m"
    case hour = "1h"
    case tomorrow = "tomorrow 09:00"

    var name: String {
        switch self {
        case .fiveMinutes: Words.fiveMinutes.rawValue
        case .fifteenMinutes: Words.fifteenMinutes.rawValue
        case .thirtyMinutes: Words.thirtyMinutes.rawValue
        case .hour: Words.hour.rawValue
        case .tomorrow: "Tomorrow 09:00"
        }
    }
}

/// The form for another end of a snooze.
struct SnoozeForm: Part {
    let reminder: ReminderView
    let typed: String
    let problem: String?
    let token: String

    var body: some HTML {
        h1 { Words.snooze }
        p { bdi { self.reminder.shownTitle } }
        form(.class("card form"), .action(.act), .isPosted, .isUnchecked) {
            TokenField(self.token)
            TextField(
                "until",
                "End or duration",
                value: self.typed,
                note: "Such as friday 9am, 2026-12-01 or 2h",
                problem: self.problem,
                hasFocus: true
            )
            p(.class("bar")) {
                a(.class("button"), .href(.actions(self.reminder.id))) { Words.cancel }
                button(.class("button main-button"), .name("do"), .value("snooze \(self.reminder.id)")) {
                    Words.snooze
                }
            }
        }
    }
}

/// The question before a deletion.
struct DeletionQuestion: Part {
    let reminder: ReminderView
    let token: String

    init(_ reminder: ReminderView, _ token: String) {
        self.reminder = reminder
        self.token = token
    }

    var body: some HTML {
        h1 { Words.deleteReminderQuestion }
        p {
            Words.deletionOfReminder.with(self.reminder.shownTitle)
            " It stays in the trash for 30 days."
        }
        form(.class("bar"), .action(.act), .isPosted) {
            TokenField(self.token)
            a(.class("button"), .href(.list), .hasFocus) { Words.cancel }
            button(.class("button danger-button"), .name("do"), .value("delete \(self.reminder.id)")) { Words.delete }
        }
    }
}

/// The question before an undo that makes a list on a server empty.
struct EmptyingQuestion: Part {
    let list: String
    let fields: [(name: String, value: String)]

    var body: some HTML {
        h1 { "Undo?" }
        p {
            "The next sync would then delete all reminders of the list '"
            bdi { self.list }
            "' on the server, for all its users. Nothing was changed yet."
        }
        form(.class("bar"), .action(.undo), .isPosted) {
            HiddenFields(self.fields)
            a(.class("button"), .href(.log), .hasFocus) { Words.cancel }
            button(.class("button danger-button"), .name("empty"), .value("1")) { "Undo" }
        }
    }
}

import Bridge
import HTML
import Reminders

/// The question before a deletion.
struct DeletionQuestion: Part {
    let reminder: ReminderView
    let token: String

    init(_ reminder: ReminderView, _ token: String) {
        self.reminder = reminder
        self.token = token
    }

    var body: some HTML {
        h1 { "Delete Reminder?" }
        p {
            "Are you sure you want to delete '"
            bdi { self.reminder.title }
            "'? It stays in the trash for 30 days."
        }
        form(.class("bar"), .action(.act), .isPosted) {
            TokenField(self.token)
            a(.class("button"), .href(.list), .hasFocus) { "Cancel" }
            button(.class("button danger-button"), .name("do"), .value("delete \(self.reminder.id)")) { "Delete" }
        }
    }
}

/// The operations on a reminder, as a page of their own.
struct ActionMenu: Part {
    let reminder: ReminderView
    let token: String
    let dueText: DueText

    init(_ reminder: ReminderView, _ token: String, _ dueText: DueText) {
        self.reminder = reminder
        self.token = token
        self.dueText = dueText
    }

    private var isDone: Bool { self.reminder.section == .completed }

    var body: some HTML {
        let id = self.reminder.id
        h1 { bdi { self.reminder.title } }
        if let due = self.dueText.words(self.reminder) { p { due } }
        form(.action(.act), .isPosted) {
            TokenField(self.token)
            p {
                button(.class("button"), .name("do"), .value("\(self.isDone ? "reopen" : "complete") \(id)")) {
                    self.isDone ? "Mark Incomplete" : "Mark Complete"
                }
            }
            if !self.isDone {
                h2 { "Snooze" }
                p {
                    Each(SnoozeChoice.allCases) { choice in
                        button(.class("button"), .name("do"), .value("snooze \(id) \(choice.seconds)")) { choice.name }
                        " "
                    }
                }
            }
        }
        p { a(.class("button danger-button"), .href(.deletion(id))) { "Delete" } }
    }
}

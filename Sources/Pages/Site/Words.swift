import RemindavHTML

/// The strings of the requirement documents, which the pages contain verbatim.
///
/// A test compares them with the list in the documents, so a change of one is noticed.
enum Words: String, CaseIterable, HTML {
    // The list.
    case reminders = "Reminders"
    case today = "Today"
    case upcoming = "Upcoming"
    case completed = "Completed"
    case noReminders = "No reminders yet"
    case addFirstReminder = "Add your first reminder"
    // The form of a reminder.
    case newReminder = "New Reminder"
    case editReminder = "Edit Reminder"
    case title = "Title"
    case reminderTitle = "Reminder title"
    case whatToRemember = "What do you need to remember?"
    case notes = "Notes (optional)"
    case schedule = "Schedule"
    case date = "Date"
    case time = "Time"
    case repetition = "Repeat"
    case recurrence = "Recurrence"
    case never = "Never"
    case daily = "Daily"
    case weekly = "Weekly"
    case monthly = "Monthly"
    case cancel = "Cancel"
    case save = "Save"
    case titleRequired = "Title is required"
    case mustBeInFuture = "Must be in the future"
    case reminderNotFound = "Reminder not found"
    case deleteReminder = "Delete Reminder"
    // The operations.
    case complete = "Complete"
    case uncomplete = "Uncomplete"
    case markComplete = "Mark Complete"
    case markIncomplete = "Mark Incomplete"
    case snooze = "Snooze"
    case fiveMinutes = "5 minutes"
    case fifteenMinutes = "15 minutes"
    case thirtyMinutes = "30 minutes"
    case hour = "1 hour"
    case delete = "Delete"
    case edit = "Edit"
    case deleteReminderQuestion = "Delete Reminder?"
    case deletionOfReminder = "Are you sure you want to delete 'TITLE'?"
    // The labels.
    case labels = "Labels"
    case newLabel = "New Label"
    case editLabel = "Edit Label"
    case labelName = "Label name"
    case color = "Color"
    case preview = "Preview"
    case namelessLabel = "Label Name"
    case noLabels = "No labels yet"
    case addFirstLabel = "Add your first label"
    case deleteLabel = "Delete Label"
    case deletionOfLabel =
        "Are you sure you want to delete 'NAME'? Reminders with this label will keep their data but lose the label association."
    // The alarms.
    case enableNotifications = "Enable Notifications"
    case whyNotifications = "Get notified when your reminders are due so you never miss an important task."
    case maybeLater = "Maybe Later"
    case timeForReminder = "Time for your reminder!"

    func write(to page: inout HTMLBuffer) { self.rawValue.write(to: &page) }

    /// The string with a text of the user instead of its placeholder, which is in capitals.
    func with(_ text: String) -> Sentence {
        let placeholder = self == .deletionOfLabel ? "NAME" : "TITLE"
        let parts = self.rawValue.split(separator: placeholder, maxSplits: 1, omittingEmptySubsequences: false)
        return Sentence(before: String(parts[0]), text: text, after: parts.count > 1 ? String(parts[1]) : "")
    }

    /// A sentence with a text of the user in it.
    struct Sentence: Part {
        let before: String
        let text: String
        let after: String

        var body: some HTML {
            self.before
            bdi { self.text }
            self.after
        }
    }
}

import RemindavReminders

extension ReminderDraft {
    func checked() throws(TitleError) -> Self {
        var draft = self
        draft.title = try Reminder.checked(title: self.title)
        return draft
    }
}

package struct DraftError: Error {
    package let index: Int
    package let underlying: any Error
}

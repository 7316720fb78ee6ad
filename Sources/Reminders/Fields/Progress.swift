import RemindavICalendar

extension Reminder {
    /// Writes the progress of an open reminder; without progress, it has no PERCENT-COMPLETE.
    func write(status change: FieldChange<Status>, to editor: inout ComponentEditor) {
        guard let status = change.value(clear: .pending), status != self.status, !self.status.isClosed else { return }
        switch status {
        case .inProgress: editor.set(ContentLine(.status, value: "IN-PROCESS"))
        case .pending: editor.resetProgress()
        case .completed, .cancelled: break
        }
    }
}

import RemindavICalendar
package import RemindavReminders
package import RemindavStore

/// The result of restoring the value that lost a conflict.
package enum RestoringStep: Sendable {
    case rewrite(Reminder)
    case alreadyApplied
    case impossible(RestoringObstacle)
}

package enum RestoringObstacle: Hashable, Sendable {
    case reminderGone
    /// The occurrence or the alarm that contained the value no longer exists.
    case componentGone
    case listReadOnly
    /// An older version of this program recorded the conflict and did not store the content lines.
    case linesUnknown
}

extension ConflictNote {
    /// Restores the value that lost the conflict; the result counts as an edit by the user.
    ///
    /// The edit replaces the property of the conflict and the properties of its ``PropertyGroup``; it changes no other
    /// bytes. `current` is the reminder's present text; `nil` means that the reminder was deleted.
    package func restoring(in current: [UInt8]?, of list: ListRecord?, in context: EditingContext) -> RestoringStep {
        guard let object = current.flatMap({ CalendarObject(ICalendarDocument($0)) }) else {
            return .impossible(.reminderGone)
        }
        guard let list, !list.isReadOnly else { return .impossible(.listReadOnly) }
        guard let lines = self.losingLines else { return .impossible(.linesUnknown) }
        guard let component = ComponentPath(self.component).component(in: object) else {
            return .impossible(.componentGone)
        }
        var editor = ComponentEditor(component)
        let names = PropertyGroup.names(with: self.property)
        let present = component.properties.filter { names.contains($0.name) }
        for (index, property) in present.enumerated() {
            if index == 0, !lines.isEmpty {
                editor.replace(property, with: lines)
            } else {
                editor.remove(property)
            }
        }
        if present.isEmpty, !lines.isEmpty { editor.add(bytes: lines) }
        guard let edited = Reminder(object.document.applying(editor.edits)),
            edited.object.unstampedMeaning != object.unstampedMeaning
        else { return .alreadyApplied }
        return .rewrite(edited.restamped(in: context, over: object))
    }
}

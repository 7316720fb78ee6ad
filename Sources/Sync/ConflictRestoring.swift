import ICalendar
package import Reminders
package import Store

/// The step that restores the losing value of a conflict.
package enum RestoringStep: Sendable {
    case rewrite(Reminder)
    case alreadyApplied
    case impossible(RestoringObstacle)
}

/// The reason why a losing value cannot be restored.
package enum RestoringObstacle: Hashable, Sendable {
    case reminderGone
    /// The occurrence or the alarm that had the value is gone.
    case componentGone
    case listReadOnly
    /// The lines were not kept: an older version of this program wrote the note.
    case linesUnknown
}

extension ConflictNote {
    /// Restores the losing value as an edit of the user.
    ///
    /// Only the property of the conflict, and those that must come from the same side, get the lines of that side; all
    /// other bytes stay. `current` is the present text, `nil` when the reminder is gone.
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

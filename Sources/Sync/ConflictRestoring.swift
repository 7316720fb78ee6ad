import ICalendar
package import Reminders
package import Store

/// The step that restores the losing value of a conflict.
package enum RestoringStep: Sendable {
    /// It gets this text.
    case rewrite(Reminder)
    /// It has the value already.
    case alreadyApplied
    /// It cannot be done.
    case impossible(RestoringObstacle)
}

/// Why a value that lost cannot be put back.
package enum RestoringObstacle: Hashable, Sendable {
    /// The reminder is gone.
    case reminderGone
    /// The occurrence or the alarm is gone that had the value.
    case componentGone
    /// The list is read-only on the server.
    case listReadOnly
    /// The lines were not kept: an older version of this program wrote the note.
    case linesUnknown
}

extension ConflictNote {
    /// Puts the value back that lost, as a person's edit.
    ///
    /// Only the property that the conflict was about, and those that must come from the same side, get the lines that
    /// they had there; all else stays to the byte.
    ///
    /// - Parameters:
    ///   - current: the text as it is now, `nil` when the reminder is gone.
    ///   - list: where it is.
    package func restoring(
        in current: [UInt8]?,
        of list: ListRecord?,
        in context: EditingContext
    ) -> RestoringStep {
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

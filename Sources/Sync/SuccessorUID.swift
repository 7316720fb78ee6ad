package import RemindavICalendar
import RemindavReminders

/// Makes the UID that replaces another one, if the server has proved that it cannot store the old UID.
///
/// The new UID is derived from the old one alone. So two devices choose the same new UID, and every device finds the
/// reminder by its old UID.
package enum SuccessorUID {
    /// The largest number of successive replacements of one UID.
    ///
    /// More are unlikely, because each one requires that the reminder is deleted on the server and restored by an undo.
    static let longestChain = 8

    package static func make(after uid: String) -> String { NameUUID.make("successor\n\(uid)") }

    /// The UIDs that may have replaced `uid`, in the order of replacement.
    package static func chain(after uid: String) -> [String] {
        (0..<self.longestChain).reduce(into: []) { chain, _ in chain.append(self.make(after: chain.last ?? uid)) }
    }
}

extension ICalendarDocument {
    /// The same text with another UID in all its to-dos.
    package func replacing(uid: String) -> ICalendarDocument {
        self.applying(
            self.all(.vtodo).flatMap { todo in
                var editor = ComponentEditor(todo)
                editor.set(ContentLine(.uid, text: uid))
                return editor.edits
            }
        )
    }

    /// Changes each RELATED-TO (RFC 5545 §3.8.4.5) that names `old`; `nil` when there is none.
    func relinking(_ old: String, to new: String) -> ICalendarDocument? {
        let edits = self.all(.vtodo).flatMap { todo in
            var editor = ComponentEditor(todo)
            for property in todo.all(.relatedTo) where property.text.trimmingSpaces.exact == old.exact {
                editor.replace(property, with: ContentLine(.relatedTo, property.parameters, text: new).bytes())
            }
            return editor.edits
        }
        return edits.isEmpty ? nil : self.applying(edits)
    }
}

package import ICalendar
import Reminders

/// The UID that an item gets when its server proves that it cannot store the old one.
///
/// It follows from the old one alone. Two devices that replace the same UID therefore agree, and an item is found by its
/// old UID on every device.
package enum SuccessorUID {
    /// UIDs that replace one another are followed so far: each step takes a deletion on the server and an undoing.
    static let longestChain = 8

    package static func make(after uid: String) -> String { NameUUID.make("successor\n\(uid)") }

    /// The UIDs that may have replaced `uid`, in order.
    package static func chain(after uid: String) -> [String] {
        (0..<self.longestChain).reduce(into: []) { chain, _ in chain.append(self.make(after: chain.last ?? uid)) }
    }
}

extension ICalendarDocument {
    /// The same with another UID in all its to-dos.
    package func replacing(uid: String) -> ICalendarDocument {
        self.applying(
            self.all(.vtodo).flatMap { todo in
                var editor = ComponentEditor(todo)
                editor.set(ContentLine(.uid, text: uid))
                return editor.edits
            }
        )
    }

    /// Changes each RELATED-TO (RFC 5545 §3.8.4.5) that names `old`; `nil` when none does.
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

public import ICalendar
import Recurrence

/// A reminder: the meaning of a VTODO.
///
/// A view of the calendar object: each field is read on demand. The fields are those of the to-do itself, or of the
/// occurrence that ``current(zones:)`` chooses.
public struct Reminder: Sendable {
    /// The text that this is a reading of.
    public let object: CalendarObject
    /// The UID, the same on all devices (RFC 5545 §3.8.4.7).
    public let uid: String
    let main: Component
    let focus: Focus?

    /// - Returns: `nil` when the object has no UID.
    public init?(_ object: CalendarObject) {
        let main = object.main
        guard let uid = main.first(.uid)?.text.trimmingSpaces, !uid.isEmpty else { return nil }
        self.object = object
        self.uid = uid
        self.main = main
        self.focus = nil
    }

    /// Reads a text; `nil` when it has no to-do with a UID.
    public init?(_ document: ICalendarDocument) {
        guard let object = CalendarObject(document) else { return nil }
        self.init(object)
    }

    init(_ reminder: Reminder, focus: Focus?) {
        self.object = reminder.object
        self.uid = reminder.uid
        self.main = reminder.main
        self.focus = focus
    }

    /// The to-do itself, or the component that describes the occurrence.
    package var todo: Component { self.focus?.occurrence.component ?? self.main }
}

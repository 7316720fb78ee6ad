public import ICalendar
import Recurrence

/// A reminder: the meaning of a VTODO.
///
/// A reading of the calendar object, which stays the truth: nothing is copied out of it, and each field is read when
/// asked for. `Fields/` reads them, `Verbs/` has the operations.
///
/// The fields are those of the to-do itself; of one that comes again ``current(zones:)`` reads the occurrence that is to
/// be done now.
public struct Reminder: Sendable {
    /// The text that this is a reading of.
    public let object: CalendarObject
    /// The UID, the same on all devices (RFC 5545 §3.8.4.7).
    public let uid: String
    /// The to-do itself, without the occurrences that differ from it.
    let main: Component
    /// The occurrence that the fields are read of, `nil` for the to-do itself.
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

    /// Reads a text.
    ///
    /// - Returns: `nil` when it holds no to-do with a UID.
    public init?(_ document: ICalendarDocument) {
        guard let object = CalendarObject(document) else { return nil }
        self.init(object)
    }

    /// The same, with the fields of an occurrence.
    init(_ reminder: Reminder, focus: Focus?) {
        self.object = reminder.object
        self.uid = reminder.uid
        self.main = reminder.main
        self.focus = focus
    }

    /// The component with the fields: the to-do itself, or the one that describes the occurrence.
    package var todo: Component { self.focus?.occurrence.component ?? self.main }
}

public import RemindavICalendar
import RemindavRecurrence

/// A reminder: the meaning of a VTODO for a user.
///
/// Each field is read from the calendar object on demand: from the main VTODO, or from the occurrence that
/// ``current(zones:)`` chose.
public struct Reminder: Sendable {
    /// The calendar object that contains the to-do and its overrides.
    public let object: CalendarObject
    /// The UID, which is the same on all devices (RFC 5545 §3.8.4.7).
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

    /// Reads a parsed iCalendar text; `nil` when it has no to-do with a UID.
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

    /// The component that describes the chosen occurrence; the main VTODO when no occurrence was chosen.
    package var todo: Component { self.focus?.occurrence.component ?? self.main }
}

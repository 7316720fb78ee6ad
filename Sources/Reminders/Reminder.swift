public import ICalendar
import Recurrence

/// A reminder: what a VTODO means to a person.
///
/// A reading of the calendar object, which stays the truth: nothing is copied out of it, and each field is read when
/// asked for. `Fields/` says how each is read, `Verbs/` what can be done.
///
/// The fields are those of the to-do itself; of one that comes again ``current(zones:)`` reads the occurrence that is to
/// be done now.
public struct Reminder: Sendable {
    /// The text that this is a reading of.
    public let object: CalendarObject
    /// What identifies it everywhere (RFC 5545 §3.8.4.7).
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

    /// What the fields are read from: the to-do itself, or what describes its occurrence.
    package var todo: Component { self.focus?.occurrence.component ?? self.main }
}

public import ICalendar

/// A reminder: what a VTODO means to a person.
///
/// A reading of the calendar object, which stays the truth: nothing is copied out of it, and each field is read when
/// asked for. `Fields/` says how each is read, `Verbs/` what can be done.
public struct Reminder: Sendable {
    /// The text that this is a reading of.
    public let object: CalendarObject
    /// What identifies it everywhere (RFC 5545 §3.8.4.7).
    public let uid: String

    /// - Returns: `nil` when the object has no UID.
    public init?(_ object: CalendarObject) {
        guard let uid = object.uid else { return nil }
        self.object = object
        self.uid = uid
    }

    /// Reads a text.
    ///
    /// - Returns: `nil` when it holds no to-do with a UID.
    public init?(_ document: ICalendarDocument) {
        guard let object = CalendarObject(document) else { return nil }
        self.init(object)
    }

    /// The to-do itself, without the occurrences that differ from it.
    package var todo: Component { self.object.main }
}

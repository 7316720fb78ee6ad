import ICalendar

/// A participant of a reminder (ATTENDEE, ORGANIZER; RFC 5545 §3.8.4.1, §3.8.4.3).
public struct Participant: Hashable, Sendable {
    /// The name; `nil` for none (CN, RFC 5545 §3.2.2).
    public let name: String?
    /// The address as it is written, without `mailto:`.
    public let address: String
    /// The participation status in capitals; `nil` for none (PARTSTAT, RFC 5545 §3.2.12).
    public let status: String?

    init(_ property: Property) {
        let value = property.value.trimmingSpaces
        self.name = property.parameter(.commonName)
        self.address = value.lowercased().hasPrefix("mailto:") ? String(value.dropFirst(7)) : value
        self.status = property.parameter(.participationStatus)?.uppercased()
    }
}

extension Reminder {
    /// The attendees, in order.
    public var attendees: [Participant] { self.todo.all(.attendee).map { Participant($0) } }

    /// The organizer; `nil` for none.
    public var organizer: Participant? { self.todo.first(.organizer).map { Participant($0) } }
}

extension Name {
    fileprivate static let commonName = Name("CN") ?? .value
    fileprivate static let participationStatus = Name("PARTSTAT") ?? .value
}

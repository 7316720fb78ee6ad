import ICalendar

/// Somebody who has to do with a reminder (ATTENDEE, ORGANIZER; RFC 5545 §3.8.4.1, §3.8.4.3).
public struct Participant: Hashable, Sendable {
    /// The name; `nil` when nobody has said (CN, RFC 5545 §3.2.2).
    public let name: String?
    /// The address as it is written, without `mailto:`.
    public let address: String
    /// How far the person has got with it, in capitals; `nil` when nobody has said (PARTSTAT, RFC 5545 §3.2.12).
    public let status: String?

    init(_ property: Property) {
        let value = property.value.trimmingSpaces
        self.name = property.parameter(.commonName)
        self.address = value.lowercased().hasPrefix("mailto:") ? String(value.dropFirst(7)) : value
        self.status = property.parameter(.participationStatus)?.uppercased()
    }
}

extension Reminder {
    /// Those who take part in it, in order.
    public var attendees: [Participant] { self.todo.all(.attendee).map { Participant($0) } }

    /// Whoever organises it; `nil` when nobody does.
    public var organizer: Participant? { self.todo.first(.organizer).map { Participant($0) } }
}

extension Name {
    fileprivate static let commonName = Name("CN") ?? .value
    fileprivate static let participationStatus = Name("PARTSTAT") ?? .value
}

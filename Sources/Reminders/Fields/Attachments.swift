import ICalendar

/// What is attached to a reminder (ATTACH, RFC 5545 §3.8.1.1).
public struct Attachment: Hashable, Sendable {
    /// Where it is; `nil` when it is in the calendar object itself.
    public let address: String?
    /// What it is, such as `image/png`; `nil` when nobody has said (FMTTYPE, RFC 5545 §3.2.8).
    public let type: String?
    /// What the file is called; `nil` when nobody has said (FILENAME of RFC 8607, and X-FILENAME).
    public let fileName: String?

    init(_ property: Property) {
        let isInline = property.parameter(.value)?.uppercased() == "BINARY" || property.parameter(.encoding) != nil
        self.address = isInline ? nil : property.value.trimmingSpaces
        self.type = property.parameter(.formatType)
        self.fileName = property.parameter(.fileName) ?? property.parameter(.oldFileName)
    }
}

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
    /// What is attached to it, in order.
    public var attachments: [Attachment] { self.todo.all(.attach).map { Attachment($0) } }

    /// Those who take part in it, in order.
    public var attendees: [Participant] { self.todo.all(.attendee).map { Participant($0) } }

    /// Whoever organises it; `nil` when nobody does.
    public var organizer: Participant? { self.todo.first(.organizer).map { Participant($0) } }

    /// The properties that other programs have put into it, and that are kept as they are: name and value as written.
    ///
    /// - Parameter limit: how many at most; the first ones.
    public func foreignProperties(limit: Int) -> [(name: String, value: String)] {
        self.todo.properties.lazy.filter { $0.name.canonical.hasPrefix("X-") }.prefix(limit)
            .map { (name: $0.name.canonical, value: $0.value) }
    }

    /// How many of these there are.
    public var foreignPropertyCount: Int { self.todo.properties.count { $0.name.canonical.hasPrefix("X-") } }
}

extension Name {
    fileprivate static let formatType = Name("FMTTYPE") ?? .value
    fileprivate static let fileName = Name("FILENAME") ?? .value
    fileprivate static let oldFileName = Name("X-FILENAME") ?? .value
    fileprivate static let commonName = Name("CN") ?? .value
    fileprivate static let participationStatus = Name("PARTSTAT") ?? .value
}

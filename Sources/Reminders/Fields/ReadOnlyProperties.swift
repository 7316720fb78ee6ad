import ICalendar

/// An attachment of a reminder (ATTACH, RFC 5545 §3.8.1.1).
public struct Attachment: Hashable, Sendable {
    /// Where it is; `nil` when it is in the calendar object itself.
    public let address: String?
    /// The media type, such as `image/png`; `nil` for none (FMTTYPE, RFC 5545 §3.2.8).
    public let type: String?
    /// The file name; `nil` for none (FILENAME of RFC 8607, and X-FILENAME).
    public let fileName: String?

    init(_ property: Property) {
        let isInline = property.parameter(.value)?.uppercased() == "BINARY" || property.parameter(.encoding) != nil
        self.address = isInline ? nil : property.value.trimmingSpaces
        self.type = property.parameter(.formatType)
        self.fileName = property.parameter(.fileName) ?? property.parameter(.oldFileName)
    }
}

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

/// How a reminder is related to another component (RELATED-TO, RFC 5545 §3.8.4.5, RFC 9253 §9.1).
public struct Relation: Hashable, Sendable {
    /// The kind of a relation.
    public enum Kind: Hashable, Sendable {
        /// Also without RELTYPE (RFC 5545 §3.2.15).
        case parent
        case child
        /// RFC 9253 §5.
        case dependsOn
        /// In capitals.
        case other(String)
    }

    /// The kind.
    public let kind: Kind
    /// The UID of the other one.
    public let uid: String

    init?(_ property: Property) {
        let uid = property.text.trimmingSpaces
        guard !uid.isEmpty else { return nil }
        self.uid = uid
        self.kind =
            switch property.parameter(.reltype)?.trimmingSpaces.uppercased() {
            case nil, "", "PARENT": .parent
            case "CHILD": .child
            case "DEPENDS-ON": .dependsOn
            case .some(let word): .other(word)
            }
    }
}

// Properties that are shown and not settable.
extension Reminder {
    /// The attachments, in order.
    public var attachments: [Attachment] { self.todo.all(.attach).map { Attachment($0) } }

    /// The attendees, in order.
    public var attendees: [Participant] { self.todo.all(.attendee).map { Participant($0) } }

    /// The organizer; `nil` for none.
    public var organizer: Participant? { self.todo.first(.organizer).map { Participant($0) } }

    /// The other components that it names, in order.
    public var relations: [Relation] { self.todo.all(.relatedTo).compactMap { Relation($0) } }

    /// The first `limit` properties of other programs: name and value as written.
    public func foreignProperties(limit: Int) -> [(name: String, value: String)] {
        self.todo.properties.lazy.filter(Self.isForeign).prefix(limit)
            .map { (name: $0.name.canonical, value: $0.value) }
    }

    /// How many of these there are.
    public var foreignPropertyCount: Int { self.todo.properties.count(where: Self.isForeign) }

    /// ``Name/dueAlarm`` is ours.
    private static func isForeign(_ property: Property) -> Bool {
        property.name.canonical.hasPrefix("X-") && property.name != .dueAlarm
    }
}

extension Name {
    fileprivate static let formatType = Name("FMTTYPE") ?? .value
    fileprivate static let fileName = Name("FILENAME") ?? .value
    fileprivate static let oldFileName = Name("X-FILENAME") ?? .value
    fileprivate static let commonName = Name("CN") ?? .value
    fileprivate static let participationStatus = Name("PARTSTAT") ?? .value
}

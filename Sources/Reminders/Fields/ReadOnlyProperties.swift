package import RemindavICalendar

/// An attachment of a reminder (ATTACH, RFC 5545 §3.8.1.1).
public struct Attachment: Hashable, Sendable {
    /// The URI of the attachment; `nil` when the calendar object contains its data.
    public let address: String?
    /// The media type, such as `image/png` (FMTTYPE, RFC 5545 §3.2.8); `nil` when it is not stated.
    public let type: String?
    /// The file name (FILENAME of RFC 8607, or X-FILENAME); `nil` when it is not stated.
    public let fileName: String?

    init(_ property: Property) {
        let isInline = property.parameter(.value)?.uppercased() == "BINARY" || property.parameter(.encoding) != nil
        self.address = isInline ? nil : property.value.trimmingSpaces
        self.type = property.parameter(.formatType)
        self.fileName = property.parameter(.fileName) ?? property.parameter(.oldFileName)
    }
}

/// A participant of a reminder (ATTENDEE or ORGANIZER, RFC 5545 §3.8.4.1, §3.8.4.3).
public struct Participant: Hashable, Sendable {
    /// The participant's name (CN, RFC 5545 §3.2.2); `nil` when it is not stated.
    public let name: String?
    /// The calendar user address as written, without `mailto:`.
    public let address: String
    /// The participation status in upper case (PARTSTAT, RFC 5545 §3.2.12); `nil` when it is not stated.
    public let status: String?

    init(_ property: Property) {
        let value = property.value.trimmingSpaces
        self.name = property.parameter(.commonName)
        self.address = value.lowercased().hasPrefix("mailto:") ? String(value.dropFirst(7)) : value
        self.status = property.parameter(.participationStatus)?.uppercased()
    }
}

/// A relation of a reminder to another component (RELATED-TO, RFC 5545 §3.8.4.5, RFC 9253 §9.1).
public struct Relation: Hashable, Sendable {
    /// The type of a relation (RELTYPE).
    public enum Kind: Hashable, Sendable {
        /// The other component is the parent, also if RELTYPE is missing (RFC 5545 §3.2.15).
        case parent
        /// The other component is a subtask.
        case child
        /// The reminder depends on the other component (RFC 9253 §5).
        case dependsOn
        /// Any other RELTYPE, in upper case.
        case other(String)
    }

    /// The type of the relation.
    public let kind: Kind
    /// The UID of the other component.
    public let uid: String

    package init?(_ property: Property) {
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

// Properties that the program shows but cannot set.
extension Reminder {
    /// The attachments, in order.
    public var attachments: [Attachment] { self.todo.all(.attach).map { Attachment($0) } }

    /// The attendees, in order.
    public var attendees: [Participant] { self.todo.all(.attendee).map { Participant($0) } }

    /// The organizer; `nil` for none.
    public var organizer: Participant? { self.todo.first(.organizer).map { Participant($0) } }

    /// The fields that `show` lists by their names, each with its values; fields without a value are left out.
    package var otherFields: [(name: String, values: [String])] {
        ReminderField.shown.map { field -> (name: String, values: [String]) in
            let values = field.properties.compactMap { Name($0) }.flatMap { self.todo.all($0) }.map(\.text)
            return (field.name, values.compactMap(\.nonBlank))
        }.filter { !$0.values.isEmpty }
    }

    /// The relations to other components, in order.
    public var relations: [Relation] { self.todo.all(.relatedTo).compactMap { Relation($0) } }

    /// The first `limit` X- properties that other programs wrote, each with its name and its value as written.
    public func foreignProperties(limit: Int) -> [(name: String, value: String)] {
        self.todo.properties.lazy.filter(Self.isForeign).prefix(limit)
            .map { (name: $0.name.canonical, value: $0.value) }
    }

    /// The number of all X- properties that other programs wrote.
    public var foreignPropertyCount: Int { self.todo.properties.count(where: Self.isForeign) }

    /// Whether the property is an X- property that this program does not use itself, as it uses those of a snooze.
    private static func isForeign(_ property: Property) -> Bool {
        let name = property.name.canonical
        return name.hasPrefix("X-") && !Self.usedPrefixes.contains(where: name.hasPrefix)
    }

    private static let usedPrefixes = ["X-REMINDAV-", "X-MOZ-SNOOZE-TIME", "X-MOZ-LASTACK"]
}

extension Name {
    fileprivate static let formatType = Name("FMTTYPE") ?? .value
    fileprivate static let fileName = Name("FILENAME") ?? .value
    fileprivate static let oldFileName = Name("X-FILENAME") ?? .value
    fileprivate static let commonName = Name("CN") ?? .value
    fileprivate static let participationStatus = Name("PARTSTAT") ?? .value
}

import ICalendar

/// How a reminder is related to another component (RELATED-TO, RFC 5545 §3.8.4.5, RFC 9253 §9.1).
public struct Relation: Hashable, Sendable {
    /// The kind of a relation.
    public enum Kind: Hashable, Sendable {
        /// This one is a part of the other; also without RELTYPE (RFC 5545 §3.2.15).
        case parent
        /// A part of this.
        case child
        /// The other must be completed first (RFC 9253 §5).
        case dependsOn
        /// Any other relation; the word as it is written, in capitals.
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

extension Reminder {
    /// The other components that it names, in order.
    public var relations: [Relation] { self.todo.all(.relatedTo).compactMap { Relation($0) } }
}

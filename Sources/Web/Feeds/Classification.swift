import ICalendar

/// The access class of a reminder (RFC 5545 §3.8.1.3), the strictest value last.
enum Classification: Int, Comparable {
    case isPublic
    /// Only the times are visible to others.
    case isPrivate
    /// It is invisible to others.
    case isConfidential

    /// The value of CLASS; an unknown one counts as PRIVATE, as the RFC requires.
    init(wire: String) {
        switch wire.uppercased() {
        case "PUBLIC": self = .isPublic
        case "CONFIDENTIAL": self = .isConfidential
        default: self = .isPrivate
        }
    }

    /// The strictest value of the to-do and its changed occurrences.
    init(_ object: CalendarObject) {
        self = object.todos.flatMap { $0.all(.classification) }.map { Self(wire: $0.text) }.max() ?? .isPublic
    }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

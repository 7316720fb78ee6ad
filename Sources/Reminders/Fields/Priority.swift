package import ICalendar

/// The priority of a reminder (RFC 5545 §3.8.1.9); JSON and the command line use the raw value.
public enum Priority: String, CaseIterable, Sendable {
    case undefined = "none"
    case low
    case medium
    case high

    /// Reads PRIORITY: 1 to 4 is high, 5 medium, 6 to 9 low and 0 undefined; `nil` for any other value.
    package init?(_ property: Property) {
        guard let number = property.integer else { return nil }
        switch number {
        case 1...4: self = .high
        case 5: self = .medium
        case 6...9: self = .low
        case 0: self = .undefined
        default: return nil
        }
    }

    /// The number to write into PRIORITY; `nil` removes the property.
    var number: Int? {
        switch self {
        case .undefined: nil
        case .low: 9
        case .medium: 5
        case .high: 1
        }
    }
}

extension Reminder {
    /// The priority; `.undefined` when PRIORITY is missing or cannot be read.
    public var priority: Priority { self.todo.first(.priority).flatMap(Priority.init) ?? .undefined }
}

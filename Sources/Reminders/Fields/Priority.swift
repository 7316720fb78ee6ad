package import ICalendar

/// The urgency of a reminder (RFC 5545 §3.8.1.9); the raw value is the value in JSON and on the command line.
public enum Priority: String, CaseIterable, Sendable {
    case undefined = "none"
    case low
    case medium
    case high

    /// 1 to 4 high, 5 medium, 6 to 9 low, 0 undefined (RFC 5545 §3.8.1.9).
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

    /// The usual number of its class; `nil` when the property is left out.
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
    /// How urgent it is; `.undefined` when PRIORITY is absent or cannot be read.
    public var priority: Priority { self.todo.first(.priority).flatMap(Priority.init) ?? .undefined }
}

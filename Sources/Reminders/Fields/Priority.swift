package import RemindavICalendar

/// The priority of a reminder (RFC 5545 §3.8.1.9); JSON and the command line use the raw value.
public enum Priority: String, CaseIterable, Sendable {
    /// No priority: PRIORITY is 0 or missing.
    case undefined = "none"
    /// PRIORITY 6 to 9; 9 is written.
    case low
    /// PRIORITY 5.
    case medium
    /// PRIORITY 1 to 4; 1 is written.
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

    /// Reads a priority as users write it, ignoring case.
    ///
    /// Valid are the raw values, their first letters except that of `none`, `!` to `!!!` from low to high, the numbers
    /// 0 to 9 of RFC 5545 §3.8.1.9, and Todoist's `p1` to `p4`, of which `p4` means no priority.
    ///
    /// - Returns: `nil` for any other text.
    package init?(word: some StringProtocol) {
        switch word.lowercased() {
        case "high", "h", "!!!", "p1", "1", "2", "3", "4": self = .high
        case "medium", "m", "!!", "p2", "5": self = .medium
        case "low", "l", "!", "p3", "6", "7", "8", "9": self = .low
        case "none", "p4", "0": self = .undefined
        default: return nil
        }
    }

    /// The place in an order by priority: the highest priority first, and reminders without one last.
    package var place: Int {
        switch self {
        case .high: 0
        case .medium: 1
        case .low: 2
        case .undefined: 3
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

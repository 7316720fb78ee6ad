public import ICalendar

/// The status of a reminder (RFC 5545 §3.8.1.11); the raw value is the value in JSON.
public enum Status: String, CaseIterable, Sendable {
    /// NEEDS-ACTION, or no STATUS.
    case pending
    /// IN-PROCESS.
    case inProgress
    /// COMPLETED.
    case completed
    /// CANCELLED.
    case cancelled

    /// Whether it is completed or cancelled.
    public var isClosed: Bool { self == .completed || self == .cancelled }
}

extension Reminder {
    /// How far it has got (RFC 5545 §3.8.1.11).
    ///
    /// Done if STATUS, COMPLETED or PERCENT-COMPLETE says so: the programs in use do not agree which of them they
    /// write.
    public var status: Status { self.todo.status }

    /// The time of completion; `nil` for an open reminder or an unknown time (RFC 5545 §3.8.2.1).
    ///
    /// Where COMPLETED is missing, the last change is the nearest that is known.
    public var completedAt: Instant? {
        guard self.status == .completed else { return nil }
        return self.todo.first(.completed)?.stamp ?? self.updatedAt
    }
}

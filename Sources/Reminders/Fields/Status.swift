public import ICalendar

/// How far a reminder has got.
public enum Status: String, CaseIterable, Sendable {
    /// Still to be done.
    case pending
    /// Begun.
    case inProgress
    /// Done.
    case completed
    /// Not to be done any more.
    case cancelled

    /// Whether there is nothing left to do.
    public var isClosed: Bool { self == .completed || self == .cancelled }
}

extension Reminder {
    /// How far it has got (RFC 5545 §3.8.1.11).
    ///
    /// Done if STATUS, COMPLETED or PERCENT-COMPLETE says so: the programs in use do not agree which of them they
    /// write.
    public var status: Status { self.todo.status }

    /// When it was done, `nil` when it is not, or nobody has said when (RFC 5545 §3.8.2.1).
    ///
    /// Where COMPLETED is missing, the last change is the nearest that is known.
    public var completedAt: Instant? {
        guard self.status == .completed else { return nil }
        return self.todo.first(.completed)?.stamp ?? self.updatedAt
    }
}

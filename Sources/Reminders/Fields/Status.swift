public import RemindavICalendar

/// The status of a reminder (RFC 5545 §3.8.1.11); JSON uses the raw value.
public enum Status: String, CaseIterable, Sendable {
    /// NEEDS-ACTION, or no STATUS.
    case pending
    /// IN-PROCESS.
    case inProgress
    /// COMPLETED.
    case completed
    /// CANCELLED.
    case cancelled

    /// Whether the reminder is completed or cancelled.
    public var isClosed: Bool { self == .completed || self == .cancelled }
}

extension Reminder {
    /// The status; STATUS, COMPLETED and PERCENT-COMPLETE are all read, because programs write different ones of them.
    public var status: Status { self.todo.status }

    /// The time of completion, or else of the last change; `nil` if the reminder is not completed or has neither time.
    public var completedAt: Instant? {
        guard self.status == .completed else { return nil }
        return self.todo.first(.completed)?.stamp ?? self.updatedAt
    }

    /// The time of creation (CREATED, RFC 5545 §3.8.7.1); `nil` when it is not stated.
    public var createdAt: Instant? { self.main.first(.created)?.stamp }

    /// The time of the last change (LAST-MODIFIED, RFC 5545 §3.8.7.3); `nil` when it is missing.
    ///
    /// DTSTAMP is not used instead, because a server may have set it.
    public var updatedAt: Instant? { self.todo.first(.lastModified)?.stamp }
}

extension Component {
    /// LAST-MODIFIED, or else DTSTAMP, the time at which the text was written.
    package var lastChange: Instant? { (self.first(.lastModified) ?? self.first(.dtstamp))?.stamp }
}

extension Property {
    /// The value in UTC (RFC 5545 §3.8.7), also without the `Z`, which Nextcloud, Synology and KOrganizer omit.
    package var stamp: Instant? {
        switch self.moment {
        case .dateTime(let time): Instant(secondsSince1970: time.localSeconds)
        case .date(let date): Instant(secondsSince1970: Int64(date.dayNumber) * Int64(ClockTime.secondsPerDay))
        case nil: nil
        }
    }
}

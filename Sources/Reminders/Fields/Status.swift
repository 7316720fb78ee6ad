public import ICalendar

/// The status of a reminder (RFC 5545 §3.8.1.11); the raw value is the value in JSON.
public enum Status: String, CaseIterable, Sendable {
    case pending
    case inProgress
    case completed
    case cancelled

    /// Whether it is completed or cancelled.
    public var isClosed: Bool { self == .completed || self == .cancelled }
}

extension Reminder {
    /// Completed if STATUS, COMPLETED or PERCENT-COMPLETE says so: programs differ in the one that they write.
    public var status: Status { self.todo.status }

    /// The time of completion, else of the last change; `nil` for an open reminder or an unknown time.
    public var completedAt: Instant? {
        guard self.status == .completed else { return nil }
        return self.todo.first(.completed)?.stamp ?? self.updatedAt
    }

    /// The time of creation; `nil` for none (CREATED, RFC 5545 §3.8.7.1).
    public var createdAt: Instant? { self.main.first(.created)?.stamp }

    /// LAST-MODIFIED (RFC 5545 §3.8.7.3); `nil` for none, also beside DTSTAMP, which some servers add.
    public var updatedAt: Instant? { self.todo.first(.lastModified)?.stamp }
}

extension Component {
    /// LAST-MODIFIED, else DTSTAMP, the time at which the text was made.
    package var lastChange: Instant? { (self.first(.lastModified) ?? self.first(.dtstamp))?.stamp }
}

extension Property {
    /// A point in time in UTC (RFC 5545 §3.8.7), also without the `Z`, which Nextcloud, Synology and KOrganizer leave
    /// out.
    package var stamp: Instant? {
        switch self.moment {
        case .dateTime(let time): Instant(secondsSince1970: time.localSeconds)
        case .date(let date): Instant(secondsSince1970: Int64(date.dayNumber) * Int64(ClockTime.secondsPerDay))
        case nil: nil
        }
    }
}

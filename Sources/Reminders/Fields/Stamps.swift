public import ICalendar

extension Reminder {
    /// The time of creation; `nil` for none (CREATED, RFC 5545 §3.8.7.1).
    public var createdAt: Instant? { self.main.first(.created)?.stamp }

    /// The time of the last change; `nil` for none (LAST-MODIFIED, RFC 5545 §3.8.7.3).
    ///
    /// DTSTAMP does not count: some servers add one of their own.
    public var updatedAt: Instant? { self.todo.first(.lastModified)?.stamp }
}

extension Component {
    /// When it was last changed, as far as it says: LAST-MODIFIED, else DTSTAMP, which says when the text was made.
    package var lastChange: Instant? { (self.first(.lastModified) ?? self.first(.dtstamp))?.stamp }
}

extension Property {
    /// A point in time that must be in UTC (RFC 5545 §3.8.7).
    ///
    /// Nextcloud, Synology and KOrganizer leave the Z out; it is meant all the same.
    package var stamp: Instant? {
        switch self.moment {
        case .dateTime(let time): Instant(secondsSince1970: time.localSeconds)
        case .date(let date): Instant(secondsSince1970: Int64(date.dayNumber) * Int64(ClockTime.secondsPerDay))
        case nil: nil
        }
    }
}

public import ICalendar
private import Recurrence

extension Reminder {
    /// The due time (DUE, RFC 5545 §3.8.2.3, or DTSTART plus DURATION, §3.8.2.5); `nil` when there is none.
    public var due: CalendarDateOrDateTime? { self.focus.map(\.due) ?? self.main.due }

    /// The start (DTSTART, RFC 5545 §3.8.2.4); `nil` when it is missing or has no meaning.
    ///
    /// DTSTART has no meaning if it equals DUE (Apple), is after DUE, or is 1 January 2004 as a placeholder (old iCal).
    public var start: CalendarDateOrDateTime? {
        let start = self.focus.map(\.start) ?? self.main.first(.dtstart)?.moment
        guard let start else { return nil }
        guard let due = self.due else { return start }
        if start == due || start.isKnownAfter(due) { return nil }
        let isDummy = start.day.wire == "20040101" && start.isDate != due.isDate
        return isDummy ? nil : start
    }

    /// The recurrence rule (RFC 5545 §3.8.5.3); `nil` when there is none or it cannot be read.
    public var recurrenceRule: RecurrenceRule? {
        self.recurrenceText.flatMap { try? RecurrenceRule(wire: $0) }
    }

    /// The first RRULE as written; `nil` when there is none.
    public var recurrenceText: String? { self.main.first(.rrule)?.value }

    /// Whether the reminder has several RRULEs or an EXRULE; the program shows such rules, but cannot edit them.
    public var hasSeveralRules: Bool {
        self.main.valued(.exrule) != nil || self.main.all(.rrule).count { !$0.value.trimmingSpaces.isEmpty } > 1
    }
}

extension CalendarDateOrDateTime {
    /// Whether the time is certainly after `other`, even if the offsets of their time zones are unknown.
    fileprivate func isKnownAfter(_ other: Self) -> Bool {
        guard case .dateTime(let own) = self, case .dateTime(let its) = other else { return self.day > other.day }
        // At any moment, the local times of two zones differ by at most 26 hours.
        return own.localSeconds - its.localSeconds > (own.zone == its.zone ? 0 : 26 * 3600)
    }

    /// Adds a duration in local time; a date becomes a date-time if the duration contains hours.
    package func adding(_ duration: CalendarDuration) -> Self {
        if case .date(let date) = self { return date.adding(duration) }
        return self.moved(bySeconds: Int64(duration.days) * Int64(ClockTime.secondsPerDay) + Int64(duration.seconds))
    }

    /// Moves the local time; a date moves by whole days only.
    package func moved(bySeconds seconds: Int64) -> Self {
        switch self {
        case .date(let date): .date(date.adding(days: Int(seconds) / ClockTime.secondsPerDay))
        case .dateTime(let time):
            .dateTime(CalendarDateTime(localSeconds: time.localSeconds + seconds, zone: time.zone))
        }
    }
}

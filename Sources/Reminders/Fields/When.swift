public import ICalendar
private import Recurrence

extension Reminder {
    /// When it is due, `nil` when it has no date (DUE, RFC 5545 §3.8.2.3; or DTSTART and DURATION, §3.8.2.5).
    public var due: CalendarMoment? {
        if let due = self.todo.first(.due)?.moment { return due }
        guard let duration = self.todo.first(.duration).flatMap({ CalendarDuration(wire: $0.value.trimmingSpaces) })
        else { return nil }
        return self.todo.first(.dtstart)?.moment?.adding(duration)
    }

    /// When it can be begun, `nil` when nobody has said (DTSTART, RFC 5545 §3.8.2.4).
    ///
    /// Apple writes DTSTART like DUE, which means nothing; one after DUE is a mistake; old iCal wrote one in 2004.
    public var start: CalendarMoment? {
        guard let start = self.todo.first(.dtstart)?.moment else { return nil }
        guard let due = self.due else { return start }
        if start == due || start.isKnownAfter(due) { return nil }
        let isDummy = start.day.wire == "20040101" && start.isDate != due.isDate
        return isDummy ? nil : start
    }

    /// The rule by which it comes again, `nil` when it does not, or when the rule cannot be read (RFC 5545 §3.8.5.3).
    public var recurrenceRule: RecurrenceRule? {
        self.recurrenceText.flatMap { try? RecurrenceRule(wire: $0) }
    }

    /// The text of its first RRULE as it was written, or `nil` when there is none.
    public var recurrenceText: String? { self.todo.first(.rrule)?.value }
}

extension CalendarMoment {
    /// Whether it is after `other`, as far as that can be known without the rules of a zone; a day is compared by its day.
    fileprivate func isKnownAfter(_ other: Self) -> Bool {
        guard case .dateTime(let own) = self, case .dateTime(let its) = other else { return self.day > other.day }
        // No two clocks are further apart than 26 hours.
        return own.localSeconds - its.localSeconds > (own.zone == its.zone ? 0 : 26 * 3600)
    }

    /// The moment so much later, by the clock on the wall; hours after a day are a time.
    package func adding(_ duration: CalendarDuration) -> Self {
        if case .date(let date) = self { return date.adding(duration) }
        return self.moved(bySeconds: Int64(duration.days) * Int64(ClockTime.secondsPerDay) + Int64(duration.seconds))
    }

    /// The moment so many seconds later, by the clock on the wall; a day moves by whole days only.
    package func moved(bySeconds seconds: Int64) -> Self {
        switch self {
        case .date(let date): .date(date.adding(days: Int(seconds) / ClockTime.secondsPerDay))
        case .dateTime(let time):
            .dateTime(CalendarDateTime(localSeconds: time.localSeconds + seconds, zone: time.zone))
        }
    }
}

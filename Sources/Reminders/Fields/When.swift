public import ICalendar
private import Recurrence

extension Reminder {
    /// When it is due, `nil` when it has no date (DUE, RFC 5545 §3.8.2.3; or DTSTART and DURATION, §3.8.2.5).
    public var due: CalendarDateOrDateTime? { self.focus.map(\.due) ?? self.main.due }

    /// The start; `nil` for none (DTSTART, RFC 5545 §3.8.2.4).
    ///
    /// A DTSTART equal to DUE (Apple), after DUE, or in 2004 (old iCal) has no meaning.
    public var start: CalendarDateOrDateTime? {
        let start = self.focus.map(\.start) ?? self.main.first(.dtstart)?.moment
        guard let start else { return nil }
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
    public var recurrenceText: String? { self.main.first(.rrule)?.value }

    /// Whether it has rules that are shown and kept, and not edited: more than one RRULE, or an EXRULE.
    public var hasSeveralRules: Bool {
        self.main.valued(.exrule) != nil || self.main.all(.rrule).count { !$0.value.trimmingSpaces.isEmpty } > 1
    }
}

extension CalendarDateOrDateTime {
    /// Whether it is after `other`, as far as that is known without the rules of a zone.
    fileprivate func isKnownAfter(_ other: Self) -> Bool {
        guard case .dateTime(let own) = self, case .dateTime(let its) = other else { return self.day > other.day }
        // Two local times are at most 26 hours apart.
        return own.localSeconds - its.localSeconds > (own.zone == its.zone ? 0 : 26 * 3600)
    }

    /// By the wall clock; hours after a day give a time.
    package func adding(_ duration: CalendarDuration) -> Self {
        if case .date(let date) = self { return date.adding(duration) }
        return self.moved(bySeconds: Int64(duration.days) * Int64(ClockTime.secondsPerDay) + Int64(duration.seconds))
    }

    /// By the wall clock; a day moves by whole days only.
    package func moved(bySeconds seconds: Int64) -> Self {
        switch self {
        case .date(let date): .date(date.adding(days: Int(seconds) / ClockTime.secondsPerDay))
        case .dateTime(let time):
            .dateTime(CalendarDateTime(localSeconds: time.localSeconds + seconds, zone: time.zone))
        }
    }
}

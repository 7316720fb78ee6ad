public import RemindavICalendar
package import RemindavRecurrence

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
        guard let rule = self.recurrenceText.flatMap({ try? RecurrenceRule(wire: $0) }) else { return nil }
        return self.main.repeatsFromCompletion ? rule.countedFromCompletion() ?? rule : rule
    }

    /// The first RRULE as written; `nil` when there is none.
    public var recurrenceText: String? { self.main.first(.rrule)?.value }

    /// The date of the series that the chosen occurrence replaces, if an override of this date alone describes it.
    package var replacedDate: CalendarDateOrDateTime? {
        self.todo.isSingle ? self.focus?.occurrence.recurrenceID : nil
    }

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

    /// The start with the value type of a due time, because DTSTART and DUE must have the same type.
    ///
    /// A time becomes its date, and a date the beginning of the day in the zone of `due`. A start with a zone becomes
    /// floating, or gets the zone of `due`, if only one of the two has a zone.
    package func agreeing(with due: Self) -> Self {
        switch (self, due) {
        case (.dateTime(let time), .date): return .date(time.date)
        case (.date(let date), .dateTime(let time)):
            return .dateTime(CalendarDateTime(date: date, time: ClockTime(secondsOfDay: 0), zone: time.zone))
        case (.dateTime(let own), .dateTime(let its)) where (own.zone == .floating) != (its.zone == .floating):
            return .dateTime(CalendarDateTime(localSeconds: own.localSeconds, zone: its.zone))
        case (.date, .date), (.dateTime, .dateTime): return self
        }
    }

    /// Whether the moment is after another one of the same type; a time in an unknown zone is compared by local time.
    package func isAfter(_ other: Self, zones: TimeZoneResolver) -> Bool {
        guard case .dateTime(let own) = self, case .dateTime(let its) = other else { return self.day > other.day }
        guard own.zone != its.zone, let one = zones.instant(of: own), let two = zones.instant(of: its) else {
            return own.localSeconds > its.localSeconds
        }
        return one > two
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

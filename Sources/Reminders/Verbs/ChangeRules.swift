package import RemindavICalendar
package import RemindavRecurrence

extension RecurrenceRule {
    /// Whether the rule states the days of its dates (`every monday`), so that they do not depend on its start.
    package var namesDays: Bool { !(self.byDay.isEmpty && self.byMonthDay.isEmpty && self.byYearDay.isEmpty) }

    /// The rule with UNTIL in the type of the start: UTC for a time, and a date for a date (RFC 5545 §3.3.10).
    ///
    /// A date in UNTIL means the end of that day; a floating time is read in the time zone of the start.
    package func agreeing(with start: CalendarDateOrDateTime?, zones: TimeZoneResolver) -> Self {
        let zone: ZoneReference? = if case .dateTime(let time)? = start { time.zone } else { nil }
        var agreeing = self
        let last: CalendarDateTime
        switch (self.until, zone) {
        case (.date(let day)?, let zone?) where zone != .floating:
            last = CalendarDateTime(localSeconds: Int64((day.dayNumber + 1) * ClockTime.secondsPerDay - 1), zone: zone)
        case (.dateTime(let time)?, let zone?) where time.zone == .floating && zone != .floating:
            last = CalendarDateTime(date: time.date, time: time.time, zone: zone)
        case (.dateTime(let time)?, nil) where time.zone == .floating && start != nil:
            agreeing.until = .date(time.date)
            return agreeing
        default: return self
        }
        guard let instant = zones.instant(of: last) else { return self }
        agreeing.until = .dateTime(CalendarDateTime(utc: instant))
        return agreeing
    }

    /// Whether UNTIL is before `first`: then the rule has no occurrence, and servers refuse it.
    ///
    /// If UNTIL or `first` is a date, dates are compared. A floating time is read in the time zone of the other time.
    /// If a time zone is unknown, the result is `false`.
    package func ends(before first: CalendarDateOrDateTime, zones: TimeZoneResolver) -> Bool {
        guard let until = self.until else { return false }
        guard case .dateTime(let last) = until, case .dateTime(let start) = first else {
            return until.day < first.day
        }
        guard last.zone != start.zone, last.zone != .floating else { return last.localSeconds < start.localSeconds }
        guard let end = zones.instant(of: last), let begin = zones.instant(of: start) else { return false }
        return end < begin
    }
}

extension ReminderChange {
    package var changesSeries: Bool { self.due != .keep || self.recurrenceRule != .keep }

    package func leavesDue(_ reminder: Reminder) -> Bool { reminder.due(after: self.due) != nil }

    /// Whether the change gives a start to a reminder that repeats: its dates are counted from DTSTART, and a DTSTART
    /// before the due time would move them.
    ///
    /// - Parameter reminder: the reminder before the change; `nil` for a new one.
    package func startsSeries(_ reminder: Reminder?) -> Bool {
        guard self.start != .keep, self.start.value != reminder?.start else { return false }
        return switch self.recurrenceRule {
        case .keep: reminder.map { $0.recurrenceText != nil || $0.isSeries } ?? false
        case .clear: false
        case .set: self.start != .clear
        }
    }

    /// Whether the change gives the reminder more than ``AlarmChoice/maximumCount`` alarms.
    package func exceedsAlarms(of reminder: Reminder, dayTime: ClockTime, zones: TimeZoneResolver) -> Bool {
        guard !self.newAlarms.isEmpty else { return false }
        let alarms = reminder.alarms(after: self, FieldContext(dayTime: dayTime, zones: zones)).value ?? []
        return alarms.count > AlarmChoice.maximumCount
    }

    /// The changed fields that all dates of a series have in common, so that a change of one date cannot contain them.
    package var fieldsOfSeries: [ReminderField] {
        self.fields.filter { [.rule, .list, .parent, .dependencies].contains($0.kind) }
    }

    /// The start after the change if it is after the due time after the change; otherwise `nil`.
    ///
    /// A start that the change does not set moves with the due time, so only a first due time can be before it.
    package func startAfterDue(of reminder: Reminder?, zones: TimeZoneResolver) -> CalendarDateOrDateTime? {
        guard let due = reminder.map({ $0.due(after: self.due) }) ?? self.due.value else { return nil }
        let isFirstDue = reminder?.due == nil && self.recurrenceRule.value == nil && reminder?.recurrenceText == nil
        let start = self.start == .keep && isFirstDue ? reminder?.start : self.start.value
        guard let start = start?.agreeing(with: due), start.isAfter(due, zones: zones) else { return nil }
        return start
    }

    /// The change with each text in the form in which it is stored.
    package func checkedLines() throws(LinkError) -> Self {
        var checked = self
        for field in self.fields {
            guard case .line = field.kind, let text = self[field].value?.text else { continue }
            checked[field] = .set(.text(try field.check(text)))
        }
        return checked
    }

    package func leavesRuleWithoutDate(_ reminder: Reminder) -> Bool {
        let hasDate = self.leavesDue(reminder) || self.due == .keep && reminder.start != nil
        return switch self.recurrenceRule {
        case .keep: reminder.recurrenceText != nil && !hasDate
        case .clear: false
        case .set: !hasDate
        }
    }

    /// The change of the alarms; a reminder without alarms that gets its first due time gets the default alarms.
    package func alarms(of reminder: Reminder, defaults: [AlarmChoice]) -> FieldChange<[AlarmChoice]> {
        guard self[.alarms] == .keep, self.leavesDue(reminder), reminder.due == nil, reminder.alarms.isEmpty,
            !defaults.isEmpty
        else { return self.alarms }
        return .set(defaults)
    }

    /// The changed fields that another program has changed too, to a different value.
    ///
    /// A ``labelEdit`` has no conflict, because it keeps the other labels.
    package func conflicts(from base: Reminder, to current: Reminder) -> [ReminderField] {
        self.fields.filter { field in
            guard let read = field.read, field != .labels || self.labelEdit == nil else { return false }
            let value = read(current)
            return value != read(base) && value != self[field].value
        }
    }
}

extension Reminder {
    /// The start of the series if UNTIL is before it, so that the series has no occurrence; otherwise `nil`.
    package func startAfterEnd(zones: TimeZoneResolver) -> CalendarDateOrDateTime? {
        guard let series = Reminder(self.object), let start = series.start ?? series.due,
            series.recurrenceRule?.ends(before: start, zones: zones) ?? false
        else { return nil }
        return start
    }

    /// The longest snooze in seconds, a hundred years, so that iCalendar can represent its end.
    package static let longestSnooze: Int64 = 100 * 366 * Int64(ClockTime.secondsPerDay)

    package static func snoozeEnd(_ until: Instant, now: Instant) -> Instant {
        let most = Int(Self.longestSnooze)
        return min(max(until, now.adding(seconds: -most)), now.adding(seconds: most))
    }
}

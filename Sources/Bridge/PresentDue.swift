package import RemindavDatePhrases
package import RemindavICalendar
package import RemindavReminders

/// The day and the time of day of a reminder, which a new due time keeps as far as it does not state them.
package struct PresentDue: Sendable {
    package let day: CalendarDate?
    /// `nil` for an all-day reminder.
    package let time: ClockTime?
    private let zone: LocalZone

    package init(_ reminder: ReminderView, zone: LocalZone) {
        self.zone = zone
        // An all-day reminder has an instant too, and no time of day.
        let wall = reminder.allDay ? nil : reminder.dueInstant.map { zone.wallClock(at: $0) }
        self.day = reminder.dueDay ?? wall?.date
        self.time = wall?.time
    }

    /// The due time with the present time of day for a day alone, and the present day for a time alone if that day is in
    /// the future.
    ///
    /// - Parameter keepsTime: whether the present time of day is kept.
    package func completing(_ when: When, keepsTime: Bool = true, now: Instant) -> When {
        let day = self.day.flatMap { $0 > self.zone.wallClock(at: now).date ? $0 : nil }
        return when.keeping(keepsTime ? self.time : nil, on: day)
    }

    /// Sets the due time and the rule of a change from the stated due time and the new repetition.
    ///
    /// A day without a time keeps the present time of day, and a time without a day keeps the present day if it is in the
    /// future. A new rule moves the due time to a date of the rule.
    ///
    /// - Parameters:
    ///   - stated: the new due time as the user states it; `nil` for none.
    ///   - removesTime: whether a day without a time removes the present time of day.
    /// - Returns: the stated or present day, if the new rule has no date on it.
    package func apply(
        due stated: When?,
        removingTime removesTime: Bool = false,
        repetition: RepeatPhrase?,
        now: Instant,
        to change: inout ReminderChange
    ) throws(PhraseError) -> CalendarDate? {
        let when = stated.map {
            removesTime ? $0 : self.completing($0, keepsTime: repetition?.when == nil, now: now)
        }
        guard let repetition, when != .absent else {
            guard let when else { return nil }
            let due = when.resolved(now: now, zone: self.zone)
            change.due = due.map { .set($0.moment(localZone: self.zone.name)) } ?? .clear
            // A past date is not refused here, because the use case accepts it if it is the old date of the reminder.
            // `today` with the present time of day may be past, because the user did not state the time.
            let isPast = due.map { (try? $0.checkedToBeInFuture(now: now, zone: self.zone)) == nil } ?? false
            change.allowsPastDue = isPast && (when.mayBePast || when != stated)
            return nil
        }
        var present: When?
        if let day = self.day {
            switch repetition.when {
            case nil: present = .day(.date(day), self.time.map { .clock($0) } ?? .whole)
            // `every monday at 9am` names no day, so the first date is not before the present due date.
            case .day(.soonest, _) where day > self.zone.wallClock(at: now).date: present = .day(.date(day), .whole)
            default: break
            }
        }
        guard let standard = when ?? present ?? repetition.when else { return nil }
        let first = try repetition.firstDue(when ?? present, standard: standard, now: now, zone: self.zone)
        change.recurrenceRule = .set(first.rule)
        // Without a stated time, a due time on a date of the rule keeps its bytes.
        if when == nil, repetition.when == nil, first.moved == nil { return nil }
        change.due = first.due.map { .set($0.moment(localZone: self.zone.name)) } ?? .clear
        change.allowsPastDue = standard.mayBePast
        return first.moved
    }
}

import ICalendar
import Recurrence
import Reminders

extension UseCases {
    /// Refuses a rule that is over before its first date: servers do not take it.
    ///
    /// - Throws: ``UseCaseError/Code/repeatEndsBeforeDue``.
    func checkEnd(of rule: RecurrenceRule?, from first: CalendarDateOrDateTime?) throws {
        guard let first, let until = rule?.until, self.isOver(until, before: first) else { return }
        throw UseCaseError(.repeatEndsBeforeDue, subject: "\(first.day)")
    }

    /// The same for a reminder as it shall be stored; its series counts from when it can be begun.
    func checkEnd(of reminder: Reminder) throws {
        guard let series = Reminder(reminder.object.document) else { return }
        try self.checkEnd(of: series.recurrenceRule, from: series.start ?? series.due)
    }

    /// Whether UNTIL ends a series before `first`, as a series itself reads it.
    ///
    /// Where either is a day, days are compared, and a day of UNTIL is a whole one. A time without a zone is one on the
    /// clock of the other. In zones that nobody knows nothing is over.
    private func isOver(_ until: CalendarDateOrDateTime, before first: CalendarDateOrDateTime) -> Bool {
        guard case .dateTime(let last) = until, case .dateTime(let start) = first else {
            return until.day < first.day
        }
        guard last.zone != start.zone, last.zone != .floating else { return last.localSeconds < start.localSeconds }
        let zones = self.configuration.zones
        let resolver = TimeZoneResolver(database: zones, calendar: nil, local: self.configuration.localZone)
        guard let end = resolver.instant(of: last), let begin = resolver.instant(of: start) else { return false }
        return end < begin
    }
}

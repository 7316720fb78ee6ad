import RemindavICalendar
import RemindavRecurrence
import RemindavReminders

extension UseCases {
    /// Refuses a due time in the past, except if the change keeps the former due time.
    ///
    /// - Parameter former: the due time before the change, with `zones` as its time zones.
    /// - Throws: ``UseCaseError/Code/mustBeInFuture``; its subject is the time in the local zone.
    func checkToBeInFuture(
        _ due: CalendarDateOrDateTime,
        unless former: CalendarDateOrDateTime? = nil,
        in zones: TimeZoneResolver? = nil
    ) throws {
        let local = self.reader.local
        switch due {
        case .date(let date):
            guard self.isPast(due, in: local), former != due else { return }
            throw UseCaseError(.mustBeInFuture, subject: "\(date)")
        case .dateTime(let time):
            guard self.isPast(due, in: local) else { return }
            let instant = local.instant(of: time) ?? Instant(secondsSince1970: time.localSeconds)
            if case .dateTime(let old)? = former, (zones ?? local).instant(of: old) == instant { return }
            let wall = local.dateTime(of: instant, in: .floating)
            let text = wall.map { "\($0.date) \($0.time.hoursAndMinutes)" } ?? ReminderReader.text(instant)
            throw UseCaseError(.mustBeInFuture, subject: text)
        }
    }

    /// Whether a due time is past; an all-day one is past from the next day on.
    func isPast(_ due: CalendarDateOrDateTime, in zones: TimeZoneResolver) -> Bool {
        let now = self.configuration.now()
        return switch due {
        case .date(let date): date < ListCalendar(now: now, zones: self.reader.local).today
        case .dateTime(let time):
            (zones.instant(of: time) ?? Instant(secondsSince1970: time.localSeconds)) <= now
        }
    }
}

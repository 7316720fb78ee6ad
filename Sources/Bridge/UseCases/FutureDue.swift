package import ICalendar
import Recurrence
import Reminders
import Store

extension DueChoice {
    /// Whether it is not after `now`; a whole day counts as past when it was over before `today` began.
    ///
    /// - Parameters:
    ///   - today: the day of `now`, where the person is.
    ///   - instant: the moment of a time by the clock on the wall there.
    package func isPast(now: Instant, today: CalendarDate, instant: (CalendarDate, ClockTime) -> Instant) -> Bool {
        switch self {
        case .date(let date): date < today
        case .local(let date, let time): instant(date, time) <= now
        case .exact(let moment): moment <= now
        }
    }
}

extension UseCases {
    /// Refuses a due time that is past, unless the reminder of that number is due just then already.
    ///
    /// - Throws: ``UseCaseError/Code/mustBeInFuture``, about the time on the clock of the local zone.
    func checkToBeInFuture(_ due: DueChoice, unlessOf id: Int64? = nil) throws {
        let now = self.configuration.now()
        let zones = self.configuration.zones
        let local = TimeZoneResolver(database: zones, calendar: nil, local: self.configuration.localZone)
        let today = ListCalendar(now: now, zones: local).today
        let isPast = due.isPast(now: now, today: today) { date, time in
            let wall = CalendarDateTime(date: date, time: time, zone: .floating)
            return local.instant(of: wall) ?? Instant(secondsSince1970: wall.localSeconds)
        }
        guard isPast, try !self.isDue(id, at: due) else { return }
        throw UseCaseError(.mustBeInFuture, subject: self.words(due, local))
    }

    /// Whether a reminder is due at that very moment, or on that very day.
    private func isDue(_ id: Int64?, at choice: DueChoice) throws -> Bool {
        guard let id else { return false }
        let record = try self.store.read { snapshot throws(DatabaseError) in try snapshot.object(ObjectID(id)) }
        guard let record, let reminder = Reminder(ICalendarDocument(record.source)) else { return false }
        let zones = self.reader.resolver(for: reminder.object)
        switch (reminder.current(zones: zones).due, self.moment(choice)) {
        case (.date(let old)?, .date(let new)): return old == new
        case (.dateTime(let old)?, .dateTime(let new)): return zones.instant(of: old) == zones.instant(of: new)
        default: return false
        }
    }

    private func words(_ due: DueChoice, _ local: TimeZoneResolver) -> String {
        switch due {
        case .date(let date): return "\(date)"
        case .local(let date, let time): return "\(date) \(time.hoursAndMinutes)"
        case .exact(let instant):
            guard let wall = local.dateTime(of: instant, in: .floating) else { return ReminderReader.text(instant) }
            return "\(wall.date) \(wall.time.hoursAndMinutes)"
        }
    }
}

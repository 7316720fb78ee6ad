package import RemindavICalendar
import RemindavRecurrence

extension Name {
    /// X-REMINDAV-REPEAT-FROM: `COMPLETION` if the next date of RRULE counts from the completion.
    ///
    /// Other programs ignore it, and repeat the to-do by RRULE from its due date.
    package static let repeatFrom = Name("X-REMINDAV-REPEAT-FROM") ?? .rrule
}

extension ContentLine {
    package static let repeatFromCompletion = ContentLine(
        .repeatFrom,
        value: RecurrenceRule.completionWord.uppercased()
    )
}

extension Component {
    var repeatsFromCompletion: Bool {
        self.first(.repeatFrom)?.value.trimmingSpaces.lowercased() == RecurrenceRule.completionWord
    }
}

extension RecurrenceRule {
    /// The value of `repeatFrom` in JSON and in tables, and in capitals the value of ``Name/repeatFrom``.
    package static let completionWord = "completion"

    /// The same rule, counted from the completion; `nil` if other parts than FREQ and INTERVAL determine its dates.
    package func countedFromCompletion() -> Self? {
        guard self.uses(only: []) else { return nil }
        var rule = self
        rule.countsFromCompletion = true
        return rule
    }

    /// The due time after a completion at `now`, one interval later.
    ///
    /// Days and longer units are counted from the day of the completion in the time zone of `due`, and keep the time of
    /// day of `due`; a missing day becomes the last day of its month. Hours and shorter units are counted from the minute
    /// of the completion.
    ///
    /// - Returns: `nil` if the rule counts from the due date, if the time zone is unknown, or if the rule has a unit below
    ///   a day and `due` is a date.
    func due(after due: CalendarDateOrDateTime, completedAt now: Instant, zones: TimeZoneResolver)
        -> CalendarDateOrDateTime?
    {
        let zone = if case .dateTime(let time) = due { time.zone } else { ZoneReference.floating }
        guard self.countsFromCompletion, let done = zones.dateTime(of: now, in: zone) else { return nil }
        let count = min(self.interval, CalendarDate.lastDayNumber)
        let day: CalendarDate
        switch self.frequency {
        case .secondly: return self.time(seconds: count, after: now, due, zones)
        case .minutely: return self.time(seconds: count * 60, after: now, due, zones)
        case .hourly: return self.time(seconds: count * 3600, after: now, due, zones)
        case .daily: day = done.date.adding(days: count)
        case .weekly: day = done.date.adding(days: count * 7)
        case .monthly: day = done.date.adding(months: count)
        case .yearly: day = done.date.adding(months: count * 12)
        }
        guard case .dateTime(let time) = due else { return .date(day) }
        return .dateTime(CalendarDateTime(date: day, time: time.time, zone: zone))
    }

    private func time(seconds: Int, after now: Instant, _ due: CalendarDateOrDateTime, _ zones: TimeZoneResolver)
        -> CalendarDateOrDateTime?
    {
        guard case .dateTime(let time) = due else { return nil }
        let begin = self.frequency == .secondly ? now : now.adding(seconds: -Int(now.secondsSince1970 % 60))
        return zones.dateTime(of: begin.adding(seconds: seconds), in: time.zone).map { .dateTime($0) }
    }
}

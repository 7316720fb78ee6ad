import ICalendar

/// The clock on which a series is worked out: that of its start.
struct StartClock: Sendable {
    let start: CalendarDateOrDateTime
    let resolver: TimeZoneResolver

    /// Whole days are floating.
    var zone: ZoneReference {
        if case .dateTime(let dateTime) = self.start { dateTime.zone } else { .floating }
    }

    /// `moment` in local seconds of this clock.
    func local(_ moment: CalendarDateOrDateTime) -> Int {
        switch (self.start, moment) {
        case (.date, _):
            moment.day.dayNumber * ClockTime.secondsPerDay
        case (.dateTime(let start), .date(let date)):
            date.dayNumber * ClockTime.secondsPerDay + start.time.secondsOfDay
        case (.dateTime(let start), .dateTime(let dateTime)):
            // Most often the same zone; an unknown one is most often the same under another name. What has no zone is
            // on this clock too: eM Client writes so.
            Int((self.shown(dateTime, in: start.zone) ?? dateTime).localSeconds)
        }
    }

    /// What tells `moment` from others of a series on this clock.
    func key(_ moment: CalendarDateOrDateTime) -> OccurrenceKey {
        if case .dateTime(let start) = self.start, start.zone != .floating {
            let isOwn = if case .dateTime(let time) = moment { time.zone == .floating } else { true }
            if let instant = isOwn ? nil : self.resolver.instant(of: moment) { return .moment(instant) }
            if let instant = self.resolver.instant(of: self.moment(self.local(moment))) { return .moment(instant) }
        }
        return .local(self.local(moment))
    }

    private func shown(_ dateTime: CalendarDateTime, in zone: ZoneReference) -> CalendarDateTime? {
        guard dateTime.zone != zone, dateTime.zone != .floating else { return nil }
        return self.resolver.instant(of: dateTime).flatMap { self.resolver.dateTime(of: $0, in: zone) }
    }

    /// The inverse of ``local(_:)`` in the start's form.
    func moment(_ local: Int) -> CalendarDateOrDateTime {
        let day = local.flooredQuotient(by: ClockTime.secondsPerDay)
        let date = CalendarDate(dayNumber: day)
        guard case .dateTime(let start) = self.start else { return .date(date) }
        let time = ClockTime(secondsOfDay: local - day * ClockTime.secondsPerDay)
        return .dateTime(CalendarDateTime(date: date, time: time, zone: start.zone))
    }

    /// Where UNTIL ends `rule`.
    ///
    /// A date takes in its whole day, also on a timed start (KOrganizer writes so); a local time is one on the start's
    /// clock; UTC is compared as a moment, as RFC 5545 wants it. On a series of days the day of UNTIL counts.
    func limit(of rule: RecurrenceRule) throws(RecurrenceError) -> RuleLimit? {
        guard let until = rule.until else { return nil }
        guard case .dateTime(let start) = self.start, case .dateTime(let dateTime) = until else {
            return RuleLimit(local: (until.day.dayNumber + 1) * ClockTime.secondsPerDay - 1, isExact: nil)
        }
        guard dateTime.zone == .utc, start.zone != .utc else {
            return RuleLimit(local: Int(dateTime.localSeconds), isExact: nil)
        }
        let last = Instant(secondsSince1970: dateTime.localSeconds)
        guard let shown = self.resolver.dateTime(of: last, in: start.zone) else { throw .unknownZone }
        let resolver = self.resolver
        let zone = start.zone
        return RuleLimit(local: Int(shown.localSeconds)) { local in
            let candidate = CalendarDateTime(localSeconds: Int64(local), zone: zone)
            return resolver.instant(of: candidate).map { $0 <= last } ?? false
        }
    }
}

/// What tells one occurrence of a series from another: its RECURRENCE-ID, whatever it is written like.
enum OccurrenceKey: Hashable, Sendable {
    /// On a clock whose zone is known: two names of one moment are the same occurrence.
    case moment(Instant)
    /// A day or a floating time, or one in a zone that is not known: local seconds.
    case local(Int)

    /// That of an override whose series is not there.
    init(_ id: CalendarDateOrDateTime, resolver: TimeZoneResolver) {
        if case .dateTime(let time) = id, time.zone != .floating, let instant = resolver.instant(of: time) {
            self = .moment(instant)
        } else {
            self = .local(Int(id.localSeconds))
        }
    }
}

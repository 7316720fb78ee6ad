import RemindavICalendar

/// Converts the times of a series into local seconds of the start's time zone, and back.
struct StartClock: Sendable {
    let start: CalendarDateOrDateTime
    let resolver: TimeZoneResolver
    var zone: ZoneReference { self.start.zone }

    func local(_ moment: CalendarDateOrDateTime) -> Int {
        switch (self.start, moment) {
        case (.date, _):
            moment.day.dayNumber * ClockTime.secondsPerDay
        case (.dateTime(let start), .date(let date)):
            date.dayNumber * ClockTime.secondsPerDay + start.time.secondsOfDay
        case (.dateTime(let start), .dateTime(let dateTime)):
            // Usually the moment has the start's time zone. An unknown time zone is usually the start's time zone under
            // another name. A time without a zone, as eM Client writes it, is in the start's time zone.
            Int((self.shown(dateTime, in: start.zone) ?? dateTime).localSeconds)
        }
    }

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

    /// The inverse of ``local(_:)``: a time in the form and time zone of the start.
    func moment(_ local: Int) -> CalendarDateOrDateTime {
        let day = local.flooredQuotient(by: ClockTime.secondsPerDay)
        let date = CalendarDate(dayNumber: day)
        guard case .dateTime(let start) = self.start else { return .date(date) }
        let time = ClockTime(secondsOfDay: local - day * ClockTime.secondsPerDay)
        return .dateTime(CalendarDateTime(date: date, time: time, zone: start.zone))
    }

    /// The end of a rule by UNTIL; `nil` without UNTIL.
    ///
    /// A date in UNTIL includes its whole day, even if the start has a time, as KOrganizer writes. A local time is in
    /// the start's time zone. A UTC time is compared as a moment (RFC 5545 §3.3.10). In an all-day series, the day of
    /// UNTIL is the last day.
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

extension CalendarDateOrDateTime {
    /// The time zone of the value; a date is floating.
    var zone: ZoneReference {
        if case .dateTime(let dateTime) = self { dateTime.zone } else { .floating }
    }
}

/// The identity of an occurrence in its series, independent of the form of its RECURRENCE-ID.
enum OccurrenceKey: Hashable, Sendable {
    /// The moment, if the time zone is known: times in two time zones that mean one moment are the same occurrence.
    case moment(Instant)
    /// The local seconds of a date, a floating time, or a time in an unknown time zone.
    case local(Int)

    /// Creates the key from a RECURRENCE-ID alone, when the start of the series is not known.
    init(_ id: CalendarDateOrDateTime, resolver: TimeZoneResolver) {
        if case .dateTime(let time) = id, time.zone != .floating, let instant = resolver.instant(of: time) {
            self = .moment(instant)
        } else {
            self = .local(Int(id.localSeconds))
        }
    }
}

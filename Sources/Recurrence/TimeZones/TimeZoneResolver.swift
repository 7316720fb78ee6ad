public import ICalendar

/// Turns times on a zone's clock into moments and back.
///
/// A name is looked up in the calendar's own VTIMEZONEs first, since the text is the truth, then among the zoneinfo
/// names, then without the prefix that some programs put before it, then as a name of Windows. A name that stays
/// unknown gives `nil`, never UTC.
public struct TimeZoneResolver: Sendable {
    /// VTIMEZONEs that are read of one calendar: more than tzdata has names, so that only hostile files have more.
    static let maximumDefinitions = 1000

    private let database: ZoneDatabase
    private let definitions: [String: TimeZoneDefinition]
    private let local: String

    /// - Parameters:
    ///   - database: the zones of the system.
    ///   - calendar: the VCALENDAR whose VTIMEZONEs count; `nil` for none.
    ///   - local: the zoneinfo name of the clock that the person looks at, for floating times.
    public init(database: ZoneDatabase, calendar: Component?, local: String) {
        self.database = database
        self.local = local
        var definitions: [String: TimeZoneDefinition] = [:]
        for component in calendar?.components(.vtimezone).prefix(Self.maximumDefinitions) ?? [] {
            guard let name = component.first(.tzid)?.text, definitions[name] == nil else { continue }
            definitions[name] = TimeZoneDefinition(component)
        }
        self.definitions = definitions
    }

    /// The moment of a time.
    ///
    /// A time that the clock shows twice is the first of the two; one that it leaves out counts with the offset before
    /// the gap, so 02:30 becomes 03:30 (RFC 5545 §3.3.5).
    ///
    /// - Returns: `nil` when the zone is not known.
    public func instant(of dateTime: CalendarDateTime) -> Instant? {
        guard let clock = self.clock(of: dateTime.zone) else { return nil }
        let utc = ZoneClock.utc(local: Int(dateTime.localSeconds), offset: clock.offset)
        return Instant(secondsSince1970: Int64(utc))
    }

    /// The moment of a time, or of the midnight with which a day begins on the clock of floating times.
    ///
    /// - Returns: `nil` when the zone is not known.
    public func instant(of moment: CalendarMoment) -> Instant? {
        switch moment {
        case .dateTime(let dateTime): self.instant(of: dateTime)
        case .date(let date): self.instant(of: date, at: ClockTime(secondsOfDay: 0))
        }
    }

    /// The moment of a time of a day on the clock of floating times.
    public func instant(of date: CalendarDate, at time: ClockTime) -> Instant? {
        self.instant(of: CalendarDateTime(date: date, time: time, zone: .floating))
    }

    /// The moment that lies `duration` after `moment`: days on its clock, then exact seconds (RFC 5545 §3.3.6).
    ///
    /// - Returns: `nil` when the zone is not known.
    public func instant(of moment: CalendarMoment, adding duration: CalendarDuration) -> Instant? {
        let start: CalendarMoment =
            switch moment {
            case .date(let date): .date(date.adding(days: duration.days))
            case .dateTime(let dateTime):
                .dateTime(
                    CalendarDateTime(
                        date: dateTime.date.adding(days: duration.days),
                        time: dateTime.time,
                        zone: dateTime.zone
                    )
                )
            }
        return self.instant(of: start)?.adding(seconds: duration.seconds)
    }

    /// How far the clocks of `zone` are ahead of UTC at `instant`; `nil` when the zone is not known.
    public func offset(of zone: ZoneReference, at instant: Instant) -> UTCOffset? {
        self.clock(of: zone).map { UTCOffset(seconds: $0.offset(at: Int(instant.secondsSince1970))) }
    }

    /// What the clocks of `zone` show at `instant`; `nil` when the zone is not known.
    public func dateTime(of instant: Instant, in zone: ZoneReference) -> CalendarDateTime? {
        self.offset(of: zone, at: instant).map { offset in
            CalendarDateTime(localSeconds: instant.adding(seconds: offset.seconds).secondsSince1970, zone: zone)
        }
    }

    /// Whether times in `zone` can be told.
    public func knows(_ zone: ZoneReference) -> Bool { self.clock(of: zone) != nil }

    /// The zoneinfo name that `tzid` stands for, whether or not the calendar has a VTIMEZONE for it.
    ///
    /// - Returns: `nil` when the database has no such zone.
    public func zoneinfoName(of tzid: String) -> String? {
        self.database.zone(tzid: tzid)?.name
    }

    private func clock(of zone: ZoneReference) -> Clock? {
        switch zone {
        case .utc: .utc
        case .floating: self.database.zone(tzid: self.local).map { .rules($0.rules) }
        case .named(let name):
            if let definition = self.definitions[name] {
                .definition(definition)
            } else {
                self.database.zone(tzid: name).map { .rules($0.rules) }
            }
        }
    }
}

/// Where a zone's offsets come from.
private enum Clock {
    case utc
    case rules(ZoneRules)
    case definition(TimeZoneDefinition)

    /// Seconds east of Greenwich at a UTC second.
    func offset(at utc: Int) -> Int {
        switch self {
        case .utc: 0
        case .rules(let rules): rules.type(at: utc).offset
        case .definition(let definition):
            definition.type(at: min(max(utc, ZoneClock.firstSecond), ZoneClock.lastSecond)).offset
        }
    }
}

extension ZoneDatabase {
    /// Parts of a name that are tried without what stands before them; the prefixes in use have three at most.
    private static let maximumParts = 8

    /// The zone that `tzid` names, and its zoneinfo name.
    func zone(tzid: String) -> (name: String, rules: ZoneRules)? {
        if let rules = self.rules(named: tzid) { return (tzid, rules) }
        if let name = WindowsZones.zoneinfoName(of: tzid) {
            return self.rules(named: name).map { (name, $0) }
        }
        // /freeassociation.sourceforge.net/Tzfile/Europe/Berlin (Evolution), /softwarestudio.org/Olson_…/Europe/Berlin,
        // /mozilla.org/…, /citadel.org/…: each part in front is taken away until the rest is a name.
        guard tzid.hasPrefix("/") else { return nil }
        var rest = tzid.dropFirst()
        for _ in 0..<Self.maximumParts {
            if let rules = self.rules(named: String(rest)) { return (String(rest), rules) }
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            rest = rest[rest.index(after: slash)...]
        }
        return nil
    }
}

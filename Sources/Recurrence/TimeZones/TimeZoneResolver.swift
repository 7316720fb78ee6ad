public import RemindavICalendar
private import Synchronization

/// Converts local times to moments and back.
///
/// The rules of a TZID are searched in the order of ``ZoneSource``: first in the VTIMEZONEs of the calendar, because
/// the text is the source of truth; then by the names of zoneinfo, other programs and Windows; then in other properties
/// of the calendar. An unknown TZID gives `nil`, never UTC. Floating times ignore X-WR-TIMEZONE.
/// Copies share their cached results.
public struct TimeZoneResolver: Sendable {
    /// The largest number of VTIMEZONEs that are read; tzdata has fewer names, so only hostile files have more.
    static let maximumDefinitions = 1000
    private let memory: ZoneMemory

    /// - Parameters:
    ///   - database: the time zones of the system.
    ///   - calendar: the VCALENDAR with the VTIMEZONEs, or `nil`. A VTIMEZONE is read when a time needs it.
    ///   - local: the zoneinfo name of the user's time zone, for floating times.
    public init(database: ZoneDatabase, calendar: Component?, local: String) {
        self.memory = ZoneMemory(database: database, calendar: calendar, local: local)
    }

    /// A resolver without named time zones; floating times are in UTC.
    package static let withoutZones = Self(database: ZoneDatabase { _ in nil }, calendar: nil, local: "UTC")

    /// The moment of a local time; `nil` if the time zone is unknown.
    ///
    /// If a clock change repeats the local time, the result is the first of the two moments. If a clock change skips
    /// it, the offset before the change applies, so 02:30 becomes 03:30 (RFC 5545 §3.3.5).
    public func instant(of dateTime: CalendarDateTime) -> Instant? {
        let local = dateTime.localSeconds
        guard dateTime.zone != .utc else { return Instant(secondsSince1970: local) }
        return self.rules(of: dateTime.zone).map { Instant(secondsSince1970: Int64($0.utc(local: Int(local)))) }
    }

    /// The moment of a date-time, or of a date's midnight in the zone of floating times; `nil` if the zone is unknown.
    public func instant(of moment: CalendarDateOrDateTime) -> Instant? {
        switch moment {
        case .dateTime(let dateTime): self.instant(of: dateTime)
        case .date(let date): self.instant(of: date, at: ClockTime(secondsOfDay: 0))
        }
    }

    /// The moment of a date and time of day in the time zone of floating times.
    public func instant(of date: CalendarDate, at time: ClockTime) -> Instant? {
        self.instant(of: CalendarDateTime(date: date, time: time, zone: .floating))
    }

    /// `moment` plus `duration`: days in local time, then exact seconds (RFC 5545 §3.3.6); `nil` for an unknown zone.
    public func instant(of moment: CalendarDateOrDateTime, adding duration: CalendarDuration) -> Instant? {
        self.instant(of: moment.moved(byLocal: duration.days * ClockTime.secondsPerDay))?
            .adding(seconds: duration.seconds)
    }

    /// The offset of `zone` from UTC at `instant`; `nil` if the time zone is unknown.
    public func offset(of zone: ZoneReference, at instant: Instant) -> UTCOffset? {
        self.rules(of: zone)?.offset(at: instant)
    }

    /// The local time of `zone` at `instant`; `nil` if the time zone is unknown.
    public func dateTime(of instant: Instant, in zone: ZoneReference) -> CalendarDateTime? {
        self.offset(of: zone, at: instant).map { offset in
            CalendarDateTime(localSeconds: instant.adding(seconds: offset.seconds).secondsSince1970, zone: zone)
        }
    }

    /// Whether the rules of the time zone are known.
    public func knows(_ zone: ZoneReference) -> Bool { self.rules(of: zone) != nil }

    /// The source of the rules of `tzid` and its zoneinfo name; `nil` if `tzid` is unknown.
    public func resolution(of tzid: String) -> ZoneResolution? { self.memory.resolution(of: tzid) }

    /// The zoneinfo name of `tzid`, independently of the calendar; `nil` if the database has no such time zone.
    public func zoneinfoName(of tzid: String) -> String? { self.memory.database.match(tzid)?.name }

    /// Whether the calendar system of a rule is available.
    package func supportsCalendar(of rule: RecurrenceRule) -> Bool { self.memory.database.supportsCalendar(of: rule) }

    /// The calendar system of a rule; `nil` if the Gregorian calendar gives the same dates.
    func calendar(of rule: RecurrenceRule) throws(RecurrenceError) -> CalendarSystem? {
        try self.memory.database.calendar(of: rule)
    }

    /// The rules of a time zone, for frequent use; `nil` if the time zone is unknown.
    package func rules(of zone: ZoneReference) -> ZoneRules? {
        switch zone {
        case .utc: ZoneRules.utc
        case .floating: self.memory.local
        case .named(let name): self.memory.found(name)?.rules
        }
    }
}

/// The cached results for one calendar.
private final class ZoneMemory: Sendable {
    struct Found {
        let source: ZoneSource
        /// The text that gives the zoneinfo name: the TZID, or the value of another property.
        let tzid: String
        let rules: ZoneRules
    }

    private struct State {
        /// The names that were used first; to compare these few names takes less time than to hash one.
        var first: [(name: String, found: Found?)] = []
        var found: [String: Found?] = [:]
        // The following values are `nil` until their first use.
        var definitions: [(name: String, component: Component)]?
        var isOnlyDefinitionUsed: Bool?
        var local: ZoneRules??
    }

    /// The largest number of cached names; a calendar has a few, but a hostile one may have any number.
    private static let maximumNames = 1024
    /// The number of names that are compared one by one.
    private static let comparedNames = 8
    let database: ZoneDatabase
    private let calendar: Component?
    private let localName: String
    private let state = Mutex(State())

    init(database: ZoneDatabase, calendar: Component?, local: String) {
        self.database = database
        self.calendar = calendar
        self.localName = local
    }

    var local: ZoneRules? {
        self.known(\.local) { self.database.match(self.localName)?.rules }
    }

    /// Returns a cached value; the first use searches for the value.
    private func known<Value: Sendable>(
        _ place: any WritableKeyPath<State, Value?> & Sendable,
        _ search: () -> Value
    ) -> Value {
        if let known = self.state.withLock({ $0[keyPath: place] }) { return known }
        let found = search()
        self.state.withLock { $0[keyPath: place] = found }
        return found
    }

    func found(_ name: String) -> Found? {
        let known: Found?? = self.state.withLock { state in
            for entry in state.first where entry.name == name { return .some(entry.found) }
            return state.first.count < Self.comparedNames ? nil : state.found[name]
        }
        if let known { return known }
        // Two threads may search at the same time and find the same result.
        let found = self.search(name)
        self.state.withLock { state in
            if state.first.count < Self.comparedNames {
                state.first.append((name, found))
            } else {
                if state.found.count >= Self.maximumNames { state.found.removeAll() }
                state.found[name] = .some(found)
            }
        }
        return found
    }

    func resolution(of name: String) -> ZoneResolution? {
        guard let found = self.found(name) else { return nil }
        var match = self.database.match(found.tzid)
        if match == nil, found.source == .definition {
            let locations = self.definitions(of: name).compactMap { $0.component.first(.licLocation)?.text }
            match = locations.lazy.compactMap { self.database.match($0) }.first
        }
        return ZoneResolution(source: found.source, name: match?.name)
    }

    private func search(_ name: String) -> Found? {
        let own = self.definitions(of: name)
        for definition in own {
            if let rules = self.database.rules(of: definition.component) {
                return Found(source: .definition, tzid: name, rules: rules)
            }
        }
        if let match = self.database.match(name) {
            return Found(source: match.source, tzid: name, rules: match.rules)
        }
        for location in own.compactMap({ $0.component.first(.licLocation)?.text }) {
            guard let match = self.database.match(location) else { continue }
            return Found(source: .location, tzid: location, rules: match.rules)
        }
        guard !name.isEmpty else { return nil }
        let definitions = self.definitions
        if definitions.count == 1, !self.isOnlyDefinitionUsed,
            let rules = self.database.rules(of: definitions[0].component)
        {
            return Found(source: .onlyDefinition, tzid: definitions[0].name, rules: rules)
        }
        guard let zone = self.calendar?.first(.wrTimeZone)?.text, let match = self.database.match(zone) else {
            return nil
        }
        return Found(source: .calendarZone, tzid: zone, rules: match.rules)
    }

    /// The VTIMEZONEs with that TZID, exact matches first.
    private func definitions(of name: String) -> [(name: String, component: Component)] {
        let definitions = self.definitions
        let exact = definitions.filter { $0.name == name }
        let plain = ZoneName.plain(name)
        return plain == name ? exact : exact + definitions.filter { $0.name == plain }
    }

    /// Whether a time uses the only VTIMEZONE; all times of the calendar are examined once.
    private var isOnlyDefinitionUsed: Bool {
        self.known(\.isOnlyDefinitionUsed) {
            let name = self.definitions.first?.name
            return !(self.calendar?.components.allSatisfy { $0.forEachZoneUse { used, _ in used != name } } ?? true)
        }
    }

    private var definitions: [(name: String, component: Component)] {
        self.known(\.definitions) {
            let components = self.calendar?.components(.vtimezone).prefix(TimeZoneResolver.maximumDefinitions) ?? []
            return components.compactMap { component in
                component.first(.tzid).map { (name: $0.text, component: component) }
            }
        }
    }
}

extension ZoneRules {
    static let utc = ZoneRules(fixed: 0)
}

extension Name {
    /// The time zone of a whole calendar, as Google and Apple write it.
    fileprivate static let wrTimeZone = Name("X-WR-TIMEZONE") ?? .tzid
    /// The zoneinfo name that libical puts into a VTIMEZONE.
    fileprivate static let licLocation = Name("X-LIC-LOCATION") ?? .tzid
}

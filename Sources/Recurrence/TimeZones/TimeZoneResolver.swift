public import ICalendar
private import Synchronization

/// Converts local times of a zone to moments and back.
///
/// A TZID is searched in the order of ``ZoneSource``: first in the calendar's own VTIMEZONEs, because the text is the
/// source of truth, then in the names of zoneinfo, other programs and Windows, then in other properties of the
/// calendar. An unknown name gives `nil`, never UTC. Floating times are in the user's local time, independently of
/// X-WR-TIMEZONE.
///
/// Copies share their results.
public struct TimeZoneResolver: Sendable {
    /// The limit of VTIMEZONEs that are read: more than tzdata has names, so only hostile files have more.
    static let maximumDefinitions = 1000
    private let memory: ZoneMemory

    /// - Parameters:
    ///   - database: the zones of the system.
    ///   - calendar: the VCALENDAR with the VTIMEZONEs; `nil` for none. They are read when a time needs one.
    ///   - local: the zoneinfo name of the user's zone, for floating times.
    public init(database: ZoneDatabase, calendar: Component?, local: String) {
        self.memory = ZoneMemory(database: database, calendar: calendar, local: local)
    }

    /// For floating times and UTC only.
    package static let withoutZones = Self(database: ZoneDatabase { _ in nil }, calendar: nil, local: "UTC")

    /// The moment of a time.
    ///
    /// A repeated local time is the first of the two; a skipped one uses the offset before the gap, so 02:30 becomes
    /// 03:30 (RFC 5545 §3.3.5).
    ///
    /// - Returns: `nil` if the zone is unknown.
    public func instant(of dateTime: CalendarDateTime) -> Instant? {
        let local = dateTime.localSeconds
        guard dateTime.zone != .utc else { return Instant(secondsSince1970: local) }
        return self.rules(of: dateTime.zone).map { Instant(secondsSince1970: Int64($0.utc(local: Int(local)))) }
    }

    /// The moment of a time, or of the midnight at the beginning of a day in the zone of floating times.
    ///
    /// - Returns: `nil` if the zone is unknown.
    public func instant(of moment: CalendarDateOrDateTime) -> Instant? {
        switch moment {
        case .dateTime(let dateTime): self.instant(of: dateTime)
        case .date(let date): self.instant(of: date, at: ClockTime(secondsOfDay: 0))
        }
    }

    /// In the zone of floating times.
    public func instant(of date: CalendarDate, at time: ClockTime) -> Instant? {
        self.instant(of: CalendarDateTime(date: date, time: time, zone: .floating))
    }

    /// The moment `duration` after `moment`: days in local time, then exact seconds (RFC 5545 §3.3.6).
    ///
    /// - Returns: `nil` if the zone is unknown.
    public func instant(of moment: CalendarDateOrDateTime, adding duration: CalendarDuration) -> Instant? {
        self.instant(of: moment.moved(byLocal: duration.days * ClockTime.secondsPerDay))?
            .adding(seconds: duration.seconds)
    }

    /// The offset of `zone` from UTC at `instant`; `nil` if the zone is unknown.
    public func offset(of zone: ZoneReference, at instant: Instant) -> UTCOffset? {
        self.rules(of: zone)?.offset(at: instant)
    }

    /// The local time of `zone` at `instant`; `nil` if the zone is unknown.
    public func dateTime(of instant: Instant, in zone: ZoneReference) -> CalendarDateTime? {
        self.offset(of: zone, at: instant).map { offset in
            CalendarDateTime(localSeconds: instant.adding(seconds: offset.seconds).secondsSince1970, zone: zone)
        }
    }

    /// Whether the zone is known.
    public func knows(_ zone: ZoneReference) -> Bool { self.rules(of: zone) != nil }

    /// The meaning of `tzid` and its source; `nil` if it is unknown.
    public func resolution(of tzid: String) -> ZoneResolution? { self.memory.resolution(of: tzid) }

    /// The zoneinfo name of `tzid`, independently of the calendar; `nil` if the database has no such zone.
    public func zoneinfoName(of tzid: String) -> String? { self.memory.database.match(tzid)?.name }

    /// For frequent use; `nil` if the zone is unknown.
    package func rules(of zone: ZoneReference) -> ZoneRules? {
        switch zone {
        case .utc: ZoneRules.utc
        case .floating: self.memory.local
        case .named(let name): self.memory.found(name)?.rules
        }
    }
}

/// Of one calendar.
private final class ZoneMemory: Sendable {
    struct Found {
        let source: ZoneSource
        /// The TZID with the zoneinfo name.
        let tzid: String
        let rules: ZoneRules
    }

    private struct State {
        /// The first names: a calendar has few, and comparing them takes less time than hashing one.
        var first: [(name: String, found: Found?)] = []
        var found: [String: Found?] = [:]
        // `nil` until the first use.
        var definitions: [(name: String, component: Component)]?
        var isOnlyDefinitionUsed: Bool?
        var local: ZoneRules??
    }

    /// The limit of cached names; a calendar has a few, a hostile one any number.
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

    /// Searches at the first use.
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
        // Two threads may search at the same time; they find the same.
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

    /// The VTIMEZONEs of that name, exact matches first.
    private func definitions(of name: String) -> [(name: String, component: Component)] {
        let definitions = self.definitions
        let exact = definitions.filter { $0.name == name }
        let plain = ZoneName.plain(name)
        return plain == name ? exact : exact + definitions.filter { $0.name == plain }
    }

    /// All times of the calendar are examined once.
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
    /// The zone of a whole calendar, as Google and Apple write it.
    fileprivate static let wrTimeZone = Name("X-WR-TIMEZONE") ?? .tzid
    /// The zoneinfo name that libical puts into a VTIMEZONE.
    fileprivate static let licLocation = Name("X-LIC-LOCATION") ?? .tzid
}

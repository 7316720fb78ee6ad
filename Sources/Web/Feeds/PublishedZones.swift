import ICalendar
import Recurrence

/// The time zones of a feed: one VTIMEZONE for each TZID, from the first object that brings it along (RFC 5545 §3.6.5).
struct PublishedZones {
    /// How the times of one event are written.
    enum Form {
        /// With the zone that they name.
        case asTheyAre
        /// In UTC: the zone cannot be published.
        case utc
        /// Without a zone: nobody knows the one that they name.
        case floating
    }

    private struct Zone {
        /// From BEGIN:VTIMEZONE to END:VTIMEZONE.
        let bytes: [UInt8]
        /// Reads the name as whoever published it means it.
        let resolver: TimeZoneResolver
    }

    private let database: ZoneDatabase
    private let localZone: String
    private var zones: [String: Zone] = [:]

    init(database: ZoneDatabase, localZone: String) {
        self.database = database
        self.localZone = localZone
    }

    /// The zones so far, by TZID.
    var bytes: [UInt8] {
        self.zones.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.flatMap(\.value.bytes)
    }

    /// What reads the times of an object.
    func resolver(for object: CalendarObject) -> TimeZoneResolver {
        self.resolver(for: object.calendar)
    }

    /// How the times of an event that starts at `start` are to be written; publishes the zone that they need.
    ///
    /// - Parameter resolver: the one of `object`.
    mutating func form(for start: CalendarDateOrDateTime, of object: CalendarObject, resolver: TimeZoneResolver) -> Form
    {
        guard case .dateTime(let time) = start, case .named(let name) = time.zone else { return .asTheyAre }
        self.include(name, of: object, year: time.date.year)
        let instant = resolver.instant(of: time)
        guard let zone = self.zones[name] else { return instant == nil ? .floating : .utc }
        // Two programs may give one name to two zones: Outlook calls many of them "Customized Time Zone".
        let published = zone.resolver.instant(of: time)
        return instant == nil || published == instant ? .asTheyAre : .utc
    }

    /// Publishes the zone that an object calls `name`, unless one of that name is published or nobody knows it.
    ///
    /// - Parameter year: from when on its rules must be right, for a zone that the object does not bring along.
    mutating func include(_ name: String, of object: CalendarObject, year: Int = Self.earliestYear) {
        guard self.zones[name] == nil else { return }
        let own = object.calendar?.components(.vtimezone).first { $0.first(.tzid)?.text == name && $0.hasRules }
        if let own {
            self.zones[name] = Zone(bytes: own.cleanLines.wire, resolver: self.resolver(for: object))
            return
        }
        let resolver = self.resolver(for: nil)
        if let known = resolver.zoneinfoName(of: name), let rules = self.database.rules(named: known) {
            // Under the name that the times have, which may be one of Windows.
            let lines = VTimeZoneWriter.lines(name: name, rules: rules, year: year)
            self.zones[name] = Zone(bytes: lines.flatMap { Array("\($0)\r\n".utf8) }, resolver: resolver)
        }
    }

    /// Reminders are about the present and the future; rules older than this change no time that anybody still shows.
    private static let earliestYear = 2020

    private func resolver(for calendar: Component?) -> TimeZoneResolver {
        TimeZoneResolver(database: self.database, calendar: calendar, local: self.localZone)
    }
}

extension Component {
    /// Whether this VTIMEZONE has a part that says an offset: RFC 5545 §3.6.5 demands one, and readers refuse it
    /// without.
    fileprivate var hasRules: Bool {
        let parts = self.components(.standard) + self.components(.daylight)
        return !parts.isEmpty
            && parts.allSatisfy { part in
                part.first(.dtstart)?.moment != nil
                    && [Name.tzoffsetfrom, .tzoffsetto].allSatisfy { name in
                        part.first(name).flatMap { UTCOffset(wire: $0.value) } != nil
                    }
            }
    }
}

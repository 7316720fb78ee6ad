import RemindavICalendar
import RemindavRecurrence

/// The time zones of a feed: one VTIMEZONE per TZID, from the first object that defines it (RFC 5545 §3.6.5).
struct PublishedZones {
    /// How the times of an event are written.
    enum Form {
        /// Unchanged: each time keeps its time zone.
        case asTheyAre
        /// In UTC, because the feed cannot define the time zone.
        case utc
        /// Without a time zone, because the time zone is unknown.
        case floating
    }

    private struct Zone {
        let bytes: [UInt8]
        let resolver: TimeZoneResolver
    }

    private let database: ZoneDatabase
    private let localZone: String
    private var zones: [String: Zone] = [:]

    init(database: ZoneDatabase, localZone: String) {
        self.database = database
        self.localZone = localZone
    }

    /// The VTIMEZONE components, ordered by TZID.
    var bytes: [UInt8] {
        self.zones.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.flatMap(\.value.bytes)
    }

    func resolver(for object: CalendarObject) -> TimeZoneResolver { self.resolver(for: object.calendar) }
    /// Adds the time zone of `start` to the feed, and returns the form for the times of the event.
    mutating func form(for start: CalendarDateOrDateTime, of object: CalendarObject, resolver: TimeZoneResolver) -> Form
    {
        guard case .dateTime(let time) = start, case .named(let name) = time.zone else { return .asTheyAre }
        self.include(name, of: object, year: time.date.year)
        let instant = resolver.instant(of: time)
        guard let zone = self.zones[name] else { return instant == nil ? .floating : .utc }
        // Two objects can define different time zones with the same TZID: Outlook often uses "Customized Time Zone".
        let published = zone.resolver.instant(of: time)
        return instant == nil || published == instant ? .asTheyAre : .utc
    }

    /// - Parameter year: the first year of the published rules, for a zone that the object does not define.
    mutating func include(_ name: String, of object: CalendarObject, year: Int = Self.earliestYear) {
        guard self.zones[name] == nil else { return }
        let own = object.calendar?.components(.vtimezone).first { $0.first(.tzid)?.text == name && $0.hasRules }
        if let own {
            self.zones[name] = Zone(bytes: own.cleanLines.wire, resolver: self.resolver(for: object))
            return
        }
        let resolver = self.resolver(for: nil)
        if let known = resolver.zoneinfoName(of: name), let rules = self.database.rules(named: known) {
            // The VTIMEZONE gets the TZID that the event's times use, which can be a Windows name.
            let lines = VTimeZoneWriter.lines(name: name, rules: rules, year: year)
            self.zones[name] = Zone(bytes: lines.flatMap { Array("\($0)\r\n".utf8) }, resolver: resolver)
        }
    }

    /// The first year for which exact rules are published by default; calendars rarely show earlier times.
    private static let earliestYear = 2020

    private func resolver(for calendar: Component?) -> TimeZoneResolver {
        TimeZoneResolver(database: self.database, calendar: calendar, local: self.localZone)
    }
}

extension Component {
    /// Whether there is STANDARD or DAYLIGHT with offsets (RFC 5545 §3.6.5); clients reject a zone without them.
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

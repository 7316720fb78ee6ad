package import RemindavICalendar
package import RemindavRecurrence

/// The user's time zone.
package struct LocalZone: Sendable {
    package let name: String
    package let offsetSeconds: @Sendable (Instant) -> Int
    /// The instant of a wall-clock time (RFC 5545 §3.3.5).
    ///
    /// A time in a gap has the offset before the gap. A time in an overlap is the first of its two instants.
    package let instant: @Sendable (CalendarDate, ClockTime) -> Instant

    package init(
        name: String,
        offsetSeconds: @escaping @Sendable (Instant) -> Int,
        instant: @escaping @Sendable (CalendarDate, ClockTime) -> Instant
    ) {
        self.name = name
        self.offsetSeconds = offsetSeconds
        self.instant = instant
    }

    /// Looks up the zone in the database; `nil` if the database does not have this name.
    package init?(name: String, zones: ZoneDatabase, now: Instant) {
        let resolver = TimeZoneResolver(database: zones, calendar: nil, local: name)
        let zone = ZoneReference.named(name)
        guard resolver.dateTime(of: now, in: zone) != nil else { return nil }
        self.init(
            name: name,
            offsetSeconds: { instant in
                let local = resolver.dateTime(of: instant, in: zone)?.localSeconds
                return Int((local ?? instant.secondsSince1970) - instant.secondsSince1970)
            },
            instant: { date, time in
                let wall = CalendarDateTime(date: date, time: time, zone: zone)
                return resolver.instant(of: wall) ?? Instant(secondsSince1970: wall.localSeconds)
            }
        )
    }

    /// Looks up a zone, for UTC without the database; `nil` for an unknown name.
    package static func named(_ name: String, zones: ZoneDatabase, now: Instant) -> LocalZone? {
        self.namesOfUTC.contains(name.uppercased()) ? self.utc : LocalZone(name: name, zones: zones, now: now)
    }

    private static let namesOfUTC: Set = ["UTC", "UTC0", "ETC/UTC", "GMT", "GMT0", "ETC/GMT", "UCT", "ZULU", "Z"]

    package static let utc = LocalZone(
        name: "UTC",
        offsetSeconds: { _ in 0 },
        instant: { date, time in
            Instant(secondsSince1970: CalendarDateTime(date: date, time: time, zone: .utc).localSeconds)
        }
    )

    package func wallClock(at instant: Instant) -> (date: CalendarDate, time: ClockTime) {
        let local = instant.secondsSince1970 + Int64(self.offsetSeconds(instant))
        let wall = CalendarDateTime(localSeconds: local, zone: .floating)
        return (wall.date, wall.time)
    }

    package func text(_ instant: Instant) -> String {
        let wall = self.wallClock(at: instant)
        return "\(wall.date) \(wall.time.hoursAndMinutes)"
    }
}

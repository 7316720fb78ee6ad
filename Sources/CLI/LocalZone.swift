import Bridge
import ICalendar
import Recurrence

/// The time zone of the person at the keyboard, as two questions.
struct LocalZone: Sendable {
    /// The zoneinfo name.
    let name: String
    /// Seconds east of UTC at a moment.
    let offsetSeconds: @Sendable (Instant) -> Int
    /// The moment of a time by the clock on the wall.
    ///
    /// In a gap the offset before it counts, in an overlap the first of the two moments (RFC 5545 §3.3.5).
    let instant: @Sendable (CalendarDate, ClockTime) -> Instant

    /// The day and the time that a clock on the wall shows at a moment.
    func wallClock(at instant: Instant) -> (date: CalendarDate, time: ClockTime) {
        let local = instant.secondsSince1970 + Int64(self.offsetSeconds(instant))
        let (day, second) = local.flooredDivision(by: Int64(ClockTime.secondsPerDay))
        let seconds = Int(second)
        guard let time = ClockTime(hour: seconds / 3600, minute: seconds / 60 % 60, second: seconds % 60) else {
            preconditionFailure("the remainder of a division by a day is a time of day")
        }
        return (CalendarDate(dayNumber: Int(day)), time)
    }
}

extension Int64 {
    /// Quotient and remainder, the remainder never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = self.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// The machine's time zone is one that nobody here knows.
///
/// Times are never read as UTC in silence: a reminder at the wrong hour is worse than none.
struct UnknownZone: Error, Hashable, Sendable, CustomStringConvertible {
    let name: String

    var description: String {
        """
        The time zone of this machine, '\(Sanitizer.line(self.name))', is not known here. \
        Install tzdata, or set TZ to a name such as Europe/Berlin.
        """
    }
}

extension LocalZone {
    /// The zone that the environment or the machine names.
    ///
    /// - Parameter zones: the machine's, of somebody who has looked into them already; `nil` for nobody.
    static func system(
        _ environment: [String: String],
        now: Instant,
        zones known: ZoneDatabase? = nil
    ) throws(UnknownZone) -> LocalZone {
        let name = Configuration.localZoneName(environment: environment)
        if self.namesOfUTC.contains(name.uppercased()) { return self.utc }
        let zones = known ?? Configuration.systemZones(environment: environment)
        let resolver = TimeZoneResolver(database: zones, calendar: nil, local: name)
        let zone = ZoneReference.named(name)
        guard resolver.dateTime(of: now, in: zone) != nil else { throw UnknownZone(name: name) }
        return LocalZone(
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

    /// These need no zone files.
    private static let namesOfUTC: Set = ["UTC", "UTC0", "ETC/UTC", "GMT", "GMT0", "ETC/GMT", "UCT", "ZULU", "Z"]

    /// Coordinated universal time.
    static let utc = LocalZone(
        name: "UTC",
        offsetSeconds: { _ in 0 },
        instant: { date, time in
            Instant(secondsSince1970: CalendarDateTime(date: date, time: time, zone: .utc).localSeconds)
        }
    )
}

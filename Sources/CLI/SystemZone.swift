import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavRecurrence

/// The local time zone is unknown, which is an error: with UTC, reminders would fire at the wrong hour.
struct UnknownZone: Error, Hashable, Sendable, CustomStringConvertible {
    let name: String

    var description: String {
        """
        The time zone of this computer, '\(Sanitizer.line(self.name))', is unknown. \
        Install tzdata, or set TZ to a name such as Europe/Berlin.
        """
    }
}

extension LocalZone {
    /// - Parameter zones: the zone data, if the caller has already loaded it.
    static func system(
        _ environment: [String: String],
        now: Instant,
        zones: ZoneDatabase? = nil
    ) throws(UnknownZone) -> LocalZone {
        let name = Configuration.localZoneName(environment: environment)
        let zones = zones ?? Configuration.systemZones(environment: environment)
        guard let zone = LocalZone.named(name, zones: zones, now: now) else { throw UnknownZone(name: name) }
        return zone
    }
}

import ICalendar
import Recurrence
import TestSupport

/// The zones under `Fixtures/tz`; nothing of the machine's.
enum FixtureZones {
    static let database = ZoneDatabase { try? Fixture.bytes("tz/\($0)") }

    static func resolver(calendar: Component? = nil) -> TimeZoneResolver {
        TimeZoneResolver(database: self.database, calendar: calendar, local: "Europe/Berlin")
    }
}

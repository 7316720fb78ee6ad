import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport

/// The time zones of `Fixtures/tz`.
///
/// The zones of this machine are not used.
enum FixtureZones {
    static let database = ZoneDatabase { try? Fixture.bytes("tz/\($0)") }

    static func resolver(calendar: Component? = nil) -> TimeZoneResolver {
        TimeZoneResolver(database: self.database, calendar: calendar, local: "Europe/Berlin")
    }
}

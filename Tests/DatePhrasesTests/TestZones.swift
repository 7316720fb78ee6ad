import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport

@testable import RemindavDatePhrases

extension Instant {
    /// Friday, 20 November 2026, 18:05 in Berlin.
    static let test = Instant(secondsSince1970: 1_795_194_300)

    /// A moment by its fields in UTC.
    static func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int = 0) -> Instant {
        guard let date = CalendarDate(year: year, month: month, day: day) else { preconditionFailure("no such day") }
        return Instant(secondsSince1970: Int64(date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second))
    }
}

extension ZoneDatabase {
    /// The files below `Fixtures/tz`.
    static let fixtures = Self { try? Fixture.bytes("tz/\($0)") }
    /// The zone files of the system.
    static let installed = Self { try? Fixture.file("/usr/share/zoneinfo/\($0)") }
}

private struct MissingZone: Error {}

extension LocalZone {
    /// A zone of `Fixtures/tz`.
    static func fixture(_ name: String) throws -> LocalZone {
        guard let zone = Self(name: name, zones: .fixtures, now: .test) else {
            throw MissingZone()
        }
        return zone
    }

    static let berlin: LocalZone = {
        guard let zone = try? Self.fixture("Europe/Berlin") else { preconditionFailure("Fixtures/tz lacks a zone") }
        return zone
    }()
}

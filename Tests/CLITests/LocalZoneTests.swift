import RemindavDatePhrases
import RemindavICalendar
import Testing

@testable import RemindavCLI

@Suite("the local zone")
struct LocalZoneTests {
    @Test("zoneinfo agrees with the rule of Central Europe, hour by hour over two years")
    func berlin() throws {
        let zone = try LocalZone.system(["TZ": "Europe/Berlin"], now: .test)
        #expect(zone.name == "Europe/Berlin")
        for hour in 0..<(2 * 366 * 24) {
            let instant = Instant(secondsSince1970: Instant.test.secondsSince1970 + Int64(hour) * 3600)
            #expect(zone.offsetSeconds(instant) == LocalZone.berlin.offsetSeconds(instant))
            let wall = zone.wallClock(at: instant)
            #expect(zone.instant(wall.date, wall.time) == LocalZone.berlin.instant(wall.date, wall.time))
        }
    }

    @Test("a time in the gap is read with the offset before it (RFC 5545 §3.3.5)")
    func gap() throws {
        let zone = try LocalZone.system(["TZ": "Europe/Berlin"], now: .test)
        let date = try #require(CalendarDate(year: 2027, month: 3, day: 28))
        let time = try #require(ClockTime(hour: 2, minute: 30, second: 0))
        #expect(zone.instant(date, time) == .utc(2027, 3, 28, 1, 30))
    }

    @Test("UTC needs no zone files", arguments: ["UTC", "utc", "Etc/UTC", "UTC0", "GMT", ":UTC"])
    func utc(name: String) throws {
        let zone = try LocalZone.system(["TZ": name, "TZDIR": "/nonexistent"], now: .test)
        #expect(zone.name == "UTC")
        #expect(zone.offsetSeconds(.test) == 0)
    }

    @Test("an unknown zone is an error with a remedy, and never means UTC")
    func unknown() {
        for environment in [["TZ": "Mars/Base"], ["TZ": "Europe/Berlin", "TZDIR": "/nonexistent"]] {
            let error = #expect(throws: UnknownZone.self) { try LocalZone.system(environment, now: .test) }
            #expect(error?.description.contains("tzdata") == true)
        }
        #expect(ErrorMessages.explain(UnknownZone(name: "Mars/Base")).status == .failure)
    }
}

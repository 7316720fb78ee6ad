import Foundation
import RemindavFoundation
import RemindavHTTP
import RemindavICalendar
import Testing

private typealias WebAddress = Foundation.URL
private typealias ServerAddress = RemindavHTTP.URL

@Suite("conversions from and to Foundation")
struct ConversionTests {
    @Test(
        "a date is a moment, rounded down",
        arguments: [(0, 0), (1.9, 1), (-0.5, -1), (1_795_000_000, 1_795_000_000), (1e30, Int64.max), (-1e30, .min)]
    )
    func instants(seconds: Double, expected: Int64) {
        #expect(Instant(Date(timeIntervalSince1970: seconds)).secondsSince1970 == expected)
    }

    @Test("a moment keeps its second in Foundation and back")
    func roundTrip() {
        for seconds: Int64 in [-62_135_596_800, -1, 0, 951_782_400, 253_402_300_799] {
            let instant = Instant(secondsSince1970: seconds)
            #expect(Instant(Date(instant)) == instant)
        }
    }

    @Test("a day is the same in components and back, and a missing or impossible one is refused")
    func days() {
        let leap = CalendarDate(year: 2028, month: 2, day: 29)
        #expect(CalendarDate(DateComponents(year: 2028, month: 2, day: 29)) == leap)
        #expect(leap.map { DateComponents($0) } == DateComponents(year: 2028, month: 2, day: 29))
        #expect(CalendarDate(DateComponents(year: 2027, month: 2, day: 29)) == nil)
        #expect(CalendarDate(DateComponents(year: 2027, month: 2)) == nil)
    }

    @Test("a local time follows the summer time of its zone")
    func zones() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let table = [("2026-03-29T00:59:59Z", "2026-03-29T01:59:59"), ("2026-03-29T01:00:00Z", "2026-03-29T03:00:00")]
        for (utc, local) in table {
            let date = try Date(utc, strategy: .iso8601)
            let time = CalendarDateTime(date, in: berlin)
            #expect(time.description == local)
            #expect(time.zone == .named("Europe/Berlin"))
            #expect(TimeZone(time.zone, local: .gmt) == berlin)
        }
        #expect(CalendarDateTime(Date(timeIntervalSince1970: 0), in: .gmt).zone == .utc)
        #expect(TimeZone(.floating, local: berlin) == berlin)
        #expect(TimeZone(.named("Nowhere/Never"), local: berlin) == nil)
    }

    @Test("an address of a server is the same, and other schemes are refused")
    func addresses() throws {
        let url = try #require(WebAddress(string: "https://cloud.example.org:8443/dav/?x=1"))
        let converted = try #require(ServerAddress(url))
        #expect(WebAddress(converted) == url)
        let file = try #require(WebAddress(string: "file:///etc/passwd"))
        #expect(ServerAddress(file) == nil)
    }

    @Test("the bytes of a file are parsed without a change")
    func files() {
        let data = Data("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n".utf8)
        #expect(ICalendarDocument(data).bytes == [UInt8](data))
    }
}

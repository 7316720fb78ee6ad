import RemindavHTTP
import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavWeb

/// The requirements of docs/feeds.md that a feed itself can meet.
@Suite("requirements of calendar programs")
struct FeedRequirementTests {
    private static func feed(style: FeedStyle = .event) throws -> String {
        Samples.feed(
            Samples.objects(try Fixture.bytes("web/made-reminders.ics")),
            style: style,
            showsAlarms: true,
            zones: Samples.someZones
        )
    }

    private static func content(_ property: Property) -> String { String(decoding: property.content, as: UTF8.self) }

    @Test("the calendar has a name, a refresh interval in both forms, and no METHOD")
    func header() throws {
        let calendar = try #require(ICalendarDocument(try Self.feed()).calendar)
        let lines = calendar.properties.map(Self.content)
        for line in [
            "VERSION:2.0", "NAME:Home", "X-WR-CALNAME:Home", "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
            "X-PUBLISHED-TTL:PT1H",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!lines.contains { $0.hasPrefix("METHOD") })
    }

    @Test("UID and DTSTAMP of an event stay equal in each request, and each UID occurs once")
    func stability() throws {
        let document = ICalendarDocument(try Self.feed())
        #expect(try Self.feed() == Self.feed())
        let series = document.all(.vevent).filter { $0.first(.recurrenceID) == nil }
        let uids = series.compactMap { $0.first(.uid)?.text }
        #expect(!uids.isEmpty && Set(uids).count == uids.count)
        for event in series {
            let stamps = [Name.dtstamp, .lastModified].map { event.first($0)?.value }
            #expect(stamps[0] != nil && stamps[0] == stamps[1])
        }
    }

    @Test("each TZID has one definition in the calendar", arguments: FeedStyle.allCases)
    func timeZones(style: FeedStyle) throws {
        let document = ICalendarDocument(try Self.feed(style: style))
        let defined = document.all(.vtimezone).compactMap { $0.first(.tzid)?.text }
        #expect(Set(defined).count == defined.count)
        let parts = document.all(.vevent) + document.all(.vtodo)
        let used = Set(parts.flatMap(\.timeZoneNames))
        if style == .event { #expect(used.isSubset(of: Set(defined)), "\(used) \(defined)") }
    }

    @Test("no event blocks time, and each has a start and an alarm that shows a text")
    func events() throws {
        for event in ICalendarDocument(try Self.feed()).all(.vevent) {
            #expect(event.first(.transp)?.value == "TRANSPARENT")
            #expect(event.first(.dtstart) != nil && event.first(.summary) != nil)
            let alarms = event.components(.valarm)
            #expect(!alarms.isEmpty)
            for alarm in alarms {
                #expect(alarm.first(.action)?.value == "DISPLAY")
                #expect(alarm.first(.description) != nil && alarm.first(.trigger) != nil)
            }
        }
    }

    @Test("a line has at most 75 bytes and ends with CRLF", arguments: FeedStyle.allCases)
    func lines(style: FeedStyle) throws {
        let bytes = Array(try Self.feed(style: style).utf8)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        #expect(lines.last?.isEmpty == true)
        for line in lines.dropLast() {
            #expect(line.last == UInt8(ascii: "\r") && line.count <= 76 && line.dropLast().allSatisfy { $0 != 0x0D })
        }
    }

    @Test("an event of a short reminder has at most 500 bytes, so that 2,000 events have less than 1 MB")
    func size() throws {
        let object = try #require(Samples.object("SUMMARY:Call the plumber", "DUE:20261130T090000Z"))
        let empty = Samples.feed([]).utf8.count
        #expect(Samples.feed([object]).utf8.count - empty <= 500)
    }

    @Test("the path of a feed has 42 characters, which leaves room for a host in the 256 of Google")
    func addressLength() {
        let path = "/feed/\(Samples.token).ics"
        #expect(path.utf8.count == 42)
        #expect(FeedAddress(target: path) != nil)
    }
}

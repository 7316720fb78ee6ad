import Glibc
import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport
import Testing

@testable import RemindavWeb

/// Samples for the tests of feeds.
enum Samples {
    /// No zones but those that objects bring along.
    static let noZones = ZoneDatabase { _ in nil }
    /// The zones under `Fixtures/tz`; nothing of the machine's.
    static let someZones = ZoneDatabase { try? Fixture.bytes("tz/\($0)") }
    static let localZone = "Europe/Berlin"
    static let token = "0123456789abcdef0123456789abcdef"

    /// The calendar objects of a file, one per UID, as an import makes them.
    static func objects(_ bytes: [UInt8]) -> [CalendarObject] {
        let document = ICalendarDocument(bytes)
        var groups: [(uid: String, todos: [Component])] = []
        for todo in document.all(.vtodo) {
            guard let uid = todo.first(.uid)?.text else { continue }
            if let place = groups.firstIndex(where: { $0.uid == uid }) {
                groups[place].todos.append(todo)
            } else {
                groups.append((uid, [todo]))
            }
        }
        return groups.compactMap { group in
            let names = Set(group.todos.flatMap(\.timeZoneNames))
            let zones = (group.todos[0].parent?.components(.vtimezone) ?? []).filter { zone in
                zone.first(.tzid).map { names.contains($0.text) } ?? false
            }
            let source = CalendarObject.assemble(
                header: [],
                zones: zones.map { Array($0.bytes) },
                components: group.todos.map { Array($0.bytes) }
            )
            return CalendarObject(ICalendarDocument(source))
        }
    }

    /// One reminder with these lines and a UID.
    static func object(_ lines: String..., zones: String = "") -> CalendarObject? {
        let body = lines.joined(separator: "\r\n")
        return CalendarObject(
            ICalendarDocument(
                "BEGIN:VCALENDAR\r\n\(zones)BEGIN:VTODO\r\nUID:made\r\n\(body)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
            )
        )
    }

    /// A feed as a text.
    static func feed(
        _ objects: [CalendarObject],
        name: String = "Home",
        style: FeedStyle = .event,
        showsPrivate: Bool = false,
        showsAlarms: Bool = false,
        zones: ZoneDatabase = noZones
    ) -> String {
        let content = FeedContent(
            name: name,
            objects: objects,
            style: style,
            showsPrivate: showsPrivate,
            showsAlarms: showsAlarms
        )
        let feed = EventFeed(content, zones: zones, localZone: self.localZone)
        return String(decoding: feed.bytes, as: UTF8.self)
    }

    /// The lines of a feed of one reminder, unfolded, without those around the event.
    static func event(_ object: CalendarObject?, zones: ZoneDatabase = noZones) -> [String] {
        let document = ICalendarDocument(self.feed([object].compactMap(\.self), zones: zones))
        return document.all(.vevent).flatMap(\.properties).map { String(decoding: $0.content, as: UTF8.self) }
    }
}

/// Compares a whole feed with `Fixtures/web/‹name›`; with `UPDATE_SNAPSHOTS` set it writes the file instead.
func expectFeed(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    if getenv("UPDATE_SNAPSHOTS") != nil {
        let file = try #require(fopen("\(Fixture.folder)/web/\(name)", "wb"), sourceLocation: sourceLocation)
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count, sourceLocation: sourceLocation)
        return
    }
    let expected = try Fixture.text("web/\(name)").split(separator: "\r\n", omittingEmptySubsequences: false)
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    for (number, pair) in zip(expected, lines).enumerated() where pair.0 != pair.1 {
        Issue.record("\(name) differs in line \(number + 1)", sourceLocation: sourceLocation)
        #expect(pair.1 == pair.0, sourceLocation: sourceLocation)
        return
    }
    #expect(lines.count == expected.count, sourceLocation: sourceLocation)
}

import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport
import Testing

@testable import RemindavWeb

@Suite("feeds (RFC 5545, RFC 7986)")
struct EventFeedTests {
    static let fixtures: [String] = (try? Fixture.names(in: "ics", endingWith: ".ics")) ?? []

    @Test("the files of programs are found")
    func found() {
        #expect(Self.fixtures.count >= 60)
    }

    @Test("each style is written byte for byte as expected", arguments: FeedStyle.allCases)
    func wholeFeed(style: FeedStyle) throws {
        let objects = Samples.objects(try Fixture.bytes("web/made-reminders.ics"))
        try expectFeed(Samples.feed(objects, style: style), "made-reminders.expected-\(style.rawValue).ics")
    }

    @Test("the order of the reminders makes no difference")
    func order() throws {
        let objects = Samples.objects(try Fixture.bytes("web/made-reminders.ics"))
        let rotated = Array(objects[5...] + objects[..<5])
        for style in FeedStyle.allCases {
            let feed = Samples.feed(objects, style: style)
            #expect(Samples.feed(objects.reversed(), style: style) == feed)
            #expect(Samples.feed(rotated, style: style) == feed)
        }
    }

    @Test("a rule in another calendar is published as dates, and without the calendar as one event")
    func otherCalendar() {
        // Each year has twelve months of 30 days.
        let calendar = CalendarSystem { number in
            let months = (0..<12).map { index in
                CalendarYear.Month(number: index + 1, firstDay: number * 360 + index * 30, length: 30)
            }
            return CalendarYear(number: number, months: months)
        } yearNumber: {
            $0 / 360
        }
        let zones = ZoneDatabase(load: { _ in nil }) { _ in calendar }
        let object = Samples.object("DUE;VALUE=DATE:20260105", "RRULE:RSCALE=HEBREW;FREQ=YEARLY", "SUMMARY:a")
        let dates = Samples.event(object, zones: zones).filter { $0.hasPrefix("R") }
        #expect(dates == ["RDATE;VALUE=DATE:20261231"])
        let plain = Samples.event(object)
        #expect(plain.contains("DTSTART;VALUE=DATE:20260105"))
        #expect(plain.allSatisfy { !$0.hasPrefix("R") })
        let skipping = Samples.object(
            "DUE;VALUE=DATE:20260131",
            "RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;COUNT=3;SKIP=BACKWARD"
        )
        #expect(Samples.event(skipping).filter { $0.hasPrefix("R") } == ["RDATE;VALUE=DATE:20260228,20260331"])
    }

    @Test("every file of a program gives a feed without an invalid line", arguments: Self.fixtures)
    func wellFormed(fixture: String) throws {
        let objects = Samples.objects(try Fixture.bytes("ics/\(fixture)"))
        for style in FeedStyle.allCases {
            let feed = Samples.feed(objects, style: style, zones: Samples.someZones)
            let document = ICalendarDocument(feed)
            #expect(document.issues == [])
            #expect(document.components.count == 1)
            #expect(feed.utf8.split(separator: 0x0A).allSatisfy { $0.count <= 76 && $0.last == 0x0D })
            for event in document.all(.vevent) { self.check(event, in: document) }
            let zones = document.all(.vtimezone).compactMap { $0.first(.tzid)?.text }
            #expect(Set(zones).count == zones.count)
        }
    }

    /// Checks the requirements of RFC 5545 §3.6.1 for every VEVENT, and that the forms of its times agree.
    private func check(_ event: Component, in document: ICalendarDocument) {
        for name: Name in [.uid, .dtstamp, .dtstart, .summary, .transp, .sequence, .lastModified] {
            #expect(event.all(name).count == 1)
        }
        let zones = Set(document.all(.vtimezone).compactMap { $0.first(.tzid)?.text })
        #expect(event.timeZoneNames.allSatisfy(zones.contains))
        guard let start = event.first(.dtstart) else { return }
        #expect((event.first(.duration) == nil) == (start.moment?.isDate == true))
        for name: Name in [.exdate, .rdate, .recurrenceID] {
            for property in event.all(name) {
                #expect(property.parameters == start.parameters)
                #expect(property.value.hasSuffix("Z") == start.value.hasSuffix("Z"))
            }
        }
        guard let rule = event.first(.rrule)?.value, let until = (try? RecurrenceRule(wire: rule))?.until else {
            return
        }
        #expect(until.isDate == start.moment?.isDate)
    }

    @Test("the calendar describes itself, and contains nothing about the client")
    func header() {
        let calendar = ICalendarDocument(Samples.feed([], name: "Home, sweet")).calendar
        let lines = calendar?.properties.map { String(decoding: $0.content, as: UTF8.self) }
        #expect(
            lines == [
                "VERSION:2.0", "PRODID:-//Remindav//Remindav//EN", "CALSCALE:GREGORIAN", "NAME:Home\\, sweet",
                "X-WR-CALNAME:Home\\, sweet", "X-WR-TIMEZONE:Europe/Berlin", "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
                "X-PUBLISHED-TTL:PT1H",
            ]
        )
    }

    @Test("the number of reminders is counted, not that of events")
    func count() throws {
        let objects = Samples.objects(try Fixture.bytes("web/made-reminders.ics"))
        let counts = FeedStyle.allCases.map { style in
            let content = FeedContent(name: "", objects: objects, style: style)
            return EventFeed(content, zones: Samples.noZones, localZone: "UTC").count
        }
        #expect(counts == [15, 16, 16])
    }

    @Test("of two copies of a reminder the later one is shown, in either order")
    func copies() {
        let old = Samples.object("SUMMARY:Old", "DUE;VALUE=DATE:20261130", "LAST-MODIFIED:20261101T100000Z")
        let new = Samples.object("SUMMARY:New", "DUE;VALUE=DATE:20261130", "LAST-MODIFIED:20261102T100000Z")
        for objects in [[old, new], [new, old]] {
            let feed = Samples.feed(objects.compactMap(\.self))
            #expect(feed.contains("New") && !feed.contains("Old"))
        }
    }
}

@Suite("SEQUENCE of feeds (RFC 5545 §3.8.7.4)")
struct EventSequenceTests {
    /// Versions of one reminder, each after the one before it.
    static let history = [
        "DTSTAMP:19991231T000000Z",
        "DTSTAMP:20261101T100000Z",
        "LAST-MODIFIED:20261101T100001Z",
        "LAST-MODIFIED:20261101T100002Z\r\nSEQUENCE:0",
        "LAST-MODIFIED:20261101T100002Z\r\nSEQUENCE:1",
        "LAST-MODIFIED:20261101T100500Z",
        "LAST-MODIFIED:20661101T100500Z\r\nSEQUENCE:4",
        "LAST-MODIFIED:99991231T235959Z\r\nSEQUENCE:2147483647",
    ]

    @Test("it grows for a program that starts to count, stops counting or never counts")
    func grows() {
        var last = -1
        for lines in Self.history {
            let event = Samples.event(Samples.object("DUE;VALUE=DATE:20261130", lines))
            let sequence =
                event.first { $0.hasPrefix("SEQUENCE:") }.flatMap { Int($0.dropFirst("SEQUENCE:".count)) } ?? -1
            #expect(sequence > last)
            #expect(sequence <= Int(Int32.max))
            last = sequence
        }
    }
}

@Suite("time zones of feeds (RFC 5545 §3.6.5)")
struct PublishedZonesTests {
    private static func zone(_ name: String, _ offset: String) -> String {
        """
        BEGIN:VTIMEZONE\r
        TZID:\(name)\r
        BEGIN:STANDARD\r
        DTSTART:19700101T000000\r
        TZOFFSETFROM:\(offset)\r
        TZOFFSETTO:\(offset)\r
        END:STANDARD\r
        END:VTIMEZONE\r\n
        """
    }

    @Test("two zones under one name: the second one's times are written in UTC")
    func sameZoneName() throws {
        let name = "Customized Time Zone"
        let lines = "DUE;TZID=\(name):20261124T090000"
        let first = try #require(Samples.object("UID:1", lines, zones: Self.zone(name, "+0100")))
        var second = try #require(Samples.object(lines, zones: Self.zone(name, "+0500")))
        let source = String(decoding: second.document.bytes, as: UTF8.self).replacing("UID:made", with: "UID:other")
        second = try #require(CalendarObject(ICalendarDocument(source)))

        let feed = Samples.feed([first, second])
        #expect(
            feed.contains("UID:made-event\r\nDTSTAMP:20000101T000000Z\r\nDTSTART;TZID=Customized Time Zone:20261124T09")
        )
        #expect(feed.contains("UID:other-event\r\nDTSTAMP:20000101T000000Z\r\nDTSTART:20261124T040000Z"))
        #expect(feed.split(separator: "BEGIN:VTIMEZONE").count == 2)
    }

    @Test("a zone without rules is ignored, and no zone is guessed for it")
    func emptyZone() {
        let empty = "BEGIN:VTIMEZONE\r\nTZID:Nowhere\r\nEND:VTIMEZONE\r\n"
        let event = Samples.event(Samples.object("DUE;TZID=Nowhere:20261124T090000", zones: empty))
        #expect(event.contains("DTSTART:20261124T090000"))
    }

    @Test(
        "a zone that the object does not define is written from the database, under its name there",
        arguments: [
            "Europe/Berlin", "W. Europe Standard Time", "/freeassociation.sourceforge.net/Tzfile/Europe/Berlin",
        ]
    )
    func missingZone(name: String) throws {
        let object = try #require(Samples.object("DUE;TZID=\(name):20261124T090000"))
        let document = ICalendarDocument(Samples.feed([object], zones: Samples.someZones))
        #expect(document.issues == [])
        #expect(document.all(.vtimezone).compactMap { $0.first(.tzid)?.text } == [name])
        #expect(
            document.all(.vevent).first?.first(.dtstart)?.moment
                == CalendarDateOrDateTime(wire: "20261124T090000", tzid: name)
        )
    }

    @Test("a changed occurrence raises the number of the series, since its EXDATE may have changed")
    func changedOccurrence() throws {
        let objects = Samples.objects(try Fixture.bytes("ics/thunderbird-completed-override.ics"))
        let event = ICalendarDocument(Samples.feed(objects)).all(.vevent).first
        #expect(event?.first(.lastModified)?.value == "20261113T080000Z")
        #expect(event?.first(.dtstart)?.value == "20261106T080000")
        #expect(event?.first(.exdate)?.value == "20261106T080000,20261113T080000")
    }
}

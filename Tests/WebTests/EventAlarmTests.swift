import RemindavICalendar
import Testing

@testable import RemindavWeb

@Suite("alarms in feeds")
struct EventAlarmTests {
    /// The lines of the alarms of a reminder in a feed, without BEGIN and END.
    private static func alarms(
        _ lines: String...,
        style: FeedStyle = .event,
        showsAlarms: Bool = true
    ) throws -> [[String]] {
        let object = try #require(Samples.object(lines.joined(separator: "\r\n")))
        let document = ICalendarDocument(Samples.feed([object], style: style, showsAlarms: showsAlarms))
        #expect(document.issues == [])
        let parts = document.all(style == .event ? .vevent : .vtodo)
        return parts.flatMap { $0.components(.valarm) }.map { alarm in
            alarm.properties.map { String(decoding: $0.content, as: UTF8.self) }
        }
    }

    private static func alarm(_ trigger: String, _ lines: String...) -> String {
        (["BEGIN:VALARM", "ACTION:DISPLAY", trigger] + lines + ["END:VALARM"]).joined(separator: "\r\n")
    }

    private static let due = "DUE:20261130T090000Z"

    /// The lines of the reminder, and TRIGGER of its event; all times are in UTC.
    static let triggers: [(lines: [String], trigger: String)] = [
        ([due, alarm("TRIGGER;RELATED=END:-PT15M")], "TRIGGER:-PT15M"),
        ([due, alarm("TRIGGER:-PT15M")], "TRIGGER:-PT15M"),
        ([due, alarm("TRIGGER;RELATED=END:-P1D")], "TRIGGER:-P1D"),
        ([due, alarm("TRIGGER;VALUE=DATE-TIME:20261129T180000Z")], "TRIGGER;VALUE=DATE-TIME:20261129T180000Z"),
        // RELATED=START counts from DTSTART of the to-do, one hour or two days before its due time.
        ([due, "DTSTART:20261130T080000Z", alarm("TRIGGER:PT0S")], "TRIGGER:-PT1H"),
        ([due, "DTSTART:20261130T080000Z", alarm("TRIGGER:PT30M")], "TRIGGER:-PT30M"),
        ([due, "DTSTART:20261130T080000Z", alarm("TRIGGER;RELATED=END:PT30M")], "TRIGGER:PT30M"),
        (["DUE;VALUE=DATE:20261130", "DTSTART;VALUE=DATE:20261128", alarm("TRIGGER:-PT15H")], "TRIGGER:-PT63H"),
        // Hours count from midnight, and whole days mean the usual time of day.
        (["DUE;VALUE=DATE:20261130", alarm("TRIGGER;RELATED=END:PT8H")], "TRIGGER:PT8H"),
        (["DUE;VALUE=DATE:20261130", alarm("TRIGGER;RELATED=END:-P1D")], "TRIGGER:-PT15H"),
        (["DUE;VALUE=DATE:20261130", alarm("TRIGGER;RELATED=END:PT0S")], "TRIGGER:PT9H"),
    ]

    @Test("an event has the alarm of its reminder, at the same time", arguments: Self.triggers)
    func trigger(_ test: (lines: [String], trigger: String)) throws {
        let alarms = try Self.alarms("SUMMARY:Title", test.lines.joined(separator: "\r\n"))
        #expect(alarms == [["ACTION:DISPLAY", "DESCRIPTION:☐ Title", test.trigger]])
    }

    @Test("text and repetitions of an alarm are published")
    func details() throws {
        let one = Self.alarm("TRIGGER;RELATED=END:-PT15M", "DESCRIPTION:Take the keys", "REPEAT:2", "DURATION:PT5M")
        let two = Self.alarm("TRIGGER;RELATED=END:-PT1H")
        #expect(
            try Self.alarms("SUMMARY:Title", Self.due, one, two) == [
                ["ACTION:DISPLAY", "DESCRIPTION:Take the keys", "TRIGGER:-PT15M", "REPEAT:2", "DURATION:PT5M"],
                ["ACTION:DISPLAY", "DESCRIPTION:☐ Title", "TRIGGER:-PT1H"],
            ]
        )
    }

    @Test("without the choice an event has one alarm at its due time, and a to-do has none")
    func notChosen() throws {
        let alarm = Self.alarm("TRIGGER;RELATED=END:-PT15M")
        let atDue = [["ACTION:DISPLAY", "DESCRIPTION:☐ Title", "TRIGGER:PT0S"]]
        #expect(try Self.alarms("SUMMARY:Title", Self.due, alarm, showsAlarms: false) == atDue)
        #expect(try Self.alarms("SUMMARY:Title", Self.due) == atDue)
        #expect(try Self.alarms("SUMMARY:Title", Self.due, alarm, style: .todo, showsAlarms: false) == [])
        #expect(
            try Self.alarms("SUMMARY:Title", Self.due, alarm, style: .todo)
                == [["ACTION:DISPLAY", "TRIGGER;RELATED=END:-PT15M", "DESCRIPTION:Title"]]
        )
    }

    @Test("alarms of snoozes, at places and with other actions are not published", arguments: FeedStyle.allCases)
    func others(style: FeedStyle) throws {
        let object = try #require(
            Samples.object(
                "SUMMARY:Title",
                Self.due,
                Self.alarm("TRIGGER;RELATED=END:-PT15M", "UID:a"),
                Self.alarm("TRIGGER;VALUE=DATE-TIME:20261129T170000Z", "RELATED-TO;RELTYPE=SNOOZE:a"),
                Self.alarm("TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "X-APPLE-PROXIMITY:ARRIVE"),
                "BEGIN:VALARM\r\nACTION:EMAIL\r\nTRIGGER:-PT2M\r\nEND:VALARM"
            )
        )
        let feed = Samples.feed([object], style: style, showsAlarms: true)
        #expect(feed.split(separator: "BEGIN:VALARM").count - 1 == (style == .both ? 2 : 1))
        #expect(feed.contains("-PT15M") && !feed.contains("19760401") && !feed.contains("T170000Z"))
        #expect(!feed.contains("-PT2M"))
    }

    @Test("after a snooze the event has one alarm, at the end of the snooze")
    func snoozed() throws {
        let alarm = Self.alarm("TRIGGER;RELATED=END:-PT15M")
        #expect(
            try Self.alarms("SUMMARY:Title", Self.due, "X-MOZ-SNOOZE-TIME:20261130T100000Z", alarm)
                == [["ACTION:DISPLAY", "DESCRIPTION:☐ Title", "TRIGGER:PT0S"]]
        )
    }

    @Test("the text of an alarm of a private reminder is hidden")
    func hidden() throws {
        let alarm = Self.alarm("TRIGGER;RELATED=END:-PT15M", "DESCRIPTION:Canary")
        #expect(
            try Self.alarms("SUMMARY:Canary", "CLASS:PRIVATE", Self.due, alarm)
                == [["ACTION:DISPLAY", "DESCRIPTION:☐ Busy", "TRIGGER:-PT15M"]]
        )
    }
}

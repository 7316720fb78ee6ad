import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavWeb

@Suite("properties that a feed does not publish")
struct PrivacyTests {
    private static let due = "DUE;VALUE=DATE:20261130"

    /// The value of CLASS, and the result for the reminder.
    static let classes: [(line: String, fate: String)] = [
        ("X-NONE:1", "shown"), ("CLASS:PUBLIC", "shown"), ("CLASS:public", "shown"),
        ("CLASS:PRIVATE", "hidden"), ("CLASS:private", "hidden"), ("CLASS:X-SECRET", "hidden"), ("CLASS:", "hidden"),
        ("CLASS:CONFIDENTIAL", "absent"), ("CLASS:Confidential", "absent"), ("CLASS;X-A=b:CONFIDENTIAL", "absent"),
    ]

    @Test("CLASS limits the published properties (RFC 5545 §3.8.1.3)", arguments: Self.classes)
    func classification(_ test: (line: String, fate: String)) throws {
        let secrets = [
            "SUMMARY:Canary title", "DESCRIPTION:Canary notes", "CATEGORIES:Canary label", "LOCATION:Canary place",
            "URL:https://canary.example/",
            "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Canary alarm\r\n"
                + "TRIGGER:-PT5M\r\nEND:VALARM",
        ]
        let body = ([test.line, Self.due] + secrets).joined(separator: "\r\n")
        let object = try #require(Samples.object(body))
        for style in FeedStyle.allCases {
            let feed = Samples.feed([object], style: style, showsAlarms: true)
            #expect(feed.contains("UID:made") == (test.fate != "absent"))
            #expect(feed.lowercased().contains("canary") == (test.fate == "shown"), "\(feed)")
            #expect(feed.contains("Busy") == (test.fate == "hidden"))
            #expect(feed.contains("CLASS") == (test.fate != "absent" && test.line.hasPrefix("CLASS")))
            #expect(ICalendarDocument(feed).issues == [])
            let whole = Samples.feed([object], style: style, showsPrivate: true)
            #expect(whole.contains("Canary title") && !whole.contains("Busy"))
        }
    }

    @Test("a single private occurrence hides the whole series")
    func occurrence() throws {
        let text = """
            BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:made\r\nDUE:20261130T090000Z\r\nRRULE:FREQ=DAILY\r\nSUMMARY:Canary\r\n\
            END:VTODO\r\nBEGIN:VTODO\r\nUID:made\r\nRECURRENCE-ID:20261201T090000Z\r\nDUE:20261201T100000Z\r\n\
            SUMMARY:Canary\r\nCLASS:PRIVATE\r\nEND:VTODO\r\nEND:VCALENDAR\r\n
            """
        let object = try #require(CalendarObject(ICalendarDocument(text)))
        for style in FeedStyle.allCases {
            let feed = Samples.feed([object], style: style)
            #expect(feed.contains("Busy") && !feed.contains("Canary"))
        }
    }

    @Test("a to-do has the properties of the allow-list, and no others")
    func allowList() throws {
        let object = try #require(
            Samples.object(
                Self.due,
                "SUMMARY;ALTREP=\"https://canary.example/\":Title",
                "ATTENDEE;CN=Canary:mailto:canary@example.org",
                "ORGANIZER:mailto:canary@example.org",
                "ATTACH;VALUE=BINARY;ENCODING=BASE64:Q2FuYXJ5",
                "ATTACH:data:text/plain,canary",
                "ATTACH:file:///home/canary/x",
                "ATTACH:https://example.org/open.pdf",
                "GEO:52.5;13.4",
                "CONTACT:Canary",
                "X-CANARY:1",
                "X-APPLE-STRUCTURED-LOCATION:geo:1,2",
                "BEGIN:VALARM\r\nACTION:EMAIL\r\nATTENDEE:mailto:canary@example.org\r\nTRIGGER:-PT1M\r\nEND:VALARM",
                "BEGIN:VALARM\r\nACTION:PROCEDURE\r\nATTACH:file:///bin/canary\r\nTRIGGER:-PT2M\r\nEND:VALARM",
                "BEGIN:VALARM\r\nACTION:AUDIO\r\nATTACH:file:///canary.wav\r\nTRIGGER:-PT3M\r\nEND:VALARM",
                "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Now\r\nTRIGGER:-PT4M\r\nX-CANARY:1\r\nEND:VALARM"
            )
        )
        for showsPrivate in [true, false] {
            let feed = Samples.feed([object], style: .todo, showsPrivate: showsPrivate, showsAlarms: true)
            #expect(!feed.lowercased().contains("canary") && !feed.contains("GEO"))
            let todo = try #require(ICalendarDocument(feed).all(.vtodo).first)
            #expect(
                todo.properties.map { String(decoding: $0.content, as: UTF8.self) } == [
                    "UID:made", "DUE;VALUE=DATE:20261130", "SUMMARY:Title", "ATTACH:https://example.org/open.pdf",
                ]
            )
            let alarms = todo.components(.valarm).map {
                $0.properties.map { String(decoding: $0.content, as: UTF8.self) }
            }
            #expect(
                alarms == [
                    ["ACTION:DISPLAY", "TRIGGER:-PT3M", "DESCRIPTION:Title"],
                    ["ACTION:DISPLAY", "TRIGGER:-PT4M", "DESCRIPTION:Now"],
                ]
            )
        }
    }
}

import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("show, of a reminder with all fields")
struct ShowCommandTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    private static let text = """
        BEGIN:VCALENDAR
        BEGIN:VTODO
        UID:whole
        SUMMARY:Build\\na house
        LOCATION:Oslo\u{202E}
        GEO:59.91;10.75
        URL:https://example.org/plan
        RELATED-TO:street
        RELATED-TO;RELTYPE=DEPENDS-ON:money
        RELATED-TO;RELTYPE=SIBLING:gone\u{202E}
        ATTACH;FMTTYPE=image/png;FILENAME=plan.png:https://example.org/plan.png
        ATTACH;VALUE=BINARY;ENCODING=BASE64:aGVsbG8=
        ORGANIZER;CN=Ada:mailto:ada@example.org
        ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.org
        X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=Plot:geo:59.91,10.75
        X-LONG:\(String(repeating: "long ", count: 100))
        BEGIN:VALARM
        ACTION:AUDIO
        TRIGGER;RELATED=END:-P1DT2H
        REPEAT:2
        DURATION:PT5M
        ACKNOWLEDGED:20261101T000000Z
        END:VALARM
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER:PT0S
        END:VALARM
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER;VALUE=DATE-TIME:20261201T080000Z
        END:VALARM
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER;VALUE=DATE-TIME:19760401T005545Z
        X-APPLE-PROXIMITY:ARRIVE
        END:VALARM
        END:VTODO
        BEGIN:VTODO
        UID:street
        SUMMARY:Build a street
        END:VTODO
        BEGIN:VTODO
        UID:money
        SUMMARY:Save money
        STATUS:COMPLETED
        END:VTODO
        BEGIN:VTODO
        UID:wall
        SUMMARY:Build \u{202E}walls
        RELATED-TO;RELTYPE=PARENT:whole
        RELATED-TO;RELTYPE=DEPENDS-ON:whole
        END:VTODO
        END:VCALENDAR

        """

    init() async throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: "\(self.folder.path)/store")
        self.world.setFile("a.ics", Array(Self.text.utf8))
        #expect(await self.world.run("import", "a.ics") == .success)
        _ = self.world.takeAnswers()
    }

    @Test("each field has its line, and control characters are removed")
    func page() async {
        #expect(await self.world.run("show", "1") == .success)
        #expect(
            self.world.takeAnswers() == #"""
                Build\na house
                  Number      1
                  List        Reminders
                  Status      open
                  Location    Oslo\u202e
                  Link        https://example.org/plan
                  Places      Plot
                  Position    59.91, 10.75
                  Part of     2: Build a street
                  Subtasks    4: Build \u202ewalls
                  Depends on  3: Save money, completed
                  Needed by   4: Build \u202ewalls
                  Related     sibling: gone\u202e (not in this store)
                  Alarms      1 day, 2 hours before it is due, 2 times more every 5 minutes, audio, acknowledged
                              when it starts
                              Tue 2026-12-01 08:00, in 11 days
                              at a place
                  Next alarm  Tue 2026-12-01 08:00, in 11 days
                  Attached    plan.png (image/png) https://example.org/plan.png
                              in the reminder itself
                  Organizer   Ada <ada@example.org>
                  Attendees   ben@example.org, accepted
                  Other data  X-APPLE-STRUCTURED-LOCATION: geo:59.91,10.75
                              X-LONG: long long long long long long long long long long long long…
                  UID         whole

                """#
        )
    }

    @Test("in JSON each field has its key, and a long value is shortened")
    func json() async {
        #expect(await self.world.run("show", "1", "--json") == .success)
        let json = self.world.takeAnswers()
        for part in [
            #""location": "Oslo\u202e", "link": "https://example.org/plan", "places": ["Plot"], "#,
            #""coordinates": {"latitude": "59.91", "longitude": "10.75"}, "#,
            #""parents": [{"relation": "PARENT", "id": 2, "uid": "street", "title": "Build a street", "status": "pending"}]"#,
            #""subtasks": [{"relation": "CHILD", "id": 4, "uid": "wall", "title": "Build \u202ewalls", "status": "pending"}]"#,
            #""related": [{"relation": "SIBLING", "id": null, "uid": "gone\u202e", "title": null, "status": null}]"#,
            #"{"trigger": "-P1DT2H", "from": "due", "action": "AUDIO", "description": null, "repeat": 2, "interval": "PT5M", "#
                + #""acknowledgedAt": "2026-11-01T00:00:00Z", "atPlace": false, "fires": null}"#,
            #"{"trigger": null, "from": null, "action": "DISPLAY", "description": null, "repeat": 0, "interval": null, "#
                + #""acknowledgedAt": null, "atPlace": true, "fires": null}"#,
            #""attachments": [{"address": "https://example.org/plan.png", "type": "image/png", "fileName": "plan.png"}, "#
                + #"{"address": null, "type": null, "fileName": null}]"#,
            #""attendees": [{"name": null, "address": "ben@example.org", "status": "ACCEPTED"}]"#,
            #""keptCount": 2, "refusal": null, "others": [], "replacedDate": null}"#,
        ] { #expect(json.contains(part), "\(part)") }
        #expect(json.contains(String(repeating: "long ", count: 40) + "…"))
        #expect(!json.contains(String(repeating: "long ", count: 41)))
    }
}

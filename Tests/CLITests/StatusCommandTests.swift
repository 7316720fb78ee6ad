import Testing

@testable import RemindavCLI

@Suite("status")
struct StatusCommandTests: StoreSuite {
    let stage: CommandStage
    init() throws { self.stage = try CommandStage() }

    @Test("an empty store has an empty status")
    func empty() async {
        #expect(await self.answer("status") == "next alarm      none\npending         0\nunacknowledged  0\n")
        #expect(
            await self.answer("status", "--json")
                == #"{"nextAlarm": null, "pending": 0, "count": 0, "unplanned": [], "accounts": [], "unshown": null}"#
                + "\n"
        )
    }

    @Test("the next alarm, the number of pending alarms, and the number of unacknowledged ones")
    func numbers() async throws {
        // It is 2026-11-20 17:05 in UTC.
        self.file(
            "a.ics",
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x",
                Self.todo("late", "DUE:20261120T160000Z"),
                Self.todo("soon", "DUE:20261120T180000Z"),
                Self.todo("both", "DUE:20261119T090000Z", "RRULE:FREQ=DAILY", "DTSTART:20261119T080000Z"),
                Self.todo("seen", "DUE:20261120T160000Z", "X-MOZ-LASTACK:20261120T160001Z"),
                Self.todo("done", "DUE:20261120T160000Z", "STATUS:COMPLETED"),
                Self.todo("undated"),
                "END:VCALENDAR",
            ].joined(separator: " | ")
        )
        #expect(await self.run("import", "a.ics").status == .success)
        let json = await self.answer("status", "--json")
        #expect(json.contains(#""title": "soon""#))
        #expect(json.contains(#""fires": "2026-11-20T18:00:00Z""#))
        #expect(json.contains(#""pending": 2, "count": 2, "unplanned": [], "accounts": []"#))
        let text = await self.answer("status")
        #expect(text.contains("next alarm      Fri 2026-11-20 18:00, today: "))
        #expect(text.contains("  soon\npending         2\nunacknowledged  2\n"))
    }

    private static func todo(_ uid: String, _ lines: String...) -> String {
        (["BEGIN:VTODO", "UID:\(uid)", "DTSTAMP:20260101T000000Z", "SUMMARY:\(uid)"] + lines + ["END:VTODO"])
            .joined(separator: " | ")
    }

    @Test("muted reminders are not counted")
    func silent() async {
        _ = await self.answer("add", "One", "--label", "quiet")
        _ = await self.answer("add", "Two", "--due", "2026-12-24 10:00")
        let world = TestWorld(environment: ["HOME": "/h"], store: self.stage.path("store"))
        world.setFile("/h/.config/remindav/config", Array("muted-labels = Quiet\n".utf8))
        #expect(await world.run("status", "--json") == .success)
        let json = world.takeAnswers()
        #expect(json.contains(#""pending": 1, "count": 0"#))
        #expect(json.contains(#""title": "Two""#))
    }
}

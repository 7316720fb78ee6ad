import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavTaskFormats
import Testing

@testable import RemindavBridge

@Suite("import of events, and of rules that are stored unchanged")
struct EventImportTests {
    private static let events = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:x\r
        BEGIN:VEVENT\r
        UID:e1\r
        DTSTAMP:20260101T000000Z\r
        DTSTART:20261201T090000Z\r
        DTEND:20261201T100000Z\r
        RRULE:FREQ=WEEKLY\r
        SUMMARY:Choir\r
        CATEGORIES:music\r
        LOCATION:Hall\r
        BEGIN:VALARM\r
        ACTION:DISPLAY\r
        TRIGGER:-PT30M\r
        DESCRIPTION:x\r
        END:VALARM\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        UID:e1\r
        DTSTAMP:20260101T000000Z\r
        RECURRENCE-ID:20261208T090000Z\r
        DTSTART:20261208T100000Z\r
        SUMMARY:Choir, later\r
        END:VEVENT\r
        BEGIN:VJOURNAL\r
        UID:j1\r
        END:VJOURNAL\r
        END:VCALENDAR\r\n
        """

    @Test("events become reminders on request, and are counted otherwise")
    func eventsAsReminders() throws {
        let useCases = try Workplace.open()
        let without = try Workplace.take(Self.events, into: useCases)
        #expect(without.added == 0 && without.foreign == 3 && without.events == 2 && without.isWhole)
        let options = ImportOptions(importsEvents: true)
        let report = try Workplace.take(Self.events, into: useCases, options)
        #expect(report.added == 1 && report.foreign == 1 && report.isWhole)
        let reminder = try Workplace.only(useCases)
        #expect(reminder.title == "Choir" && reminder.due == "2026-12-01T09:00:00Z" && reminder.start == nil)
        #expect(reminder.repeatRule == "FREQ=WEEKLY" && reminder.labels == ["music"] && reminder.alarms == ["-PT30M"])
        let exported = String(decoding: try Workplace.export(useCases), as: UTF8.self)
        #expect(exported.contains("LOCATION:Hall\r\n") && exported.contains("SUMMARY:Choir, later\r\n"))
        #expect(try Workplace.take(Self.events, into: useCases, options).unchanged == 1)
    }

    private static func event(_ uid: String, _ lines: String...) -> String {
        "BEGIN:VEVENT\r\nUID:\(uid)\r\nSUMMARY:\(uid)\r\n\(lines.map { $0 + "\r\n" }.joined())END:VEVENT\r\n"
    }

    @Test("past events are left out and counted, and a series begins with its next date")
    func pastEvents() throws {
        // Now is Friday, 20 November 2026, 20:00 UTC.
        let calendar = ImportTests.calendar(
            Self.event("over", "DTSTART:20260101T090000Z", "DTEND:20260101T100000Z"),
            Self.event("going on", "DTSTART:20261120T190000Z", "DURATION:PT2H"),
            Self.event("today", "DTSTART;VALUE=DATE:20261120"),
            Self.event("yesterday", "DTSTART;VALUE=DATE:20261119"),
            Self.event("ended", "DTSTART:20200101T090000Z", "RRULE:FREQ=DAILY;COUNT=3"),
            Self.event("weekly", "DTSTART:20200106T090000Z", "RRULE:FREQ=WEEKLY", "EXDATE:20261123T090000Z"),
            Self.event("weekly", "RECURRENCE-ID:20200113T090000Z", "DTSTART:20200113T100000Z"),
            Self.event("weekly", "RECURRENCE-ID:20261207T090000Z", "DTSTART:20261207T100000Z"),
            Self.event("counted", "DTSTART;VALUE=DATE:20261101", "RRULE:FREQ=DAILY;COUNT=30"),
            Self.event("added", "DTSTART:20200101T090000Z", "RDATE:20270101T090000Z")
        )
        let useCases = try Workplace.open()
        let options = ImportOptions(importsEvents: true)
        let plan = try useCases.importCalendar(
            Workplace.source(Array(calendar.utf8)),
            list: nil,
            dryRun: true,
            options: options,
            progress: { _ in }
        )
        #expect((plan.added, plan.past) == (5, 4))
        let report = try Workplace.take(calendar, into: useCases, options)
        #expect((report.added, report.past, report.skipped) == (5, 4, 4) && report.isWhole)
        let dates = try useCases.reminders(matching: ReminderFilter()).map { view in
            "\(view.title): \(view.due ?? "-") \(view.repeatRule ?? "")"
        }
        #expect(
            Set(dates) == [
                "going on: 2026-11-20T19:00:00Z ", "today: 2026-11-20 ", "weekly: 2026-11-30T09:00:00Z FREQ=WEEKLY",
                "counted: 2026-11-20 FREQ=DAILY;COUNT=11", "added: 2020-01-01T09:00:00Z ",
            ]
        )
        #expect(
            String(decoding: try Workplace.export(useCases), as: UTF8.self).contains("RECURRENCE-ID:20261207T090000Z")
        )
        let later = UseCases(
            configuration: Configuration(
                storeFolder: "/nonexistent",
                localZone: "UTC",
                zones: Configuration.systemZones(environment: [:]),
                now: { Workplace.now.adding(seconds: 20 * 86_400) }
            ),
            store: useCases.store
        )
        // Events that have ended since then are neither removed nor advanced.
        let again = try Workplace.take(calendar, into: later, options)
        #expect((again.added, again.updated, again.unchanged) == (0, 0, 5))
    }

    @Test("rules that are stored unchanged are reported with their lines")
    func keptRules() throws {
        let useCases = try Workplace.open()
        let start = "DTSTART:20260101T000000Z\r\n"
        let text = ImportTests.calendar(
            ImportTests.todo("1", "\(start)RRULE:FREQ=DAILY"),
            ImportTests.todo("2", "\(start)RRULE:FREQ=DAILY\r\nRRULE:FREQ=YEARLY"),
            ImportTests.todo("3", "\(start)RRULE:FREQ=DAILY\r\nEXRULE:FREQ=YEARLY"),
            ImportTests.todo("4", "\(start)RRULE:RSCALE=KLINGON;FREQ=YEARLY"),
            ImportTests.todo("5")
        )
        let report = try Workplace.load(text, into: useCases)
        #expect(report.repeating == 4)
        #expect(report.keptRules == [15, 22, 28])
    }
}

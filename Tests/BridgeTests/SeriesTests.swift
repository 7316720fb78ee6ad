import RemindavBridge
import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavTestSupport
import Testing

@Suite("repeating reminders in the store")
struct SeriesTests {
    private static let text = """
        BEGIN:VCALENDAR
        BEGIN:VTODO
        UID:u
        SUMMARY:of the rule
        DTSTART:20261118T090000Z
        DUE:20261118T090000Z
        RRULE:FREQ=DAILY
        END:VTODO
        BEGIN:VTODO
        UID:u
        RECURRENCE-ID:20261118T090000Z
        STATUS:COMPLETED
        COMPLETED:20261118T091000Z
        END:VTODO
        BEGIN:VTODO
        UID:u
        RECURRENCE-ID:20261119T090000Z
        SUMMARY:moved
        DUE:20261123T090000Z
        PRIORITY:1
        END:VTODO
        END:VCALENDAR

        """

    /// Returns use cases on a store with an account that completes in this shape, and the series in its list.
    private func connected(completesAs word: String) throws -> UseCases {
        let useCases = try Workplace.open()
        try Workplace.load(Self.text, into: useCases)
        try useCases.store.write { transaction in
            var settings = AccountSettings()
            settings.completesAs = word
            let account = try transaction.insertAccount(
                named: "home",
                url: "http://localhost/",
                user: "u",
                secret: SecretReference(kind: "command", reference: "true"),
                settings: settings,
                at: 0
            )
            let list = try #require(try transaction.lists().first)
            try transaction.adoptRemote(list.id, RemoteList(account: account, url: "http://localhost/l/"))
        }
        return useCases
    }

    private static let everything = ReminderFilter(includesCompleted: true)

    @Test("an account that advances series leaves a completed copy; one that uses overrides changes only the resource")
    func shapes() throws {
        for (word, copies) in [("roll", 1), ("override", 0), ("by a newer program", 1)] {
            let useCases = try self.connected(completesAs: word)
            let id = try #require(try useCases.reminders(matching: Self.everything).first).id
            #expect(try useCases.reminder(id).due == "2026-11-20T09:00:00Z")
            let next = try useCases.complete(id)
            #expect(next.due == "2026-11-21T09:00:00Z")
            #expect(next.status == .pending)
            #expect(try useCases.reminderCount() == 1 + copies)
            let text = String(decoding: try Workplace.export(useCases), as: UTF8.self)
            #expect(text.contains("RECURRENCE-ID:20261120T090000Z") == (copies == 0))
        }
    }

    @Test("reopening removes an override, and a copy becomes an open reminder")
    func reopening() throws {
        let overriding = try self.connected(completesAs: "override")
        let id = try #require(try overriding.reminders(matching: Self.everything).first).id
        let before = try Workplace.export(overriding)
        _ = try overriding.complete(id)
        #expect(try overriding.reopen(id).due == "2026-11-20T09:00:00Z")
        #expect(try Workplace.export(overriding) == before)
        let rolling = try self.connected(completesAs: "roll")
        _ = try rolling.complete(id)
        let copy = try #require(try rolling.reminders(matching: Self.everything).first { $0.status == .completed })
        let reopened = try rolling.reopen(copy.id)
        #expect(reopened.due == "2026-11-20T09:00:00Z" && reopened.status == .pending)
        #expect(try rolling.reminder(id).due == "2026-11-21T09:00:00Z")
    }

    @Test("a moved occurrence is completed in its turn, with its own title and priority")
    func moved() throws {
        let useCases = try self.connected(completesAs: "override")
        let id = try #require(try useCases.reminders(matching: Self.everything).first).id
        var titles: [String] = []
        for _ in 20...24 {
            titles.append(try useCases.reminder(id).title)
            _ = try useCases.complete(id)
        }
        // Of two occurrences at one moment, the moved one comes first.
        #expect(titles == ["of the rule", "of the rule", "of the rule", "moved", "of the rule"])
        #expect(try useCases.reminder(id).due == "2026-11-24T09:00:00Z")
    }

    @Test("with more than one rule, the dates cannot be changed, the title can")
    func severalRules() throws {
        let useCases = try Workplace.open()
        let bytes = try Fixture.bytes("ics/zimbra-several-rules.ics")
        _ = try useCases.importCalendar(Workplace.source(bytes), list: nil, dryRun: false, progress: { _ in })
        let id = try #require(try useCases.reminders(matching: Self.everything).first).id
        #expect(throws: (any Error).self) { try useCases.complete(id) }
        var change = ReminderChange()
        change.due = .set(.date(CalendarDate(dayNumber: 21_000)))
        #expect(throws: (any Error).self) { try useCases.edit(id, change) }
        var title = ReminderChange()
        title.title = "b"
        #expect(try useCases.edit(id, title).title == "b")
    }
}

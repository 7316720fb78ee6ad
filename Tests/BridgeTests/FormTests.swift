import RemindavICalendar
import RemindavReminders
import RemindavSQLiteStore
import RemindavStore
import RemindavStoreSupport
import Testing

@testable import RemindavBridge

/// The checks of a form for a reminder.
///
/// The use cases do them for every user interface.
@Suite("the checks of a form")
struct FormTests {
    private static func local(_ wire: String) throws -> CalendarDateOrDateTime {
        guard case .dateTime(let time)? = CalendarDateOrDateTime(wire: wire, tzid: nil) else {
            throw UseCaseError(.badSetting)
        }
        return DueChoice.local(time.date, time.time).moment(localZone: "Europe/Berlin")
    }

    /// Returns use cases on a store with one reminder that was due an hour ago.
    private static func overdue(localZone: String = "UTC") throws -> UseCases {
        let useCases = try Workplace.open(localZone: localZone)
        let due = Workplace.now.adding(seconds: -3600).wire
        let text = "BEGIN:VTODO\r\nUID:u\r\nSUMMARY:Old\r\nDUE:\(due)\r\nRRULE:FREQ=DAILY;BYHOUR=19\r\nEND:VTODO\r\n"
        try Workplace.load("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(text)END:VCALENDAR\r\n", into: useCases)
        return useCases
    }

    private static func text(_ useCases: UseCases) throws -> [UInt8] {
        try useCases.store.read { snapshot throws(DatabaseError) in try snapshot.object(ObjectID(1))?.source ?? [] }
    }

    @Test("a draft has only its title, and an edit without values changes nothing")
    func draft() throws {
        let draft = ReminderDraft(title: "x")
        #expect(draft.title == "x")
        #expect(draft.notes == nil)
        #expect(draft.due == nil)
        #expect(draft.recurrenceRule == nil)
        #expect(draft.labels == [])
        #expect(draft.priority == .undefined)
        #expect(draft.list == nil)
        let useCases = try Workplace.open()
        let made = try useCases.add(draft)
        #expect((made.status, made.allDay, made.overdue, made.section) == (.pending, false, false, .upcoming))
        #expect(made.notes == nil && made.due == nil && made.repeatRule == nil && made.labels == [])
        #expect(made.snoozedUntil == nil && made.completedAt == nil && made.priority == .undefined)
        let before = try Workplace.export(useCases)
        #expect(try useCases.edit(made.id, ReminderChange()) == made)
        #expect(try Workplace.export(useCases) == before)
    }

    @Test("empty notes are no notes: no line is written for them, and clearing removes the line")
    func emptyNotes() throws {
        let useCases = try Workplace.open()
        func hasLine() throws -> Bool {
            String(decoding: try Workplace.export(useCases), as: UTF8.self).contains("DESCRIPTION")
        }
        #expect(try useCases.add(ReminderDraft(title: "x", notes: "")).notes == nil)
        #expect(try !hasLine())
        #expect(try useCases.edit(1, ReminderChange(notes: .set("some"))).notes == "some")
        #expect(try hasLine())
        #expect(try useCases.edit(1, ReminderChange(notes: .set(""))).notes == nil)
        #expect(try !hasLine())
        _ = try useCases.edit(1, ReminderChange(notes: .set("some")))
        #expect(try useCases.edit(1, ReminderChange(notes: .clear)).notes == nil)
        #expect(try !hasLine())
    }

    @Test("a title without visible characters is refused before all other checks, and nothing is changed")
    func titleRequired() throws {
        let useCases = try Self.overdue()
        let before = try Self.text(useCases)
        let scalars = (UInt32(0)...0xFFFF).compactMap { Unicode.Scalar($0) }
        let invisible = scalars.filter { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
        for title in invisible.map({ " \($0)\n" }) + ["", "\u{1}\u{2}"] {
            let past = ReminderDraft(title: title, due: .exact(Workplace.now))
            #expect(throws: TitleError.titleRequired) { try useCases.add(past) }
            #expect(throws: TitleError.titleRequired) {
                try useCases.edit(1, ReminderChange(title: title, due: .set(.exact(Workplace.now))))
            }
        }
        #expect(try useCases.reminderCount() == 1)
        #expect(try Self.text(useCases) == before)
        #expect(TitleError.titleRequired.description == "Title is required")
        #expect(try useCases.add(ReminderDraft(title: "  Buy\nmilk ")).title == "Buy milk")
        #expect(try useCases.edit(1, ReminderChange(title: " new\u{3000}")).title == "new")
    }

    @Test("a due time now or before is refused, one second later is accepted; today as a date is not past")
    func mustBeInFuture() throws {
        for (seconds, isRefused) in [(-86_400, true), (-1, true), (0, true), (1, false), (60, false)] {
            let useCases = try Workplace.open()
            let draft = ReminderDraft(title: "x", due: .exact(Workplace.now.adding(seconds: seconds)))
            if isRefused {
                #expect(throws: UseCaseError(.mustBeInFuture)) { try useCases.add(draft) }
            } else {
                _ = try useCases.add(draft)
            }
            #expect(try useCases.reminderCount() == (isRefused ? 0 : 1))
        }
        // In Berlin it is 21:00 of the twentieth; in Kiritimati the twenty-first has begun.
        let berlin = try Workplace.open(localZone: "Europe/Berlin")
        #expect(throws: UseCaseError(.mustBeInFuture)) {
            try berlin.add(ReminderDraft(title: "x", due: Self.local("20261120T210000")))
        }
        _ = try berlin.add(ReminderDraft(title: "x", due: Self.local("20261120T210100")))
        _ = try berlin.add(ReminderDraft(title: "x", due: .date(CalendarDate(dayNumber: 20_777))))
        let far = try Workplace.open(localZone: "Pacific/Kiritimati")
        let error = #expect(throws: UseCaseError(.mustBeInFuture)) {
            try far.add(ReminderDraft(title: "x", due: .date(CalendarDate(dayNumber: 20_777))))
        }
        #expect(error?.subject == "2026-11-20")
    }

    @Test("a skipped local time counts as the time to which it moves", arguments: [(-1, false), (0, true), (1, true)])
    func futureInAGap(seconds: Int, isRefused: Bool) throws {
        // On 28 March 2027 at 01:00 UTC the clocks of Berlin skip from 02:00 to 03:00. The time 02:30 counts as 03:30,
        // 01:30 UTC.
        let gap = Instant(secondsSince1970: 1_806_197_400)
        let configuration = Configuration(
            localZone: "Europe/Berlin",
            zones: Configuration.systemZones(environment: [:]),
            storeFolder: "",
            now: { gap.adding(seconds: seconds) }
        )
        let useCases = UseCases(configuration: configuration, store: try TestStores.make())
        let draft = ReminderDraft(title: "x", due: try Self.local("20270328T023000"))
        if isRefused {
            #expect(throws: UseCaseError(.mustBeInFuture)) { try useCases.add(draft) }
        } else {
            #expect(try useCases.add(draft).dueInstant == gap)
        }
    }

    @Test("an overdue reminder accepts a new title and its current time; only a changed time must be in the future")
    func overdueTitle() throws {
        let useCases = try Self.overdue()
        let due = try useCases.reminder(1).due
        var form = ReminderChange(title: "New", due: .set(.exact(Workplace.now.adding(seconds: -3600))))
        let renamed = try useCases.edit(1, form)
        #expect(renamed.title == "New" && renamed.due == due && renamed.overdue)
        let before = try Self.text(useCases)
        #expect(String(decoding: before, as: UTF8.self).contains("RRULE:FREQ=DAILY;BYHOUR=19\r\n"))
        form.due = .set(.exact(Workplace.now.adding(seconds: -3601)))
        #expect(throws: UseCaseError(.mustBeInFuture)) { try useCases.edit(1, form) }
        #expect(try Self.text(useCases) == before)
        form.due = .set(.exact(Workplace.now.adding(seconds: 1)))
        #expect(try useCases.edit(1, form).overdue == false)
    }
}

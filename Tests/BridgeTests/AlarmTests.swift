import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavBridge

@Suite("alarms of the store")
struct AlarmTests {
    private let useCases: UseCases

    init() throws { self.useCases = try Workplace.open() }

    private func draft(_ title: String, in seconds: Int) -> ReminderDraft {
        ReminderDraft(title: title, due: .exact(Workplace.now.adding(seconds: seconds)))
    }

    @Test("a moved reminder of Apple's has one alarm, at its new time")
    func movedApple() throws {
        let text = String(decoding: try Fixture.bytes("ics/apple-reminders-timed.ics"), as: UTF8.self)
        try Workplace.load(text.replacing("20261120T", with: "20261121T"), into: self.useCases)
        #expect(try self.useCases.pendingAlarms().map(\.alarm.fires.wire) == ["20261121T080000Z"])
        _ = try self.useCases.edit(1, ReminderChange(due: .set(.exact(Workplace.now.adding(seconds: 120)))))
        #expect(try self.useCases.pendingAlarms().map(\.alarm.fires.wire) == ["20261120T200200Z"])
    }

    @Test("the alarms of a period are those of open reminders, also in the past")
    func period() throws {
        _ = try self.useCases.add(self.draft("a", in: 60))
        _ = try self.useCases.add(self.draft("b", in: 120))
        _ = try self.useCases.complete(2)
        let end = Workplace.now.adding(seconds: 600)
        #expect(try self.useCases.alarms(after: Workplace.now, upTo: end).map(\.title) == ["a"])
        #expect(try self.useCases.alarms(after: Workplace.now.adding(seconds: 60), upTo: end).isEmpty)
    }

    @Test("a reminder without a date, or with a date in the past, has no next alarm")
    func past() throws {
        let due = Workplace.now.wire
        let todo = "BEGIN:VTODO\r\nUID:p\r\nSUMMARY:r\r\nDUE:\(due)\r\nEND:VTODO\r\n"
        try Workplace.load("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(todo)END:VCALENDAR\r\n", into: self.useCases)
        _ = try self.useCases.edit(1, ReminderChange(title: "a"))
        _ = try self.useCases.add(ReminderDraft(title: "b"))
        #expect(try self.useCases.pendingAlarms().isEmpty)
    }

    @Test(
        "pending alarms are sorted by time and limited to a list and a period; all-day reminders fire at 09:00 local time"
    )
    func pendingAlarms() async throws {
        _ = try await self.useCases.addList(named: "Work", account: nil, color: nil)
        _ = try await self.useCases.addList(named: "Home", account: nil, color: nil)
        for (title, list, seconds) in [("work", "Work", 7200), ("soon", "Home", 3600)] {
            var draft = self.draft(title, in: seconds)
            draft.list = list
            draft.alarms = []
            _ = try self.useCases.add(draft)
        }
        var day = ReminderDraft(title: "day", due: .date(CalendarDate(dayNumber: 20_778)))
        day.alarms = []
        _ = try self.useCases.add(day)
        let all = try self.useCases.pendingAlarms()
        #expect(all.map(\.alarm.title) == ["soon", "work", "day"])
        #expect(all.map(\.reminder) == [2, 1, 3])
        #expect(all.last?.alarm.fires.description == "2026-11-21T09:00:00Z")
        #expect(try self.useCases.pendingAlarms(in: "Home").map(\.alarm.title) == ["soon"])
        let hour = Workplace.now.adding(seconds: 3600)
        #expect(try self.useCases.pendingAlarms(until: hour).map(\.alarm.title) == ["soon"])
        #expect(try self.useCases.pendingAlarms(until: hour.adding(seconds: -1)).isEmpty)
        let silent = AlarmSettings(notifiesWhenDue: false)
        #expect(try self.useCases.pendingAlarms(settings: silent).isEmpty)
        // A reminder with an alarm of its own does not depend on that setting.
        _ = try self.useCases.add(self.draft("own alarm", in: 7200))
        #expect(try self.useCases.pendingAlarms(settings: silent).map(\.alarm.title) == ["own alarm"])
        #expect(throws: UseCaseError(.listNotFound)) { try self.useCases.pendingAlarms(in: "None") }
    }

    @Test("every fixture has a plan, and at most one pending alarm for each open reminder at any time")
    func fixtures() throws {
        let names = Cases.sample(try Fixture.names(in: "ics", endingWith: ".ics"))
        for name in names {
            let useCases = try Workplace.open()
            _ = try? useCases.importCalendar(
                Workplace.source(try Fixture.bytes("ics/\(name)")),
                list: nil,
                dryRun: false,
                progress: { _ in }
            )
            let open = try useCases.reminders(matching: ReminderFilter()).filter { $0.section != .completed }
            let alarms = try useCases.pendingAlarms()
            #expect(Set(alarms.map(\.reminder)).count == alarms.count, "\(name)")
            #expect(Set(alarms.map(\.reminder)).isSubset(of: open.map(\.id)), "\(name)")
            #expect(alarms.allSatisfy { $0.alarm.fires > Workplace.now }, "\(name)")
        }
    }
}

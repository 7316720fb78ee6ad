import Bridge
import ICalendar
import Reminders
import Synchronization
import TestSupport
import Testing

@testable import Store

/// A sink that writes down what it is told, in one log with what is written to the store.
private final class RecordingSink: AlarmSink, Sendable {
    struct Broken: Error, CustomStringConvertible {
        var description: String { "no notification service" }
    }

    private struct State {
        var log: [String] = []
        var alarms: [ReminderAlarm] = []
        var isBroken = false
        var onCancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// What was told since the last time.
    func take() -> [String] {
        self.state.withLock { state in
            defer { state.log = [] }
            return state.log
        }
    }

    /// What would ring.
    var alarms: [String] { self.state.withLock { $0.alarms.map { "\($0.id) \($0.fires)" }.sorted() } }

    func note(_ word: String) { self.state.withLock { $0.log.append(word) } }
    /// Does something the next time that something is taken back.
    func onCancel(_ action: @escaping @Sendable () -> Void) { self.state.withLock { $0.onCancel = action } }
    func breakDown() { self.state.withLock { $0.isBroken = true } }

    func schedule(_ alarm: ReminderAlarm) throws {
        try self.state.withLock { state in
            guard !state.isBroken else { throw Broken() }
            state.log.append("schedule \(alarm.id) \(alarm.fires)")
            state.alarms.removeAll { $0.id == alarm.id }
            state.alarms.append(alarm)
        }
    }

    func cancel(_ id: AlarmID) throws {
        let action = self.state.withLock { state -> (@Sendable () -> Void)? in
            defer { state.onCancel = nil }
            return state.onCancel
        }
        action?()
        try self.state.withLock { state in
            guard !state.isBroken else { throw Broken() }
            state.log.append("cancel \(id)")
            state.alarms.removeAll { id.covers($0.id) }
        }
    }

    func cancelAll() throws {
        try self.state.withLock { state in
            guard !state.isBroken else { throw Broken() }
            state.log.append("cancel all")
            state.alarms = []
        }
    }
}

@Suite("alarms of the store, and who is told of them")
struct AlarmTests {
    private let useCases: UseCases
    private let sink = RecordingSink()
    private let keeper: AlarmKeeper
    private let failures = Failures()

    private final class Failures: Sendable {
        let texts = Mutex<[String]>([])
    }

    init() throws {
        let useCases = try Workplace.open()
        let sink = self.sink
        let failures = self.failures
        useCases.store.observeWrites { () throws(DatabaseError) in sink.note("write") }
        self.useCases = useCases
        self.keeper = AlarmKeeper(useCases, sink: sink) { failure in
            failures.texts.withLock { $0.append("\(failure)") }
        }
    }

    private func draft(_ title: String, in seconds: Int) -> ReminderDraft {
        ReminderDraft(title: title, due: .exact(Workplace.now.adding(seconds: seconds)))
    }

    /// Reminders that were made when they were not due yet, each so many seconds from now.
    private func load(_ seconds: [Int]) throws {
        let todos = seconds.enumerated().map { index, seconds in
            let due = Workplace.now.adding(seconds: seconds).wire
            return "BEGIN:VTODO\r\nUID:past-\(index)\r\nSUMMARY:r\r\nDUE:\(due)\r\nEND:VTODO\r\n"
        }
        let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(todos.joined())END:VCALENDAR\r\n"
        try Workplace.load(text, into: self.useCases)
    }

    private static let inAnHour = "2026-11-20T21:00:00Z"

    @Test("adding and changing schedule after the change, and take back what was there before")
    func order() throws {
        #expect(try self.keeper.add(self.draft("a", in: 3600)).id == 1)
        #expect(self.sink.take().suffix(3) == ["write", "cancel 1", "schedule 1 \(Self.inAnHour)"])
        _ = try self.keeper.edit(1, ReminderChange(title: "b"))
        #expect(self.sink.take() == ["write", "cancel 1", "schedule 1 \(Self.inAnHour)"])
        _ = try self.keeper.snooze(1, seconds: 300)
        #expect(self.sink.take() == ["write", "cancel 1", "schedule 1 2026-11-20T20:05:00Z"])
        #expect(self.sink.alarms == ["1 2026-11-20T20:05:00Z"])
    }

    @Test("what was added is added, although nobody can read its alarm afterwards")
    func unreadableAfterwards() throws {
        let store = self.useCases.store
        self.sink.onCancel {
            try? store.write { transaction throws(DatabaseError) in
                _ = try transaction.database.run("ALTER TABLE calendar_object RENAME TO elsewhere")
            }
        }
        #expect(try self.keeper.add(self.draft("a", in: 3600)).id == 1)
        let texts = self.failures.texts.withLock { $0 }
        #expect(texts.count == 1 && texts[0].hasPrefix("Failed to schedule notification: "))
    }

    @Test("one that is added by a key rings once, and is left alone when it is there")
    func keyed() throws {
        let key = try ReminderKey("backup")
        #expect(try self.keeper.add(self.draft("a", in: 3600), once: key).isNew)
        #expect(self.sink.take().suffix(3) == ["write", "cancel 1", "schedule 1 \(Self.inAnHour)"])
        #expect(try !self.keeper.add(self.draft("a", in: 60), once: key).isNew)
        #expect(self.sink.take() == [])
        #expect(self.sink.alarms == ["1 \(Self.inAnHour)"])
    }

    @Test("completing and deleting take back before the change; opened again, it rings again")
    func cancelFirst() throws {
        _ = try self.keeper.add(self.draft("a", in: 3600))
        _ = self.sink.take()
        _ = try self.keeper.complete(1)
        #expect(self.sink.take() == ["cancel 1", "write"])
        #expect(self.sink.alarms == [])
        #expect(try self.keeper.edit(1, ReminderChange(title: "b")).title == "b")
        #expect(self.sink.alarms == [])
        _ = self.sink.take()
        _ = try self.keeper.reopen(1)
        #expect(self.sink.take() == ["write", "cancel 1", "schedule 1 \(Self.inAnHour)"])
        try self.keeper.delete(1)
        #expect(self.sink.take() == ["cancel 1", "write"])
        #expect(self.sink.alarms == [])
    }

    @Test("one that repeats rings at its next time when it is completed")
    func series() throws {
        var draft = self.draft("a", in: 3600)
        draft.recurrenceRule = try RecurrenceRule(wire: "FREQ=DAILY")
        _ = try self.keeper.add(draft)
        #expect(self.sink.alarms == ["1@20261120T210000Z \(Self.inAnHour)"])
        _ = self.sink.take()
        _ = try self.keeper.complete(1)
        let next = "schedule 1@20261121T210000Z 2026-11-21T21:00:00Z"
        #expect(self.sink.take() == ["cancel 1", "write", next])
        #expect(self.sink.alarms == ["1@20261121T210000Z 2026-11-21T21:00:00Z"])
    }

    @Test("a reminder of Apple's that is moved rings at its new time, and not at the old one")
    func movedApple() throws {
        let text = String(decoding: try Fixture.bytes("ics/apple-reminders-timed.ics"), as: UTF8.self)
        try Workplace.load(text.replacing("20261120T", with: "20261121T"), into: self.useCases)
        #expect(try self.useCases.pendingAlarms().map(\.alarm.fires.wire) == ["20261121T080000Z"])
        var change = ReminderChange()
        change.due = .set(.exact(Workplace.now.adding(seconds: 120)))
        _ = try self.keeper.edit(1, change)
        #expect(self.sink.alarms == ["1 2026-11-20T20:02:00Z"])
    }

    @Test("nothing is scheduled for what is past or has no date, and it stays open")
    func past() throws {
        try self.load([0])
        _ = try self.keeper.edit(1, ReminderChange(title: "a"))
        _ = try self.keeper.add(ReminderDraft(title: "b"))
        #expect(self.sink.alarms == [])
        #expect(try self.useCases.pendingAlarms().isEmpty)
    }

    @Test("a change that fails leaves the alarm as it was")
    func failedChange() throws {
        _ = try self.keeper.add(self.draft("a", in: 3600))
        self.useCases.store.observeWrites { () throws(DatabaseError) in throw DatabaseError(.full) }
        _ = self.sink.take()
        #expect(throws: (any Error).self) { try self.keeper.delete(1) }
        #expect(self.sink.take() == ["cancel 1", "schedule 1 \(Self.inAnHour)"])
        #expect(throws: (any Error).self) { try self.keeper.complete(1) }
        #expect(self.sink.alarms == ["1 \(Self.inAnHour)"])
        #expect(throws: UseCaseError(.reminderNotFound)) { try self.keeper.delete(99) }
        #expect(try self.useCases.pendingAlarms().count == 1)
    }

    @Test("a sink that fails keeps nobody from changing reminders, and says so without their words")
    func brokenSink() throws {
        _ = try self.keeper.add(self.draft("a secret", in: 3600))
        self.sink.breakDown()
        _ = try self.keeper.edit(1, ReminderChange(title: "another secret"))
        try self.keeper.delete(1)
        #expect(try self.useCases.reminderCount() == 0)
        let texts = self.failures.texts.withLock { $0 }
        #expect(texts.contains("Failed to schedule notification: no notification service"))
        #expect(texts.contains("Failed to cancel notification: no notification service"))
        #expect(!texts.contains { $0.contains("secret") })
    }

    @Test("a start schedules what is open and to come; a second look has nothing to tell")
    func refresh() throws {
        try self.load((0..<1000).map { ($0 - 300) * 60 })
        for number in 0..<1000 where number.isMultiple(of: 3) { _ = try self.useCases.complete(Int64(number + 1)) }
        let known = try self.keeper.refresh([])
        // 699 of them are to come, and a third of these is done.
        #expect(known.count == 466)
        #expect(self.sink.alarms.count == 466)
        _ = self.sink.take()
        #expect(try self.keeper.refresh(known) == known)
        #expect(self.sink.take() == [])
    }

    @Test("all is taken back at once without a change; nothing being known then, what is to come is told anew")
    func cancelAll() throws {
        try self.load([-60, 60, 120])
        var known = try self.keeper.refresh([])
        #expect(self.sink.alarms.count == 2)
        _ = self.sink.take()
        let before = try Workplace.export(self.useCases)
        #expect(self.keeper.cancelAll())
        #expect(self.sink.take() == ["cancel all"])
        #expect(self.sink.alarms == [])
        #expect(try Workplace.export(self.useCases) == before)
        known = try self.keeper.refresh([])
        #expect(known.count == 2 && self.sink.alarms.count == 2)
        self.sink.breakDown()
        #expect(!self.keeper.cancelAll())
        #expect(self.failures.texts.withLock { $0 } == ["Failed to cancel notification: no notification service"])
    }

    @Test("what another process, a sync or an import has changed is told at the next look: first what is taken back")
    func changedElsewhere() throws {
        for seconds in [60, 120, 180, 240] { _ = try self.keeper.add(self.draft("r", in: seconds)) }
        var known = try self.keeper.refresh([])
        _ = try self.useCases.complete(1)
        try self.useCases.delete(2)
        var later = ReminderChange()
        later.due = .set(.exact(Workplace.now.adding(seconds: 600)))
        _ = try self.useCases.edit(3, later)
        _ = try self.useCases.add(self.draft("new", in: 30))
        _ = self.sink.take()
        known = try self.keeper.refresh(known)
        let told = self.sink.take()
        #expect(told.prefix(3).sorted() == ["cancel 1", "cancel 2", "cancel 3"])
        #expect(told.suffix(2) == ["schedule 3 2026-11-20T20:10:00Z", "schedule 5 2026-11-20T20:00:30Z"])
        #expect(known.map(\.id.reminder).sorted() == ["3", "4", "5"])
    }

    @Test("what has rung stays shown until somebody sees to it, here or elsewhere")
    func shown() throws {
        let due = Workplace.now.adding(seconds: -60)
        try self.load([-60])
        let rung = try self.useCases.alarms(after: due.adding(seconds: -1), upTo: Workplace.now)
        #expect(rung.map(\.fires) == [due])
        #expect(try self.keeper.refresh(rung) == rung)
        let text = String(decoding: try Workplace.export(self.useCases), as: UTF8.self)
        let seen = text.replacing("END:VTODO", with: "X-MOZ-LASTACK:\(Workplace.now.wire)\r\nEND:VTODO")
        try Workplace.load(seen, into: self.useCases)
        _ = self.sink.take()
        #expect(try self.keeper.refresh(rung).isEmpty)
        #expect(self.sink.take() == ["cancel 1"])
    }

    @Test("pending alarms: by time, of a list, up to a moment; whole days at nine where the person is")
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
        let silent = AlarmSettings(ringsWhenDue: false)
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

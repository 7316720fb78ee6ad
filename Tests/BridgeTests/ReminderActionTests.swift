import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavBridge

@Suite("an action on several reminders")
struct ReminderActionTests {
    private let useCases: UseCases
    private let ids: [Int64]

    init() throws {
        self.useCases = try Workplace.open()
        self.ids = try self.useCases.add((1...5).map { ReminderDraft(title: "title \($0)", labels: ["home"]) }).map(
            \.id
        )
    }

    private var sources: [[UInt8]] { get throws { try self.useCases.store.read { try $0.objects() }.map(\.source) } }

    private static var actions: [ReminderAction] {
        var change = ReminderChange(title: "Changed", priority: .set(.high))
        change.labelEdit = LabelEdit(added: ["work"], removed: ["HOME"])
        return [
            .complete(withMissed: false), .snooze(until: Workplace.now.adding(seconds: 60)),
            .edit { [change] _ in change }, .delete, .edit { _ in ReminderChange(list: "Other") },
        ]
    }

    @Test("it is one write and one run, and its undo restores every byte", arguments: actions.indices)
    func oneRun(index: Int) throws {
        try self.useCases.store.write { _ = try $0.insertList(named: "Other", at: 0) }
        let before = try self.sources
        let runs = try self.useCases.log(limit: 100).count
        let writes = Mutex(0)
        self.useCases.store.observeWrites { writes.withLock { $0 += 1 } }
        let results = try self.useCases.perform(Self.actions[index], on: self.ids)
        #expect(writes.withLock { $0 } == 1)
        #expect(results.map(\.id) == self.ids && results.allSatisfy { (try? $0.outcome.get()) != nil })
        #expect(try self.useCases.log(limit: 100).count == runs + 1)
        #expect(try self.useCases.undo(.last).changes.count == self.ids.count)
        #expect(Set(try self.sources) == Set(before))
        #expect(try self.useCases.reminders(matching: ReminderFilter()).allSatisfy { $0.list == "Reminders" })
    }

    @Test("an interruption before the end changes nothing", arguments: actions.indices)
    func interrupted(index: Int) throws {
        try self.useCases.store.write { _ = try $0.insertList(named: "Other", at: 0) }
        let before = try self.sources
        let runs = try self.useCases.log(limit: 100)
        self.useCases.store.observeWrites { () throws(DatabaseError) in throw DatabaseError(.full) }
        #expect(throws: DatabaseError.self) { try self.useCases.perform(Self.actions[index], on: self.ids) }
        #expect(try self.sources == before)
        #expect(try self.useCases.log(limit: 100) == runs)
    }

    @Test("a reminder that does not permit the action leaves no trace, and the others are changed")
    func failing() throws {
        let change = ReminderChange(recurrenceRule: .set(try RecurrenceRule(wire: "FREQ=DAILY")))
        let due = CalendarDateOrDateTime.date(CalendarDate(dayNumber: 20_800))
        _ = try self.useCases.edit(self.ids[1], ReminderChange(due: .set(due)))
        let before = try self.sources
        let results = try self.useCases.perform(.edit { _ in change }, on: [99] + self.ids)
        #expect(results.map { (try? $0.outcome.get()) != nil } == [false, false, true, false, false, false])
        #expect(throws: UseCaseError(.repeatNeedsDue)) { try results[1].outcome.get() }
        let after = try self.sources
        #expect(after.indices.filter { after[$0] != before[$0] } == [1])
        #expect(try self.useCases.log(limit: 1).first?.reminders == 1)
    }

    @Test("a failed move out of a read-only list is discarded as a whole")
    func failedMove() throws {
        try self.useCases.store.write { transaction in
            _ = try transaction.insertList(named: "Other", at: 0)
            guard var list = try transaction.lists().first(where: { $0.name == "Reminders" }) else { return }
            list.isReadOnly = true
            try transaction.update(list)
        }
        let before = try self.sources
        let past = CalendarDateOrDateTime.date(CalendarDate(dayNumber: 1))
        let change = ReminderChange(due: .set(past), list: "Other")
        let results = try self.useCases.perform(.edit { _ in change }, on: self.ids)
        #expect(results.allSatisfy { (try? $0.outcome.get()) == nil })
        #expect(try self.sources == before)
        #expect(try self.useCases.reminders(matching: ReminderFilter()).allSatisfy { $0.list == "Reminders" })
    }
}

import Foundation
import ICalendar
import Reminders
import SQLiteStore
import Store
import Synchronization
import TestSupport
import Testing

@testable import Bridge

/// Random lives of a store through `AlarmKeeper`, against a model of one line: what is open rings when it is due, or first
/// when its snooze is over.
///
/// What a reminder of its own alarms, or one that repeats, does is in `AlarmLawTests`.
@Suite("laws of the alarms of a store")
struct AlarmKeeperLawTests {
    /// Edits in all; `REMINDAV_ALARM_EDITS=100000` looks at a tenth as many.
    private static let edits = (Int(ProcessInfo.processInfo.environment["REMINDAV_ALARM_EDITS"] ?? "") ?? 6000) / 10

    @Test("each open reminder with something to come has one pending alarm, no other has any, and the sink knows them")
    func onePendingAlarm() throws {
        var done = 0
        var seed: UInt64 = 0
        while done < Self.edits {
            seed += 1
            var life = try KeeperLife(seed: seed)
            for step in 0..<50 where done < Self.edits {
                let operation = try life.edit()
                done += 1
                let comment = Comment(rawValue: "seed \(seed), step \(step): \(operation)")
                let expected = life.expected
                let pending = try life.useCases.pendingAlarms()
                try #require(Set(pending.map(\.reminder)).count == pending.count, comment)
                let times = Dictionary(uniqueKeysWithValues: pending.map { ($0.reminder, $0.alarm.fires) })
                try #require(times == expected, comment)
                try #require(life.sink.toCome(after: life.clock.now) == expected, comment)
            }
        }
    }
}

/// A clock that is set by hand.
final class HandClock: Sendable {
    private let seconds = Mutex(Workplace.now.secondsSince1970)
    var now: Instant { Instant(secondsSince1970: self.seconds.withLock { $0 }) }
    func pass(_ count: Int) { self.seconds.withLock { $0 += Int64(count) } }
}

/// What would ring.
final class CountingSink: AlarmSink, Sendable {
    private let alarms = Mutex<[AlarmID: ReminderAlarm]>([:])
    var known: [ReminderAlarm] { self.alarms.withLock { Array($0.values) } }

    func schedule(_ alarm: ReminderAlarm) { self.alarms.withLock { $0[alarm.id] = alarm } }
    func cancel(_ id: AlarmID) { self.alarms.withLock { $0 = $0.filter { !id.covers($0.key) } } }
    func cancelAll() { self.alarms.withLock { $0 = [:] } }

    /// When each reminder rings that has not rung yet; a second alarm of one is a time that no model has.
    func toCome(after now: Instant) -> [Int64: Instant] {
        let alarms = self.known.filter { $0.fires > now }
        return Dictionary(
            alarms.map { (Int64($0.id.reminder) ?? 0, $0.fires) },
            uniquingKeysWith: { _, _ in Instant(secondsSince1970: 0) }
        )
    }
}

private struct KeeperLife {
    private struct Model {
        var due: Instant?
        var snooze: Instant?
        var isDone = false
    }

    let clock = HandClock()
    let sink = CountingSink()
    let useCases: UseCases
    private let keeper: AlarmKeeper
    private var random: SeededGenerator
    private var models: [Int64: Model] = [:]

    init(seed: UInt64) throws {
        self.random = SeededGenerator(seed)
        let clock = self.clock
        let configuration = Configuration(
            localZone: "Europe/Berlin",
            zones: Configuration.systemZones(environment: [:]),
            storeFolder: "/nonexistent",
            now: { clock.now }
        )
        self.useCases = UseCases(configuration: configuration, store: try ReminderStore.inMemory())
        self.keeper = AlarmKeeper(self.useCases, sink: self.sink) { Issue.record("\($0)") }
    }

    /// When each reminder rings next.
    var expected: [Int64: Instant] {
        let now = self.clock.now
        return self.models.compactMapValues { model in
            guard !model.isDone else { return nil }
            let due = model.due.flatMap { due in model.snooze.map { due > $0 } ?? true ? due : nil }
            return [model.snooze, due].compactMap { $0 }.filter { $0 > now }.min()
        }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self.random) }

    /// Does something at random, and says what.
    mutating func edit() throws -> String {
        let due = self.clock.now.adding(seconds: self.number(1...100_000))
        let ids = self.models.keys.sorted()
        guard let id = ids.randomElement(using: &self.random), self.number(0...5) > 0 else {
            let isDated = self.number(0...4) > 0
            let made = try self.keeper.add(ReminderDraft(title: "a", due: isDated ? .exact(due) : nil))
            self.models[made.id] = Model(due: isDated ? due : nil)
            return "add \(made.id)"
        }
        let isDone = self.models[id]?.isDone ?? false
        switch self.number(0...11) {
        case 0, 1:
            _ = try self.keeper.edit(id, ReminderChange(due: .set(.exact(due))))
            self.models[id]?.due = due
            self.models[id]?.snooze = nil
            return "reschedule \(id)"
        case 2:
            _ = try self.keeper.edit(id, ReminderChange(due: .clear))
            if self.models[id]?.due != nil { self.models[id]?.snooze = nil }
            self.models[id]?.due = nil
            return "take the date of \(id)"
        case 3:
            _ = try self.keeper.edit(id, ReminderChange(title: "b\(self.number(0...99))", priority: .set(.high)))
            return "rename \(id)"
        case 4, 5:
            guard !isDone else {
                #expect(throws: UseCaseError(.alreadyCompleted)) { try self.keeper.snooze(id, seconds: 300) }
                return "refuse to snooze \(id)"
            }
            let seconds = [300, 900, 1800, 3600][self.number(0...3)]
            let until = self.clock.now.adding(seconds: seconds)
            _ = try self.keeper.snooze(id, seconds: Int64(seconds))
            self.models[id]?.snooze = until
            return "snooze \(id)"
        case 6, 7:
            _ = try self.keeper.complete(id)
            if !isDone { self.models[id]?.snooze = nil }
            self.models[id]?.isDone = true
            return "complete \(id)"
        case 8:
            _ = try self.keeper.reopen(id)
            self.models[id]?.isDone = false
            return "reopen \(id)"
        case 9:
            try self.keeper.delete(id)
            self.models[id] = nil
            return "delete \(id)"
        default:
            self.clock.pass(self.number(1...40_000))
            _ = try self.keeper.refresh(self.sink.known)
            return "wait until \(self.clock.now)"
        }
    }
}

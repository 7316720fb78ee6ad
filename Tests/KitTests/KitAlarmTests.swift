import Glibc
import RemindavKit
import RemindavTestSupport
import Synchronization
import Testing

/// A clock that the test sets.
private final class HandClock: Sendable {
    private let seconds = Mutex<Int64>(1_795_000_000)
    var now: Instant { Instant(secondsSince1970: self.seconds.withLock { $0 }) }
    func advance(_ count: Int) { self.seconds.withLock { $0 += Int64(count) } }
}

/// Records the shown alarms.
private final class Screen: AlarmPresenter {
    struct Broken: Error {}
    let shown = Mutex<[Alarm.ID: Alarm]>([:])
    let failures = Mutex(0)

    func show(_ alarm: Alarm) async throws {
        let fails = self.failures.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if fails { throw Broken() }
        self.shown.withLock { $0[alarm.id] = alarm }
    }

    func remove(_ alarm: Alarm.ID) async { self.shown.withLock { $0[alarm] = nil } }

    /// Waits until the reminders with a shown alarm are these, by default at most ten seconds.
    func shows(_ reminders: [Int64], within milliseconds: Int = 10_000) async throws -> Bool {
        for _ in 0...milliseconds / 10 {
            if self.shown.withLock({ $0.values.compactMap(\.reminder).sorted() }) == reminders { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}

@Suite("alarms and changes for embedding programs", .timeLimit(.minutes(1)))
struct KitAlarmTests {
    private let clock = HandClock()
    private let screen = Screen()

    private func configuration(folder: String = "") -> Configuration {
        Configuration(localZone: "UTC", zones: .init { _ in nil }, storeFolder: folder, now: { [clock] in clock.now })
    }

    private func due(in seconds: Int) -> CalendarDateOrDateTime {
        .dateTime(CalendarDateTime(utc: self.clock.now.adding(seconds: seconds)))
    }

    /// Adds a reminder that becomes due, and returns its shown alarm.
    ///
    /// The delivery starts at an unknown moment, and an alarm of the time before its first start is not delivered, so the
    /// function tries it again.
    private func dueAlarm(_ remindav: Remindav) async throws -> (reminder: Int64, alarm: Alarm) {
        for _ in 0..<100 {
            let id = try await remindav.add(ReminderDraft(title: "Make tea", due: self.due(in: 60))).id
            try await Task.sleep(for: .milliseconds(20))
            self.clock.advance(60)
            // A change of another reminder wakes the delivery, because the clock of the test wakes nothing.
            _ = try await remindav.add(ReminderDraft(title: "Read"))
            if try await self.screen.shows([id], within: 500) {
                return (id, try #require(self.screen.shown.withLock { $0.values.first }))
            }
            try await remindav.delete(id)
        }
        throw Screen.Broken()
    }

    @Test("an alarm is shown when it is due, and its answer completes the reminder")
    func complete() async throws {
        let remindav = try Remindav(inMemory: self.configuration())
        let delivery = Task { try await remindav.deliverAlarms(to: self.screen) }
        let (id, alarm) = try await self.dueAlarm(remindav)
        #expect(alarm.title == "Make tea")
        #expect(alarm.actions.map(\.kind).prefix(3) == [.open, .complete, .snooze(seconds: 300)])
        let completes = try #require(alarm.actions.first { $0.kind == .complete })
        await remindav.answer(.chosen(completes), to: alarm.id)
        #expect(try await self.screen.shows([]))
        #expect(try await remindav.reminder(id).completedInstant == self.clock.now)
        // The alarm of an earlier delivery is no longer known.
        let other = try await remindav.add(ReminderDraft(title: "Read")).id
        await remindav.answer(.chosen(completes), to: alarm.id)
        #expect(try await remindav.reminder(other).completedInstant == nil)
        delivery.cancel()
        try await delivery.value
    }

    @Test("after a failure of the presenter the next alarm is shown, and a deletion removes it")
    func failure() async throws {
        let remindav = try Remindav(inMemory: self.configuration())
        self.screen.failures.withLock { $0 = 1 }
        let delivery = Task { try await remindav.deliverAlarms(to: self.screen) }
        let (id, _) = try await self.dueAlarm(remindav)
        #expect(self.screen.failures.withLock { $0 } == 0)
        try await remindav.delete(id)
        #expect(try await self.screen.shows([]))
        delivery.cancel()
        try await delivery.value
    }

    @Test("only one call delivers the alarms of a store, and changes of another program are reported")
    func stored() async throws {
        let folder = try TemporaryFolder()
        let remindav = try Remindav(self.configuration(folder: folder.path))
        let other = try Remindav(self.configuration(folder: folder.path))
        let delivery = Task { try await remindav.deliverAlarms(to: self.screen) }
        _ = try await self.dueAlarm(other)
        let second = await #expect(throws: RemindavError.self) { try await other.deliverAlarms(to: self.screen) }
        #expect(second?.code == .daemonIsRunning)
        delivery.cancel()
        try await delivery.value

        var changes = remindav.changes().makeAsyncIterator()
        // The first element comes when the store is watched, so the change after it is not missed.
        #expect(await changes.next() != nil)
        _ = try await other.add(ReminderDraft(title: "Read"))
        #expect(await changes.next() != nil)
    }

    @Test("a change of a store in memory is reported")
    func changes() async throws {
        let remindav = try Remindav(inMemory: self.configuration())
        var changes = remindav.changes().makeAsyncIterator()
        #expect(await changes.next() != nil)
        _ = try await remindav.add(ReminderDraft(title: "Read"))
        #expect(await changes.next() != nil)
    }

    @Test("the presenter is not called after the end of the delivery")
    func cancellation() async throws {
        let remindav = try Remindav(inMemory: self.configuration())
        let delivery = Task { try await remindav.deliverAlarms(to: self.screen) }
        let (id, _) = try await self.dueAlarm(remindav)
        delivery.cancel()
        try await delivery.value
        try await remindav.delete(id)
        let second = Task { try await remindav.deliverAlarms(to: self.screen) }
        second.cancel()
        try await second.value
        #expect(self.screen.shown.withLock { $0.count } == 1)
    }
}

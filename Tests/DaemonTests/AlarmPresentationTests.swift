import RemindavBridge
import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavStore
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavDaemon
@testable import RemindavNotifications
@testable import RemindavSQLiteStore

extension CalendarDateOrDateTime {
    fileprivate static func exact(_ instant: Instant) -> Self { .dateTime(CalendarDateTime(utc: instant)) }
}

/// A clock that the test sets.
private final class HandClock: Sendable {
    private let seconds = Mutex<Int64>(1_795_204_800)
    var now: Instant { Instant(secondsSince1970: self.seconds.withLock { $0 }) }
    func advance(_ count: Int) { self.seconds.withLock { $0 += Int64(count) } }
}

/// A screen that shows each notification at once, or refuses it.
private final class Screen: NotificationPresenter {
    struct State: Sendable {
        var lastNumber: UInt32 = 0
        var shown: [NotificationID: Notification] = [:]
        var isBroken = false
        var count = 0
    }

    struct Broken: Error {}

    let state = Mutex(State())

    var shown: [Notification] { self.state.withLock { Array($0.shown.values) } }
    var titles: [String] { self.shown.map(\.text.title).sorted() }
    var reminders: [Int64] { self.shown.compactMap(\.reminder?.rawValue).sorted() }

    func id(of reminder: Int64) throws -> NotificationID {
        try #require(self.state.withLock { $0.shown.first { $0.value.reminder?.rawValue == reminder }?.key })
    }

    func show(
        _ notification: Notification,
        then report: @escaping @Sendable (Result<NotificationID, any Error>) -> Void
    ) {
        let id = self.state.withLock { state -> NotificationID? in
            guard !state.isBroken else { return nil }
            if let old = notification.replaces { state.shown[old] = nil }
            state.lastNumber += 1
            let id = NotificationID(number: state.lastNumber, service: "1")
            state.shown[id] = notification
            return id
        }
        report(id.map { .success($0) } ?? .failure(Broken()))
    }

    func close(_ notification: NotificationID, then report: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.shown[notification] = nil }
        report()
    }

    func showCount(_ count: Int) { self.state.withLock { $0.count = count } }
}

@Suite("alarms in an embedding program", .serialized)
struct AlarmPresentationTests {
    private let clock = HandClock()
    private let screen = Screen()
    private let folder: TemporaryFolder
    private let useCases: UseCases
    private let alarms: AlarmPresentation

    init() throws {
        self.folder = try TemporaryFolder()
        let clock = self.clock
        let zones = ZoneDatabase { name in try? Fixture.bytes("tz/\(name)") }
        let configuration = Configuration(
            localZone: "Europe/Berlin",
            zones: zones,
            storeFolder: self.folder.path,
            now: { clock.now }
        )
        self.useCases = try UseCases.open(configuration)
        self.alarms = try AlarmPresentation(self.useCases, presenter: self.screen, instance: "1")
        try self.alarms.update()
    }

    @discardableResult
    private func add(_ title: String, in seconds: Int) throws -> Int64 {
        try self.useCases.add(ReminderDraft(title: title, due: .exact(self.clock.now.adding(seconds: seconds)))).id
    }

    /// Advances the clock and updates twice, because the second call handles the answers of the first one.
    private func update(after seconds: Int = 0) throws {
        self.clock.advance(seconds)
        try self.alarms.update()
        try self.alarms.update()
    }

    @Test("an alarm is shown at its time, once, and the returned time is that of the next alarm (N29)")
    func order() throws {
        try self.add("tea", in: 300)
        let next = try self.alarms.update()
        #expect(next == self.clock.now.adding(seconds: 300))
        try self.update(after: 299)
        #expect(self.screen.titles == [])
        try self.update(after: 1)
        #expect(self.screen.titles == ["tea"])
        try self.update(after: 3600)
        #expect(self.screen.state.withLock { $0.lastNumber } == 1)
        #expect(self.screen.state.withLock { $0.count } == 1 && self.alarms.unacknowledgedCount == 1)
    }

    @Test("an edit moves the alarm, and a completed or deleted reminder has no notification (N16)")
    func cancelled() throws {
        let tea = try self.add("tea", in: 300)
        let milk = try self.add("milk", in: 300)
        _ = try self.useCases.edit(tea, ReminderChange(due: .set(.exact(self.clock.now.adding(seconds: 600)))))
        try self.update(after: 300)
        #expect(self.screen.titles == ["milk"])
        try self.update(after: 300)
        #expect(self.screen.titles == ["milk", "tea"])
        _ = try self.useCases.complete(tea)
        try self.useCases.delete(milk)
        try self.update()
        #expect(self.screen.titles == [])
    }

    @Test("the user's actions are written to the reminder: a click, a button, a dismissed notification")
    func actions() throws {
        for title in ["complete", "snooze", "dismiss"] { try self.add(title, in: 60) }
        try self.update(after: 60)
        #expect(self.screen.reminders == [1, 2, 3])
        let complete = try #require(NotificationAction.ofReminder.first { $0.key == "complete" })
        let snooze = try #require(NotificationAction.ofReminder.first { $0.key == "snooze-300" })
        self.alarms.invoked(try self.screen.id(of: 1), action: complete)
        self.alarms.invoked(try self.screen.id(of: 2), action: snooze)
        self.alarms.closed(try self.screen.id(of: 3), .dismissed)
        try self.update()
        #expect(try self.useCases.reminder(1).section == .completed)
        let pending = try self.useCases.pendingAlarms()
        #expect(pending.map(\.reminder) == [2])
        #expect(pending.map(\.alarm.fires) == [self.clock.now.adding(seconds: 300)])
        #expect(self.alarms.unacknowledgedCount == 0)
    }

    @Test("a notification that cannot be shown is shown later, and changes of reminders do not fail")
    func broken() throws {
        self.screen.state.withLock { $0.isBroken = true }
        try self.add("tea", in: 60)
        try self.update(after: 60)
        _ = try self.useCases.edit(1, ReminderChange(title: "green tea"))
        try self.update()
        #expect(self.screen.titles == [])
        self.screen.state.withLock { $0.isBroken = false }
        try self.update(after: 600)
        #expect(self.screen.titles == ["green tea"])
    }

    // MARK: Errors

    /// Renames a table of a database in the store's folder during `body`.
    private func without(_ table: String, of name: String, _ body: () throws -> Void) throws {
        let path = "\(self.folder.path)/\(name)"
        let other = try SQLiteConnection(path: path, access: .readWrite, busyTimeoutMilliseconds: 1000)
        try other.execute("ALTER TABLE \(table) RENAME TO away")
        let result = Result { try body() }
        try other.execute("ALTER TABLE away RENAME TO \(table)")
        try result.get()
    }

    @Test("answers during an error of the store are handled in the next call, in their order")
    func postponedAnswers() throws {
        for title in ["complete", "snooze", "dismiss"] { try self.add(title, in: 60) }
        try self.add("later", in: 120)
        try self.update(after: 60)
        #expect(self.screen.reminders == [1, 2, 3])
        let complete = try #require(NotificationAction.ofReminder.first { $0.key == "complete" })
        let snooze = try #require(NotificationAction.ofReminder.first { $0.key == "snooze-300" })
        self.alarms.invoked(try self.screen.id(of: 1), action: complete)
        self.alarms.invoked(try self.screen.id(of: 2), action: snooze)
        // An alarm fires, so that each event reads the store.
        self.clock.advance(60)
        try self.without("calendar_text", of: "reminders.db") {
            #expect(throws: DatabaseError.self) { try self.alarms.update() }
            self.alarms.closed(try self.screen.id(of: 3), .dismissed)
            #expect(throws: DatabaseError.self) { try self.alarms.update() }
        }
        #expect(try self.useCases.reminder(1).section != .completed)
        try self.update()
        #expect(try self.useCases.reminder(1).section == .completed)
        #expect(try self.useCases.pendingAlarms().map(\.reminder) == [2])
        #expect(self.screen.reminders.contains(4) && self.alarms.unacknowledgedCount == 1)
    }

    @Test("changes that were found before an error of the store are handled in the next call")
    func postponedChanges() throws {
        try self.add("tea", in: 60)
        try self.without("calendar_text", of: "reminders.db") {
            // The versions of reminders can be read, their texts cannot.
            #expect(throws: DatabaseError.self) { try self.alarms.update() }
            #expect(throws: DatabaseError.self) { try self.alarms.update() }
        }
        #expect(try self.alarms.update() == self.clock.now.adding(seconds: 60))
        try self.update(after: 60)
        #expect(self.screen.titles == ["tea"])
    }

    @Test("a delivery state that could not be saved is saved by a later call, completely")
    func unsaved() throws {
        for title in ["tea", "milk"] { try self.add(title, in: 60) }
        try self.add("later", in: 3600)
        try self.update()
        try self.without("delivery", of: "delivery.db") {
            try self.update(after: 60)
            #expect(self.screen.titles == ["milk", "tea"])
            // The returned time is that of the next attempt, not of the next alarm.
            let next = try #require(try self.alarms.update())
            #expect(next > self.clock.now && next < self.clock.now.adding(seconds: 120))
        }
        try self.update(after: 3540)
        let state = try DeliveryStateFile.open(folder: self.folder.path).content.state
        #expect(state.slots.keys.sorted() == [ReminderID(1), ReminderID(2), ReminderID(3)])
        #expect(state.slots.values.allSatisfy { $0.notification != nil && $0.unshown.isEmpty })
        #expect(try self.alarms.update() == nil)
    }

    @Test("alarms are delivered once over restarts, and one program delivers them")
    func restart() throws {
        let folder = try TemporaryFolder()
        let clock = self.clock
        let configuration = Configuration(
            localZone: "UTC",
            zones: ZoneDatabase { _ in nil },
            storeFolder: folder.path,
            now: { clock.now }
        )
        let screen = Screen()
        let useCases = try UseCases.open(configuration)
        var alarms: AlarmPresentation? = try AlarmPresentation(useCases, presenter: screen, instance: "1")
        #expect(throws: UseCaseError(.daemonIsRunning)) {
            _ = try AlarmPresentation(useCases, presenter: screen, instance: "1")
        }
        try alarms?.update()
        _ = try useCases.add(ReminderDraft(title: "tea", due: .exact(clock.now.adding(seconds: 60))))
        try alarms?.update()
        clock.advance(60)
        try alarms?.update()
        try alarms?.update()
        #expect(screen.titles == ["tea"])
        alarms = nil
        let again = try AlarmPresentation(useCases, presenter: screen, instance: "1")
        try again.update()
        try again.update()
        // A new scheduler replaces the text of the notification silently; it does not deliver the alarm again.
        #expect(screen.shown.map { "\($0.replaces?.number ?? 0) \($0.appearance.makesSound)" } == ["1 false"])
    }

    @Test("random changes: the returned time is that of the first pending alarm, and only fired alarms are shown")
    func law() throws {
        var random = SeededGenerator(7)
        var fired: Set<Int64> = []
        let steps = Cases.count(400)
        for step in 0..<steps {
            let ids = try self.useCases.reminders(matching: ReminderFilter()).map(\.id)
            let due = self.clock.now.adding(seconds: Int.random(in: 1...100_000, using: &random))
            let id = ids.randomElement(using: &random)
            switch (Int.random(in: 0...9, using: &random), id) {
            case (0...2, _), (_, nil): _ = try self.useCases.add(ReminderDraft(title: "a", due: .exact(due)))
            case (3, let id?): _ = try self.useCases.edit(id, ReminderChange(due: .set(.exact(due))))
            case (4, let id?): _ = try self.useCases.complete(id)
            case (5, let id?): try self.useCases.delete(id)
            case (6, let id?): _ = try self.useCases.snooze(id, seconds: 900)
            default: self.clock.advance(Int.random(in: 1...20_000, using: &random))
            }
            try self.alarms.update()
            let next = try self.alarms.update()
            let pending = try self.useCases.pendingAlarms()
            try #require(next == pending.first?.alarm.fires, "step \(step)")
            let open = Set(try self.useCases.reminders(matching: ReminderFilter()).map(\.id))
            let shown = self.screen.reminders
            try #require(Set(shown).count == shown.count && open.isSuperset(of: shown), "step \(step)")
            fired.formUnion(shown)
        }
        #expect(fired.count > steps / 20)
    }
}

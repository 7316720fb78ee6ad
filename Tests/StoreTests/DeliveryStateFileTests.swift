import Glibc
import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavSQLiteStore
@testable import RemindavStore

@Suite("the delivery state file")
struct DeliveryStateFileTests {
    private func at(_ seconds: Int64) -> Instant { Instant(secondsSince1970: seconds) }

    private func alarm(_ occurrence: String?, _ seconds: Int64) -> DeliveredAlarm {
        DeliveredAlarm(occurrence: occurrence, fires: self.at(seconds))
    }

    private let reminder = ReminderID(1)
    private let notification = NotificationID(number: 1, service: "0123:1.42")

    private var changes: [DeliveryState.Change] {
        let settings = AlarmSettings(dayTime: ClockTime(secondsOfDay: 27_000), notifiesWhenDue: false)
        let basis = AlarmBasis(local: "America/Argentina/Buenos_Aires", alarms: settings)
        var full = Slot(
            place: .own,
            shown: self.alarm("20261119", 6),
            unshown: [self.alarm("20261120T080000Z", 7), self.alarm(nil, 8)]
        )
        full.isMissed = true
        full.unlisted = self.at(-5)
        full.notification = NotificationID(number: .max, service: "0123:1.42")
        return [
            .clock(SchedulerClock(processed: self.at(1_795_204_800), by: basis)),
            .delivered(self.reminder, self.alarm(nil, 0)), .delivered(self.reminder, self.alarm("20261120", -1)),
            .delivered(ReminderID(2), self.alarm("", 1)), .slot(self.reminder, full),
            .slot(ReminderID(2), Slot(place: .held, unshown: [self.alarm(nil, 8)])),
            .slot(ReminderID(3), Slot(place: .summary, shown: self.alarm(nil, 6))), .summary(self.notification),
            .closing(self.notification),
            .action(3, PendingAction(self.reminder, occurrence: nil, .acknowledge(upTo: self.at(9)))),
            .action(
                4,
                PendingAction(self.reminder, occurrence: "20261120", .snooze(at: self.at(8), until: self.at(9)))
            ),
            .action(5, PendingAction(ReminderID(2), occurrence: "20261120T080000Z", .complete)),
        ]
    }

    private func state(_ changes: [DeliveryState.Change]) -> DeliveryState {
        var state = DeliveryState()
        for change in changes { state.apply(change) }
        return state
    }

    @Test("only records of clicked actions wait for the disk")
    func clicks() {
        let clicks = self.changes.filter(\.isClick)
        #expect(clicks.count == 3)
        #expect(clicks == self.changes.suffix(3))
        #expect(!DeliveryState.Change.action(3, nil).isClick)
    }

    @Test("saved changes are read at the next start, each in place of the former one")
    func saved() throws {
        let folder = try TemporaryFolder()
        do {
            let file = try DeliveryStateFile.open(folder: folder.path).file
            try file.save(self.changes)
            try file.save(self.changes)
            try file.save([])
            #expect(!file.wasRecreated)
        }
        let content = try DeliveryStateFile.open(folder: folder.path).content
        #expect(content.state == self.state(self.changes))
        #expect(content.failure == nil)
    }

    @Test("removed parts are gone at the next start, and others stay")
    func removed() throws {
        let folder = try TemporaryFolder()
        let removals: [DeliveryState.Change] = [
            .forgotten(self.reminder, self.alarm("20261120", -1)), .slot(self.reminder, nil), .summary(nil),
            .gone(self.notification), .action(4, nil),
        ]
        let file = try DeliveryStateFile.open(folder: folder.path).file
        try file.save(self.changes)
        try file.save(removals)
        #expect(try DeliveryStateFile.open(folder: folder.path).content.state == self.state(self.changes + removals))
    }

    @Test("unshown alarms of one moment keep their order")
    func order() throws {
        let folder = try TemporaryFolder()
        let unshown = ["c", nil, "a", "b"].map { self.alarm($0, 7) }
        let state = self.state([.slot(self.reminder, Slot(place: .own, unshown: unshown))])
        let file = try DeliveryStateFile.open(folder: folder.path).file
        try file.save(self.changes)
        try file.save(state.changes)
        #expect(try DeliveryStateFile.open(folder: folder.path).content.state.slots[self.reminder]?.unshown == unshown)
        try file.replace(DeliveryStateFile.Content(state: state))
        #expect(try DeliveryStateFile.open(folder: folder.path).content.state == state)
    }

    @Test("a whole state and a failure replace the former ones")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let file = try DeliveryStateFile.open(folder: folder.path).file
        let first = DeliveryFailure(since: self.at(5), count: 3, reason: "it refuses (org.x)")
        let second = DeliveryFailure(since: self.at(-5), over: self.at(9), count: 1, reason: "")
        try file.save([.closing(NotificationID(number: 9, service: "x"))])
        try file.save(first)
        #expect(try DeliveryStateFile.failure(folder: folder.path) == first)
        try file.save(second)
        #expect(try DeliveryStateFile.failure(folder: folder.path) == second)
        let state = self.state(self.changes)
        try file.replace(DeliveryStateFile.Content(state: state, failure: first))
        let content = try DeliveryStateFile.open(folder: folder.path).content
        #expect(content.state == state && content.failure == first)
    }

    @Test("rings.db of an older version is migrated once", arguments: [false, true])
    func migrated(isInterrupted: Bool) throws {
        let folder = try TemporaryFolder()
        try TemporaryFolder.write(try Fixture.bytes("delivery/rings.db"), to: "\(folder.path)/rings.db")
        // A crash may leave an empty new file.
        if isInterrupted { try TemporaryFolder.write([], to: "\(folder.path)/delivery.db") }
        let expected = self.alarm("20261125T035456Z", 1_795_578_896)
        for _ in 0..<2 {
            let (file, content) = try DeliveryStateFile.open(folder: folder.path)
            #expect(!file.wasRecreated)
            let clock = try #require(content.state.clock)
            #expect(clock.processed == self.at(1_795_578_927))
            #expect(clock.alarmBasis.local == "Europe/Berlin")
            #expect(clock.alarmBasis.alarms.dayTime.secondsOfDay == 27_000)
            #expect(content.state.delivered == [ReminderID(2): [expected]])
            #expect(content.state.slots == [ReminderID(2): Slot(place: .own, unshown: [expected])])
            let reason = "the program that 'notify-command' in the settings names could not be run"
            #expect(content.failure == DeliveryFailure(since: self.at(1_795_578_896), count: 1, reason: reason))
            #expect(!folder.names.contains("rings.db"))
        }
    }

    @Test("all texts of an older version are read, and others are ignored")
    func oldTexts() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/rings.db"
        try TemporaryFolder.write(try Fixture.bytes("delivery/rings.db"), to: path)
        let old = try SQLiteConnection(path: path, access: .readWrite, busyTimeoutMilliseconds: 0)
        try old.run("DELETE FROM ring")
        let rows = [
            ("clock", "", "7\tEurope/Berlin"), ("told", "1\t\t0", ""), ("told", "1\t=20261120\t-1", ""),
            ("told", "1\tx\t2", ""), ("told", "1", ""), ("told", "a\t\t3", ""),
            ("slot", "1", "own\tmissed\t-5\t=20261119\t6\t4294967295\t0123:1.42\t=20261120T080000Z\t7\t\t8"),
            ("slot", "2", "nowhere\t\t\t\t\t\t\t\t5"), ("slot", "3", "own\t\t\t\t\t\t"),
            ("slot", "4", "own\t\t\t\t\t\t\t\tx"), ("summary", "", "1\t0123:1.42"), ("closing", "1\t0123:1.42", ""),
            ("closing", "4294967296\ta", ""), ("deed", "3", "acknowledge\t1\t\t9"),
            ("deed", "4", "snooze\t1\t=20261120\t8\t9"), ("deed", "5", "complete\t2\t=20261120T080000Z"),
            ("deed", "a", "complete\t1\t"), ("deed", "6", "eat\t1\t"), ("deed", "7", "snooze\t1\t\t5\tx"),
            ("trouble", "", "5\ty\t1\tr"), ("later", "", ""),
        ]
        for (kind, key, value) in rows {
            let sql = "INSERT INTO ring (kind, key, value) VALUES (?1, ?2, ?3)"
            try old.run(sql, [.text(kind), .text(key), .text(value)])
        }
        let kept = self.changes.filter { change in
            switch change {
            case .clock, .slot, .delivered(ReminderID(2), _): false
            default: true
            }
        }
        var slot: DeliveryState.Change?
        for case .slot(self.reminder, let full) in self.changes { slot = .slot(self.reminder, full) }
        let clock = SchedulerClock(processed: self.at(7), by: AlarmBasis(local: "Europe/Berlin"))
        let expected = self.state([.clock(clock)] + kept + [slot].compactMap { $0 })
        let content = try DeliveryStateFile.open(folder: folder.path).content
        #expect(content.state == expected)
        #expect(content.failure == nil)
    }

    @Test("a damaged file is renamed, and alarms are delivered", arguments: ["delivery.db", "rings.db"])
    func damaged(name: String) throws {
        let folder = try TemporaryFolder()
        let bytes = Array("this is no database at all, and long enough".utf8)
        try TemporaryFolder.write(bytes, to: "\(folder.path)/\(name)")
        let (file, content) = try DeliveryStateFile.open(folder: folder.path)
        #expect(file.wasRecreated && content.state == DeliveryState())
        #expect(folder.names.contains("\(name).damaged"))
        try file.save([.summary(self.notification)])
        let again = try DeliveryStateFile.open(folder: folder.path)
        #expect(!again.file.wasRecreated && again.content.state.summary == self.notification)
    }

    @Test("damage that appears when the file is read renames it as well")
    func damagedWithin() throws {
        let folder = try TemporaryFolder()
        do {
            let file = try DeliveryStateFile.open(folder: folder.path).file
            let long = String(repeating: "v", count: 50)
            try file.save((0..<500).map { .closing(NotificationID(number: $0, service: long)) })
        }
        try TemporaryFolder.damage("\(folder.path)/delivery.db", from: 2 * 4096, count: 8 * 4096)
        let (file, content) = try DeliveryStateFile.open(folder: folder.path)
        #expect(file.wasRecreated && content.state == DeliveryState())
        try file.save([.summary(self.notification)])
    }

    @Test("a start writes nothing")
    func startWritesNothing() throws {
        let folder = try TemporaryFolder()
        try DeliveryStateFile.open(folder: folder.path).file.save([.summary(self.notification)])
        // This write would fail, because another process writes.
        let other = try SQLiteConnection(
            path: "\(folder.path)/delivery.db",
            access: .readWrite,
            busyTimeoutMilliseconds: 0
        )
        try other.transaction(.write(.survivesPowerLoss)) { () throws(DatabaseError) in
            #expect(try DeliveryStateFile.open(folder: folder.path).content.state.summary == self.notification)
        }
    }

    @Test("the failure can be read during writes and afterwards, without creating a file")
    func failure() throws {
        let folder = try TemporaryFolder()
        #expect(try DeliveryStateFile.failure(folder: folder.path) == nil)
        #expect(try DeliveryStateFile.failure(folder: "\(folder.path)/none") == nil)
        #expect(folder.names.isEmpty)
        let failure = DeliveryFailure(since: self.at(1), count: 1, reason: "r")
        do {
            let file = try DeliveryStateFile.open(folder: folder.path).file
            try file.save([.summary(self.notification)])
            try file.save(failure)
            #expect(try DeliveryStateFile.failure(folder: folder.path) == failure)
        }
        let names = folder.names
        #expect(try DeliveryStateFile.failure(folder: folder.path) == failure)
        #expect(folder.names == names)
        try TemporaryFolder.damage("\(folder.path)/delivery.db", from: 0, count: 4096)
        #expect(throws: DatabaseError.self) { try DeliveryStateFile.failure(folder: folder.path) }
    }

    @Test("the failure in rings.db can be read before its migration", arguments: [false, true])
    func oldFailure(isInterrupted: Bool) throws {
        let folder = try TemporaryFolder()
        try TemporaryFolder.write(try Fixture.bytes("delivery/rings.db"), to: "\(folder.path)/rings.db")
        if isInterrupted { try TemporaryFolder.write([], to: "\(folder.path)/delivery.db") }
        let names = folder.names
        let failure = try DeliveryStateFile.failure(folder: folder.path)
        #expect(failure?.since == self.at(1_795_578_896) && failure?.count == 1)
        #expect(folder.names == names)
        #expect(try DeliveryStateFile.open(folder: folder.path).content.failure == failure)
    }

    // MARK: The daemon's lock

    @Test("the lock is visible without acquiring it, and the file alone means nothing")
    func isHeld() throws {
        let folder = try TemporaryFolder()
        #expect(!DaemonLock.isHeld(folder: folder.path))
        #expect(folder.names.isEmpty)
        var lock: DaemonLock? = try DaemonLock(folder: folder.path)
        #expect(DaemonLock.isHeld(folder: folder.path))
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(folder.names == ["daemon.lock"])
        #expect(!DaemonLock.isHeld(folder: folder.path))
        _ = try DaemonLock(folder: folder.path)
    }

    @Test("one process has the lock; the next one learns its number")
    func lock() throws {
        let folder = try TemporaryFolder()
        var first: DaemonLock? = try DaemonLock(folder: folder.path)
        #expect(throws: DaemonLock.Failure.held(by: getpid())) { try DaemonLock(folder: folder.path) }
        withExtendedLifetime(first) {}
        first = nil
        _ = try DaemonLock(folder: folder.path)
    }

    // MARK: Versions of reminders

    @Test("each change of a text is another version, which is read without the text")
    func versions() throws {
        let store = try ReminderStore.inMemory()
        let list = try store.write { try $0.insertList(named: "a", color: nil, at: 0) }
        let index = ObjectIndex(title: "t", status: .completed)
        let id = try store.write { try $0.insert(into: list, uid: "u", StoredObject(source: [1], index: index)) }
        let before = try #require(try store.read { try $0.versions() }.first)
        #expect(before.id == id && before.list == list && before.status == .completed && before.isDirty)
        try store.write { try $0.update(id, StoredObject(source: [2], index: index)) }
        let after = try #require(try store.read { try $0.versions() }.first)
        #expect(after.revision > before.revision)
        try store.write { try $0.delete(id, at: 0) }
        #expect(try store.read { try $0.versions() }.isEmpty)
    }
}

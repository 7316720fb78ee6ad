import Testing

@testable import RemindavDaemon
@testable import RemindavSQLiteStore
@testable import RemindavStore

/// Times are in seconds.
@Suite("when the daemon reads the store")
struct DaemonTimesTests {
    static func at(_ seconds: Int64) -> Int64 { seconds * 1_000_000_000 }

    private static func seconds(_ moment: Int64?) -> Int64? { moment.map { $0 / 1_000_000_000 } }

    /// A change detector that starts in the zone of New York; the test sets the zone of the machine.
    private final class Machine {
        var zone: String? = "America/New_York"
        var isNamed = true
        lazy var follower = TimeZoneFollower("America/New_York") {
            self.zone
        } isNamed: {
            self.isNamed
        }

        func handle(_ event: TimeZoneFollower.Event, _ seconds: Int64) -> [TimeZoneFollower.Effect] {
            self.follower.handle(event, at: DaemonTimesTests.at(seconds))
        }
    }

    @Test("a zone change that first deletes the old link is one change")
    func zoneInTwoSteps() {
        let machine = Machine()
        machine.zone = "Europe/Berlin"
        #expect(machine.handle(.filesChanged, 10) == [])
        #expect(machine.handle(.time, 10) == [])
        #expect(machine.handle(.filesChanged, 11) == [])
        #expect(machine.handle(.time, 12) == [])
        #expect(machine.handle(.time, 13) == [.use("Europe/Berlin")])
        #expect(machine.follower.next == nil)
        #expect(machine.follower.name == "Europe/Berlin")
    }

    @Test("a missing zone counts as removed after a minute, not before")
    func zoneGone() {
        let machine = Machine()
        (machine.zone, machine.isNamed) = ("UTC", false)
        #expect(machine.handle(.filesChanged, 10) == [])
        #expect(machine.handle(.time, 12) == [])
        #expect(Self.seconds(machine.follower.next) == 72)
        #expect(machine.handle(.time, 72) == [.use("UTC")])
    }

    @Test("a zone that is set again within the minute is no change")
    func zoneBack() {
        let machine = Machine()
        (machine.zone, machine.isNamed) = ("UTC", false)
        #expect(machine.handle(.filesChanged, 10) == [])
        #expect(machine.handle(.time, 12) == [])
        (machine.zone, machine.isNamed) = ("America/New_York", true)
        #expect(machine.handle(.filesChanged, 20) == [])
        #expect(machine.handle(.time, 22) == [])
        #expect(machine.follower.next == nil)
    }

    @Test("an unknown zone is reported, and the former one stays")
    func zoneUnknown() {
        let machine = Machine()
        machine.zone = nil
        #expect(machine.handle(.filesChanged, 10) == [])
        #expect(machine.handle(.time, 12) == [.reportUnknown])
        #expect(machine.follower.name == "America/New_York")
    }

    @Test("the delay of retries grows, and the first failure is distinguished")
    func backoff() {
        var backoff = Backoff()
        #expect(backoff.next == nil && !backoff.isDue(at: Self.at(5)))
        for (now, next) in [(0, 1), (1, 3), (3, 7)] as [(Int64, Int64)] {
            let isFirst = backoff.failed(at: Self.at(now))
            #expect(isFirst == (now == 0))
            #expect(backoff.next == Self.at(next))
        }
        #expect(!backoff.isDue(at: Self.at(7) - 1) && backoff.isDue(at: Self.at(7)))
        for _ in 0..<100 { backoff.failed(at: 0) }
        #expect(Self.seconds(backoff.next) == 60)
        backoff.succeeded()
        #expect(backoff.next == nil)
        let isFirst = backoff.failed(at: 0)
        #expect(isFirst)
    }

    @Test("an unreadable store is retried with growing delays, reported once, and read as soon as it is readable")
    func storeErrors() throws {
        var look = StoreChangeDetector()
        look.needsScan = true
        #expect(look.isDue(at: Self.at(10)))
        var reported: [Bool] = []
        var pauses: [Int64] = []
        var now = Self.at(10)
        for _ in 0..<8 {
            reported.append(look.failed(at: now))
            let next = try #require(look.next)
            #expect(!look.isDue(at: next - 1))
            pauses.append((next - now) / 1_000_000_000)
            now = next
        }
        #expect(reported == [true] + Array(repeating: false, count: 7))
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
        look.rest(from: now, after: 0)
        let again = look.failed(at: now + 1)
        #expect(again)
    }

    @Test("a store that a newer version has migrated has its own error")
    func newerStore() throws {
        let store = try ReminderStore.inMemory()
        var look = StoreChangeDetector()
        _ = try store.read { snapshot throws(DatabaseError) in try look.start(snapshot) }
        _ = try store.read { snapshot throws(DatabaseError) in try look.changes(snapshot) }
        try store.write { transaction throws(DatabaseError) in
            _ = try transaction.database.send("PRAGMA user_version = 99")
        }
        #expect(throws: DatabaseError(.newerVersion(found: 99, known: migrations.count))) {
            try store.read { snapshot throws(DatabaseError) in _ = try look.changes(snapshot) }
        }
    }
}

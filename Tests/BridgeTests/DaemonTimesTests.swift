import Testing

@testable import Bridge
@testable import Store

/// Times here are seconds.
@Suite("when the daemon looks")
struct DaemonTimesTests {
    private static func at(_ seconds: Int64) -> Int64 { seconds * 1_000_000_000 }

    private static func seconds(_ moment: Int64?) -> Int64? { moment.map { $0 / 1_000_000_000 } }

    @Test("a zone that is set by taking away the old one first is one change")
    func zoneInTwoSteps() {
        var look = ZoneLook()
        look.changed(at: Self.at(10))
        #expect(!look.isDue(at: Self.at(10)))
        look.changed(at: Self.at(11))
        #expect(!look.isDue(at: Self.at(12)))
        #expect(look.isDue(at: Self.at(13)))
        let found = look.found("Europe/Berlin", isNamed: true, known: "America/New_York", at: Self.at(13))
        #expect(found == "Europe/Berlin")
        #expect(look.next == nil)
    }

    @Test("a zone that is there no more is believed to be gone after a minute, not before")
    func zoneGone() {
        var look = ZoneLook()
        look.changed(at: Self.at(10))
        let first = look.found("UTC", isNamed: false, known: "America/New_York", at: Self.at(12))
        #expect(first == nil)
        #expect(Self.seconds(look.next) == 72)
        var other = look
        let second = look.found("UTC", isNamed: false, known: "America/New_York", at: Self.at(72))
        #expect(second == "UTC")
        // Somebody made the link after all.
        other.changed(at: Self.at(20))
        let back = other.found("America/New_York", isNamed: true, known: "America/New_York", at: Self.at(22))
        #expect(back == nil && other.next == nil)
    }

    @Test("a store that cannot be read is looked at ever later, told of once, and at once again when it can be")
    func storeTrouble() throws {
        var look = StoreLook()
        look.isWanted = true
        #expect(look.isDue(at: Self.at(10)))
        var told: [Bool] = []
        var pauses: [Int64] = []
        var now = Self.at(10)
        for _ in 0..<8 {
            told.append(look.failed(at: now))
            let next = try #require(look.next)
            #expect(!look.isDue(at: next - 1))
            pauses.append((next - now) / 1_000_000_000)
            now = next
        }
        #expect(told == [true] + Array(repeating: false, count: 7))
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
        look.rest(from: now, after: 0)
        let again = look.failed(at: now + 1)
        #expect(again)
    }

    @Test("a store that a newer program has made into another is told apart")
    func newerStore() throws {
        let store = try ReminderStore.inMemory()
        var look = StoreLook()
        _ = try store.read { snapshot throws(DatabaseError) in try look.begin(snapshot) }
        _ = try store.read { snapshot throws(DatabaseError) in try look.changes(snapshot) }
        try store.write { transaction throws(DatabaseError) in
            try transaction.connection.execute("PRAGMA user_version = 99")
        }
        #expect(throws: DatabaseError(.newerVersion(found: 99, known: migrations.count))) {
            try store.read { snapshot throws(DatabaseError) in _ = try look.changes(snapshot) }
        }
    }
}

import Testing

@testable import Bridge
@testable import SQLiteStore
@testable import Store

/// Times here are seconds.
@Suite("when the daemon looks")
struct DaemonTimesTests {
    private static func at(_ seconds: Int64) -> Int64 { seconds * 1_000_000_000 }

    private static func seconds(_ moment: Int64?) -> Int64? { moment.map { $0 / 1_000_000_000 } }

    @Test("a zone that is set by taking away the old one first is one change")
    func zoneInTwoSteps() {
        var look = TimeZoneChangeDetector()
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
        var look = TimeZoneChangeDetector()
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

    @Test("settings that are saved in steps are read once they are saved, and those that change on and on all the same")
    func settingsInSteps() {
        var look = ReloadDebounce()
        look.changed(at: Self.at(10))
        look.changed(at: Self.at(10) + 400_000_000)
        #expect(!look.isDue(at: Self.at(10) + 800_000_000))
        #expect(look.next == Self.at(10) + 900_000_000)
        for step in 1...100 { look.changed(at: Self.at(10) + Int64(step) * 100_000_000) }
        #expect(look.next == Self.at(13))
        let counts = look.found(isEmpty: false, wasEmpty: false, at: Self.at(13))
        #expect(counts && look.next == nil)
        // The next change counts from itself.
        look.changed(at: Self.at(20))
        #expect(look.next == Self.at(20) + 500_000_000)
    }

    @Test("settings that are gone or empty are believed to be so after a moment, unless they were before")
    func settingsGone() {
        var look = ReloadDebounce()
        look.changed(at: Self.at(10))
        let first = look.found(isEmpty: true, wasEmpty: false, at: Self.at(11))
        #expect(!first && Self.seconds(look.next) == 14)
        var other = look
        let second = look.found(isEmpty: true, wasEmpty: false, at: Self.at(14))
        #expect(second && look.next == nil)
        // Somebody has written it after all.
        other.changed(at: Self.at(12))
        let back = other.found(isEmpty: false, wasEmpty: false, at: Self.at(13))
        #expect(back && other.next == nil)
        var empty = ReloadDebounce()
        empty.changed(at: Self.at(10))
        let none = empty.found(isEmpty: true, wasEmpty: true, at: Self.at(11))
        #expect(none && empty.next == nil)
    }

    @Test("a store that cannot be read is looked at ever later, told of once, and at once again when it can be")
    func storeTrouble() throws {
        var look = StoreChangeDetector()
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
        var look = StoreChangeDetector()
        _ = try store.read { snapshot throws(DatabaseError) in try look.begin(snapshot) }
        _ = try store.read { snapshot throws(DatabaseError) in try look.changes(snapshot) }
        try store.write { transaction throws(DatabaseError) in
            _ = try transaction.database.run("PRAGMA user_version = 99")
        }
        #expect(throws: DatabaseError(.newerVersion(found: 99, known: migrations.count))) {
            try store.read { snapshot throws(DatabaseError) in _ = try look.changes(snapshot) }
        }
    }
}

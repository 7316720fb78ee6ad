import RemindavBridge
import RemindavSQLiteStore
import RemindavTestSupport
import Testing

@testable import RemindavDaemon
@testable import RemindavStore

/// Times are in seconds; the random jitter has its mean value.
@Suite("when the daemon syncs which account")
struct AccountSchedulesTests {
    private var schedules = AccountSchedules(standard: 900, random: { 0.5 })

    private static func at(_ seconds: Int64) -> Int64 { seconds * 1_000_000_000 }

    /// Creates the accounts `a0`, `a1` and so on, with these intervals.
    private static func accounts(_ intervals: String?...) throws -> [AccountRecord] {
        let store = try ReminderStore.inMemory()
        for (number, interval) in intervals.enumerated() {
            var settings = AccountSettings()
            settings.syncInterval = interval
            let name = "a\(number)"
            _ = try store.write { transaction throws(DatabaseError) in
                try transaction.insertAccount(
                    named: name,
                    url: "https://\(name)",
                    user: "u",
                    secret: SecretReference(kind: "file", reference: ""),
                    settings: settings,
                    at: 0
                )
            }
        }
        return try store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
    }

    private mutating func begin(_ seconds: Int64) -> [String] { self.schedules.begin(at: Self.at(seconds)).map(\.name) }

    private mutating func end(
        _ account: AccountRecord,
        _ outcome: SyncSchedule.Outcome,
        _ seconds: Int64,
        unsent: Set<UnsentChange> = []
    ) -> Bool {
        self.schedules.ended(account.id, outcome, unsent: unsent, at: Self.at(seconds))
    }

    @Test("each has its own interval, the one of the settings, or none")
    mutating func intervals() throws {
        let all = try Self.accounts(nil, "1m", "never", "2h")
        self.schedules.update(all, at: 0)
        #expect(self.begin(9).isEmpty)
        #expect(self.begin(10) == ["a0", "a1", "a3"])
        for place in [0, 1, 3] { _ = self.end(all[place], .done, 10) }
        #expect(self.schedules.next == Self.at(70))
        #expect(self.begin(70) == ["a1"])
        #expect(self.begin(909).isEmpty)
        #expect(self.begin(910) == ["a0"])
        #expect(self.begin(7210) == ["a3"])
    }

    @Test("a sync that hangs delays no other account; changes of its own account wait for it")
    mutating func hanging() throws {
        let all = try Self.accounts("1m", "1m")
        self.schedules.update(all, at: 0)
        #expect(self.begin(10) == ["a0", "a1"])
        _ = self.end(all[1], .done, 11)
        let changes = all.map { account in
            UnsentChange(account: account.id, list: ListID(1), uid: account.name, revision: 1, isDeletion: false)
        }
        self.schedules.found(Set(changes), at: Self.at(20))
        #expect(self.begin(24).isEmpty)
        #expect(self.begin(25) == ["a1"])
        _ = self.end(all[1], .done, 26)
        // Changes during the run are sent after its end.
        _ = self.end(all[0], .unfinished, 60, unsent: [changes[0]])
        #expect(self.begin(64).isEmpty)
        #expect(self.begin(65) == ["a0"])
    }

    @Test("accounts are added, removed and changed, and only the differences are reported")
    mutating func accounts() throws {
        let all = try Self.accounts("1m", "1m")
        self.schedules.update([all[0]], at: 0)
        #expect(self.begin(10) == ["a0"])
        let news = [
            self.end(all[0], .done, 10), self.end(all[0], .unreachable, 20), self.end(all[0], .busy, 25),
            self.end(all[0], .unreachable, 30), self.end(all[0], .done, 40), self.end(all[1], .failed, 40),
        ]
        #expect(news == [false, true, false, false, true, false])
        self.schedules.update(all, at: Self.at(40))
        #expect(self.begin(50) == ["a1"])
        self.schedules.update([all[1]], at: Self.at(60))
        #expect(self.begin(1000).isEmpty)
        self.schedules.update([], at: Self.at(60))
        #expect(self.schedules.next == nil)
    }

    @Test("only while a server could not be reached the network is listened to")
    mutating func network() throws {
        let all = try Self.accounts("1h", "1h")
        self.schedules.update(all, at: 0)
        #expect(self.begin(10).count == 2 && !self.schedules.hopesForNetwork)
        _ = self.end(all[0], .unreachable, 11)
        _ = self.end(all[1], .done, 11)
        #expect(self.schedules.hopesForNetwork)
        self.schedules.networkChanged(at: Self.at(100))
        #expect(self.begin(104).isEmpty)
        #expect(self.begin(105) == ["a0"])
        _ = self.end(all[0], .done, 106)
        #expect(!self.schedules.hopesForNetwork)
    }

    @Test("the valid texts of an interval", arguments: [("1m", 60), ("24h", 86400), ("90m", 5400), ("never", nil)])
    func valid(word: String, seconds: Int?) throws { #expect(try #require(SyncInterval(word)).seconds == seconds) }

    @Test(
        "the invalid texts of an interval",
        arguments: ["", "m", "0m", "25h", "1441m", "1d", "-1m", "1.5h", "Never", "٣m", "99999999999999999999h"]
    )
    func invalid(word: String) { #expect(SyncInterval(word) == nil) }
}

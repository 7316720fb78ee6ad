import RemindavBridge
import RemindavStore

/// Each account's schedule, so that no server delays other accounts; times are `WakeSources.uptime` in nanoseconds.
struct AccountSchedules {
    private struct Entry {
        var name: String
        var schedule: SyncSchedule
        var last: SyncSchedule.Outcome?
    }

    /// The seconds between two syncs of an account without an interval of its own; `nil` for no automatic syncs.
    var standard: Int?
    private let random: @Sendable () -> Double
    private var entries: [AccountID: Entry] = [:]

    init(standard: Int?, random: @escaping @Sendable () -> Double) {
        self.standard = standard
        self.random = random
    }

    mutating func update(_ accounts: [AccountRecord], at now: Int64) {
        let gone = Set(self.entries.keys).subtracting(accounts.map(\.id))
        for id in gone { self.entries[id] = nil }
        for account in accounts {
            guard let seconds = self.seconds(account) else {
                self.entries[account.id] = nil
                continue
            }
            guard var entry = self.entries[account.id] else {
                let schedule = SyncSchedule(seconds: seconds, now: now, random: self.random)
                self.entries[account.id] = Entry(name: account.name, schedule: schedule)
                continue
            }
            entry.name = account.name
            entry.schedule.change(seconds: seconds, at: now)
            self.entries[account.id] = entry
        }
    }

    private func seconds(_ account: AccountRecord) -> Int? {
        guard let word = account.settings.syncInterval, let interval = SyncInterval(word) else { return self.standard }
        return interval.seconds
    }

    var next: Int64? { self.entries.values.compactMap(\.schedule.next).min() }
    var hopesForNetwork: Bool { self.entries.values.contains { $0.schedule.isUnreachable } }

    mutating func found(_ unsent: Set<UnsentChange>, at now: Int64) {
        let byAccount = Dictionary(grouping: unsent, by: \.account)
        for id in self.entries.keys { self.entries[id]?.schedule.found(Set(byAccount[id] ?? []), at: now) }
    }

    mutating func networkChanged(at now: Int64) {
        for id in self.entries.keys { self.entries[id]?.schedule.networkChanged(at: now) }
    }

    /// Returns the accounts whose sync is due; from this call on, each of them counts as running.
    mutating func begin(at now: Int64) -> [(id: AccountID, name: String)] {
        var begun: [(id: AccountID, name: String)] = []
        for (id, entry) in self.entries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if self.entries[id]?.schedule.begins(at: now) == true { begun.append((id, entry.name)) }
        }
        return begun
    }

    /// - Parameter unsent: the unsent changes of all accounts; `nil` when they cannot be read.
    /// - Returns: whether the outcome differs from that of the previous sync; the first sync is compared with `done`.
    mutating func ended(
        _ id: AccountID,
        _ outcome: SyncSchedule.Outcome,
        unsent: Set<UnsentChange>?,
        at now: Int64
    ) -> Bool {
        guard var entry = self.entries[id] else { return false }
        entry.schedule.ended(outcome, unsent: unsent.map { $0.filter { $0.account == id } }, at: now)
        defer { self.entries[id] = entry }
        // If another process was syncing, the outcome says nothing about the server.
        guard outcome != .busy else { return false }
        defer { entry.last = outcome }
        return entry.last ?? .done != outcome
    }
}

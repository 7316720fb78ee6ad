/// The limits of the store of a tenant, so that one tenant cannot fill the disk of all.
package struct Quota: Hashable, Sendable {
    /// The standard limit: a hundred times as many reminders as most people have.
    package static let maximumReminders = 50_000
    /// The standard limit of all texts in bytes: 4 KiB for each reminder; most have 1 KiB.
    package static let maximumBytes = 200 << 20
    /// The number of accounts; each costs a worker a run in every interval.
    package static let maximumAccounts = 10
    /// The number of feeds that are not revoked; a program can read each feed at any time.
    package static let maximumFeeds = 50

    /// The maximum number of reminders.
    package let reminders: Int
    /// The maximum size of the texts in bytes, with the texts of the server.
    package let bytes: Int

    /// - Parameters:
    ///   - reminders: `nil` means ``maximumReminders``.
    ///   - bytes: `nil` means ``maximumBytes``.
    package init(reminders: Int? = nil, bytes: Int? = nil) {
        self.reminders = reminders ?? Self.maximumReminders
        self.bytes = bytes ?? Self.maximumBytes
    }

    /// Numbers of a store, or their increase by one write.
    package struct Usage: Hashable, Sendable {
        package var reminders: Int = 0
        package var bytes: Int = 0
        package var accounts: Int = 0
        package var feeds: Int = 0

        package init(reminders: Int = 0, bytes: Int = 0, accounts: Int = 0, feeds: Int = 0) {
            self.reminders = reminders
            self.bytes = bytes
            self.accounts = accounts
            self.feeds = feeds
        }
    }

    /// The reason why a write is refused, in words such as "50000 reminders"; `nil` when it is allowed.
    ///
    /// A write that increases no number beyond its limit is allowed, also if the number is beyond the limit already, so
    /// that removals are always possible.
    /// - Parameters:
    ///   - usage: the numbers after the write.
    ///   - growth: the differences to the numbers before the write; a negative one is a decrease.
    package func excess(_ usage: Usage, after growth: Usage) -> String? {
        let rows: [(used: Int, growth: Int, limit: Int, words: String)] = [
            (usage.reminders, growth.reminders, self.reminders, "\(self.reminders) reminders"),
            (usage.bytes, growth.bytes, self.bytes, "\(self.bytes >> 20) MiB of texts"),
            (usage.accounts, growth.accounts, Self.maximumAccounts, "\(Self.maximumAccounts) accounts"),
            (usage.feeds, growth.feeds, Self.maximumFeeds, "\(Self.maximumFeeds) feeds"),
        ]
        return rows.first { $0.growth > 0 && $0.used > $0.limit }?.words
    }
}

package import RemindavICalendar
import RemindavStore

/// The last syncs of an account and its unsent changes, from the store alone.
package struct AccountState: Hashable, Sendable {
    package let name: String
    /// The end of the last sync that ended; `nil` when the log contains none.
    package let lastSync: Instant?
    /// The end of the last complete sync; `nil` when the log contains none.
    package let lastComplete: Instant?
    /// The code of the error of the last sync; `nil` when it was complete.
    package let error: String?
    /// The number of changes and deletions that wait for a sync; 0 if they were not counted.
    package let unsent: Int
    /// The end of the pause that the server requested; `nil` when no pause is in force.
    package let restsUntil: Instant?
}

extension UseCases {
    /// The states of all accounts, in the order of their names; quick enough for each page.
    ///
    /// - Parameter countsUnsent: whether to count the unsent changes, which takes some milliseconds with 10,000 reminders.
    package func accountStates(countsUnsent: Bool = true) throws -> [AccountState] {
        let now = self.seconds
        return try self.store.read { snapshot throws(DatabaseError) in
            let accounts = try snapshot.accounts()
            guard !accounts.isEmpty else { return [] }
            let unsent = countsUnsent ? try snapshot.changesToSend() : []
            return try accounts.map { account throws(DatabaseError) in
                let last = try snapshot.lastEndedRun(of: account.name)
                let complete = last?.error == nil ? last : try snapshot.lastEndedRun(of: account.name, isComplete: true)
                return AccountState(
                    name: account.name,
                    lastSync: last?.finishedAt.map { Instant(secondsSince1970: $0) },
                    lastComplete: complete?.finishedAt.map { Instant(secondsSince1970: $0) },
                    error: last?.error,
                    unsent: unsent.count { $0.account == account.id },
                    restsUntil: account.notBefore.flatMap { $0 > now ? Instant(secondsSince1970: $0) : nil }
                )
            }
        }
    }
}

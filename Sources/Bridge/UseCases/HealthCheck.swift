import RemindavCalDAV
package import RemindavICalendar
import RemindavSQLiteStore
import RemindavStore

package struct AccountCheck: Sendable {
    package enum Password: Sendable {
        case found
        /// The password is the output of a command, and the check did not run this command.
        case commandNotRun
        /// The password cannot be read.
        case missing(any Error)
    }

    package enum Server: Sendable {
        case notAsked
        /// The server accepts the password.
        case answers
        case fails(any Error)
    }

    package var name: String
    package var password = Password.found
    package var server = Server.notAsked
    /// The end of the pause that the server requested; `nil` when no pause is in force.
    package var restsUntil: Instant?
    /// The start of the last sync; `nil` when the journal contains none.
    package var lastSync: Instant?
    /// Whether a sync, however long ago, has read a list of the account.
    package var wasSynced = false
    /// The number of the account's lists.
    package var lists = 0
    /// The error category of the last sync; `nil` when that sync was complete.
    package var error: String?
    /// The number of local deletions that the last sync did not send.
    package var waitingDeletions = 0
    /// The names of lists in which deletions by the server wait for the user's confirmation.
    package var holdingLists: [String] = []
    /// The number of other unsent changes.
    package var unsent = 0
    /// The number of objects on the server that cannot be read.
    package var unreadable = 0

    package init(name: String) { self.name = name }
}

package struct StoreCheck: Hashable, Sendable {
    /// The number of migrations that the store's schema has had.
    package var format: Int
    package var damage: [String] = []
    /// The number of reminders, including completed ones.
    package var reminders = 0
    package var lists = 0
    package var lost: [String] = []
    package var conflicts = 0
    package var feeds = 0
    /// The start of the last run in the journal; `nil` when the journal is empty.
    package var lastRun: Instant?

    package init(format: Int) { self.format = format }
}

extension UseCases {
    /// The maximum number of damage messages; more would not help the user.
    private static let mostDamage = 5

    /// Checks the whole database without changing it.
    package func checkStore() throws -> StoreCheck {
        try self.store.read { snapshot throws(DatabaseError) in
            var check = StoreCheck(format: try snapshot.schemaVersion())
            check.damage = try snapshot.damage(limit: Self.mostDamage)
            let lists = try snapshot.lists()
            check.lists = lists.count
            check.lost = lists.filter { $0.state == .detached }.map(\.name)
            check.reminders = try snapshot.objectCount()
            check.conflicts = try snapshot.unsettledConflictCount()
            check.feeds = try snapshot.feeds().filter { $0.revokedAt == nil }.count
            check.lastRun = try snapshot.runs(limit: 1).first.map { Instant(secondsSince1970: $0.startedAt) }
            return check
        }
    }

    /// Checks all accounts in the order of their names; `asksServers` permits password commands and list requests.
    package func checkAccounts(asksServers: Bool) async throws -> [AccountCheck] {
        let accounts = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        var checks: [AccountCheck] = []
        for account in accounts {
            var check = try self.kept(about: account)
            let isCommand = [Secrets.Kind.command, .tokenCommand].contains(Secrets.Kind(rawValue: account.secret.kind))
            if isCommand {
                // The request to the server runs the password command.
                if !asksServers { check.password = .commandNotRun }
            } else {
                do { _ = try self.secrets.secret(account.secret) } catch { check.password = .missing(error) }
            }
            if asksServers, case .found = check.password, check.restsUntil == nil {
                check.server = await self.answer(of: account)
            }
            checks.append(check)
        }
        return checks
    }

    private func answer(of account: AccountRecord) async -> AccountCheck.Server {
        do {
            let client = try self.client(for: account)
            for home in account.homes.prefix(1) { _ = try await client.lists(in: home) }
            return .answers
        } catch {
            return .fails(error)
        }
    }

    /// The part of the check that needs only the store.
    func kept(about account: AccountRecord) throws(DatabaseError) -> AccountCheck {
        let now = self.seconds
        return try self.store.read { snapshot throws(DatabaseError) in
            var check = AccountCheck(name: account.name)
            check.restsUntil = account.notBefore.flatMap { $0 > now ? Instant(secondsSince1970: $0) : nil }
            let run = try snapshot.lastRun(of: account.name)
            check.lastSync = run.map { Instant(secondsSince1970: $0.startedAt) }
            check.error = run?.error
            for list in try snapshot.lists() where list.account == account.id && list.state == .synced {
                check.lists += 1
                if list.holdsDeletions { check.holdingLists.append(list.name) }
                guard let state = try snapshot.syncState(of: list.id) else { continue }
                // A deletion before the last sync was held back by that sync or refused by the server.
                check.waitingDeletions += state.tombstones.count { $0.deletedAt < run?.startedAt ?? .min }
                if list.verifiedAt != nil { check.wasSynced = true }
                check.unsent += state.items.count(where: \.isDirty)
                check.unreadable += state.unreadable.count
            }
            return check
        }
    }
}

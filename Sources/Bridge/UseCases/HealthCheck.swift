import CalDAV
package import ICalendar
import SQLiteStore
import Store

/// The health of an account.
package struct AccountCheck: Sendable {
    /// The state of its password.
    package enum Password: Sendable {
        case found
        /// A command provides it, and was not run.
        case commandNotRun
        /// It cannot be read.
        case missing(any Error)
    }

    /// The answer of its server.
    package enum Server: Sendable {
        case notAsked
        /// The server accepts the password.
        case answers
        case fails(any Error)
    }

    package var name: String
    package var password = Password.found
    package var server = Server.notAsked
    /// The time until which its server asked for no requests; `nil` without one, and afterwards.
    package var restsUntil: Instant?
    /// `nil` when the journal has none.
    package var lastSync: Instant?
    /// The error category of that sync; `nil` when it was complete.
    package var error: String?
    /// Deletions here that the last sync has held back.
    package var waitingDeletions = 0
    /// The names of lists in which deletions on the server need the user's confirmation.
    package var holdingLists: [String] = []
    /// Other changes that are not sent yet.
    package var unsent = 0
    /// Files on the server that cannot be read.
    package var unreadable = 0

    package init(name: String) { self.name = name }
}

package struct StoreCheck: Hashable, Sendable {
    /// The number of migrations that its schema has had.
    package var format: Int
    package var damage: [String] = []
    /// All reminders, including completed ones.
    package var reminders = 0
    package var lists = 0
    package var lost: [String] = []
    package var conflicts = 0
    package var feeds = 0
    /// `nil` without one.
    package var lastRun: Instant?

    package init(format: Int) { self.format = format }
}

extension UseCases {
    /// More findings do not help the user.
    private static let mostDamage = 5

    /// Checks the whole store, without a change.
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

    /// Checks all accounts, in the order of their names.
    ///
    /// - Parameter asksServers: whether to run password commands and to ask the servers for their lists.
    package func checkAccounts(asksServers: Bool) async throws -> [AccountCheck] {
        let accounts = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        var checks: [AccountCheck] = []
        for account in accounts {
            var check = try self.kept(about: account)
            let isCommand = [Secrets.Kind.command, .tokenCommand].contains(Secrets.Kind(rawValue: account.secret.kind))
            if isCommand {
                // The request to the server runs it as well.
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

    /// The health of an account, from the store alone.
    func kept(about account: AccountRecord) throws(DatabaseError) -> AccountCheck {
        let now = self.seconds
        return try self.store.read { snapshot throws(DatabaseError) in
            var check = AccountCheck(name: account.name)
            check.restsUntil = account.notBefore.flatMap { $0 > now ? Instant(secondsSince1970: $0) : nil }
            let run = try snapshot.lastRun(of: account.name)
            check.lastSync = run.map { Instant(secondsSince1970: $0.startedAt) }
            check.error = run?.error
            for list in try snapshot.lists() where list.account == account.id && list.state == .synced {
                if list.holdsDeletions { check.holdingLists.append(list.name) }
                guard let state = try snapshot.syncState(of: list.id) else { continue }
                // A later sync has held it back, or the server has refused it.
                check.waitingDeletions += state.tombstones.count { $0.deletedAt < run?.startedAt ?? .min }
                check.unsent += state.items.count(where: \.isDirty)
                check.unreadable += state.unreadable.count
            }
            return check
        }
    }
}

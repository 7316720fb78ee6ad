import CalDAV
package import ICalendar
import SQLiteStore
import Store

/// What can be seen of a store's folder from outside, without opening the database.
package struct StoreFolderCheck: Hashable, Sendable {
    /// The folder, without a slash at the end.
    package var folder: String
    /// Whether there is a database in it.
    package var exists = false
    /// The lower nine bits of the folder's mode; `nil` when there is no folder.
    package var folderMode: UInt32?
    /// Whether this user may write in the folder and to the database.
    package var isWritable = true
    /// The names of files that others may read or write, sorted.
    package var exposed: [String] = []
    /// The size of the database.
    package var databaseBytes = 0
    /// The size of the log beside it, which the next write shortens.
    package var logBytes = 0
    /// The names of logs that were set aside since their database was gone, sorted.
    package var lostLogs: [String] = []
    /// What this user may still write on its disk; `nil` when the system does not say.
    package var freeBytes: Int64?

    /// A folder that is not there.
    package init(folder: String) { self.folder = folder }
}

/// What was found out about an account, for a checkup.
package struct AccountCheck: Sendable {
    /// What was found of its password.
    package enum Password: Sendable {
        /// It is there.
        case found
        /// It comes from a command, which was not run.
        case commandNotRun
        /// It cannot be had.
        case missing(any Error)
    }

    /// What its server said.
    package enum Server: Sendable {
        /// It was not asked.
        case notAsked
        /// It answered, and took the password.
        case answers
        /// It did not.
        case fails(any Error)
    }

    /// Its name.
    package var name: String
    /// What was found of its password.
    package var password = Password.found
    /// What its server said.
    package var server = Server.notAsked
    /// Until when its server wants no request; `nil` when it has not said so, or that is over.
    package var restsUntil: Instant?
    /// When its last sync began; `nil` when the journal has none.
    package var lastSync: Instant?
    /// Why that sync did not do all, in a word; `nil` when it did.
    package var trouble: String?
    /// Deletions here that the last sync, which came after them, has not sent.
    package var waitingDeletions = 0
    /// The names of the lists in which deletions that came from the server wait for the person's word.
    package var holdingLists: [String] = []
    /// Other changes that the server has not got.
    package var unsent = 0
    /// Files on the server that look like reminders and cannot be read.
    package var unreadable = 0

    /// An account of which nothing is known yet.
    package init(name: String) { self.name = name }
}

/// What a look into a store finds.
package struct StoreCheck: Hashable, Sendable {
    /// How many steps its schema has had.
    package var format: Int
    /// What is damaged, in words of SQLite.
    package var damage: [String] = []
    /// Reminders, done ones included.
    package var reminders = 0
    /// Lists.
    package var lists = 0
    /// The names of the lists that their servers have lost.
    package var lost: [String] = []
    /// Conflicts that nobody has seen to.
    package var conflicts = 0
    /// Feeds that are not revoked.
    package var feeds = 0
    /// When the newest run in the journal began; `nil` when there is none.
    package var lastRun: Instant?

    /// A store in which nothing was found yet.
    package init(format: Int) { self.format = format }
}

extension UseCases {
    /// So much of what is damaged tells enough.
    private static let mostDamage = 5

    /// Looks into the store; reads all of it, and changes nothing.
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

    /// Looks at each account, in the order of their names.
    ///
    /// - Parameter asksServers: whether password commands are run and servers asked for their lists; else nothing leaves
    ///   this machine.
    package func checkAccounts(asksServers: Bool) async throws -> [AccountCheck] {
        let accounts = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        var checks: [AccountCheck] = []
        for account in accounts {
            var check = try self.kept(about: account)
            let isCommand = [Secrets.Kind.command, .tokenCommand].contains(Secrets.Kind(rawValue: account.secret.kind))
            if isCommand {
                // When the server is asked, it is run for that, and once is enough.
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

    /// What the store says about an account.
    func kept(about account: AccountRecord) throws(DatabaseError) -> AccountCheck {
        let now = self.seconds
        return try self.store.read { snapshot throws(DatabaseError) in
            var check = AccountCheck(name: account.name)
            check.restsUntil = account.notBefore.flatMap { $0 > now ? Instant(secondsSince1970: $0) : nil }
            let run = try snapshot.lastRun(of: account.name)
            check.lastSync = run.map { Instant(secondsSince1970: $0.startedAt) }
            check.trouble = run?.trouble
            for list in try snapshot.lists() where list.account == account.id && list.state == .synced {
                if list.holdsDeletions { check.holdingLists.append(list.name) }
                guard let state = try snapshot.syncState(of: list.id) else { continue }
                // What a sync that came later has left is held back, or refused by the server.
                check.waitingDeletions += state.tombstones.count { $0.deletedAt < run?.startedAt ?? .min }
                check.unsent += state.items.count(where: \.isDirty)
                check.unreadable += state.unreadable.count
            }
            return check
        }
    }
}

extension UseCases {
    /// What can be seen of a store's folder from outside.
    package static func checkFolder(_ folder: String) -> StoreFolderCheck {
        let facts = StoreFacts(lookingAt: folder)
        var check = StoreFolderCheck(folder: facts.folder)
        check.exists = facts.exists
        check.folderMode = facts.folderMode
        check.isWritable = facts.isWritable
        check.exposed = facts.exposed
        check.databaseBytes = facts.databaseBytes
        check.logBytes = facts.logBytes
        check.lostLogs = facts.lostLogs
        check.freeBytes = facts.freeBytes
        return check
    }
}

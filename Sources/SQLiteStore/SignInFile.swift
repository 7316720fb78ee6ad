import Glibc
package import RemindavStore
import Synchronization

/// The tickets and the signed-in browsers of the web pages, in the file `web.db` in the store's folder.
///
/// The file contains only hashes of tickets and cookies, so a copy of the file permits no sign-in. Several processes
/// may use it at the same time: `remindav web` writes a ticket, and the serving process accepts it.
package final class SignInFile: @unchecked Sendable {
    /// A signed-in browser.
    package struct Browser: Hashable, Sendable {
        /// The number in `web devices`; a file never uses a number again.
        package let id: Int64
        /// The value of User-Agent at the time of the sign-in.
        package let agent: String
        /// The time of the sign-in, in seconds since 1970.
        package let created: Int64
        /// The day of the last request, in seconds since 1970; it is up to a day too early.
        package let lastUsed: Int64
    }

    // The connection is used only while `lock` is held. This makes the class Sendable.
    private let connection: SQLiteConnection
    private let lock = Mutex(())

    private static let formatVersion = 1
    // Times are in seconds since 1970.
    private static let tables = """
        CREATE TABLE ticket (
            hash    BLOB PRIMARY KEY,
            expires INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE device (
            id      INTEGER PRIMARY KEY AUTOINCREMENT,
            hash    BLOB NOT NULL UNIQUE,
            agent   TEXT NOT NULL,
            created INTEGER NOT NULL,
            used    INTEGER NOT NULL
        ) STRICT;
        """
    /// The maximum number of signed-in browsers; a further one replaces the one that was not used for longest.
    private static let maximumBrowsers = 100
    /// `used` is written at most once in this time, so that a request usually writes nothing.
    private static let precision: Int64 = 86400

    /// Opens the file in a store's folder, and creates a missing one.
    ///
    /// A damaged file is renamed and replaced: the only loss is that browsers must sign in again.
    package static func open(folder: String) throws(DatabaseError) -> SignInFile {
        let files = StoreFiles(folder: folder)
        do throws(DatabaseError) {
            return try SignInFile(files)
        } catch {
            guard error.code == .corrupt else { throw error }
            for end in ["", "-wal", "-shm"] { rename(files.signIns + end, "\(files.signIns).damaged\(end)") }
            return try SignInFile(files)
        }
    }

    private init(_ files: StoreFiles) throws(DatabaseError) {
        try files.createFolder()
        if let new = try StoreFiles.openPrivate(files.signIns, flags: O_CREAT | O_EXCL | O_RDWR) { close(new) }
        self.connection = try SQLiteConnection(
            path: files.signIns,
            access: .readWrite,
            busyTimeoutMilliseconds: ReminderStore.standardBusyTimeoutMilliseconds
        )
        let connection = self.connection
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;")
        let version = try connection.schemaVersion()
        guard version <= Self.formatVersion else {
            throw DatabaseError(.newerVersion(found: version, known: Self.formatVersion))
        }
        guard version == 0 else { return }
        try connection.transaction(.write(.survivesPowerLoss)) { () throws(DatabaseError) in
            // Another process may have created the tables since the version was read.
            if try connection.schemaVersion() > 0 { return }
            try connection.execute(Self.tables)
            try connection.execute("PRAGMA user_version = \(Self.formatVersion)")
        }
    }

    // MARK: Tickets

    /// Adds a ticket, and removes the expired ones.
    package func addTicket(_ hash: [UInt8], expires: Int64, now: Int64) throws(DatabaseError) {
        try self.write { connection throws(DatabaseError) in
            try connection.run("DELETE FROM ticket WHERE expires <= ?1", [.integer(now)])
            try connection.run("INSERT INTO ticket (hash, expires) VALUES (?1, ?2)", [.blob(hash), .integer(expires)])
        }
    }

    /// Whether a ticket can still be exchanged; the ticket stays valid.
    package func isValid(ticket: [UInt8], now: Int64) throws(DatabaseError) -> Bool {
        try self.lock.withLock { _ throws(DatabaseError) in
            let sql = "SELECT 1 AS one FROM ticket WHERE hash = ?1 AND expires > ?2"
            return try !self.connection.rows(sql, [.blob(ticket), .integer(now)]) { $0.integer("one") }.isEmpty
        }
    }

    /// Removes a ticket, and adds a browser if the ticket was valid.
    ///
    /// - Returns: whether the ticket was valid.
    package func exchangeTicket(
        _ ticket: [UInt8],
        for cookie: [UInt8],
        agent: String,
        now: Int64
    ) throws(DatabaseError) -> Bool {
        try self.write { connection throws(DatabaseError) in
            let sql = "DELETE FROM ticket WHERE hash = ?1 AND expires > ?2"
            guard try connection.run(sql, [.blob(ticket), .integer(now)]) == 1 else { return false }
            try connection.run(
                "INSERT INTO device (hash, agent, created, used) VALUES (?1, ?2, ?3, ?3)",
                [.blob(cookie), .text(agent), .integer(now)]
            )
            try connection.run(
                "DELETE FROM device WHERE id NOT IN (SELECT id FROM device ORDER BY used DESC, id DESC LIMIT ?1)",
                [.integer(Self.maximumBrowsers)]
            )
            return true
        }
    }

    // MARK: Browsers

    /// Whether a browser with this cookie is signed in; a request extends the sign-in.
    ///
    /// - Parameter validSeconds: the seconds for which a sign-in lasts after the last request.
    package func isSignedIn(_ cookie: [UInt8], now: Int64, validSeconds: Int64) throws(DatabaseError) -> Bool {
        let sql = "SELECT used FROM device WHERE hash = ?1"
        let used = try self.lock.withLock { _ throws(DatabaseError) in
            try self.connection.rows(sql, [.blob(cookie)]) { $0.integer("used") }.first
        }
        guard let used, used + validSeconds > now else { return false }
        if now >= used + Self.precision {
            try self.write { connection throws(DatabaseError) in
                try connection.run("UPDATE device SET used = ?2 WHERE hash = ?1", [.blob(cookie), .integer(now)])
            }
        }
        return true
    }

    /// The number of the browser with this cookie; `nil` for none.
    package func number(of cookie: [UInt8]) throws(DatabaseError) -> Int64? {
        try self.lock.withLock { _ throws(DatabaseError) in
            let sql = "SELECT id FROM device WHERE hash = ?1"
            return try self.connection.rows(sql, [.blob(cookie)]) { $0.integer("id") }.first
        }
    }

    /// The signed-in browsers, ordered by number.
    package func browsers() throws(DatabaseError) -> [Browser] {
        try self.lock.withLock { _ throws(DatabaseError) in
            try self.connection.rows("SELECT id, agent, created, used FROM device ORDER BY id") { row in
                Browser(
                    id: row.integer("id"),
                    agent: row.text("agent"),
                    created: row.integer("created"),
                    lastUsed: row.integer("used")
                )
            }
        }
    }

    /// Signs a browser out; `nil` signs all out.
    ///
    /// - Returns: the number of browsers that were signed out.
    @discardableResult
    package func signOut(_ id: Int64?) throws(DatabaseError) -> Int {
        try self.write { connection throws(DatabaseError) in
            if let id { return try connection.run("DELETE FROM device WHERE id = ?1", [.integer(id)]) }
            return try connection.run("DELETE FROM device", [])
        }
    }

    /// Signs the browser with this cookie out.
    package func signOut(cookie: [UInt8]) throws(DatabaseError) {
        try self.write { connection throws(DatabaseError) in
            try connection.run("DELETE FROM device WHERE hash = ?1", [.blob(cookie)])
        }
    }

    @discardableResult
    private func write<Value>(_ body: (SQLiteConnection) throws(DatabaseError) -> Value) throws(DatabaseError) -> Value
    {
        try self.lock.withLock { _ throws(DatabaseError) in
            try self.connection.transaction(.write(.survivesKill)) { () throws(DatabaseError) in
                try body(self.connection)
            }
        }
    }
}

import Glibc
package import Store
import Synchronization

/// One thing that a daemon has to remember of what it has shown.
package struct DeliveryStateRow: Hashable, Sendable {
    /// What kind of thing, in the caller's words.
    package let kind: String
    /// Which one of that kind.
    package let key: String
    /// What is known of it; `nil` takes the row away.
    package let value: String?

    package init(kind: String, key: String, value: String?) {
        self.kind = kind
        self.key = key
        self.value = value
    }

    /// By which it is one row and no other.
    package struct Name: Hashable, Sendable {
        let kind: String
        let key: String
    }

    /// By which it is one row and no other.
    package var name: Name { Name(kind: self.kind, key: self.key) }
}

/// What a daemon has to remember of what it has shown, in a file beside the store.
///
/// Apart from the reminders, since each write to those wakes the daemon (docs/decisions/0025). For one process at a time,
/// which holds the ``DaemonLock``.
package final class DeliveryStateFile: @unchecked Sendable {
    /// Whether what was there could not be used, and lies beside it under another name.
    package let wasRecreated: Bool
    // Touched only while `lock` is held: that makes this class Sendable.
    private let connection: SQLiteConnection
    private let lock = Mutex(())

    private static let formatVersion = 1
    private static let tables = """
        CREATE TABLE IF NOT EXISTS ring (
            kind  TEXT NOT NULL,
            key   TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (kind, key)
        ) STRICT, WITHOUT ROWID;
        PRAGMA user_version = \(formatVersion);
        """

    /// Opens the file in a store's folder, and makes it when there is none.
    ///
    /// One that is damaged, wherever in it, is put aside: what rings matters more than what has rung.
    ///
    /// - Returns: the file, and everything that is remembered in it, in no order.
    package static func open(folder: String) throws(DatabaseError) -> (
        file: DeliveryStateFile, rows: [DeliveryStateRow]
    ) {
        let files = StoreFiles(folder: folder)
        do throws(DatabaseError) {
            let file = try DeliveryStateFile(files, wasRecreated: false)
            return (file, try file.rows())
        } catch {
            guard error.code == .corrupt else { throw error }
            for end in ["", "-wal", "-shm"] { rename(files.rings + end, "\(files.rings).damaged\(end)") }
            return (try DeliveryStateFile(files, wasRecreated: true), [])
        }
    }

    /// What a daemon remembers of one kind, for who only wants to know: nothing is made or changed, and one that writes
    /// meanwhile is not in the way.
    ///
    /// - Returns: nothing when there is no such file.
    package static func look(folder: String, kind: String) throws(DatabaseError) -> [DeliveryStateRow] {
        let files = StoreFiles(folder: folder)
        guard StoreFiles.size(files.rings).map({ $0 > 0 }) ?? false else { return [] }
        // Without a log there is nothing to agree about with who writes, and SQLite makes no files for that.
        let hasLog = (StoreFiles.size(files.rings + "-wal") ?? 0) > 0
        let connection = try SQLiteConnection(
            path: files.rings,
            access: hasLog ? .readOnly : .immutable,
            busyTimeoutMilliseconds: ReminderStore.glanceMilliseconds
        )
        return try connection.rows("SELECT key, value FROM ring WHERE kind = ?1", [.text(kind)]) { row in
            DeliveryStateRow(kind: kind, key: row.text("key"), value: row.text("value"))
        }
    }

    private init(_ files: StoreFiles, wasRecreated: Bool) throws(DatabaseError) {
        self.wasRecreated = wasRecreated
        try files.createFolder()
        if let new = try StoreFiles.openPrivate(files.rings, flags: O_CREAT | O_EXCL | O_RDWR) { close(new) }
        let timeout = ReminderStore.standardBusyTimeoutMilliseconds
        self.connection = try SQLiteConnection(path: files.rings, access: .readWrite, busyTimeoutMilliseconds: timeout)
        try self.connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        let version = try self.connection.schemaVersion()
        guard version <= Self.formatVersion else {
            throw DatabaseError(.newerVersion(found: version, known: Self.formatVersion))
        }
        // Only once: it writes, which a disk that is full does not take.
        if version == 0 { try self.connection.execute(Self.tables) }
    }

    /// Everything that is remembered, in no order.
    package func rows() throws(DatabaseError) -> [DeliveryStateRow] {
        try self.lock.withLock { _ throws(DatabaseError) in
            try self.connection.rows("SELECT kind, key, value FROM ring") { row in
                DeliveryStateRow(kind: row.text("kind"), key: row.text("key"), value: row.text("value"))
            }
        }
    }

    /// Writes rows, in their order: all of them are on the disk when it returns, or none.
    package func keep(_ rows: [DeliveryStateRow]) throws(DatabaseError) {
        guard !rows.isEmpty else { return }
        try self.lock.withLock { _ throws(DatabaseError) in
            try self.connection.transaction(.write(.survivesPowerLoss)) { () throws(DatabaseError) in
                for row in rows { try self.write(row) }
            }
        }
    }

    private func write(_ row: DeliveryStateRow) throws(DatabaseError) {
        guard let value = row.value else {
            try self.connection.run("DELETE FROM ring WHERE kind = ?1 AND key = ?2", [.text(row.kind), .text(row.key)])
            return
        }
        let sql = "INSERT OR REPLACE INTO ring (kind, key, value) VALUES (?1, ?2, ?3)"
        try self.connection.run(sql, [.text(row.kind), .text(row.key), .text(value)])
    }
}

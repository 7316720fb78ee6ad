import Glibc
import RemindavICalendar
package import RemindavNotifications
import RemindavReminders
package import RemindavStore
import Synchronization

/// The delivery state of the daemon, in the file `delivery.db` in the store's folder.
///
/// The state has its own file, because every write to the store's file would wake the daemon (docs/decisions/0025).
/// Only the process with the ``DaemonLock`` writes to the file.
package final class DeliveryStateFile: @unchecked Sendable {
    package typealias Content = DeliveryTable.Content

    /// Whether the file, or an older version's `rings.db`, was damaged, so that it was renamed and a new file created.
    package let wasRecreated: Bool
    // The connection is used only while `lock` is held. This makes the class Sendable.
    private let connection: SQLiteConnection
    private let lock = Mutex(())

    private static let formatVersion = 1
    // Each kind of row uses some of the columns. Times are in seconds since 1970.
    private static let tables = """
        CREATE TABLE delivery (
            kind       TEXT NOT NULL,
            reminder   INTEGER,
            occurrence TEXT,
            moment     INTEGER,
            until      INTEGER,
            number     INTEGER,
            text       TEXT
        ) STRICT;
        CREATE INDEX delivery_reminder ON delivery (kind, reminder);
        """

    /// Opens the file in a store's folder, and creates a missing file from an older version's `rings.db`.
    ///
    /// A damaged file is renamed and replaced, because new alarms matter more than the record of delivered alarms.
    package static func open(folder: String) throws(DatabaseError) -> (file: DeliveryStateFile, content: Content) {
        let files = StoreFiles(folder: folder)
        do throws(DatabaseError) {
            let file = try DeliveryStateFile(files, wasRecreated: false)
            return (file, try file.content())
        } catch {
            guard error.code == .corrupt else { throw error }
            for end in ["", "-wal", "-shm"] { rename(files.delivery + end, "\(files.delivery).damaged\(end)") }
            return (try DeliveryStateFile(files, wasRecreated: true), Content())
        }
    }

    /// Reads the last recorded failure without changing the file; locks are used only if a write-ahead log has data.
    /// - Returns: `nil` when the file is missing or contains no failure.
    package static func failure(folder: String) throws(DatabaseError) -> DeliveryFailure? {
        let files = StoreFiles(folder: folder)
        let paths = [files.delivery, files.oldDelivery]
        guard let path = paths.first(where: { StoreFiles.size($0) ?? 0 > 0 }) else { return nil }
        // If the write-ahead log is empty, SQLite can read the file without locks and creates no files beside it.
        let hasLog = (StoreFiles.size(path + "-wal") ?? 0) > 0
        let connection = try SQLiteConnection(
            path: path,
            access: hasLog ? .readOnly : .immutable,
            busyTimeoutMilliseconds: ReminderStore.shortBusyTimeoutMilliseconds
        )
        if path == files.oldDelivery { return try OldDeliveryState.content(connection)?.failure }
        return try DeliveryTable(connection).failure()
    }

    private init(_ files: StoreFiles, wasRecreated: Bool) throws(DatabaseError) {
        try files.createFolder()
        if let new = try StoreFiles.openPrivate(files.delivery, flags: O_CREAT | O_EXCL | O_RDWR) { close(new) }
        let timeout = ReminderStore.standardBusyTimeoutMilliseconds
        let connection = try SQLiteConnection(
            path: files.delivery,
            access: .readWrite,
            busyTimeoutMilliseconds: timeout
        )
        self.connection = connection
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        let version = try connection.schemaVersion()
        guard version <= Self.formatVersion else {
            throw DatabaseError(.newerVersion(found: version, known: Self.formatVersion))
        }
        let old = version == 0 && !wasRecreated ? try OldDeliveryState.read(files.oldDelivery) : nil
        self.wasRecreated = wasRecreated || old?.isDamaged ?? false
        // An existing file is not written to, so that the daemon can start on a full disk.
        if version == 0 {
            try connection.transaction(.write(.survivesPowerLoss)) { () throws(DatabaseError) in
                try connection.execute(Self.tables)
                if let content = old?.content { try self.table.insert(content) }
                try connection.execute("PRAGMA user_version = \(Self.formatVersion)")
            }
        }
        // The old file was imported above, or by an earlier run that was killed before this step.
        guard access(files.oldDelivery, F_OK) == 0 else { return }
        for end in ["", "-wal", "-shm"] {
            let path = files.oldDelivery + end
            if old?.isDamaged ?? false { rename(path, "\(files.oldDelivery).damaged\(end)") } else { unlink(path) }
        }
    }

    private var table: DeliveryTable { DeliveryTable(self.connection) }

    private func content() throws(DatabaseError) -> Content {
        try self.lock.withLock { _ throws(DatabaseError) in try self.table.content() }
    }

    /// Writes changes in their order, in one transaction.
    ///
    /// A clicked action is on the disk when the method returns. Other changes survive a kill of the process, but an
    /// alarm does not wait for a busy disk (docs/decisions/0025).
    package func save(_ changes: [DeliveryState.Change]) throws(DatabaseError) {
        guard !changes.isEmpty else { return }
        try self.write(changes.contains(where: \.isClick) ? .survivesPowerLoss : .survivesKill) {
            () throws(DatabaseError) in try self.table.apply(changes)
        }
    }

    /// Records a failure and replaces the former failure.
    package func save(_ failure: DeliveryFailure) throws(DatabaseError) {
        try self.write { () throws(DatabaseError) in try self.table.replaceFailure(failure) }
    }

    package func replace(_ content: Content) throws(DatabaseError) {
        try self.write { () throws(DatabaseError) in
            try self.table.removeAll()
            try self.table.insert(content)
        }
    }

    private func write(
        _ durability: Durability = .survivesPowerLoss,
        _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try self.lock.withLock { _ throws(DatabaseError) in
            try self.connection.transaction(.write(durability), body)
        }
    }
}

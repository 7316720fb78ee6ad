import Glibc
import RemindavCSQLite
import RemindavStore

/// A connection to an SQLite database, for one thread at a time.
///
/// Only this file and SQLiteErrors.swift call SQLite. Text from users and servers reaches a statement only as a bound
/// value.
final class SQLiteConnection: Database {
    enum Access {
        case readWrite
        case readOnly
        /// For reading without locks; SQLite creates no files beside the database, so read-only media are possible.
        case immutable
        /// A new database in memory, which is deleted with the connection.
        case inMemory
    }

    let isPrivate: Bool
    var isRemote: Bool { false }
    private let handle: OpaquePointer
    private var isFlushing = true
    private var hasWritten = false
    private var statements: [String: Statement] = [:]

    /// A prepared statement that is used many times.
    private final class Statement {
        let handle: OpaquePointer
        let row: Row
        var isBusy = true

        init(_ handle: OpaquePointer) {
            self.handle = handle
            self.row = Row(
                names: (0..<sqlite3_column_count(handle)).map { column in
                    sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
                }
            )
        }

        func readRow() {
            self.row.fill { cells in
                var column: Int32 = 0
                for index in cells.indices {
                    switch sqlite3_column_type(self.handle, column) {
                    case SQLITE_INTEGER: cells[index] = .integer(sqlite3_column_int64(self.handle, column))
                    case SQLITE_NULL: cells[index] = .null
                    case SQLITE_BLOB:
                        let start = sqlite3_column_blob(self.handle, column)
                        let size = Int(sqlite3_column_bytes(self.handle, column))
                        let bytes = UnsafeRawBufferPointer(start: start, count: size)
                        cells[index] = .blob(bytes.assumingMemoryBound(to: UInt8.self))
                    default:
                        let start = sqlite3_column_text(self.handle, column)
                        let size = Int(sqlite3_column_bytes(self.handle, column))
                        cells[index] = .text(UnsafeBufferPointer(start: start, count: start == nil ? 0 : size))
                    }
                    column += 1
                }
            }
        }

        deinit { sqlite3_finalize(self.handle) }
    }

    /// - Parameters:
    ///   - path: the path of an existing file; unused for `.inMemory`.
    ///   - busyTimeoutMilliseconds: how long a statement waits for another process.
    init(path: String, access: Access, busyTimeoutMilliseconds: Int32) throws(DatabaseError) {
        let (name, flags) = Self.target(path: path, access: access)
        var opened: OpaquePointer?
        // SQLITE_OPEN_NOMUTEX: only one thread uses the connection at a time, so SQLite needs no mutexes.
        let result = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = opened, result == SQLITE_OK else {
            let error = DatabaseError(sqlite: result, systemError: opened.map { sqlite3_system_errno($0) } ?? 0)
            sqlite3_close_v2(opened)
            throw error
        }
        self.handle = handle
        self.isPrivate = access == .inMemory
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyTimeoutMilliseconds)
        try self.check(csqlite_set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1))
        try self.check(csqlite_set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 1))
        try self.check(csqlite_set_option(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0))
    }

    deinit {
        self.statements = [:]
        sqlite3_close_v2(self.handle)
    }

    // A reader needs most pages only once. A cache of 512 KiB fits into the processor's cache and makes reading a tenth
    // faster than SQLite's default of 2 MiB. Writing uses 16 MiB, which hold the pages of the UID index during an
    // import.
    private static let readingCache = "PRAGMA cache_size = -512"
    private static let writingCache = "PRAGMA cache_size = -16384"

    // Temporary data stay in memory, because reminders must not be written to /tmp. The write-ahead log is copied to
    // the database after 32 MiB, not after SQLite's 4 MiB: a first sync of 10,000 reminders waits for the disk once,
    // not nine times, and a page that several transactions change is written once. Then the log is cut to 8 MiB.
    private static let settings = """
        PRAGMA synchronous = FULL;
        PRAGMA temp_store = MEMORY;
        PRAGMA wal_autocheckpoint = 8192;
        PRAGMA journal_size_limit = 8388608;
        """

    func useStoreSettings() throws(DatabaseError) {
        try self.execute(Self.settings)
        try self.execute(Self.readingCache)
    }

    /// Runs a script of constant SQL statements.
    func execute(_ script: String) throws(DatabaseError) {
        try self.check(sqlite3_exec(self.handle, script, nil, nil, nil))
    }

    @discardableResult
    func run(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int {
        try self.forEach(sql, values) { _ in true }
        return Int(sqlite3_changes(self.handle))
    }

    func send(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) { try self.run(sql, values) }

    func insert(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int64 {
        try self.run(sql, values)
        // The id is the rowid, and there are no triggers. `RETURNING id` makes an import a tenth slower.
        return sqlite3_last_insert_rowid(self.handle)
    }

    func forEach(_ sql: String, _ values: [SQLValue], _ body: (Row) -> Bool) throws(DatabaseError) {
        let statement = try self.reserveStatement(sql)
        defer {
            sqlite3_reset(statement.handle)
            if !values.isEmpty { sqlite3_clear_bindings(statement.handle) }
            statement.isBusy = false
        }
        try self.bind(values, to: statement.handle)
        while true {
            let result = sqlite3_step(statement.handle)
            if result == SQLITE_DONE { return }
            guard result == SQLITE_ROW else { throw self.error(result) }
            statement.readRow()
            guard body(statement.row) else { return }
        }
    }

    func forEachInPortions(_ sql: String, _ body: (Row) -> Bool) throws(DatabaseError) {
        try self.forEach(sql, [], body)
    }

    func begin(_ kind: TransactionKind) throws(DatabaseError) {
        switch kind {
        case .read: try self.run("BEGIN")
        case .write(let durability):
            try self.prepareWriting(durability)
            try self.run("BEGIN IMMEDIATE")
        }
    }

    func commit() throws(DatabaseError) { try self.run("COMMIT") }

    /// Ends the transaction; SQLite may have ended it already, for example on a full disk.
    func rollBack() {
        // The result is ignored, because the caller reports the error that led to the rollback.
        if sqlite3_get_autocommit(self.handle) == 0 { sqlite3_exec(self.handle, "ROLLBACK", nil, nil, nil) }
    }

    private func prepareWriting(_ durability: Durability) throws(DatabaseError) {
        if !self.hasWritten {
            try self.execute(Self.writingCache)
            self.hasWritten = true
        }
        let shouldFlush = durability == .survivesPowerLoss
        guard shouldFlush != self.isFlushing, !self.isPrivate else { return }
        try self.execute(shouldFlush ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        self.isFlushing = shouldFlush
    }

    func contentVersion() throws(DatabaseError) -> ContentVersion {
        ContentVersion(
            others: try self.first("PRAGMA data_version") { $0.integerIfPresent(at: 0) ?? 0 } ?? 0,
            own: sqlite3_total_changes64(self.handle)
        )
    }

    func schemaVersion() throws(DatabaseError) -> Int {
        try self.first("PRAGMA user_version") { Int($0.integerIfPresent(at: 0) ?? 0) } ?? 0
    }

    func removeEverything() throws(DatabaseError) {
        // A table is created after the tables that it references, so the reverse order breaks no reference.
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid DESC"
        for table in try self.rows(sql, [], { $0.text("name") }) { try self.run("DELETE FROM \(table)") }
        try self.run("DELETE FROM sqlite_sequence")
    }

    func nextIDs() throws(DatabaseError) -> [String: Int64] {
        let rows = try self.rows("SELECT name, seq FROM sqlite_sequence") { ($0.text("name"), $0.integer("seq") + 1) }
        return Dictionary(rows) { first, _ in first }
    }

    func reserveIDs(below next: [String: Int64]) throws(DatabaseError) {
        let update = "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1"
        let insert = "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)"
        for (table, number) in next {
            let values: [SQLValue] = [.text(table), .integer(number - 1)]
            if try self.run(update, values) == 0 { try self.run(insert, values) }
        }
    }

    func inMemoryCopy() throws(DatabaseError) -> any Database {
        let copy = try SQLiteConnection(path: "", access: .inMemory, busyTimeoutMilliseconds: 0)
        try self.copy(to: copy)
        try copy.useStoreSettings()
        return copy
    }

    /// Copies the current content to another database, which must be empty.
    func copy(to other: SQLiteConnection) throws(DatabaseError) {
        guard let backup = sqlite3_backup_init(other.handle, "main", self.handle, "main") else {
            throw other.error(sqlite3_extended_errcode(other.handle))
        }
        let result = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard result == SQLITE_DONE else { throw self.error(result) }
    }

    func sleep(milliseconds: Int32) { sqlite3_sleep(milliseconds) }

    private static func target(path: String, access: Access) -> (name: String, flags: Int32) {
        switch access {
        case .readWrite: (path, SQLITE_OPEN_READWRITE)
        case .readOnly: (path, SQLITE_OPEN_READONLY)
        case .immutable: ("file:\(Self.escapedForURI(path))?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        case .inMemory: (":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        }
    }

    private static func escapedForURI(_ path: String) -> String {
        var escaped = ""
        for character in path.unicodeScalars {
            switch character {
            case "%": escaped += "%25"
            case "?": escaped += "%3F"
            case "#": escaped += "%23"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    private func reserveStatement(_ sql: String) throws(DatabaseError) -> Statement {
        let known = self.statements[sql]
        if let known, !known.isBusy {
            known.isBusy = true
            return known
        }
        var prepared: OpaquePointer?
        try self.check(sqlite3_prepare_v3(self.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
        guard let handle = prepared else { throw DatabaseError(.other, detail: SQLITE_MISUSE) }
        #if DEBUG
        StatementLog.append(sql)
        #endif
        let statement = Statement(handle)
        // If the known statement is in use, because the body of `forEach` runs the same SQL, the new one is not stored.
        if known == nil { self.statements[sql] = statement }
        return statement
    }

    private func bind(_ values: [SQLValue], to statement: OpaquePointer) throws(DatabaseError) {
        var index: Int32 = 0
        for value in values {
            index += 1
            switch value {
            case .null: try self.check(sqlite3_bind_null(statement, index))
            case .integer(let number): try self.check(sqlite3_bind_int64(statement, index, number))
            case .text(var text):
                let result = text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { characters in
                        csqlite_bind_text(statement, index, characters.baseAddress, UInt64(characters.count))
                    }
                }
                try self.check(result)
            case .blob(let bytes):
                let result = bytes.withUnsafeBytes { buffer in
                    csqlite_bind_blob(statement, index, buffer.baseAddress, UInt64(buffer.count))
                }
                try self.check(result)
            }
        }
    }

    private func check(_ result: Int32) throws(DatabaseError) {
        guard result == SQLITE_OK else { throw self.error(result) }
    }

    private func error(_ result: Int32) -> DatabaseError {
        DatabaseError(sqlite: result, systemError: sqlite3_system_errno(self.handle))
    }
}

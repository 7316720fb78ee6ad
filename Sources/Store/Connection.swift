import CSQLite

/// A value on its way into a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func integer(_ number: Int64?) -> Self { number.map { .integer($0) } ?? .null }
    static func integer(_ number: Int) -> Self { .integer(Int64(number)) }
    static func text(_ text: String?) -> Self { text.map { .text($0) } ?? .null }
    static func blob(_ bytes: [UInt8]?) -> Self { bytes.map { .blob($0) } ?? .null }
    static func flag(_ flag: Bool) -> Self { .integer(flag ? 1 : 0) }
}

/// One row of an answer, valid only while it is handed out; columns count from 0.
struct Row {
    fileprivate let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(self.statement, column) == SQLITE_NULL }

    /// The integer of a column, between ``largest`` and its negative: a damaged database may hold any.
    func integer(_ column: Int32) -> Int64 {
        min(max(sqlite3_column_int64(self.statement, column), -Self.largest), Self.largest)
    }

    /// The largest integer that is read: times, numbers of rows and counts may be added, and days multiplied by the
    /// seconds of a day, without an overflow.
    ///
    /// As seconds it is two million years.
    static let largest: Int64 = 1 << 46

    func integerIfPresent(_ column: Int32) -> Int64? { self.isNull(column) ? nil : self.integer(column) }

    func number(_ column: Int32) -> Int { Int(self.integer(column)) }

    func flag(_ column: Int32) -> Bool { self.integer(column) != 0 }

    /// The text of a column, empty when it is NULL.
    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(self.statement, column) else { return "" }
        let size = Int(sqlite3_column_bytes(self.statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: size), as: UTF8.self)
    }

    func textIfPresent(_ column: Int32) -> String? { self.isNull(column) ? nil : self.text(column) }

    /// The bytes of a column, none when it is NULL.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(self.statement, column) else { return [] }
        let size = Int(sqlite3_column_bytes(self.statement, column))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: size))
    }

    /// Looks at the bytes of a column where the database has them; none when it is NULL.
    func withBytes<Value>(_ column: Int32, _ look: (Span<UInt8>) -> Value) -> Value {
        let start = sqlite3_column_blob(self.statement, column)
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(self.statement, column)))
        return bytes.withMemoryRebound(to: UInt8.self) { look($0.span) }
    }

    func bytesIfPresent(_ column: Int32) -> [UInt8]? { self.isNull(column) ? nil : self.bytes(column) }
}

/// A connection, for one thread at a time.
///
/// Every C pointer of SQLite lives in this file. Text from outside reaches a statement only as a bound value.
final class Connection {
    /// What a connection may do with its file.
    enum Access {
        case readWrite
        case readOnly
        /// For media that cannot be written at all: no locks and no files beside the database.
        case immutable
        /// A database of its own, gone with the connection.
        case inMemory
    }

    /// How a transaction begins.
    enum TransactionKind: String {
        /// One view of the data for several statements.
        case read = "BEGIN"
        /// Takes the write lock at once, so that a transaction never fails halfway because another process wrote.
        case write = "BEGIN IMMEDIATE"
    }

    private let handle: OpaquePointer
    /// The statements that were prepared, by their text.
    private var statements: [String: Statement] = [:]

    /// A statement, made once and used many times.
    private final class Statement {
        let handle: OpaquePointer
        /// Whether it is running.
        var isBusy = true

        init(_ handle: OpaquePointer) { self.handle = handle }

        deinit { sqlite3_finalize(self.handle) }
    }

    /// - Parameters:
    ///   - path: of a file that exists; not looked at for `.inMemory`.
    ///   - busyTimeoutMilliseconds: how long a statement waits for another process before it gives up.
    init(path: String, access: Access, busyTimeoutMilliseconds: Int32) throws(DatabaseError) {
        let (name, flags) = Self.target(path: path, access: access)
        var opened: OpaquePointer?
        // NOMUTEX: one thread at a time is the promise above, so SQLite need not lock as well.
        let result = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = opened, result == SQLITE_OK else {
            let error = DatabaseError(sqlite: result, systemError: opened.map { sqlite3_system_errno($0) } ?? 0)
            sqlite3_close_v2(opened)
            throw error
        }
        self.handle = handle
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

    /// The key that the last INSERT gave its row.
    var lastInsertedID: Int64 { sqlite3_last_insert_rowid(self.handle) }

    /// Runs a script of our own: several statements, no values.
    func execute(_ script: String) throws(DatabaseError) {
        try self.check(sqlite3_exec(self.handle, script, nil, nil, nil))
    }

    /// Runs one statement.
    ///
    /// - Returns: how many rows an INSERT, UPDATE or DELETE touched.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int {
        try self.forEach(sql, values) { _ in true }
        return Int(sqlite3_changes(self.handle))
    }

    /// All rows of an answer.
    func rows<Value>(
        _ sql: String,
        _ values: [SQLValue] = [],
        _ read: (Row) -> Value
    ) throws(DatabaseError) -> [Value] {
        var result: [Value] = []
        try self.forEach(sql, values) { row in
            result.append(read(row))
            return true
        }
        return result
    }

    /// The first row of an answer, `nil` when there is none.
    func first<Value>(
        _ sql: String,
        _ values: [SQLValue] = [],
        _ read: (Row) -> Value
    ) throws(DatabaseError) -> Value? {
        var result: Value?
        try self.forEach(sql, values) { row in
            result = read(row)
            return false
        }
        return result
    }

    /// Hands out the rows of an answer one by one, until `body` returns `false`.
    func forEach(_ sql: String, _ values: [SQLValue] = [], _ body: (Row) -> Bool) throws(DatabaseError) {
        let statement = try self.takeStatement(sql)
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
            guard body(Row(statement: statement.handle)) else { return }
        }
    }

    /// Runs `body` in a transaction, which is rolled back when `body` throws or `keep` is false at the end.
    func transaction<Value>(
        _ kind: TransactionKind,
        keep: () -> Bool = { true },
        _ body: () throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        try self.run(kind.rawValue)
        do throws(DatabaseError) {
            let value = try body()
            if keep() { try self.run("COMMIT") } else { self.rollBack() }
            return value
        } catch {
            self.rollBack()
            throw error
        }
    }

    /// Ends the transaction, unless SQLite has done so by itself, as it does when the disk is full.
    private func rollBack() {
        // The error that led here is the one to tell, so that what this answers is not looked at.
        if sqlite3_get_autocommit(self.handle) == 0 { sqlite3_exec(self.handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Copies this database, as it is now, over another one that is empty.
    func copy(to other: Connection) throws(DatabaseError) {
        guard let backup = sqlite3_backup_init(other.handle, "main", self.handle, "main") else {
            throw other.error(sqlite3_extended_errcode(other.handle))
        }
        let result = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard result == SQLITE_DONE else { throw self.error(result) }
    }

    /// Waits without doing anything.
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

    private func takeStatement(_ sql: String) throws(DatabaseError) -> Statement {
        let known = self.statements[sql]
        if let known, !known.isBusy {
            known.isBusy = true
            return known
        }
        var prepared: OpaquePointer?
        try self.check(sqlite3_prepare_v3(self.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
        guard let handle = prepared else { throw DatabaseError(.other, detail: SQLITE_MISUSE) }
        let statement = Statement(handle)
        // One that runs inside itself is prepared twice; one of the two is enough to keep.
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

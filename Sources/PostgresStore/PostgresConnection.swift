import Glibc
import RemindavCPostgres
import RemindavStore

/// A connection to PostgreSQL, for one thread at a time.
///
/// Only this file calls libpq. Text from users and servers reaches a statement only as a bound value.
final class PostgresConnection {
    private let library: RemindavPostgresLibrary
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    /// The number of statements whose answers have not been read; they are in the pipeline.
    private var unread = 0
    /// The number of statements that have run.
    private var executions = 0
    /// The number of statements at which all plans are made again.
    private var nextPlanning = PostgresConnection.firstPlanning
    /// How often the client has waited for answers of the server; tests compare it with limits.
    private(set) var roundTrips = 0
    /// Whether the connection failed, so that it cannot be used again.
    private(set) var isBroken = false

    /// The oldest version that works, as PQserverVersion returns it: PostgreSQL 15.
    static let oldestVersion: Int32 = 150_000
    /// The number of unread answers after which they are read; each has about 20 bytes, so that the server never waits.
    private static let unreadAtOnce = 500
    /// The number of rows that a cursor reads at once: the texts of 500 reminders have about 0.5 MB.
    private static let portionRows = 500
    /// The time for an answer in seconds; without long statements, the server itself ends a statement after 30 s.
    private var answerSeconds = 45.0
    /// The seconds for an answer to a statement that changes all rows of a large host.
    private static let longAnswerSeconds = 86_400.0

    /// The server plans a statement once, and a plan for an almost empty table is bad for a large one.
    ///
    /// So all plans are made again after 64, 128, 256 … statements, and later at regular intervals.
    private static let firstPlanning = 64
    private static let planningInterval = 1 << 14

    /// A prepared statement with the types of its parameters and columns.
    private struct Statement {
        let name: String
        let parameters: [UInt32]
        let columns: [UInt32]
        let names: [String]
    }

    /// OIDs of types (pg_type.dat).
    private enum TypeID {
        static let boolean: UInt32 = 16
        static let bytes: UInt32 = 17
        static let integer8: UInt32 = 20
        static let integer2: UInt32 = 21
        static let integer4: UInt32 = 23
    }

    /// Settings of each connection; those of the caller come first, so that these take precedence.
    private static let settings: [(String, String)] = [
        ("client_encoding", "UTF8"), ("application_name", "remindav"), ("connect_timeout", "10"),
        // A dead network is noticed within this time, in milliseconds.
        ("tcp_user_timeout", "30000"),
        (
            "options",
            "-c statement_timeout=30s -c lock_timeout=5s -c idle_in_transaction_session_timeout=60s"
                // Each index begins with the tenant, so an index is always better than a scan of all tenants. For a small
                // table, a bitmap of all rows of the tenant would seem as good as a key.
                + " -c enable_seqscan=off -c enable_bitmapscan=off -c plan_cache_mode=force_generic_plan"
        ),
    ]

    /// - Throws: ``DatabaseError/Code/unavailable`` when the server cannot be reached,
    ///   ``DatabaseError/Code/unsuitable`` when it has an older version, and the codes of
    ///   ``DatabaseError/init(failedConnection:)``.
    init(to place: DatabasePlace) throws(DatabaseError) {
        guard let library = PostgresLibrary.functions else {
            throw DatabaseError(.libraryMissing, detail: 0, reason: "libpq 14 or newer (libpq.so.5)")
        }
        let handle = Self.connect(place, library)
        guard let handle else { throw DatabaseError(.unavailable) }
        let version = library.pointee.serverVersion(handle)
        guard library.pointee.status(handle) == REMINDAV_PG_CONNECTION_OK, version >= Self.oldestVersion else {
            let reason = library.pointee.errorMessage(handle).map { String(cString: $0) } ?? ""
            library.pointee.finish(handle)
            guard version <= 0 || version >= Self.oldestVersion else {
                throw DatabaseError(.unsuitable, detail: 0, reason: "PostgreSQL 15 or newer is required")
            }
            throw DatabaseError(failedConnection: reason)
        }
        _ = library.pointee.setNoticeReceiver(handle, { _, _ in }, nil)
        self.library = library
        self.handle = handle
    }

    deinit { self.library.pointee.finish(self.handle) }

    private static func connect(_ place: DatabasePlace, _ library: RemindavPostgresLibrary) -> OpaquePointer? {
        let role = place.role.map { [("user", $0)] } ?? []
        let pairs = [("dbname", place.text)] + role + self.settings
        let keys = pairs.map { strdup($0.0) }
        let values = pairs.map { strdup($0.1) }
        defer { for text in keys + values { free(text) } }
        let keyList = keys.map { $0.map { UnsafePointer($0) } } + [nil]
        let valueList = values.map { $0.map { UnsafePointer($0) } } + [nil]
        return library.pointee.connectdbParams(keyList, valueList, 1)
    }

    /// Allows statements that take hours, such as a change of all rows of a large host.
    ///
    /// The limit of the wait for a lock stays the same.
    func allowLongStatements() throws(DatabaseError) {
        _ = try self.runScript("SET statement_timeout = 0")
        self.answerSeconds = Self.longAnswerSeconds
    }

    /// Whether the server has closed the unused connection, or has sent something unexpected.
    var wasEnded: Bool {
        var place = pollfd(fd: self.library.pointee.socket(self.handle), events: Int16(POLLIN), revents: 0)
        return poll(&place, 1, 0) != 0
    }

    /// Whether a statement of the current transaction has failed; the server then answers COMMIT with a rollback.
    var hasFailedTransaction: Bool {
        self.library.pointee.transactionStatus(self.handle) == REMINDAV_PG_IN_ERROR
    }

    // MARK: Scripts

    /// The rows of one statement of a script, as texts; `nil` is NULL.
    typealias TextRows = [[String?]]

    /// Runs constant statements that are separated by semicolons, in one round trip.
    ///
    /// - Returns: the rows of each statement.
    func runScript(_ script: String) throws(DatabaseError) -> [TextRows] {
        try self.finishPipeline()
        guard self.library.pointee.sendQuery(self.handle, script) != 0 else { throw self.connectionFailed() }
        self.roundTrips += 1
        var answers: [TextRows] = []
        var failure: DatabaseError?
        while let result = try self.nextResult() {
            defer { self.library.pointee.clear(result) }
            if let error = self.error(of: result) {
                failure = failure ?? error
            } else {
                answers.append(self.texts(result))
            }
        }
        if let failure { throw failure }
        return answers
    }

    private func texts(_ result: OpaquePointer) -> TextRows {
        let columns = self.library.pointee.nfields(result)
        return (0..<self.library.pointee.ntuples(result)).map { row in
            (0..<columns).map { column in
                self.library.pointee.getisnull(result, row, column) != 0
                    ? nil : String(cString: self.library.pointee.getvalue(result, row, column))
            }
        }
    }

    /// Discards the current transaction, if there is one.
    ///
    /// The caller reports the error that led to this. If the rollback fails too, the connection is broken, and the
    /// server discards the transaction itself.
    func rollBack() {
        _ = try? self.finishPipeline()
        if !self.isBroken { _ = try? self.runScript("ROLLBACK") }
    }

    // MARK: Statements

    /// Runs a statement, and returns the number of changed rows.
    func run(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int {
        let result = try self.execute(self.prepared(sql), values)
        defer { self.library.pointee.clear(result) }
        return Int(String(cString: self.library.pointee.cmdTuples(result))) ?? 0
    }

    /// Sends a statement without waiting for its answer; an error is thrown by a later call.
    func send(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) {
        let statement = try self.prepared(sql)
        if self.unread >= Self.unreadAtOnce { try self.readPipeline() }
        if self.unread == 0 {
            guard self.library.pointee.enterPipelineMode(self.handle) != 0 else { throw self.connectionFailed() }
        }
        self.unread += 1
        try self.send(statement, values)
    }

    /// Calls `body` with each row, until `body` returns `false`.
    func forEach(_ sql: String, _ values: [SQLValue], _ body: (Row) -> Bool) throws(DatabaseError) {
        let statement = try self.prepared(sql)
        _ = try self.forEach(statement, values, Row(names: statement.names), body)
    }

    /// Calls `body` with each row of a query without values, until `body` returns `false`; for a transaction.
    ///
    /// libpq keeps a whole answer in memory, so a cursor of the server reads a portion of the rows at a time.
    func forEachInPortions(_ sql: String, _ body: (Row) -> Bool) throws(DatabaseError) {
        _ = try self.runScript("DECLARE portions NO SCROLL CURSOR FOR \(sql)")
        // The columns of the cursor differ from query to query, so the statement is not kept.
        let fetch = try self.prepare("FETCH \(Self.portionRows) FROM portions", named: "")
        let row = Row(names: fetch.names)
        while try self.forEach(fetch, [], row, body) == Self.portionRows {}
        _ = try self.runScript("CLOSE portions")
    }

    /// Calls `body` with each row of an answer, until `body` returns `false`; returns the number of calls that
    /// returned `true`.
    private func forEach(
        _ statement: Statement,
        _ values: [SQLValue],
        _ row: Row,
        _ body: (Row) -> Bool
    ) throws(DatabaseError) -> Int {
        let result = try self.execute(statement, values)
        defer { self.library.pointee.clear(result) }
        let count = self.library.pointee.ntuples(result)
        for number in 0..<count {
            let decoded = DecodedTexts()
            row.fill { cells in
                for index in cells.indices {
                    cells[index] = self.cell(result, number, Int32(index), statement.columns[index], decoded)
                }
            }
            let continues = withExtendedLifetime(decoded) { body(row) }
            guard continues else { return Int(number) }
        }
        return Int(count)
    }

    /// The texts of a row that differ from the stored texts.
    private final class DecodedTexts {
        private var buffers: [UnsafeMutableBufferPointer<UInt8>] = []

        func keep(_ bytes: [UInt8]) -> UnsafeBufferPointer<UInt8> {
            let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = buffer.initialize(from: bytes)
            self.buffers.append(buffer)
            return UnsafeBufferPointer(buffer)
        }

        deinit { for buffer in self.buffers { buffer.deallocate() } }
    }

    private func cell(
        _ result: OpaquePointer,
        _ row: Int32,
        _ column: Int32,
        _ type: UInt32,
        _ decoded: DecodedTexts
    ) -> Cell {
        guard self.library.pointee.getisnull(result, row, column) == 0 else { return .null }
        let bytes = UnsafeRawBufferPointer(
            start: self.library.pointee.getvalue(result, row, column),
            count: Int(self.library.pointee.getlength(result, row, column))
        )
        switch type {
        case TypeID.boolean, TypeID.integer2, TypeID.integer4, TypeID.integer8:
            // The sign of the first byte extends to the whole number.
            let start: Int64 = type != TypeID.boolean && (bytes.first ?? 0) & 0x80 != 0 ? -1 : 0
            return .integer(bytes.reduce(start) { $0 << 8 | Int64($1) })
        case TypeID.bytes: return .blob(bytes.assumingMemoryBound(to: UInt8.self))
        default:
            let text = bytes.assumingMemoryBound(to: UInt8.self)
            return .text(TextCoding.decoded(text).map { decoded.keep($0) } ?? text)
        }
    }

    private func prepared(_ sql: String) throws(DatabaseError) -> Statement {
        try self.renewPlans()
        if let statement = self.statements[sql] { return statement }
        let statement = try self.prepare(sql, named: "s\(self.statements.count)")
        self.statements[sql] = statement
        return statement
    }

    private func prepare(_ sql: String, named name: String) throws(DatabaseError) -> Statement {
        try self.finishPipeline()
        // The statements of the store number their parameters in SQLite's way: ?1.
        let text = sql.replacing("?", with: "$")
        guard self.library.pointee.sendPrepare(self.handle, name, text, 0, nil) != 0 else {
            throw self.connectionFailed()
        }
        self.library.pointee.clear(try self.onlyResult())
        guard self.library.pointee.sendDescribePrepared(self.handle, name) != 0 else { throw self.connectionFailed() }
        let result = try self.onlyResult()
        defer { self.library.pointee.clear(result) }
        let columns = 0..<self.library.pointee.nfields(result)
        return Statement(
            name: name,
            parameters: (0..<self.library.pointee.nparams(result)).map { self.library.pointee.paramtype(result, $0) },
            columns: columns.map { self.library.pointee.ftype(result, $0) },
            names: columns.map { self.library.pointee.fname(result, $0).map { String(cString: $0) } ?? "" }
        )
    }

    /// Counts a statement, and lets the server make all plans again if it is time.
    private func renewPlans() throws(DatabaseError) {
        self.executions += 1
        // In a failed transaction, the server accepts only its end.
        guard self.executions >= self.nextPlanning, !self.hasFailedTransaction else { return }
        self.nextPlanning = self.executions + min(self.executions, Self.planningInterval)
        _ = try self.runScript("DISCARD PLANS")
    }

    private func execute(_ statement: Statement, _ values: [SQLValue]) throws(DatabaseError) -> OpaquePointer {
        try self.finishPipeline()
        try self.send(statement, values)
        return try self.onlyResult()
    }

    private func send(_ statement: Statement, _ values: [SQLValue]) throws(DatabaseError) {
        guard values.count == statement.parameters.count else { throw DatabaseError(.other) }
        let count = Int32(values.count)
        var bytes: [UInt8] = []
        var ranges: [Range<Int>?] = []
        for (value, type) in zip(values, statement.parameters) {
            let start = bytes.count
            let isNull = Self.append(value, type, to: &bytes)
            ranges.append(isNull ? nil : start..<bytes.count)
        }
        // An empty value needs an address too, because no address means NULL.
        bytes.append(0)
        let formats = [Int32](repeating: 1, count: values.count)
        let lengths = ranges.map { Int32($0?.count ?? 0) }
        let isSent = bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let places = ranges.map { range in range.flatMap { start?.advanced(by: $0.lowerBound) } }
            return self.library.pointee.sendQueryPrepared(
                self.handle,
                statement.name,
                count,
                places,
                lengths,
                formats,
                1
            )
        }
        guard isSent != 0 else { throw self.connectionFailed() }
    }

    /// Appends a value in the binary format of a type; returns whether the value is NULL.
    private static func append(_ value: SQLValue, _ type: UInt32, to bytes: inout [UInt8]) -> Bool {
        switch value {
        case .null: return true
        case .integer(let number):
            let size =
                switch type {
                case TypeID.boolean: 1
                case TypeID.integer2: 2
                case TypeID.integer4: 4
                default: 8
                }
            for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        case .text(var text):
            text.withUTF8 { buffer in
                if let encoded = TextCoding.encoded(buffer) { bytes += encoded } else { bytes += buffer }
            }
        case .blob(let blob): bytes += blob
        }
        return false
    }

    // MARK: Answers

    /// Reads the answers of all sent statements, and throws the first error.
    func finishPipeline() throws(DatabaseError) {
        if self.unread > 0 { try self.readPipeline() }
    }

    private func readPipeline() throws(DatabaseError) {
        guard self.library.pointee.pipelineSync(self.handle) != 0 else { throw self.connectionFailed() }
        self.roundTrips += 1
        var failure: DatabaseError?
        // Each statement has one answer and then a null pointer; the answer of the synchronization comes last.
        while true {
            guard let result = try self.nextResult() else {
                guard self.library.pointee.status(self.handle) == REMINDAV_PG_CONNECTION_OK else {
                    throw self.connectionFailed()
                }
                continue
            }
            let status = self.library.pointee.resultStatus(result)
            if failure == nil { failure = self.error(of: result) }
            self.library.pointee.clear(result)
            if status == REMINDAV_PG_PIPELINE_SYNC { break }
        }
        self.unread = 0
        guard self.library.pointee.exitPipelineMode(self.handle) != 0 else { throw self.connectionFailed() }
        if let failure { throw failure }
    }

    /// The only answer of a statement.
    private func onlyResult() throws(DatabaseError) -> OpaquePointer {
        self.roundTrips += 1
        guard let result = try self.nextResult() else { throw self.connectionFailed() }
        let error = self.error(of: result)
        while let more = try self.nextResult() { self.library.pointee.clear(more) }
        if let error {
            self.library.pointee.clear(result)
            throw error
        }
        return result
    }

    /// The next answer; `nil` after the last answer of a statement.
    private func nextResult() throws(DatabaseError) -> OpaquePointer? {
        let end = ContinuousClock.now.advanced(by: .seconds(self.answerSeconds))
        while self.library.pointee.isBusy(self.handle) != 0 {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { throw self.connectionFailed() }
            var place = pollfd(fd: self.library.pointee.socket(self.handle), events: Int16(POLLIN), revents: 0)
            _ = poll(&place, 1, Int32(left.components.seconds) * 1000 + 1)
            guard self.library.pointee.consumeInput(self.handle) != 0 else { throw self.connectionFailed() }
        }
        return self.library.pointee.getResult(self.handle)
    }

    private func error(of result: OpaquePointer) -> DatabaseError? {
        switch self.library.pointee.resultStatus(result) {
        case Int32(REMINDAV_PG_COMMAND_OK), Int32(REMINDAV_PG_TUPLES_OK), Int32(REMINDAV_PG_PIPELINE_SYNC),
            Int32(REMINDAV_PG_EMPTY_QUERY):
            return nil
        case Int32(REMINDAV_PG_PIPELINE_ABORTED): return DatabaseError(.other)
        default:
            let state = self.library.pointee.resultErrorField(result, Int32(REMINDAV_PG_SQLSTATE))
            guard let state else { return self.connectionFailed() }
            let error = DatabaseError(sqlState: String(cString: state))
            if error.code == .unavailable { self.isBroken = true }
            return error
        }
    }

    private func connectionFailed() -> DatabaseError {
        self.isBroken = true
        return DatabaseError(sqlState: nil)
    }
}

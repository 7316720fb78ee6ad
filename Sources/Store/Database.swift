/// A database that runs SQL statements.
///
/// Every database engine receives the same SQL text. Only one thread at a time may use a database.
package protocol Database: AnyObject {
    /// Whether no other connection can read or write this database.
    var isPrivate: Bool { get }

    /// Whether each answer takes a round trip to a server.
    var isRemote: Bool { get }

    /// Calls `body` with each row of the result, until `body` returns `false`.
    func forEach(_ sql: String, _ values: [SQLValue], _ body: (Row) -> Bool) throws(DatabaseError)

    /// Calls `body` with each row of a query without values, until `body` returns `false`.
    ///
    /// The memory does not depend on the number of rows. `body` must not use this database.
    func forEachInPortions(_ sql: String, _ body: (Row) -> Bool) throws(DatabaseError)

    /// - Returns: the number of rows that an INSERT, UPDATE or DELETE changed.
    func run(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int

    /// Runs an INSERT, UPDATE or DELETE without returning a number of rows.
    ///
    /// A server need not have run the statement when the method returns; a later statement or the commit then throws
    /// its error.
    func send(_ sql: String, _ values: [SQLValue]) throws(DatabaseError)

    /// Runs an INSERT of one row, in which `?1` is the id; if `?1` is NULL, the database chooses an unused id.
    ///
    /// - Returns: the id of the row.
    func insert(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int64

    /// Begins a transaction; until the transaction ends, reads do not see the commits of other connections.
    func begin(_ kind: TransactionKind) throws(DatabaseError)

    func commit() throws(DatabaseError)

    /// Discards the changes of the current transaction; without a transaction, the method does nothing.
    func rollBack()

    func contentVersion() throws(DatabaseError) -> ContentVersion

    /// The number of migrations that this database has run.
    func schemaVersion() throws(DatabaseError) -> Int

    /// Examines the whole database; returns up to `limit` sentences about damage, without texts of users.
    func damage(limit: Int) throws(DatabaseError) -> [String]

    /// Deletes every row and restarts the numbering of ids.
    func removeEverything() throws(DatabaseError)

    /// The next unused id of each table with ``insert(_:_:)``.
    func nextIDs() throws(DatabaseError) -> [String: Int64]

    /// Makes ``insert(_:_:)`` use no id below these ones.
    func reserveIDs(below next: [String: Int64]) throws(DatabaseError)

    func inMemoryCopy() throws(DatabaseError) -> any Database
}

package enum TransactionKind: Hashable, Sendable {
    case read
    /// No other process can write until this transaction ends, so no concurrent write can make the transaction fail.
    case write(Durability)
}

/// Identifies the content of an open store: equal versions mean equal content.
package struct ContentVersion: Hashable, Sendable {
    /// A number that changes with every commit of another connection.
    package let others: Int64
    /// The number of rows that this connection has changed since it was opened.
    package let own: Int64

    package init(others: Int64, own: Int64) {
        self.others = others
        self.own = own
    }
}

package enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package static func integer(_ number: Int64?) -> Self { number.map { .integer($0) } ?? .null }
    package static func integer(_ number: Int) -> Self { .integer(Int64(number)) }
    package static func text(_ text: String?) -> Self { text.map { .text($0) } ?? .null }
    package static func blob(_ bytes: [UInt8]?) -> Self { bytes.map { .blob($0) } ?? .null }
    package static func flag(_ flag: Bool) -> Self { .integer(flag ? 1 : 0) }
}

extension Database {
    func forEach(_ sql: String, _ body: (Row) -> Bool) throws(DatabaseError) { try self.forEach(sql, [], body) }

    package func send(_ sql: String) throws(DatabaseError) { try self.send(sql, []) }

    package func rows<Value>(
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

    package func first<Value>(
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

    /// Runs a statement that must change exactly one row.
    /// - Throws: ``DatabaseError/Code/notFound`` when the statement changes no row or several rows.
    func changeOne(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) {
        guard try self.run(sql, values) == 1 else { throw DatabaseError(.notFound) }
    }

    /// Returns the first column of the first row; `nil` means NULL or no row.
    func integer(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int64? {
        try self.first(sql, values) { $0.integerIfPresent(at: 0) } ?? nil
    }

    func count(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int {
        Int(try self.integer(sql, values) ?? 0)
    }

    /// Whether a statement of the form `SELECT 1 …` yields a row.
    func exists(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Bool {
        try self.first("\(sql) LIMIT 1", values) { _ in true } ?? false
    }

    /// Runs `body` in a transaction; the transaction is rolled back if `body` throws or if `keep` then returns `false`.
    package func transaction<Value>(
        _ kind: TransactionKind,
        keep: () -> Bool = { true },
        _ body: () throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        try self.begin(kind)
        do throws(DatabaseError) {
            let value = try body()
            if keep() { try self.commit() } else { self.rollBack() }
            return value
        } catch {
            self.rollBack()
            throw error
        }
    }
}

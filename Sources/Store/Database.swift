/// Runs the statements of the records on a database engine.
///
/// Each statement is one text for every engine (docs/architecture.md has the rules). One thread uses a database at a
/// time.
package protocol Database: AnyObject {
    /// Whether no other connection can read or write the data.
    var isPrivate: Bool { get }

    /// Calls `body` with the rows of a result one by one, until it returns `false`.
    func forEach(_ sql: String, _ values: [SQLValue], _ body: (Row) -> Bool) throws(DatabaseError)

    /// - Returns: the number of rows that an INSERT, UPDATE or DELETE changed.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int

    /// Runs an INSERT with `RETURNING id`, in which `?1` is the id; NULL requests a new one.
    func insert(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int64

    /// Begins a transaction, which sees one unchanging state of the data.
    func begin(_ kind: TransactionKind) throws(DatabaseError)

    func commit() throws(DatabaseError)

    /// Discards the changes of the transaction; does nothing when there is none.
    func rollBack()

    func contentVersion() throws(DatabaseError) -> ContentVersion

    /// The number of migrations that the schema has had.
    func schemaVersion() throws(DatabaseError) -> Int

    /// Deletes every row and restarts the numbering.
    func removeEverything() throws(DatabaseError)

    func inMemoryCopy() throws(DatabaseError) -> any Database
}

package enum TransactionKind: Hashable, Sendable {
    case read
    /// No other process writes until the transaction ends, so that it never fails halfway.
    case write(Durability)
}

/// Identifies the content of an open store: equal versions mean equal content.
package struct ContentVersion: Hashable, Sendable {
    /// Changes with every commit of another connection.
    package let others: Int64
    /// The number of rows that this connection has changed so far.
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

    @discardableResult
    package func run(_ sql: String) throws(DatabaseError) -> Int { try self.run(sql, []) }

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

    /// Runs a statement that changes one row.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` when it changes none.
    func changeOne(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) {
        guard try self.run(sql, values) == 1 else { throw DatabaseError(.notFound) }
    }

    /// The only column of the first row; `nil` when it is NULL or there is no row.
    func integer(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int64? {
        try self.first(sql, values) { $0.integerIfPresent(at: 0) } ?? nil
    }

    /// The result of `SELECT count(*)`.
    func count(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int {
        Int(try self.integer(sql, values) ?? 0)
    }

    /// Whether the result of a `SELECT 1` has a row.
    func exists(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Bool {
        try self.first("\(sql) LIMIT 1", values) { _ in true } ?? false
    }

    /// Runs `body` in a transaction, which is rolled back when `body` throws or `keep` is false at the end.
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

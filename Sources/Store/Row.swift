/// The value of one column of a row.
///
/// Texts and blobs are in memory of the database, which is valid only until the next row is read.
@unsafe package enum Cell {
    case null
    case integer(Int64)
    case text(UnsafeBufferPointer<UInt8>)
    case blob(UnsafeBufferPointer<UInt8>)
}

/// One row of a result; the row is valid only during the call that it is passed to.
///
/// Columns are read by name. Reading them in their order is fastest, because a name is first compared with the name of
/// the next column.
@safe package final class Row {
    /// The names of the columns, in the order of the statement.
    package let names: [String]
    private let cells: UnsafeMutableBufferPointer<Cell>
    /// The index of the column after the last column that was read.
    private var next = 0

    /// The largest absolute value that is read from an integer column; a damaged database may contain any integer.
    ///
    /// With this limit, sums of times and products of days and seconds do not overflow. As seconds, the limit is two
    /// million years.
    package static let largest: Int64 = 1 << 46

    package init(names: [String]) {
        self.names = names
        unsafe self.cells = .allocate(capacity: names.count)
        unsafe self.cells.initialize(repeating: .null)
    }

    deinit { unsafe self.cells.deallocate() }

    /// Calls `body`, which sets the cells to the values of the next row.
    package func fill(_ body: (UnsafeMutableBufferPointer<Cell>) -> Void) {
        self.next = 0
        unsafe body(self.cells)
    }

    private func position(_ name: String) -> Int {
        if self.next < self.names.count, self.names[self.next] == name {
            self.next += 1
            return self.next - 1
        }
        guard let found = self.names.firstIndex(of: name) else { preconditionFailure("no column \(name)") }
        self.next = found + 1
        return found
    }

    // MARK: by name

    func isNull(_ name: String) -> Bool { self.isNull(at: self.position(name)) }
    package func integer(_ name: String) -> Int64 { self.integerIfPresent(at: self.position(name)) ?? 0 }
    package func integerIfPresent(_ name: String) -> Int64? { self.integerIfPresent(at: self.position(name)) }
    package func number(_ name: String) -> Int { Int(self.integer(name)) }
    func flag(_ name: String) -> Bool { self.integer(name) != 0 }
    package func text(_ name: String) -> String { self.textIfPresent(at: self.position(name)) ?? "" }
    package func textIfPresent(_ name: String) -> String? { self.textIfPresent(at: self.position(name)) }
    package func bytes(_ name: String) -> [UInt8] { self.bytesIfPresent(at: self.position(name)) ?? [] }
    func bytesIfPresent(_ name: String) -> [UInt8]? { self.bytesIfPresent(at: self.position(name)) }

    /// A copy of the value of a column.
    package func value(_ name: String) -> SQLValue {
        switch unsafe self.cells[self.position(name)] {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let buffer): unsafe .text(String(decoding: buffer, as: UTF8.self))
        case .blob(let buffer): unsafe .blob([UInt8](buffer))
        }
    }

    /// Calls `body` with the bytes of a column without copying them; for NULL, the span is empty.
    func withBytes<Value>(_ name: String, _ body: (Span<UInt8>) -> Value) -> Value {
        switch unsafe self.cells[self.position(name)] {
        case .text(let buffer), .blob(let buffer): unsafe body(buffer.span)
        case .null, .integer: unsafe body(UnsafeBufferPointer<UInt8>(start: nil, count: 0).span)
        }
    }

    // MARK: by position

    func isNull(at column: Int) -> Bool {
        if case .null = unsafe self.cells[column] { true } else { false }
    }

    package func integerIfPresent(at column: Int) -> Int64? {
        switch unsafe self.cells[column] {
        case .null: nil
        case .integer(let number): min(max(number, -Self.largest), Self.largest)
        case .text, .blob: 0
        }
    }

    package func textIfPresent(at column: Int) -> String? {
        switch unsafe self.cells[column] {
        case .null: nil
        case .integer(let number): String(number)
        case .text(let buffer), .blob(let buffer): unsafe String(decoding: buffer, as: UTF8.self)
        }
    }

    package func bytesIfPresent(at column: Int) -> [UInt8]? {
        switch unsafe self.cells[column] {
        case .null: nil
        case .integer: []
        case .text(let buffer), .blob(let buffer): unsafe [UInt8](buffer)
        }
    }
}

/// The value of one column of a row.
///
/// Texts and blobs lie in memory of the database, which is valid until the next row.
@unsafe package enum Cell {
    case null
    case integer(Int64)
    case text(UnsafeBufferPointer<UInt8>)
    case blob(UnsafeBufferPointer<UInt8>)
}

/// One row of a result, valid only during the call that it is passed to.
///
/// Columns are read by name. Reading them in their order is fastest: each name is first compared with the next
/// column's.
@safe package final class Row {
    /// In the order of the statement.
    package let names: [String]
    private let cells: UnsafeMutableBufferPointer<Cell>
    /// The column after the last one that was read.
    private var next = 0

    /// The largest integer that is read, and the smallest when negative: a damaged database may hold any.
    ///
    /// Times may be added, and days multiplied by the seconds of a day, without an overflow. In seconds it is two
    /// million years.
    package static let largest: Int64 = 1 << 46

    package init(names: [String]) {
        self.names = names
        unsafe self.cells = .allocate(capacity: names.count)
        unsafe self.cells.initialize(repeating: .null)
    }

    deinit { unsafe self.cells.deallocate() }

    /// Passes the cells to the engine, which sets them to the values of the next row.
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
    func bytes(_ name: String) -> [UInt8] { self.bytesIfPresent(at: self.position(name)) ?? [] }
    func bytesIfPresent(_ name: String) -> [UInt8]? { self.bytesIfPresent(at: self.position(name)) }

    /// Calls `body` with the bytes of a column in the database's memory; none for NULL.
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

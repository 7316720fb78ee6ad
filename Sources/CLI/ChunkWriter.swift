/// Collects an answer of many small parts and writes it in large pieces.
///
/// Long output needs little memory, and its beginning appears at once.
struct ChunkWriter {
    /// Bytes that are collected before they are written.
    static let pieceBytes = 1 << 16

    private var pending: [UInt8] = []
    private let output: Output

    init(_ output: Output) {
        self.output = output
        self.pending.reserveCapacity(Self.pieceBytes + 1024)
    }

    mutating func line(_ text: String) throws(OutputError) {
        self.pending += text.utf8
        self.pending.append(0x0A)
        if self.pending.count >= Self.pieceBytes { try self.flush() }
    }

    mutating func add(_ bytes: some Collection<UInt8>) throws(OutputError) {
        self.pending += bytes
        if self.pending.count >= Self.pieceBytes { try self.flush() }
    }

    /// Writes the buffer.
    mutating func flush() throws(OutputError) {
        guard !self.pending.isEmpty else { return }
        try self.output.write(self.pending)
        self.pending.removeAll(keepingCapacity: true)
    }
}

import RemindavBridge

extension ByteSource {
    /// - Throws: `tooLarge` for more than `limit` bytes, or for a line of more than `longest` bytes.
    func contents(limit: Int, line longest: Int = .max) throws -> [UInt8] {
        guard self.size <= limit else { throw FileError(code: .tooLarge, path: self.name) }
        // One read returns a whole file, so its bytes are not copied.
        var bytes = try self.read(max(self.size, Self.pieceBytes))
        if bytes.isEmpty { return bytes }
        var lineLength = self.size == 0 ? bytes.lengthOfLastLine : 0
        while bytes.count <= limit, lineLength <= longest {
            let piece = try self.read(Self.pieceBytes)
            if piece.isEmpty { return bytes }
            bytes += piece
            let end = piece.lengthOfLastLine
            lineLength = end == piece.count ? lineLength + end : end
        }
        throw FileError(code: .tooLarge, path: self.name)
    }

    private static let pieceBytes = 1 << 16
}

extension [UInt8] {
    /// The number of bytes after the last line feed or carriage return.
    fileprivate var lengthOfLastLine: Int {
        self.count - (self.lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0)
    }
}

/// Collects lines in canonical form; consecutive lines of the document that already have this form are copied together.
struct CanonicalOutput {
    static let pieceBytes = 1 << 17
    private let storage: DocumentStorage
    private let source: [UInt8]
    private let lines: [LineRecord]
    private var bytes: [UInt8] = []
    /// The range of the document that is added to the output but not copied yet.
    private var run = 0..<0
    private var isAtStart = true

    init(_ storage: DocumentStorage) {
        self.storage = storage
        self.source = storage.source
        self.lines = storage.lines
        self.bytes.reserveCapacity(Self.pieceBytes + Self.pieceBytes / 2)
    }

    mutating func add(_ lines: Range<Int>) {
        for line in lines { self.add(line) }
    }

    mutating func add(_ line: Int) {
        let record = self.lines[line]
        guard record.kind != .blank else { return }
        let range = Int(record.start)..<Int(self.lines[line + 1].start)
        let isFolded = record.flags.contains(.isFolded)
        if !self.isAtStart, record.flags.isDisjoint(with: .isOdd),
            isFolded ? self.isWellFolded(range) : self.isPlain(range)
        {
            if self.run.upperBound == range.lowerBound {
                self.run = self.run.lowerBound..<range.upperBound
            } else {
                self.copyRun()
                self.run = range
            }
        } else {
            self.copyRun()
            self.fold(line)
        }
        self.isAtStart = false
    }

    mutating func flush(atLeast count: Int) -> [UInt8]? {
        guard self.bytes.count + self.run.count >= count else { return nil }
        self.copyRun()
        defer { self.bytes.removeAll(keepingCapacity: true) }
        return self.bytes
    }

    private func isPlain(_ line: Range<Int>) -> Bool {
        let end = line.upperBound
        return line.count >= 2 && line.count <= ContentLine.foldOctets + 2
            && self.source[end - 1] == 0x0A && self.source[end - 2] == 0x0D && !self.source[line.lowerBound].isFold
    }

    /// Whether a folded line is already in the form that ``ContentLine/fold(_:lineEnd:into:)`` would write.
    ///
    /// A line that is folded earlier, so that no character is split, is not recognised and is folded again.
    private func isWellFolded(_ line: Range<Int>) -> Bool {
        let bytes = self.source.span
        var start = line.lowerBound
        guard !bytes[start].isFold else { return false }
        while true {
            let next = bytes.lineEnd(from: start, 0x0A)
            let length = next - 2 - start
            guard length >= 0, bytes[next - 1] == 0x0A, bytes[next - 2] == 0x0D else { return false }
            if next >= line.upperBound { return next == line.upperBound && 2...ContentLine.foldOctets ~= length }
            guard length == ContentLine.foldOctets, bytes[next] == 0x20, next + 1 < line.upperBound,
                bytes[next + 1] & 0xC0 != 0x80
            else { return false }
            start = next
        }
    }

    private mutating func fold(_ line: Int) {
        let content = self.storage.content(line)
        // A line that begins with a space would continue the previous line, so a blank line separates them.
        let isLikeFold = content.first?.isFold == true && !self.isAtStart
        // At the start of the output, EF BB BF would be read as a byte order mark, so a blank line comes before them.
        let isLikeMark = self.isAtStart && content.starts(with: [0xEF, 0xBB, 0xBF])
        if isLikeFold || isLikeMark { self.bytes += Self.lineEnd }
        if self.lines[line].flags.contains(.isTorn) {
            for part in self.source.tornParts(self.storage.range(line), self.storage.lineFeed) {
                let text = self.source.unfolded(part, self.storage.lineFeed)
                ContentLine.fold(text[...], lineEnd: Self.lineEnd, into: &self.bytes)
            }
        } else {
            ContentLine.fold(content, lineEnd: Self.lineEnd, into: &self.bytes)
        }
    }

    private mutating func copyRun() {
        if !self.run.isEmpty { self.bytes += self.source[self.run] }
        self.run = 0..<0
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
}

// Whole lines of one stream put into another, whose lines may end otherwise.

extension DocumentStorage {
    /// Puts whole lines between two lines, with the ends that this stream's lines need.
    func insertion(of lines: [UInt8], at position: Int) -> Edit {
        Edit(position..<position, self.endOfLine(before: position) + self.fitting(lines))
    }

    /// Whole lines as they can stand among this stream's lines, the last one ended.
    ///
    /// Where lines end with CR alone an LF would make one line of all of them, and among others a lone CR ends nothing.
    func fitting(_ lines: [UInt8]) -> [UInt8] {
        guard let last = lines.last else { return [] }
        let hasLineFeed = lines.contains(0x0A)
        if self.lineFeed == 0x0D {
            let fitting = hasLineFeed ? lines.indices.compactMap { Self.endedByReturn(lines, $0) } : lines
            return last == 0x0D || last == 0x0A ? fitting : fitting + [0x0D]
        }
        let fitting = hasLineFeed ? lines : lines.flatMap { $0 == 0x0D ? [0x0D, 0x0A] : [$0] }
        return fitting.last == 0x0A ? fitting : fitting + self.lineEnd
    }

    /// An LF as CR; one that follows a CR is left out.
    private static func endedByReturn(_ lines: [UInt8], _ index: Int) -> UInt8? {
        guard lines[index] == 0x0A else { return lines[index] }
        return index > 0 && lines[index - 1] == 0x0D ? nil : 0x0D
    }

    /// What the line before `position` lacks to be ended.
    private func endOfLine(before position: Int) -> [UInt8] {
        guard position > 0, self.source[position - 1] != self.lineFeed else { return [] }
        return self.source[position - 1] == 0x0D ? [0x0A] : self.lineEnd
    }

    /// What ends the first line; CRLF when nothing does.
    private var lineEnd: [UInt8] {
        guard self.lineFeed == 0x0A else { return [0x0D] }
        guard let end = self.source.firstIndex(of: 0x0A) else { return [0x0D, 0x0A] }
        return end > 0 && self.source[end - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A]
    }
}

extension ICalendarDocument {
    /// Puts whole lines of any stream at the beginning of a line of this one, or at its end.
    package func insertion(of lines: some Sequence<UInt8>, at position: Int) -> Edit {
        self.storage.insertion(of: Array(lines), at: position)
    }

    /// Puts whole lines of any stream in the place of a component.
    package func replacement(of component: Component, with lines: some Sequence<UInt8>) -> Edit {
        Edit(component.range, self.storage.fitting(Array(lines)))
    }
}

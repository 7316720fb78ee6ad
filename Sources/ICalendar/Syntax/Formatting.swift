extension ICalendarDocument {
    /// The stream with CRLF, lines folded at 75 octets, without byte order mark and blank lines, and with a line end at
    /// the end.
    ///
    /// Lines that cannot be read stay, in their place.
    public func reformatted() -> [UInt8] {
        let lineEnd: [UInt8] = [0x0D, 0x0A]
        var result: [UInt8] = []
        result.reserveCapacity(self.bytes.count + self.bytes.count / 16)
        for line in self.storage.lines.indices where self.storage.lines[line].kind != .blank {
            result += ContentLine.fold(Array(self.storage.content(line)), lineEnd: lineEnd)
        }
        return result
    }
}

extension ICalendarDocument {
    /// The stream in its canonical form.
    ///
    /// - Lines end with CRLF and are folded at 75 octets; there is no byte order mark and no blank line.
    /// - The properties of a component come first, in one fixed order: VERSION, PRODID, CALSCALE, METHOD; UID,
    ///   RECURRENCE-ID, TZID, DTSTAMP, CREATED, LAST-MODIFIED, SEQUENCE and so on (docs/manual.md has all). Other
    ///   properties follow, sorted by name. Several properties of one name keep their order.
    /// - The inner components follow. In a VCALENDAR, VTIMEZONEs come first; the others keep their order.
    /// - A component keeps its order if it has an unreadable line or a line with an unknown name without `X-`: the line
    ///   may be a part of a torn text, or a damaged BEGIN or END.
    ///
    /// Names, parameters and values keep their spelling, and formatting twice changes nothing. A stream that begins
    /// with CR alone as a line end and later has LF stays unchanged, because its line ends are ambiguous.
    public func reformatted() -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(self.bytes.count + self.bytes.count / 16)
        self.reformat { result += $0 }
        return result
    }

    /// Writes the result of ``reformatted()`` in pieces.
    package func reformat<Failure: Error>(_ write: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        guard self.storage.lineFeed == 0x0A || !self.bytes.contains(0x0A) else { return try write(self.bytes) }
        var writer = CanonicalWriter(self.storage)
        try writer.writeAll(write)
    }
}

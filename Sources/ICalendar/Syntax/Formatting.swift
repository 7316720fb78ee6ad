extension ICalendarDocument {
    /// The stream in its canonical form.
    ///
    /// - Lines end with CRLF and are folded at 75 octets; there is no byte order mark and no blank line.
    /// - The properties of a component come first, in one fixed order: VERSION, PRODID, CALSCALE, METHOD; UID,
    ///   RECURRENCE-ID, TZID, DTSTAMP, CREATED, LAST-MODIFIED, SEQUENCE and so on (docs/manual.md has all). Those that
    ///   are not in it follow by name. Several of one name keep their order.
    /// - The components inside follow, those of a VCALENDAR with VTIMEZONEs first; the others keep their order.
    /// - A component with a line that cannot be read, or with a name that nobody knows and that has no `X-`, keeps the
    ///   order it has: the line may be a part of a text that was torn, or a BEGIN or END gone wrong.
    ///
    /// No name, parameter or value is written otherwise than it was, and formatting twice changes nothing. A stream whose
    /// lines begin to end with CR alone and go on with LF stays as it is: nobody can tell where its lines end.
    public func reformatted() -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(self.bytes.count + self.bytes.count / 16)
        self.reformat { result += $0 }
        return result
    }

    /// Writes what ``reformatted()`` returns piece by piece.
    package func reformat<Failure: Error>(_ write: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        guard self.storage.lineFeed == 0x0A || !self.bytes.contains(0x0A) else { return try write(self.bytes) }
        var writer = CanonicalWriter(self.storage)
        try writer.writeAll(write)
    }
}

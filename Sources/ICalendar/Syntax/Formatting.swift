extension ICalendarDocument {
    /// The stream in its canonical form.
    ///
    /// - Lines end with CRLF and are folded at 75 octets; there is no byte order mark and no blank line.
    /// - The properties of a component come first, in one fixed order: VERSION, PRODID, CALSCALE, METHOD; UID,
    ///   RECURRENCE-ID, TZID, DTSTAMP, CREATED, LAST-MODIFIED, SEQUENCE and so on (docs/manual.md has all). Those that
    ///   are not in it follow by name. Several of one name keep their order.
    /// - The components inside follow, those of a VCALENDAR with VTIMEZONEs first; the others keep their order.
    /// - A line that cannot be read stays behind the line it follows. A component in which BEGINs and ENDs do not match
    ///   keeps the order it has, so that nothing comes to stand inside of something else.
    ///
    /// No name, parameter or value is written otherwise than it was, and formatting twice changes nothing.
    public func reformatted() -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(self.bytes.count + self.bytes.count / 16)
        self.reformat { result += $0 }
        return result
    }

    /// Writes what ``reformatted()`` returns piece by piece.
    package func reformat<Failure: Error>(_ write: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var writer = CanonicalWriter(self.storage)
        try writer.writeAll(write)
    }
}

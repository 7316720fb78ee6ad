extension ICalendarDocument {
    /// A copy with a VTIMEZONE for each used zone that the calendar does not define (RFC 5545 §3.6.5).
    ///
    /// - Parameter bytes: returns the physical lines of the VTIMEZONE of a name, `nil` for an unknown one.
    package func addingMissingTimeZones(_ bytes: (String) -> [UInt8]?) -> ICalendarDocument {
        guard let calendar = self.calendar else { return self }
        var known = Set(calendar.components(.vtimezone).compactMap { $0.first(.tzid)?.text })
        let missing = calendar.components(.vtodo).flatMap(\.timeZoneNames).filter { known.insert($0).inserted }
        let zones = missing.compactMap(bytes)
        guard !zones.isEmpty, let position = calendar.components.first?.range.lowerBound else { return self }
        return self.applying(zones.map { self.insertion(of: $0, at: position) })
    }
}

extension ICalendarDocument {
    /// With a VTIMEZONE for each zone that the to-dos name and the calendar does not define (RFC 5545 §3.6.5).
    ///
    /// - Parameter bytes: the physical lines of the VTIMEZONE of that name, `nil` when it is not known.
    package func addingMissingTimeZones(_ bytes: (String) -> [UInt8]?) -> ICalendarDocument {
        guard let calendar = self.calendar else { return self }
        var known = Set(calendar.components(.vtimezone).compactMap { $0.first(.tzid)?.text })
        let missing = calendar.components(.vtodo).flatMap(\.timeZoneNames).filter { known.insert($0).inserted }
        let zones = missing.compactMap(bytes)
        guard !zones.isEmpty, let position = calendar.components.first?.range.lowerBound else { return self }
        return self.applying(zones.map { self.insertion(of: $0, at: position) })
    }
}

package import ICalendar
package import Recurrence

/// A repeat rule that stands alone, without a file around it: which dates it gives.
package struct RuleExpansion: Sendable {
    /// DTSTART.
    package let start: CalendarDateOrDateTime
    /// Whether every rule ends by itself, by COUNT or by UNTIL.
    package let isBounded: Bool
    private let set: RecurrenceSet
    private let resolver: TimeZoneResolver

    /// - Parameters:
    ///   - start: DTSTART.
    ///   - rules: the RRULEs; without any, the start and the dates are all.
    ///   - dates: the RDATEs; of a period its start.
    ///   - exceptions: the EXDATEs.
    ///   - zones: where zones are looked up.
    ///   - localZone: the zoneinfo name of the clock that floating times are on.
    package init(
        start: CalendarDateOrDateTime,
        rules: [RecurrenceRule],
        dates: [CalendarDateOrDateTime],
        exceptions: [CalendarDateOrDateTime],
        zones: ZoneDatabase,
        localZone: String
    ) {
        let resolver = TimeZoneResolver(database: zones, calendar: nil, local: localZone)
        self.start = start
        self.isBounded = rules.allSatisfy { $0.count != nil || $0.until != nil }
        self.resolver = resolver
        self.set = RecurrenceSet(
            start: start,
            rules: rules,
            dates: dates,
            exceptions: exceptions,
            resolver: resolver
        )
    }

    /// Visits the dates in the order of time.
    ///
    /// - Parameters:
    ///   - from: none before this; a time without a zone is one on the clock of the start.
    ///   - to: none at this time or later.
    ///   - limit: at most so many.
    ///   - body: takes each date in the start's form and zone.
    /// - Returns: whether there are more dates, which were left out for `limit`.
    package func forEach(
        from: CalendarDateOrDateTime?,
        to: CalendarDateOrDateTime?,
        limit: Int,
        _ body: (CalendarDateOrDateTime) throws -> Void
    ) throws -> Bool {
        let end = try to.map(self.local)
        var occurrences =
            if let from {
                try self.set.occurrences(after: self.moment(try self.local(from) - 1))
            } else {
                try self.set.occurrences()
            }
        var count = 0
        while let occurrence = try occurrences.next() {
            if let end, occurrence.localSeconds >= end { return false }
            if count == limit { return true }
            try body(occurrence)
            count += 1
        }
        return false
    }

    /// Whether times on the clock of the start can be told.
    package var knowsZone: Bool { self.zone == .floating || self.resolver.knows(self.zone) }

    private var zone: ZoneReference {
        if case .dateTime(let start) = self.start { start.zone } else { .floating }
    }

    /// A bound in seconds of the start's clock.
    private func local(_ bound: CalendarDateOrDateTime) throws(RecurrenceError) -> Int64 {
        guard case .dateTime(let time) = bound, time.zone != .floating, time.zone != self.zone else {
            return bound.localSeconds
        }
        guard let instant = self.resolver.instant(of: time),
            let shown = self.resolver.dateTime(of: instant, in: self.zone)
        else { throw .unknownZone }
        return shown.localSeconds
    }

    /// The moment of the start's clock.
    private func moment(_ local: Int64) -> CalendarDateOrDateTime {
        .dateTime(CalendarDateTime(localSeconds: local, zone: self.zone))
    }
}

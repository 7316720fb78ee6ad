package import RemindavICalendar
package import RemindavRecurrence

/// The dates of a repeat rule that is given without a file.
package struct RuleExpansion: Sendable {
    package let start: CalendarDateOrDateTime
    /// Whether every rule has an end: COUNT or UNTIL.
    package let isBounded: Bool
    private let set: RecurrenceSet
    private let resolver: TimeZoneResolver

    /// - Parameters:
    ///   - rules: the rules; without a rule, only the start and `dates` remain.
    ///   - dates: the values of RDATE; for a period, its start.
    ///   - localZone: the zoneinfo name of the zone for floating times.
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
        self.set = RecurrenceSet(start: start, rules: rules, dates: dates, exceptions: exceptions, resolver: resolver)
    }

    /// Calls `body` for each date in the order of time; returns whether there are more than `limit` dates.
    ///
    /// - Parameters:
    ///   - from: the beginning, inclusive. If `from` or `to` has no zone, the zone of the start applies.
    ///   - to: the end, exclusive.
    ///   - body: receives each date in the form and the zone of the start.
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

    package var knowsZone: Bool { self.zone == .floating || self.resolver.knows(self.zone) }

    private var zone: ZoneReference {
        if case .dateTime(let start) = self.start { start.zone } else { .floating }
    }

    /// Converts `bound` to the zone of the start; returns ``CalendarDateTime/localSeconds`` of the result.
    private func local(_ bound: CalendarDateOrDateTime) throws(RecurrenceError) -> Int64 {
        guard case .dateTime(let time) = bound, time.zone != .floating, time.zone != self.zone else {
            return bound.localSeconds
        }
        guard let instant = self.resolver.instant(of: time),
            let shown = self.resolver.dateTime(of: instant, in: self.zone)
        else { throw .unknownZone }
        return shown.localSeconds
    }

    private func moment(_ local: Int64) -> CalendarDateOrDateTime {
        .dateTime(CalendarDateTime(localSeconds: local, zone: self.zone))
    }
}

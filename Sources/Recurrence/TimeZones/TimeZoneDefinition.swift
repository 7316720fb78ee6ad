import ICalendar

/// A zone as a VTIMEZONE defines it (RFC 5545 §3.6.5).
struct TimeZoneDefinition: Sendable {
    /// Observances that are read; the full history of a zone has fewer than 200.
    static let maximumObservances = 512
    /// Onsets that one observance may list by RDATE or by COUNT: two a year for a thousand years.
    static let maximumOnsets = 2048

    /// A STANDARD or DAYLIGHT part: from each of its onsets on, its offset holds.
    private struct Observance: Sendable {
        /// What the clocks show during it.
        let type: LocalTimeType
        /// Seconds east of Greenwich until the onset.
        let from: Int
        /// DTSTART, RDATE and a counted RRULE: UTC seconds, sorted.
        let onsets: [Int]
        /// A rule without COUNT.
        let rules: [(plan: RulePlan, limit: RuleLimit?)]

        /// The last onset that is not after `utc`.
        func onset(at utc: Int) -> Int? {
            var last = self.onsets.last { $0 <= utc }
            for (plan, limit) in self.rules {
                guard let local = plan.last(notAfter: utc + self.from, limit: limit) else { continue }
                last = max(last ?? local - self.from, local - self.from)
            }
            return last
        }
    }

    private let observances: [Observance]
    /// Before the first onset of all.
    private let first: LocalTimeType

    /// What the clocks show at `utc`, seconds since 1970.
    func type(at utc: Int) -> LocalTimeType {
        var latest: (onset: Int, type: LocalTimeType)?
        for observance in self.observances {
            guard let onset = observance.onset(at: utc) else { continue }
            if latest.map({ onset >= $0.onset }) ?? true { latest = (onset, observance.type) }
        }
        return latest?.type ?? self.first
    }

    /// Reads a VTIMEZONE.
    ///
    /// An observance without a readable TZOFFSETTO or DTSTART is left out; a missing TZOFFSETFROM counts as no change.
    ///
    /// - Returns: `nil` when no observance is left: the name may still help.
    init?(_ component: Component) {
        let parts = component.components.filter { $0.name == .standard || $0.name == .daylight }
        self.observances = parts.prefix(Self.maximumObservances).compactMap(Self.observance)
        let earliest = self.observances.min { ($0.onsets.first ?? .max) < ($1.onsets.first ?? .max) }
        guard let earliest else { return nil }
        self.first = LocalTimeType(offset: earliest.from)
    }

    private static func observance(_ component: Component) -> Observance? {
        // Some write DTSTART with a Z here; it is local all the same.
        guard let to = component.first(.tzoffsetto).flatMap({ UTCOffset(wire: $0.value) }),
            let start = component.first(.dtstart).flatMap({ CalendarMoment(wire: $0.value, tzid: nil) })
        else { return nil }
        let from = component.first(.tzoffsetfrom).flatMap { UTCOffset(wire: $0.value) } ?? to
        let startLocal = Int(start.localSeconds)
        var locals = [startLocal]
        for property in component.all(.rdate) {
            for wire in property.value.split(separator: ",").prefix(Self.maximumOnsets) {
                guard let moment = CalendarMoment(wire: String(wire), tzid: nil) else { continue }
                locals.append(Int(moment.localSeconds))
            }
        }
        var rules: [(plan: RulePlan, limit: RuleLimit?)] = []
        for property in component.all(.rrule) {
            guard let rule = try? RecurrenceRule(wire: property.value) else { continue }
            let plan = RulePlan(rule: rule, start: startLocal)
            let limit = Self.limit(of: rule, from: from)
            if rule.count == nil { rules.append((plan, limit)) } else { locals += Self.counted(plan, limit) }
        }
        return Observance(
            type: LocalTimeType(
                offset: to.seconds,
                isDaylight: component.name == .daylight,
                abbreviation: component.first(.tzname)?.text ?? ""
            ),
            from: from.seconds,
            onsets: Set(locals.prefix(Self.maximumOnsets).map { $0 - from.seconds }).sorted(),
            rules: rules
        )
    }

    /// UNTIL, which in a VTIMEZONE must be UTC; a local one counts on the clock before the onset.
    private static func limit(of rule: RecurrenceRule, from: UTCOffset) -> RuleLimit? {
        switch rule.until {
        case nil: nil
        case .date(let date):
            RuleLimit(local: (date.dayNumber + 1) * ClockTime.secondsPerDay - 1, isExact: nil)
        case .dateTime(let until):
            RuleLimit(local: Int(until.localSeconds) + (until.zone == .utc ? from.seconds : 0), isExact: nil)
        }
    }

    private static func counted(_ plan: RulePlan, _ limit: RuleLimit?) -> [Int] {
        var onsets: [Int] = []
        guard var cursor = try? RuleCursor(plan: plan, limit: limit, after: plan.start - 1) else { return [] }
        while onsets.count < Self.maximumOnsets, let onset = try? cursor.next() { onsets.append(onset) }
        return onsets
    }
}

import RemindavICalendar

/// A time zone as a VTIMEZONE defines it (RFC 5545 §3.6.5).
final class TimeZoneDefinition: Sendable {
    /// The largest number of observances in a VTIMEZONE; the full history of a time zone has fewer than 300 changes.
    static let maximumObservances = 512
    /// The largest number of listed clock changes; two a year for a thousand years are 2,000.
    static let maximumOnsets = 2500

    /// A STANDARD or DAYLIGHT component; its offset applies from each of its onsets on.
    struct Observance: Sendable {
        let type: LocalTimeType
        /// The offset before the onset, in seconds east of Greenwich.
        let from: Int
        /// The onsets by DTSTART, RDATE and rules with an end, in UTC seconds since 1970, sorted.
        let onsets: [Int]
        let rules: [YearlyOnsets]

        func onset(at utc: Int) -> Int? {
            let listed = self.onsets.last { $0 <= utc }
            return self.rules.reduce(listed) { last, rule in
                guard let local = rule.onset(at: utc + self.from) else { return last }
                return max(last ?? .min, local - self.from)
            }
        }

        /// The onsets in `from ..< to`, in UTC seconds since 1970, in no order.
        func onsets(from: Int, to: Int) -> [Int] {
            var found = self.onsets.filter { $0 >= from && $0 < to }
            for rule in self.rules {
                let first = max(ZoneClock.year(of: from) - 1, rule.firstYear)
                for year in first...max(ZoneClock.year(of: to) + 1, first) {
                    rule.forEachOnset(in: year) { local in
                        let onset = local - self.from
                        if onset >= from, onset < to { found.append(onset) }
                    }
                }
            }
            return found
        }
    }

    private let observances: [Observance]
    /// The local time type before the first onset.
    private let first: LocalTimeType

    init?(_ observances: [Observance]) {
        let starts = observances.map { $0.onsets.first ?? .max }
        guard let earliest = starts.indices.min(by: { starts[$0] < starts[$1] }) else { return nil }
        self.observances = observances
        self.first = LocalTimeType(offset: observances[earliest].from)
    }

    /// The local time type at a moment; of two onsets at one moment, the later one in the text applies.
    func type(at utc: Int) -> LocalTimeType {
        var latest: (onset: Int, type: LocalTimeType)?
        for observance in self.observances {
            guard let onset = observance.onset(at: utc) else { continue }
            if latest.map({ onset >= $0.onset }) ?? true { latest = (onset, observance.type) }
        }
        return latest?.type ?? self.first
    }

    /// The clock changes in `from ..< to`, in seconds since 1970, earliest first.
    func transitions(from: Int, to: Int) -> [ZoneTransition] {
        let all = self.observances.enumerated().flatMap { index, observance in
            observance.onsets(from: from, to: to).map { (at: $0, index: index) }
        }
        let onsets = all.sorted { ($0.at, $0.index) < ($1.at, $1.index) }
        var before = self.type(at: from - 1)
        var found: [ZoneTransition] = []
        for (place, onset) in onsets.enumerated() {
            guard place + 1 == onsets.count || onsets[place + 1].at > onset.at else { continue }
            let after = self.observances[onset.index].type
            if after != before { found.append(ZoneTransition(at: onset.at, before: before, after: after)) }
            before = after
        }
        return found
    }

    /// The offsets of the time zone, with a list of clock changes up to ``ZoneClock/horizon``.
    ///
    /// If a rule begins before 1900 (1601 in Outlook and Zimbra), changes before 1970 are computed when needed.
    func rules() -> ZoneRules {
        let start = self.observances.flatMap { $0.rules.map(\.firstYear) }.min()
        guard let start else {
            return self.rules(from: ZoneClock.firstSecond, to: ZoneClock.lastSecond, listed: nil)
        }
        let isOld = start < 1900
        let first = isOld ? 0 : ZoneClock.firstSecond
        return self.rules(from: first, to: ZoneClock.horizon, listed: (isOld ? first : .min)..<ZoneClock.horizon)
    }

    private func rules(from: Int, to: Int, listed: Range<Int>?) -> ZoneRules {
        let changes = self.transitions(from: from, to: to)
        return ZoneRules(
            times: changes.map(\.at),
            types: changes.map(\.after),
            first: self.type(at: from - 1),
            tail: listed == nil ? .constant : .definition(self),
            listed: listed
        )
    }
}

package import RemindavICalendar

/// Writes the VTIMEZONE for times in a time zone (RFC 5545 §3.6.5).
///
/// The VTIMEZONE is short, and exact to the second for its time range. Permanent rules, and rules that apply for some
/// years, become RRULEs. Other changes are listed by date.
package enum VTimeZoneWriter {
    /// The number of years with listed changes for a time zone without a permanent rule: few reminders are later.
    static let listedYears = 20
    /// The smallest number of changes for which a rule is shorter than a list of their dates.
    private static let shortestRun = 6

    /// The VTIMEZONE for the times of a reminder from `year` on; it applies from the year before, without end.
    ///
    /// If RRULE cannot express the changes of the time zone, the changes of ``listedYears`` years are listed instead.
    package static func lines(name: String, rules: ZoneRules, year: Int) -> [String] {
        let year = min(max(year, 2), 9999)
        let from = ZoneClock.start(of: year - 1)
        // The VTIMEZONE begins with a change in the year before, so that its rules are complete.
        let first = rules.transitions(from: from, to: ZoneClock.start(of: year)).first?.at ?? from
        let end = OpenEnd(rules, from: first) == nil ? ZoneClock.start(of: min(year + self.listedYears, 9999)) : nil
        return self.lines(name: name, rules: rules, from: first, to: end)
    }

    /// The lines of a VTIMEZONE for every second in `from ..< to`, none longer than 75 bytes and none with a line end.
    ///
    /// - Parameter to: `nil` for no end; changes without a permanent RRULE are listed up to ``ZoneClock/horizon``.
    package static func lines(name: String, rules: ZoneRules, from: Instant, to: Instant?) -> [String] {
        let end = to.map { ZoneClock.clamped($0.secondsSince1970) }
        return self.lines(name: name, rules: rules, from: ZoneClock.clamped(from.secondsSince1970), to: end)
    }

    private static func lines(name: String, rules: ZoneRules, from: Int, to: Int?) -> [String] {
        // The offset at `from` began to apply at the change before it, so the VTIMEZONE begins with this change.
        let from = rules.lastTransition(notAfter: from)?.at ?? from
        let open = to == nil ? OpenEnd(rules, from: from) : nil
        let end = to ?? open?.start ?? max(from + 1, ZoneClock.horizon)
        var observances = open?.observances ?? []
        var kinds: [(change: ZoneTransition, onsets: [Int])] = []
        for change in end > from ? self.changes(rules, from: from, to: end) : [] {
            let place = kinds.firstIndex { $0.change.before == change.before && $0.change.after == change.after }
            if let place { kinds[place].onsets.append(change.at) } else { kinds.append((change, [change.at])) }
        }
        for kind in kinds { observances += self.observances(kind.change, kind.onsets) }
        observances.sort { $0.change.at < $1.change.at }
        let lines =
            ["BEGIN:VTIMEZONE", "TZID:\(TextValue.escape(name))"] + observances.flatMap(\.lines) + ["END:VTIMEZONE"]
        return lines.flatMap(self.folded)
    }

    private static func changes(_ rules: ZoneRules, from: Int, to: Int) -> [ZoneTransition] {
        let changes = rules.transitions(from: from, to: to)
        guard changes.first?.at != from else { return changes }
        // There was no change before `from`.
        let type = rules.type(at: from)
        // If `from` is midnight in UTC, this is a midnight in local time, at or before `from`.
        let midnight = (from - (type.offset < 0 ? ClockTime.secondsPerDay : 0)) - type.offset
        return [ZoneTransition(at: midnight, before: type, after: type)] + changes
    }

    /// One observance for each group of changes that follows a rule for some years, and one for the other changes.
    private static func observances(_ change: ZoneTransition, _ onsets: [Int]) -> [Observance] {
        var found: [Observance] = []
        var others: [Int] = []
        var rest = onsets[...]
        while let first = rest.first {
            let run = self.longestRun(rest, offset: change.before.offset)
            if run.count >= self.shortestRun, let last = rest.prefix(run.count).last {
                let start = ZoneTransition(at: first, before: change.before, after: change.after)
                let until = CalendarDateTime(localSeconds: Int64(last), zone: .utc).wire
                // FREQ is first and UNTIL second, as most programs write them.
                let rule = run.pattern.rule.replacing("=YEARLY", with: "=YEARLY;UNTIL=\(until)", maxReplacements: 1)
                found.append(Observance(change: start, rule: rule, dates: []))
                rest = rest.dropFirst(run.count)
            } else {
                others.append(first)
                rest = rest.dropFirst()
            }
        }
        if let first = others.first {
            let start = ZoneTransition(at: first, before: change.before, after: change.after)
            found.append(Observance(change: start, rule: nil, dates: Array(others.dropFirst())))
        }
        return found
    }

    /// The pattern with the longest run of `onsets`, one in each year from the first one on, and the length of the run.
    private static func longestRun(_ onsets: ArraySlice<Int>, offset: Int) -> (pattern: YearlyPattern, count: Int) {
        let locals = onsets.map { $0 + offset }
        let dates = locals.map { CalendarDate(dayNumber: $0.flooredQuotient(by: ClockTime.secondsPerDay)) }
        let times = locals.map { $0.flooredRemainder(by: ClockTime.secondsPerDay) }
        let runs = YearlyPattern.patterns(of: dates[0]).map { pattern in
            let count = dates.indices.prefix { index in
                dates[index].year == dates[0].year + index && times[index] == times[0] && pattern.contains(dates[index])
            }.count
            return (pattern: pattern, count: count)
        }
        // Each date has a pattern, and common patterns come first. Of patterns with equal counts, the first is used.
        return runs.dropFirst().reduce(runs[0]) { $1.count > $0.count ? $1 : $0 }
    }

    /// Folds a line into physical lines of at most 75 bytes (RFC 5545 §3.1).
    private static func folded(_ line: String) -> [String] {
        ContentLine.fold(Array(line.utf8), lineEnd: [0x0A]).split(separator: 0x0A)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A STANDARD or DAYLIGHT component to write.
private struct Observance {
    let change: ZoneTransition
    let rule: String?
    let dates: [Int]

    var lines: [String] {
        let change = self.change
        // tzdata marks the winter time of Dublin as daylight saving time. So the larger offset becomes DAYLIGHT.
        let isLater = change.after.offset > change.before.offset
        let name = isLater && (change.after.isDaylight || change.before.isDaylight) ? "DAYLIGHT" : "STANDARD"
        var lines = ["BEGIN:\(name)"]
        if !change.after.abbreviation.isEmpty { lines.append("TZNAME:\(TextValue.escape(change.after.abbreviation))") }
        lines.append("TZOFFSETFROM:\(UTCOffset(seconds: change.before.offset).wire)")
        lines.append("TZOFFSETTO:\(UTCOffset(seconds: change.after.offset).wire)")
        lines.append("DTSTART:\(self.local(change.at))")
        if let rule = self.rule { lines.append("RRULE:\(rule)") }
        lines += self.dates.map { "RDATE:\(self.local($0))" }
        return lines + ["END:\(name)"]
    }

    private func local(_ utc: Int) -> String {
        CalendarDateTime(localSeconds: Int64(utc + self.change.before.offset), zone: .floating).wire
    }
}

private struct OpenEnd {
    /// The moment, in seconds since 1970, from which ``observances`` describe every change.
    let start: Int
    let observances: [Observance]
    /// A number of years in which a pattern selects each of its possible days; weekdays repeat after 28 years.
    private static let cycle = 28 * 2

    /// - Returns: `nil` if the time zone has no permanent rule, or one that RRULE cannot express.
    init?(_ rules: ZoneRules, from: Int) {
        guard case .footer(let footer) = rules.tail, let saving = footer.saving else { return nil }
        // The permanent rule may also describe the last listed changes. It is used from the first such change on.
        let last = max(from, rules.listed.lowerBound == .min ? rules.listed.upperBound : from)
        let ruled = footer.transitions(from: from, to: last)
        let known = rules.transitions(from: from, to: last)
        let same = zip(ruled.reversed(), known.reversed()).prefix { $0 == $1 }.count
        let start = same == 0 ? last : known[known.count - same].at
        let end = start + Self.cycle * 366 * ClockTime.secondsPerDay
        let changes = footer.transitions(from: start, to: min(end, ZoneClock.lastSecond))
        var found: [Observance] = []
        for (change, isStart) in [(saving.start, true), (saving.end, false)] {
            guard let patterns = YearlyPattern.patterns(of: change) else { return nil }
            for pattern in patterns {
                let first = changes.first { candidate in
                    let local = candidate.at + candidate.before.offset
                    let day = local.flooredQuotient(by: ClockTime.secondsPerDay)
                    return candidate.after.isDaylight == isStart && pattern.contains(CalendarDate(dayNumber: day))
                }
                guard let first else { continue }
                found.append(Observance(change: first, rule: pattern.rule, dates: []))
            }
        }
        self.start = start
        self.observances = found
    }
}

extension ZoneRules {
    fileprivate func lastTransition(notAfter utc: Int) -> ZoneTransition? {
        // Most time zones have a change within two years, so this short search comes first. The last change of some
        // time zones was a century ago.
        for years in [2, 200] {
            let from = max(utc - years * 366 * ClockTime.secondsPerDay, ZoneClock.firstSecond)
            if let last = self.transitions(from: from, to: utc + 1).last { return last }
        }
        return nil
    }
}

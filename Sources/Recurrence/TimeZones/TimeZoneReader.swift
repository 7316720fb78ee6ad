import ICalendar

/// Reads a VTIMEZONE, repairs what can be repaired, and says what it did.
struct TimeZoneReader {
    /// What was not as it should be, in the order of reading.
    private(set) var issues: [TimeZoneIssue] = []
    /// Clock changes so far.
    private var onsets = 0
    /// Years of rules that end, so far.
    private var years = 0
    /// A rule that began in 1601 and has ended has 400; hardly a zone has more than ten of them.
    private static let maximumYears = 5000

    /// Rules of other shapes than those of ``YearlyOnsets``; no program is known to write one.
    private static let maximumOddRules = 4
    private var oddRules = 0
    /// The years for which the onsets of such a rule are listed.
    private static let oddYears = 1900...2100

    /// - Returns: `nil` when no observance is left or there is too much of anything: the name may still help.
    mutating func definition(_ component: Component) -> TimeZoneDefinition? {
        let parts = component.components.filter { $0.name == .standard || $0.name == .daylight }
        guard parts.count <= TimeZoneDefinition.maximumObservances else {
            self.note(.tooManyObservances, component)
            return nil
        }
        var observances: [TimeZoneDefinition.Observance] = []
        for part in parts {
            if let observance = self.observance(part, among: parts) { observances.append(observance) }
            guard self.onsets <= TimeZoneDefinition.maximumOnsets else {
                self.note(.tooManyOnsets, part)
                return nil
            }
        }
        guard let definition = TimeZoneDefinition(observances) else {
            self.note(.noObservance, component)
            return nil
        }
        return definition
    }

    private mutating func note(_ code: TimeZoneIssue.Code, _ component: Component) {
        self.issues.append(TimeZoneIssue(code, component))
    }

    private mutating func note(_ code: TimeZoneIssue.Code, _ property: Property) {
        self.issues.append(TimeZoneIssue(code, property))
    }

    private mutating func observance(_ part: Component, among parts: [Component]) -> TimeZoneDefinition.Observance? {
        guard let to = Self.offset(part, .tzoffsetto) else {
            self.note(.missingOffset, part)
            return nil
        }
        let from = Self.offset(part, .tzoffsetfrom) ?? self.offsetBefore(part, among: parts) ?? to
        let rules = part.all(.rrule)
        let dates = part.all(.rdate)
        guard let start = self.start(part, isNeeded: !rules.isEmpty || !dates.isEmpty) else { return nil }
        var locals = [start]
        for property in dates where !self.isFull { self.addDates(property, to: &locals) }
        var open: [YearlyOnsets] = []
        for property in rules where !self.isFull {
            guard let rule = self.rule(property) else { continue }
            let last = self.last(of: rule, from: from, property)
            if let yearly = YearlyOnsets(rule, start: start, last: last) {
                if rule.count == nil, last == nil {
                    // One that is never true has to be found out, too.
                    let most = yearly.mostInAYear
                    self.onsets += max(most, 1) * Self.listedYears
                    if most > 0 { open.append(yearly) }
                } else {
                    self.add(yearly, count: rule.count ?? .max, to: &locals)
                }
            } else {
                self.addOdd(rule, start: start, last: last, property, to: &locals)
            }
        }
        self.onsets += 1
        return TimeZoneDefinition.Observance(
            type: LocalTimeType(
                offset: to,
                isDaylight: part.name == .daylight,
                abbreviation: part.first(.tzname)?.text ?? ""
            ),
            from: from,
            onsets: Set(locals.map { $0 - from }).sorted(),
            rules: open
        )
    }

    /// Years for which an open rule is listed: see ``TimeZoneDefinition/rules()``.
    private static let listedYears = 201

    private var isFull: Bool { self.onsets > TimeZoneDefinition.maximumOnsets }

    private static func offset(_ part: Component, _ name: Name) -> Int? {
        part.first(name).flatMap { UTCOffset(wire: $0.value.trimmingSpaces) }?.seconds
    }

    /// What a missing TZOFFSETFROM most likely is: where the other kind of part leads.
    private mutating func offsetBefore(_ part: Component, among parts: [Component]) -> Int? {
        self.note(.missingOffsetBefore, part)
        return parts.first { $0.name != part.name }.flatMap { Self.offset($0, .tzoffsetto) }
    }

    /// DTSTART in local seconds.
    private mutating func start(_ part: Component, isNeeded: Bool) -> Int? {
        guard let property = part.first(.dtstart),
            let moment = CalendarDateOrDateTime(wire: property.value.trimmingSpaces, tzid: nil)
        else {
            self.note(.missingStart, part)
            return isNeeded ? nil : ZoneClock.firstSecond
        }
        // Some write it with a Z; it is local all the same.
        if case .dateTime(let time) = moment, time.zone == .utc { self.note(.startInUTC, property) }
        return Int(moment.localSeconds)
    }

    private mutating func addDates(_ property: Property, to locals: inout [Int]) {
        // Sixteen bytes are one date; what is longer than all that are allowed is not even looked at.
        guard property.bytes.count <= TimeZoneDefinition.maximumOnsets * 18 else {
            self.onsets += TimeZoneDefinition.maximumOnsets + 1
            return
        }
        for wire in property.value.utf8.split(separator: UInt8(ascii: ",")) where !self.isFull {
            // Of a period the start counts.
            let text = String(Substring(wire.prefix { $0 != UInt8(ascii: "/") })).trimmingSpaces
            if let moment = CalendarDateOrDateTime(wire: text, tzid: nil) {
                self.onsets += 1
                locals.append(Int(moment.localSeconds))
            } else {
                self.note(.badDate, property)
            }
        }
    }

    private mutating func rule(_ property: Property) -> RecurrenceRule? {
        guard let rule = try? RecurrenceRule(wire: property.value) else {
            self.note(.badRule, property)
            return nil
        }
        guard rule.frequency >= .monthly else {
            self.note(.ruleTooFrequent, property)
            return nil
        }
        return rule
    }

    /// UNTIL in local seconds; one that is not in UTC counts on the clock before the onset.
    private mutating func last(of rule: RecurrenceRule, from: Int, _ property: Property) -> Int? {
        switch rule.until {
        case nil: return nil
        case .dateTime(let until) where until.zone == .utc: return Int(until.localSeconds) + from
        case .dateTime(let until):
            self.note(.untilNotUTC, property)
            return Int(until.localSeconds)
        case .date(let date):
            self.note(.untilNotUTC, property)
            return (date.dayNumber + 1) * ClockTime.secondsPerDay - 1
        }
    }

    /// The onsets of a rule that ends.
    private mutating func add(_ rule: YearlyOnsets, count: Int, to locals: inout [Int]) {
        var left = count
        let end = rule.last.map { ZoneClock.year(of: $0) } ?? 9999
        guard end >= rule.firstYear else { return }
        for year in rule.firstYear...end {
            // The years, too, are bounded: a rule may have an onset in none of them.
            self.years += 1
            rule.forEachOnset(in: year) { onset in
                guard left > 0 else { return }
                left -= 1
                self.onsets += 1
                locals.append(onset)
            }
            guard left > 0, !self.isFull else { return }
            guard self.years <= Self.maximumYears else {
                self.onsets = TimeZoneDefinition.maximumOnsets + 1
                return
            }
        }
    }

    /// A rule of another shape is listed for ``oddYears``, as ``RecurrenceSet`` works it out.
    private mutating func addOdd(
        _ rule: RecurrenceRule,
        start: Int,
        last: Int?,
        _ property: Property,
        to locals: inout [Int]
    ) {
        self.oddRules += 1
        guard self.oddRules <= Self.maximumOddRules else {
            self.note(.badRule, property)
            return
        }
        var local = rule
        local.until = last.map { .dateTime(CalendarDateTime(localSeconds: Int64($0), zone: .floating)) }
        let resolver = TimeZoneResolver(database: ZoneDatabase { _ in nil }, calendar: nil, local: "")
        let set = RecurrenceSet(
            start: .dateTime(CalendarDateTime(localSeconds: Int64(start), zone: .floating)),
            rules: [local],
            resolver: resolver,
            budget: StepBudget()
        )
        let years = [Self.oddYears.lowerBound, Self.oddYears.upperBound + 1].map {
            CalendarDate.dayNumber(year: $0, month: 1, day: 1) * ClockTime.secondsPerDay
        }
        let before = CalendarDateTime(localSeconds: Int64(years[0] - 1), zone: .floating)
        do {
            // What is counted is listed from its start, as far as anything is listed.
            var occurrences = try rule.count == nil ? set.occurrences(after: .dateTime(before)) : set.occurrences()
            while let next = try occurrences.next(), Int(next.localSeconds) < years[1], !self.isFull {
                self.onsets += 1
                locals.append(Int(next.localSeconds))
            }
        } catch {
            self.note(.badRule, property)
        }
    }
}

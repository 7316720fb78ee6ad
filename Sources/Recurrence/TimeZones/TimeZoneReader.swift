import RemindavICalendar

/// Reads a VTIMEZONE, repairs it if possible, and reports the repairs.
struct TimeZoneReader {
    private(set) var issues: [TimeZoneIssue] = []
    private var onsets = 0
    private var years = 0
    /// The largest sum of the years of all rules with an end; few time zones have more than ten rules of 400 years.
    private static let maximumYears = 5000
    /// The largest number of rules that do not have a form of ``YearlyOnsets``; no known program writes such a rule.
    private static let maximumOddRules = 4
    private var oddRules = 0
    /// The years in which the onsets of a rule without a form of ``YearlyOnsets`` are listed.
    private static let oddYears = 1900...2100

    /// - Returns: `nil` if no observance is usable or a limit is exceeded. The name in TZID may still give the rules.
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
        if observances.isEmpty { self.note(.noObservance, component) }
        return TimeZoneDefinition(observances)
    }

    private mutating func note(_ code: TimeZoneIssue.Code, _ subject: any SubjectOfIssue) {
        self.issues.append(TimeZoneIssue(code, subject))
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
                    // A rule without onsets is dropped. It still adds to `onsets`, because each test takes time.
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

    /// The number of years with listed onsets of a rule without end: see ``TimeZoneDefinition/rules()``.
    private static let listedYears = 201
    private var isFull: Bool { self.onsets > TimeZoneDefinition.maximumOnsets }

    private static func offset(_ part: Component, _ name: Name) -> Int? {
        part.first(name).flatMap { UTCOffset(wire: $0.value.trimmingSpaces) }?.seconds
    }

    /// The most likely value of a missing TZOFFSETFROM: TZOFFSETTO of a component of the other kind.
    private mutating func offsetBefore(_ part: Component, among parts: [Component]) -> Int? {
        self.note(.missingOffsetBefore, part)
        return parts.first { $0.name != part.name }.flatMap { Self.offset($0, .tzoffsetto) }
    }

    /// DTSTART in local seconds; if DTSTART is missing, the first second of year 1, or `nil` if `isNeeded`.
    private mutating func start(_ part: Component, isNeeded: Bool) -> Int? {
        guard let property = part.first(.dtstart),
            let moment = CalendarDateOrDateTime(wire: property.value.trimmingSpaces, tzid: nil)
        else {
            self.note(.missingStart, part)
            return isNeeded ? nil : ZoneClock.firstSecond
        }
        // DTSTART is in local time, even if some programs write a Z.
        if case .dateTime(let time) = moment, time.zone == .utc { self.note(.startInUTC, property) }
        return Int(moment.localSeconds)
    }

    private mutating func addDates(_ property: Property, to locals: inout [Int]) {
        // A date needs at most 18 bytes. A list with more bytes than the limit of dates allows is not parsed.
        guard property.bytes.count <= TimeZoneDefinition.maximumOnsets * 18 else {
            self.onsets += TimeZoneDefinition.maximumOnsets + 1
            return
        }
        for wire in property.value.utf8.split(separator: UInt8(ascii: ",")) where !self.isFull {
            // Of a period, only the start is used.
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
        let rule = try? RecurrenceRule(wire: property.value)
        if let rule, rule.frequency >= .monthly { return rule }
        self.note(rule == nil ? .badRule : .ruleTooFrequent, property)
        return nil
    }

    /// UNTIL in local seconds; a value that is not in UTC is read as local time before the onset.
    private mutating func last(of rule: RecurrenceRule, from: Int, _ property: Property) -> Int? {
        guard let until = rule.until else { return nil }
        if until.zone == .utc { return Int(until.localSeconds) + from }
        self.note(.untilNotUTC, property)
        return Int(until.localSeconds) + (until.isDate ? ClockTime.secondsPerDay - 1 : 0)
    }

    private mutating func add(_ rule: YearlyOnsets, count: Int, to locals: inout [Int]) {
        var left = count
        let end = rule.last.map { ZoneClock.year(of: $0) } ?? 9999
        guard end >= rule.firstYear else { return }
        for year in rule.firstYear...end {
            // The years are limited too, because a rule may have no onset in any of them.
            self.years += 1
            rule.forEachOnset(in: year) { onset in
                guard left > 0 else { return }
                left -= 1
                self.onsets += 1
                locals.append(onset)
            }
            guard left > 0, !self.isFull else { return }
            if self.years > Self.maximumYears { self.onsets = TimeZoneDefinition.maximumOnsets + 1 }
        }
    }

    /// Lists the onsets in ``oddYears`` of a rule without a form of ``YearlyOnsets``; ``RecurrenceSet`` computes them.
    private mutating func addOdd(
        _ rule: RecurrenceRule,
        start: Int,
        last: Int?,
        _ property: Property,
        to locals: inout [Int]
    ) {
        self.oddRules += 1
        guard self.oddRules <= Self.maximumOddRules else { return self.note(.badRule, property) }
        var local = rule
        local.until = last.map { .dateTime(CalendarDateTime(localSeconds: Int64($0), zone: .floating)) }
        let first = CalendarDateOrDateTime.dateTime(CalendarDateTime(localSeconds: Int64(start), zone: .floating))
        let set = RecurrenceSet(start: first, rules: [local], resolver: .withoutZones, budget: StepBudget())
        let end = ZoneClock.start(of: Self.oddYears.upperBound + 1)
        let from = Int64(ZoneClock.start(of: Self.oddYears.lowerBound) - 1)
        let before = CalendarDateTime(localSeconds: from, zone: .floating)
        do {
            // A rule with COUNT is listed from its start, where COUNT begins.
            var occurrences = try rule.count == nil ? set.occurrences(after: .dateTime(before)) : set.occurrences()
            while let next = try occurrences.next(), Int(next.localSeconds) < end, !self.isFull {
                self.onsets += 1
                locals.append(Int(next.localSeconds))
            }
        } catch {
            self.note(.badRule, property)
        }
    }
}

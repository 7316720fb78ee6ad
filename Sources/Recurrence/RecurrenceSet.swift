public import RemindavICalendar

/// The occurrences of a repeating component (RFC 5545 §3.8.5).
///
/// Rules are computed in local time of the start's time zone: a daily 09:00 stays 09:00 when the clocks change. A start
/// that the rules do not produce is an occurrence only with `countsStart`. RFC 5545 does not define this case; libical
/// and dateutil leave out such a start. Without rules, the start is an occurrence in addition to the dates of RDATE.
public struct RecurrenceSet: Sendable {
    /// The largest number of steps in a search; a step tests an hour, minute or second, or counts a period for COUNT.
    ///
    /// Rules that repeat by days or longer periods need no limit, because the calendar repeats after 400 years. A
    /// SECONDLY rule with INTERVAL=86399 needs 86,400 steps to reach every time of day. 100,000 steps take 10 ms.
    public static let maximumSteps = 100_000
    /// DTSTART, or DUE of a to-do without DTSTART.
    public var start: CalendarDateOrDateTime { self.clock.start }
    let clock: StartClock
    private let startLocal: Int
    private let rules: [RecurrenceRule]
    private let exceptionRules: [RecurrenceRule]
    /// The dates of RDATE, and the start if it is always an occurrence, in local seconds.
    private let dates: AscendingNumbers
    /// The date-times of EXDATE, in local seconds.
    private let exceptions: AscendingNumbers
    /// The dates of EXDATE if the start has a time, as day numbers.
    private let exceptionDays: AscendingNumbers
    /// Whether the start is an occurrence even if the rules do not produce it.
    private let countsStart: Bool
    private let budget: StepBudget?

    /// - Parameters:
    ///   - start: DTSTART, or DUE of a to-do without DTSTART.
    ///   - rules: all RRULEs.
    ///   - dates: all values of RDATE, with the start of each period. A date means that day at the start's time of day.
    ///   - exceptions: all values of EXDATE. A date excludes all occurrences of that day.
    ///   - exceptionRules: all EXRULEs of RFC 2445; their occurrences are excluded.
    ///   - countsStart: whether the start is always an occurrence, and the first one for COUNT (RFC 5545 §3.3.10).
    ///   - resolver: converts times. A time without a zone, or in an unknown one, is in the start's time zone.
    ///   - budget: a limit of steps that all searches share; each search also has its own. `nil` means no shared limit.
    public init(
        start: CalendarDateOrDateTime,
        rules: [RecurrenceRule],
        dates: [CalendarDateOrDateTime] = [],
        exceptions: [CalendarDateOrDateTime] = [],
        exceptionRules: [RecurrenceRule] = [],
        countsStart: Bool = false,
        resolver: TimeZoneResolver,
        budget: StepBudget? = nil
    ) {
        self.budget = budget
        let clock = StartClock(start: start, resolver: resolver)
        self.clock = clock
        self.startLocal = Int(start.localSeconds)
        self.rules = rules
        self.exceptionRules = exceptionRules
        self.countsStart = countsStart
        let own = rules.isEmpty || countsStart ? [self.startLocal] : []
        self.dates = AscendingNumbers(dates.isEmpty ? own : own + dates.map(clock.local))
        self.exceptions = AscendingNumbers(exceptions.filter { start.isDate || !$0.isDate }.map(clock.local))
        self.exceptionDays = AscendingNumbers(start.isDate ? [] : exceptions.filter(\.isDate).map(\.day.dayNumber))
    }

    /// The first occurrence after `moment`; `nil` if there is none.
    ///
    /// - Parameter moment: in any time zone. Without a zone, it is in the start's time zone. A date means its midnight.
    public func next(after moment: CalendarDateOrDateTime) throws(RecurrenceError) -> CalendarDateOrDateTime? {
        var occurrences = try self.occurrences(after: moment)
        return try occurrences.next()
    }

    /// The first occurrence after `instant`; `nil` if there is none.
    ///
    /// The result is also correct for hours that a clock change repeats or skips. An all-day occurrence begins at
    /// midnight in the time zone of floating times.
    ///
    /// - Throws: ``RecurrenceError/unknownZone`` if the start's time zone is unknown.
    public func next(after instant: Instant) throws(RecurrenceError) -> CalendarDateOrDateTime? {
        let zone = self.clock.zone
        guard let now = self.clock.resolver.dateTime(of: instant, in: zone),
            let before = self.clock.resolver.offset(of: zone, at: instant.adding(seconds: -ClockTime.secondsPerDay)),
            let offset = self.clock.resolver.offset(of: zone, at: instant)
        else { throw .unknownZone }
        // A local time just before `now` that a clock change skips may mean a moment after `instant`.
        let floor = Int(now.localSeconds) - abs(offset.seconds - before.seconds)
        var occurrences = try self.occurrences(afterLocal: floor)
        while let occurrence = try occurrences.next() {
            guard let moment = self.clock.resolver.instant(of: occurrence) else { throw .unknownZone }
            if moment > instant { return occurrence }
        }
        return nil
    }

    /// The first `count` occurrences, or all occurrences if there are fewer.
    public func first(_ count: Int) throws(RecurrenceError) -> [CalendarDateOrDateTime] {
        var occurrences = try self.occurrences()
        var found: [CalendarDateOrDateTime] = []
        while found.count < count, let occurrence = try occurrences.next() { found.append(occurrence) }
        return found
    }

    /// All occurrences, each computed on request.
    public func occurrences() throws(RecurrenceError) -> Occurrences {
        try self.occurrences(afterLocal: Int.min / 4)
    }

    /// The occurrences after `moment`, as in ``next(after:)-(CalendarDateOrDateTime)``; each is computed on request.
    public func occurrences(after moment: CalendarDateOrDateTime) throws(RecurrenceError) -> Occurrences {
        // In an all-day series, an occurrence on the day of `moment` is not after `moment`.
        if self.start.isDate {
            return try self.occurrences(afterLocal: (moment.day.dayNumber + 1) * ClockTime.secondsPerDay - 1)
        }
        return try self.occurrences(afterLocal: moment.isDate ? Int(moment.localSeconds) : self.clock.local(moment))
    }

    /// - Parameter dateFloor: replaces `floor` for the dates of RDATE, if it is earlier: an RDATE period that begins
    ///   before `floor` may last for years.
    func occurrences(afterLocal floor: Int, dates dateFloor: Int? = nil) throws(RecurrenceError) -> Occurrences {
        let dateFloor = min(dateFloor ?? floor, floor)
        let exceptions = self.exceptions.after(dateFloor)
        return Occurrences(
            clock: self.clock,
            rules: try self.cursors(try self.countedRules, after: floor),
            dates: self.dates.after(dateFloor),
            exceptions: exceptions,
            exceptionDays: self.exceptionDays,
            exceptionRules: self.exceptionRules.isEmpty ? [] : try self.cursors(self.exceptionRules, after: dateFloor),
            hasExceptions: !(exceptions.isEmpty && self.exceptionDays.isEmpty && self.exceptionRules.isEmpty),
            budget: self.budget
        )
    }

    /// Whether `moment` is an occurrence; a time without a zone is in the start's time zone.
    package func contains(_ moment: CalendarDateOrDateTime) throws(RecurrenceError) -> Bool {
        let local = self.clock.local(moment)
        var occurrences = try self.occurrences(afterLocal: local - 1)
        return try occurrences.nextLocal() == local
    }

    /// The number of occurrences before `moment`, at most `limit`; more than ``maximumSteps`` throw `budgetExceeded`.
    package func count(before moment: CalendarDateOrDateTime, limit: Int) throws(RecurrenceError) -> Int {
        let end = self.clock.local(moment)
        var occurrences = try self.occurrences()
        var count = 0
        while count < limit, let local = try occurrences.nextLocal(), local < end {
            count += 1
            guard count <= Self.maximumSteps else { throw .budgetExceeded }
        }
        return count
    }

    /// The rules to search; COUNT is reduced by one if the start counts but the rule does not produce it.
    private var countedRules: [RecurrenceRule] {
        get throws(RecurrenceError) {
            guard self.countsStart, self.rules.count == 1, let count = self.rules[0].count else { return self.rules }
            var cursors = try self.cursors(self.rules, after: Int.min / 4)
            let first = try cursors[0].peek()
            let secondsOfDay = self.start.isDate ? first?.flooredRemainder(by: ClockTime.secondsPerDay) ?? 0 : 0
            guard first.map({ $0 - secondsOfDay }) != self.startLocal else { return self.rules }
            guard count > 1 else { return [] }
            var rule = self.rules[0]
            rule.count = count - 1
            return [rule]
        }
    }

    private func cursors(_ rules: [RecurrenceRule], after floor: Int) throws(RecurrenceError) -> [RuleCursor] {
        var cursors: [RuleCursor] = []
        for rule in rules {
            let limit = try self.clock.limit(of: rule)
            let rule = self.start.isDate ? rule.onDays : rule
            if let calendar = rule.isGregorian ? nil : try self.clock.resolver.calendar(of: rule) {
                let plan = try RulePlan(rule: rule, start: self.startLocal, calendar: calendar)
                cursors.append(try RuleCursor(plan: plan, limit: limit, after: floor, budget: self.budget))
            } else {
                let plan = RulePlan(rule: rule, start: self.startLocal)
                cursors.append(try RuleCursor(plan: plan, limit: limit, after: floor, budget: self.budget))
            }
        }
        return cursors
    }
}

import ICalendar

/// Where a rule ends by UNTIL, as a test on local seconds (RFC 5545 §3.3.10).
struct RuleLimit: Sendable {
    /// No candidate further than this from the limit needs the exact test: no clock change is as long.
    static let vagueSeconds = 2 * ClockTime.secondsPerDay

    /// The last local second that may be an occurrence; vague when ``isExact`` is there.
    let local: Int
    /// Decides about a candidate near ``local``, where a clock change may make the local order wrong.
    let isExact: (@Sendable (Int) -> Bool)?

    func allows(_ candidate: Int) -> Bool {
        guard let isExact = self.isExact, abs(candidate - self.local) <= Self.vagueSeconds else {
            return candidate <= self.local
        }
        return isExact(candidate)
    }

    func isPast(_ first: Int) -> Bool { first > self.local + Self.vagueSeconds }
}

/// Walks over the occurrences of one rule, in local seconds, earliest first.
///
/// It starts anywhere without walking there from the start of the series, unless COUNT makes it count.
struct RuleCursor: Sendable {
    private let plan: RulePlan
    private let limit: RuleLimit?
    private var unit: Int
    private var period: Period?
    private var index = 0
    /// What COUNT leaves from here on; `nil` without COUNT.
    private var remaining: Int?
    private var isAtEnd = false

    /// - Parameter after: the first occurrence given is the first one after this local second.
    init(plan: RulePlan, limit: RuleLimit?, after: Int) throws(RecurrenceError) {
        self.plan = plan
        self.limit = limit
        self.remaining = plan.rule.count
        let floor = max(after, plan.start - 1)
        if plan.rule.count == nil {
            self.unit = plan.alignedUnit(atOrBefore: floor)
            try self.load()
            try self.skip(through: floor)
        } else if plan.isOneEachPeriod {
            self.unit = plan.alignedUnit(atOrBefore: floor)
            let passed = (self.unit - plan.unit(at: plan.start)) / plan.rule.interval
            self.remaining = plan.rule.count.map { $0 - passed }
            try self.load()
            try self.countOut(through: floor)
        } else {
            self.unit = plan.alignedUnit(atOrBefore: plan.start)
            try self.load()
            try self.skip(through: plan.start - 1)
            try self.countOut(through: floor)
        }
    }

    /// The next occurrence, `nil` after the last.
    mutating func next() throws(RecurrenceError) -> Int? {
        guard let local = try self.peek() else { return nil }
        self.index += 1
        self.remaining = self.remaining.map { $0 - 1 }
        return local
    }

    /// What ``next()`` will give.
    mutating func peek() throws(RecurrenceError) -> Int? {
        guard self.remaining.map({ $0 > 0 }) ?? true else { return nil }
        while let period = self.period, self.index >= period.count {
            try self.advance()
        }
        guard let period = self.period else { return nil }
        let local = period[self.index]
        guard self.limit?.allows(local) ?? true else {
            self.period = nil
            return nil
        }
        return local
    }

    /// Goes over what is not after `local`, not counting.
    private mutating func skip(through local: Int) throws(RecurrenceError) {
        while let period = self.period {
            self.index = period.firstIndex(after: local)
            if self.index < period.count { return }
            try self.advance()
        }
    }

    /// Goes over what is not after `local`, counting.
    private mutating func countOut(through local: Int) throws(RecurrenceError) {
        var steps = 0
        while let period = self.period, let left = self.remaining, left > 0 {
            let end = max(period.firstIndex(after: local), self.index)
            self.remaining = left - (end - self.index)
            self.index = end
            if end < period.count { return }
            steps += self.plan.stepCost
            guard steps <= RecurrenceSet.maximumSteps else { throw .budgetExceeded }
            try self.advance()
        }
    }

    private mutating func advance() throws(RecurrenceError) {
        self.unit += self.plan.rule.interval
        try self.load()
    }

    /// Finds the first period from ``unit`` on that holds candidates; leaves none when there is none.
    private mutating func load() throws(RecurrenceError) {
        self.period = nil
        self.index = 0
        for _ in 0..<(RecurrenceSet.maximumSteps / self.plan.stepCost) {
            guard !self.plan.isPastCalendar(self.unit) else { return }
            if let limit = self.limit, limit.isPast(self.plan.firstSecond(of: self.unit)) { return }
            switch self.plan.look(at: self.unit) {
            case .period(let period) where period.count > 0:
                self.period = period
                return
            case .period:
                self.unit += self.plan.rule.interval
            case .nothingBefore(let local):
                self.unit = self.plan.alignedUnit(atOrAfter: self.plan.unit(at: local))
            }
        }
        throw .budgetExceeded
    }
}

extension RulePlan {
    /// What looking at one period counts: more for rules with long lists, so that the bound is one of time.
    var stepCost: Int {
        let rule = self.rule
        return 1 + (rule.byYearDay.count + rule.byMonthDay.count + rule.byWeekNumber.count + rule.byDay.count) / 32
    }

    /// Whether each period has exactly one occurrence, so that COUNT can be reckoned instead of counted.
    var isOneEachPeriod: Bool {
        let rule = self.rule
        return rule.frequency <= .weekly && rule.bySecond.isEmpty && rule.byMinute.isEmpty && rule.byHour.isEmpty
            && rule.byDay.isEmpty && rule.byMonthDay.isEmpty && rule.byYearDay.isEmpty && rule.byWeekNumber.isEmpty
            && rule.byMonth.isEmpty && rule.bySetPosition.isEmpty
    }

    /// The last occurrence that is not after `local`, without regard to COUNT; `nil` when none is near.
    ///
    /// - Parameter limit: where UNTIL ends the rule.
    func last(notAfter local: Int, limit: RuleLimit?) -> Int? {
        let first = self.unit(at: self.start)
        var unit = self.alignedUnit(atOrBefore: min(local, limit?.local ?? local))
        for _ in 0..<Self.maximumStepsBack {
            guard unit >= first else { return nil }
            if case .period(let period) = self.look(at: unit) {
                var index = period.firstIndex(after: local)
                while index > 0 {
                    index -= 1
                    let candidate = period[index]
                    if candidate < self.start { return nil }
                    if limit?.allows(candidate) ?? true { return candidate }
                }
            }
            unit -= self.rule.interval
        }
        return nil
    }

    /// Time zones change once or twice a year; a rule that has had nothing for so many periods is none of a time zone.
    private static let maximumStepsBack = 400
}

import ICalendar

/// Walks over the occurrences of one rule, in local seconds, earliest first.
///
/// It starts anywhere without walking there from the start of the series; only a COUNT that cannot be reckoned makes it
/// walk.
struct RuleCursor: Sendable {
    let plan: RulePlan
    let limit: RuleLimit?
    /// No occurrence lies on a later day: the end of the calendar, or soon after UNTIL.
    let lastDay: Int
    /// Up to this local second no candidate has to be held against UNTIL.
    private let surelyAllowed: Int

    /// The next period to look at.
    var unit: Int
    /// The rest of the days that have been found.
    var days = DaySet(base: 0)
    /// The first 64 of ``days``, or the bits of one word of them: those that are next.
    var bits: UInt64 = 0
    var bitsBase = 0
    /// The next of the 64 days to take from ``days``; 384 when there are none.
    var nextWord = DaySet.capacity
    /// The beginning of the day, hour, minute or second whose times are being given, in local seconds.
    var block = 0
    /// The time in ``block`` that is next, -1 when there is none.
    var time = -1
    /// What BYSETPOS chose of a period that has several times a day, in local seconds.
    var chosen: [Int] = []
    var nextChosen = 0
    /// The month whose days were looked at last, for rules of hours and less.
    var passing = PassingDays()

    /// Steps taken in search of one occurrence, of which ``RecurrenceSet/maximumSteps`` are allowed.
    var steps = 0
    /// Steps taken since ``budget`` was charged.
    var unpaid = 0
    /// Shared with the other searches of the same object; `nil` for no limit beyond that of each search.
    private let budget: StepBudget?
    /// What COUNT leaves from here on.
    var remaining: Int
    /// What is next, when it has been looked at already.
    private var head: Int?
    /// The last one given, where SKIP can give one twice.
    private var last = Int.min

    /// - Parameters:
    ///   - after: the first occurrence given is the first one after this local second.
    ///   - budget: the budget that all steps are charged to.
    init(plan: RulePlan, limit: RuleLimit?, after: Int, budget: StepBudget? = nil) throws(RecurrenceError) {
        self.plan = plan
        self.budget = budget
        self.limit = limit
        let end = limit.map { ($0.local + RuleLimit.vagueSeconds).flooredQuotient(by: ClockTime.secondsPerDay) }
        self.lastDay = min(end ?? CalendarDate.lastDayNumber, CalendarDate.lastDayNumber)
        let endOfCalendar = (CalendarDate.lastDayNumber + 1) * ClockTime.secondsPerDay - 1
        self.surelyAllowed = limit.map { min($0.local - RuleLimit.vagueSeconds, endOfCalendar) } ?? endOfCalendar
        self.remaining = plan.count ?? .max
        let floor = max(after, plan.start - 1)
        guard plan.grid.count > 0 else {
            // BYSETPOS names none of the times that each period has.
            self.unit = 0
            self.remaining = 0
            return
        }
        if plan.count == nil {
            self.unit = plan.alignedUnit(atOrBefore: floor)
            try self.seek(after: floor)
        } else {
            self.unit = plan.firstUnit
            try self.seek(after: plan.start - 1)
            if floor >= plan.start { try self.countOut(through: floor) }
        }
        self.unpaid += StepBudget.cursor
        try self.pay()
    }

    /// Steps after which the budget is charged: often enough, and not in each step of a fast rule.
    private static let stepsPerCharge = 64

    private mutating func pay() throws(RecurrenceError) {
        let steps = self.unpaid
        self.unpaid = 0
        try self.budget?.spend(steps)
    }

    /// Goes to the first occurrence after `floor` in a few steps, independently of the number of occurrences before it.
    mutating func skip(through floor: Int) throws(RecurrenceError) {
        guard let head = try self.peek(), head <= floor else { return }
        guard self.plan.count != nil else {
            self = try RuleCursor(plan: self.plan, limit: self.limit, after: floor, budget: self.budget)
            return
        }
        self.head = nil
        self.remaining -= 1
        self.steps = 0
        try self.countOut(through: floor)
        self.unpaid += StepBudget.cursor
        try self.pay()
    }

    /// The next occurrence, `nil` after the last.
    mutating func next() throws(RecurrenceError) -> Int? {
        if let head = self.head {
            self.head = nil
            self.remaining -= 1
            return head
        }
        guard let local = try self.find() else { return nil }
        self.remaining -= 1
        return local
    }

    /// What ``next()`` will give.
    mutating func peek() throws(RecurrenceError) -> Int? {
        if self.head == nil { self.head = try self.find() }
        return self.head
    }

    private mutating func find() throws(RecurrenceError) -> Int? {
        self.steps = 0
        if self.unpaid > Self.stepsPerCharge { try self.pay() }
        guard self.remaining > 0, var local = try self.candidate() else { return nil }
        if self.plan.skip != .omit {
            while local <= self.last {
                guard let other = try self.candidate() else { return nil }
                local = other
            }
            self.last = local
        }
        if local > self.surelyAllowed {
            guard local.flooredQuotient(by: ClockTime.secondsPerDay) <= CalendarDate.lastDayNumber,
                self.limit?.allows(local) ?? true
            else {
                self.remaining = 0
                return nil
            }
        }
        return local
    }

    /// The next time that the parts of the rule name, without regard to COUNT and UNTIL.
    private mutating func candidate() throws(RecurrenceError) -> Int? {
        if self.time >= 0 {
            let local = self.block + self.time
            self.time = self.plan.grid.next(after: self.time) ?? -1
            return local
        }
        if self.plan.isListed {
            guard self.nextChosen < self.chosen.count || self.loadChosen() else { return nil }
            self.nextChosen += 1
            return self.chosen[self.nextChosen - 1]
        }
        guard let block = try self.nextBlock() else { return nil }
        let first = self.plan.grid.first
        if self.plan.grid.count > 1 {
            self.block = block
            self.time = self.plan.grid.next(after: first) ?? -1
        }
        return block + first
    }

    /// The beginning of the next day, or of the next period of a shorter rule.
    mutating func nextBlock() throws(RecurrenceError) -> Int? {
        guard self.plan.frequency >= .daily else { return try self.nextShortPeriod() }
        guard self.bits != 0 || self.loadDays() else { return nil }
        let bit = self.bits.trailingZeroBitCount
        self.bits &= self.bits &- 1
        return (self.bitsBase + bit) * ClockTime.secondsPerDay
    }

    /// Goes to the first occurrence after `floor`, which does not lie before the period ``unit``.
    private mutating func seek(after floor: Int) throws(RecurrenceError) {
        if self.plan.isListed {
            repeat {
                guard self.loadChosen() else { return }
                self.nextChosen = self.chosen.firstIndex(after: floor)
            } while self.nextChosen >= self.chosen.count
            return
        }
        if self.plan.frequency >= .daily {
            let day = floor.flooredQuotient(by: ClockTime.secondsPerDay)
            repeat {
                guard self.loadDays() else { return }
                self.drop(before: day)
            } while self.bits == 0
        }
        // The first day or hour may lie on both sides of the floor.
        guard let block = try self.nextBlock() else { return }
        self.enter(block, after: floor)
    }

    /// Goes on with the times of `block` that come after `floor`.
    mutating func enter(_ block: Int, after floor: Int) {
        self.block = block
        self.time = block > floor ? self.plan.grid.first : self.plan.grid.next(after: floor - block) ?? -1
    }
}

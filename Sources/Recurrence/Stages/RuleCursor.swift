import RemindavICalendar

/// Iterates over the occurrences of one rule in local seconds, earliest first; a search can begin at any time.
struct RuleCursor: Sendable {
    let plan: RulePlan
    let limit: RuleLimit?
    /// The last day that may have an occurrence: the last day of the calendar, or a day soon after UNTIL.
    let lastDay: Int
    /// Occurrences up to this local second need no test against UNTIL.
    private let surelyAllowed: Int
    var unit: Int
    var days = DaySet(base: 0)
    /// The next 64 days of ``days``; bit 0 stands for the day ``bitsBase``.
    var bits: UInt64 = 0
    var bitsBase = 0
    /// The offset in ``days`` of the 64 days that follow ``bits``.
    var nextWord = DaySet.capacity
    /// The local second at which the current day, hour, minute or second (by FREQ) begins.
    var block = 0
    /// The next time in seconds after ``block``; -1 if there is none.
    var time = -1
    /// The local seconds that BYSETPOS selects in a period, if a day has several times.
    ///
    /// Without such a list, a rule in another calendar keeps the days of its period here.
    var chosen: [Int] = []
    var nextChosen = 0
    var passing = PassingDays()
    /// The steps in the search for one occurrence, at most ``RecurrenceSet/maximumSteps``.
    var steps = 0
    var unpaid = 0
    /// The limit of steps that all searches share, besides the limit of each search; `nil` for no shared limit.
    private let budget: StepBudget?
    var remaining: Int
    /// Whether the search in another calendar has ended without a result, although later dates may exist.
    var isAbandoned = false
    /// Whether ``lastDay`` is only the end of the search in another calendar.
    private(set) var isCut = false
    private var head: Int?
    /// The previous occurrence: SKIP can produce an occurrence twice.
    private var last = Int.min

    /// - Parameter after: the local second after which the search begins.
    init(plan: RulePlan, limit: RuleLimit?, after: Int, budget: StepBudget? = nil) throws(RecurrenceError) {
        self.plan = plan
        self.budget = budget
        self.limit = limit
        let end = limit.map { ($0.local + RuleLimit.vagueSeconds).flooredQuotient(by: ClockTime.secondsPerDay) }
        let floor = max(after, plan.start - 1)
        let lastDay = min(end ?? CalendarDate.lastDayNumber, CalendarDate.lastDayNumber)
        let horizon = plan.filter.rare?.calendar == nil ? nil : try plan.lastDayOfSearch(after: floor)
        self.lastDay = min(horizon ?? lastDay, lastDay)
        if let horizon { self.isCut = horizon < lastDay }
        let endOfCalendar = (CalendarDate.lastDayNumber + 1) * ClockTime.secondsPerDay - 1
        self.surelyAllowed = limit.map { min($0.local - RuleLimit.vagueSeconds, endOfCalendar) } ?? endOfCalendar
        self.remaining = plan.count ?? .max
        guard plan.grid.count > 0 else {
            // BYSETPOS selects no time, so there is no occurrence.
            self.unit = 0
            self.remaining = 0
            return
        }
        if plan.count == nil {
            // SKIP=FORWARD moves a date to the first day after its period.
            let first = plan.skip == .forward ? floor - ClockTime.secondsPerDay : floor
            self.unit = try plan.calendar?.unit(of: plan, atOrBefore: floor) ?? plan.alignedUnit(atOrBefore: first)
            try self.seek(after: floor)
        } else {
            self.unit = try plan.calendar?.unit(of: plan, atOrBefore: plan.start) ?? plan.firstUnit
            try self.seek(after: plan.start - 1)
            if floor >= plan.start { try self.countOut(through: floor) }
        }
        self.unpaid += StepBudget.cursor
        try self.pay()
    }

    /// Steps are charged to the budget in groups of this size: a charge for each step would slow down fast rules.
    private static let stepsPerCharge = 64

    private mutating func pay() throws(RecurrenceError) {
        let steps = self.unpaid + (self.plan.filter.rare?.calendar?.takeCost() ?? 0)
        self.unpaid = 0
        try self.budget?.spend(steps)
    }

    /// Skips the occurrences up to `floor`, in a few steps, independently of their number.
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

    mutating func peek() throws(RecurrenceError) -> Int? {
        if self.head == nil { self.head = try self.find() }
        return self.head
    }

    private mutating func find() throws(RecurrenceError) -> Int? {
        self.steps = 0
        if self.unpaid > Self.stepsPerCharge { try self.pay() }
        guard self.remaining > 0, var local = try self.candidate() else {
            if self.isAbandoned { throw .budgetExceeded }
            return nil
        }
        if self.plan.skip != .omit {
            while local <= self.last {
                guard let other = try self.candidate() else {
                    if self.isAbandoned { throw .budgetExceeded }
                    return nil
                }
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

    /// The next occurrence without regard to COUNT and UNTIL.
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

    /// The beginning of the next matching day, or of the next matching hour, minute or second of a shorter rule.
    mutating func nextBlock() throws(RecurrenceError) -> Int? {
        guard self.plan.frequency >= .daily else { return try self.nextShortPeriod() }
        guard self.bits != 0 || self.loadDays() else { return nil }
        let bit = self.bits.trailingZeroBitCount
        self.bits &= self.bits &- 1
        return (self.bitsBase + bit) * ClockTime.secondsPerDay
    }

    /// Moves to the first occurrence after `floor`; the search begins with the period ``unit``.
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
        // `floor` may be inside the first block, so earlier times of this block are left out.
        guard let block = try self.nextBlock() else { return }
        self.enter(block, after: floor)
    }

    mutating func enter(_ block: Int, after floor: Int) {
        self.block = block
        self.time = block > floor ? self.plan.grid.first : self.plan.grid.next(after: floor - block) ?? -1
    }
}

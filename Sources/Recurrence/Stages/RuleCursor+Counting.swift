import RemindavICalendar

// For a rule with COUNT, a search that begins after the start of the series must count the earlier occurrences.
extension RuleCursor {
    /// Skips the occurrences up to `floor`, and subtracts their number from ``remaining``.
    mutating func countOut(through floor: Int) throws(RecurrenceError) {
        if self.plan.skip != .omit { return try self.walk(through: floor) }
        while self.steps < RecurrenceSet.maximumSteps {
            self.steps += 1
            self.unpaid += 1
            guard self.remaining > 0 else { return }
            if self.time >= 0 {
                if self.countTimes(through: floor) { return }
            } else if self.plan.isListed {
                if self.countChosen(through: floor) { return }
            } else if self.plan.frequency < .daily {
                try self.countShortPeriods(through: floor)
            } else if self.countDays(through: floor) {
                return
            }
        }
        throw .budgetExceeded
    }

    // SKIP may move two dates to one day, so the occurrences are counted one by one.
    private mutating func walk(through floor: Int) throws(RecurrenceError) {
        var total = 0
        while total < RecurrenceSet.maximumSteps {
            guard let local = try self.peek(), local <= floor else { return }
            _ = try self.next()
            self.unpaid += 1
            total += 1 + self.steps
        }
        throw .budgetExceeded
    }

    /// Counts the times up to `floor` in the current block; returns `true` if the block also has a time after `floor`.
    private mutating func countTimes(through floor: Int) -> Bool {
        let grid = self.plan.grid
        guard floor >= self.block + self.time else { return true }
        self.remaining -= grid.count(through: floor - self.block) - grid.count(through: self.time - 1)
        self.time = grid.next(after: floor - self.block) ?? -1
        return self.time >= 0
    }

    private mutating func countChosen(through floor: Int) -> Bool {
        let end = self.chosen.firstIndex(after: floor)
        self.remaining -= max(end - self.nextChosen, 0)
        self.nextChosen = max(end, self.nextChosen)
        return self.nextChosen < self.chosen.count || !self.loadChosen()
    }

    /// Counts the occurrences before the day of `floor`, and makes this day the current block if it matches.
    ///
    /// - Returns: whether nothing is left to count: the next matching day is later, or there is none.
    private mutating func countDays(through floor: Int) -> Bool {
        let day = floor.flooredQuotient(by: ClockTime.secondsPerDay)
        let before = self.bits
        self.drop(before: day)
        self.remaining -= (before.nonzeroBitCount - self.bits.nonzeroBitCount) * self.plan.grid.count
        if self.bits != 0 {
            guard self.bitsBase + self.bits.trailingZeroBitCount == day else { return true }
            self.bits &= self.bits &- 1
            self.block = day * ClockTime.secondsPerDay
            self.time = self.plan.grid.first
            return false
        }
        self.jumpPeriods(before: floor)
        return !self.loadDays()
    }

    /// Counts the periods before the period of `floor` by multiplication, if all have the same number of occurrences.
    private mutating func jumpPeriods(before floor: Int) {
        guard self.nextWord >= DaySet.capacity, self.plan.isRegular else { return }
        let unit = self.plan.alignedUnit(atOrBefore: floor)
        guard unit > self.unit else { return }
        let each = self.plan.countOfPeriod(unit)
        // If the number is greater than COUNT, it need not be exact.
        let (count, overflow) = ((unit - self.unit) / self.plan.interval).multipliedReportingOverflow(by: each)
        self.remaining = overflow ? 0 : max(self.remaining - count, 0)
        self.unit = unit
    }

    private mutating func countShortPeriods(through floor: Int) throws(RecurrenceError) {
        self.jumpPeriods(before: floor)
        self.jumpDays(before: floor)
        guard self.remaining > 0 else { return }
        guard let block = try self.nextBlock() else {
            self.remaining = 0
            return
        }
        self.block = block
        self.time = self.plan.grid.first
    }

    /// Counts the occurrences before the day of `floor` by multiplication, if all matching days have the same times.
    private mutating func jumpDays(before floor: Int) {
        let perDay = ClockTime.secondsPerDay / self.plan.unitSeconds
        let (day, last) = (self.unit.flooredQuotient(by: perDay), floor.flooredQuotient(by: ClockTime.secondsPerDay))
        guard self.plan.hasSameDays, last > day else { return }
        let filter = self.plan.filter
        if self.passing.contains(day, filter) {
            let time = (self.unit - day * perDay) * self.plan.unitSeconds
            self.remaining -= self.plan.countOfDay(from: time)
        }
        let each = self.plan.countOfDay(from: 0)
        var month = Month(containing: day + 1)
        var passing = filter.days(of: month) & ~.lowBits(day + 1 - month.firstDay)
        while month.firstDay + month.length <= last, self.remaining > 0 {
            self.remaining -= passing.nonzeroBitCount * each
            month = month.next
            passing = filter.days(of: month)
        }
        if month.firstDay < last {
            self.remaining -= (passing & .lowBits(min(last - month.firstDay, 31))).nonzeroBitCount * each
        }
        self.unit = self.plan.alignedUnit(atOrAfter: last * perDay)
    }
}

extension RulePlan {
    var isRegular: Bool {
        switch self.frequency {
        case .yearly, .monthly: false
        case .weekly:
            self.filter.allowsEveryMonth && !self.filter.hasMonthDays && !(self.filter.rare?.limitsDays ?? false)
        case .daily: !self.filter.limitsDays
        default: !self.limitsShortPeriods
        }
    }

    func countOfPeriod(_ unit: Int) -> Int {
        guard self.frequency == .weekly else { return self.grid.count }
        let days = self.days(of: unit)
        return (self.positions.isEmpty ? days : days.chosen(self.positions)).count * self.grid.count
    }

    var hasSameDays: Bool {
        self.frequency < .daily && ClockTime.secondsPerDay.isMultiple(of: self.interval &* self.unitSeconds)
    }

    /// The number of occurrences from `time` on, in each matching day; all matching days have the same times.
    func countOfDay(from time: Int) -> Int {
        let step = self.interval * self.unitSeconds
        let first = self.start.flooredRemainder(by: step) / self.unitSeconds * self.unitSeconds
        let begin = first + max(time - first, 0).ceiledQuotient(by: step) * step
        var count = 0
        for time in stride(from: begin, to: ClockTime.secondsPerDay, by: step) where self.allows(time: time) {
            count += 1
        }
        return count * self.grid.count
    }
}

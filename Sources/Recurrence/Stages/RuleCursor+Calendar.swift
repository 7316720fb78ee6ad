import RemindavICalendar

// Finds the days of a MONTHLY or YEARLY rule in another calendar than the Gregorian one (RFC 7529).
extension RuleCursor {
    /// Fills ``bits`` with the next days; returns `false` if there are no more days.
    mutating func loadDays(of calendar: CalendarParts) -> Bool {
        guard self.nextChosen < self.chosen.count || self.loadPeriod(of: calendar) else { return false }
        self.bitsBase = self.chosen[self.nextChosen]
        self.bits = 0
        while self.nextChosen < self.chosen.count, self.chosen[self.nextChosen] < self.bitsBase + 64 {
            self.bits |= 1 << UInt64(self.chosen[self.nextChosen] - self.bitsBase)
            self.nextChosen += 1
        }
        return true
    }

    /// Fills ``chosen`` with the days of the next period that has any, or with its times if BYSETPOS selects times.
    mutating func loadPeriod(of calendar: CalendarParts) -> Bool {
        self.chosen.removeAll(keepingCapacity: true)
        self.nextChosen = 0
        var lastFirstDay: Int?
        while let period = calendar.period(self.unit) {
            // SKIP moves a day to an earlier period by at most one day.
            guard period.firstDay <= self.lastDay + 1 else {
                self.remaining = 0
                return false
            }
            let limit = lastFirstDay ?? period.firstDay + CalendarParts.maximumDays
            guard period.firstDay <= limit else { break }
            lastFirstDay = limit
            let days = calendar.days(of: period)
            let cost = 1 + calendar.takeCost()
            self.unpaid += cost
            self.steps += cost
            self.choose(from: days)
            // An unreachable next period is an error for the next search only.
            self.unit = calendar.unit(after: self.unit) ?? .max
            if !self.chosen.isEmpty { return true }
        }
        self.remaining = 0
        self.isAbandoned = true
        return false
    }

    private mutating func choose(from days: [Int]) {
        let positions = self.plan.positions
        guard !positions.isEmpty else { return self.chosen = days }
        let grid = self.plan.grid
        let perDay = self.plan.isListed ? grid.count : 1
        let total = days.count * perDay
        var indices: Set<Int> = []
        for position in positions where position != 0 && abs(position) <= total {
            indices.insert(position > 0 ? position - 1 : total + position)
        }
        self.chosen = indices.sorted().map { index in
            self.plan.isListed
                ? days[index / perDay] * ClockTime.secondsPerDay + grid[index % perDay] : days[index]
        }
    }
}

extension CalendarParts {
    /// The period with which the search for the dates after `floor` begins.
    func unit(of plan: RulePlan, atOrBefore floor: Int) throws(RecurrenceError) -> Int {
        let startDay = plan.start.flooredQuotient(by: ClockTime.secondsPerDay)
        // SKIP=FORWARD moves a date of an earlier period by a month and a day at most.
        let margin = self.skip == .forward ? 33 : 0
        return try self.unit(
            from: startDay,
            atOrBefore: floor.flooredQuotient(by: ClockTime.secondsPerDay) - margin
        )
    }
}

extension RulePlan {
    /// The last day of a search for dates after `floor`, if other parts limit the days in another calendar.
    ///
    /// - Throws: `budgetExceeded` if a rule with COUNT would have to be followed over more years.
    func lastDayOfSearch(after floor: Int) throws(RecurrenceError) -> Int? {
        guard self.frequency < .monthly else { return nil }
        let maximum = CalendarParts.maximumDays
        guard self.count == nil || floor - self.start <= maximum * ClockTime.secondsPerDay else {
            throw .budgetExceeded
        }
        return floor.flooredQuotient(by: ClockTime.secondsPerDay) + maximum
    }
}

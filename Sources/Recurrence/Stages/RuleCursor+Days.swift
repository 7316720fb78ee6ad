import RemindavICalendar

// Finds the days of a DAILY, WEEKLY, MONTHLY or YEARLY rule.
extension RuleCursor {
    /// Fills ``bits`` with the next days; returns `false` if there are no more days.
    mutating func loadDays() -> Bool {
        guard self.plan.hasDaySets else { return self.loadDaysWithoutSet() }
        repeat {
            while self.nextWord < DaySet.capacity {
                self.bits = self.days.bits(from: self.nextWord)
                self.bitsBase = self.days.base + self.nextWord
                self.nextWord += 64
                if self.bits != 0 { return true }
            }
        } while self.loadPeriod()
        return false
    }

    @inline(never)
    private mutating func loadDaysWithoutSet() -> Bool {
        if let calendar = self.plan.calendar { return self.loadDays(of: calendar) }
        return self.loadDaily()
    }

    mutating func drop(before day: Int) {
        let count = day - self.bitsBase
        if count > 63 { self.bits = 0 } else if count > 0 { self.bits &= ~UInt64.lowBits(count) }
    }

    private mutating func loadPeriod() -> Bool {
        let positions = self.plan.positions
        for _ in 0...self.plan.cycle {
            guard self.plan.firstDay(of: self.unit) <= self.lastDay + 7 else { break }
            self.unpaid += 1
            var days = self.plan.days(of: self.unit)
            self.unit += self.plan.interval
            if days.isEmpty { continue }
            if !positions.isEmpty {
                days = days.chosen(positions)
                if days.isEmpty { continue }
            }
            self.days = days
            self.nextWord = 0
            return true
        }
        return self.end()
    }

    /// Fills ``bits`` for a daily rule: with 64 days, or with one month if parts of the rule limit the days.
    private mutating func loadDaily() -> Bool {
        let interval = self.plan.interval
        guard self.plan.filter.limitsDays else {
            guard self.unit <= self.lastDay else { return self.end() }
            self.bitsBase = self.unit
            self.bits = Self.multiples(of: interval)
            self.unit += self.bits.nonzeroBitCount * interval
            return true
        }
        // The calendar repeats after 400 years, so a longer search finds nothing.
        let cycle = interval * (146_097 / 146_097.greatestCommonDivisor(with: interval))
        let last = min(self.lastDay, self.unit + cycle)
        while self.unit <= last {
            self.unpaid += 1
            let month = Month(containing: self.unit)
            let reach = Self.multiples(of: interval) << UInt64(self.unit - month.firstDay) & month.mask
            self.bits = self.plan.filter.days(of: month) & reach
            self.bitsBase = month.firstDay
            self.unit += reach.nonzeroBitCount * interval
            if self.bits != 0 { return true }
            guard let day = self.plan.filter.firstDay(from: self.unit, through: last) else { break }
            self.unit = self.plan.alignedUnit(atOrAfter: day)
        }
        return self.end()
    }

    mutating func end() -> Bool {
        self.remaining = 0
        self.isAbandoned = self.isCut
        self.bits = 0
        return false
    }

    /// A number in which the bits 0, `interval`, twice `interval` and so on are set.
    private static func multiples(of interval: Int) -> UInt64 {
        guard interval > 1 else { return .max }
        guard interval < 64 else { return 1 }
        var bits: UInt64 = 1
        var distance = interval
        while distance < 64 {
            bits |= bits << UInt64(distance)
            distance *= 2
        }
        return bits
    }

    /// Fills ``chosen`` with the times that BYSETPOS selects in the next period; `false` if there is none.
    mutating func loadChosen() -> Bool {
        if let calendar = self.plan.calendar { return self.loadPeriod(of: calendar) }
        self.chosen.removeAll(keepingCapacity: true)
        self.nextChosen = 0
        for _ in 0...self.plan.cycle {
            guard self.plan.firstDay(of: self.unit) <= self.lastDay + 7 else { break }
            self.unpaid += 1
            let days = self.plan.days(of: self.unit)
            self.unit += self.plan.interval
            days.choose(self.plan.positions, grid: self.plan.grid, into: &self.chosen)
            if !self.chosen.isEmpty { return true }
        }
        return self.end()
    }
}

// BYSETPOS in a period (RFC 5545 §3.3.10): positions count from 1, negative ones from the end.
extension DaySet {
    func chosen(_ positions: [Int]) -> DaySet {
        let total = self.count
        var chosen = DaySet(base: self.base)
        for position in positions where position != 0 && abs(position) <= total {
            chosen.insert(self.day(at: position > 0 ? position - 1 : total + position) - self.base)
        }
        return chosen
    }

    func choose(_ positions: [Int], grid: TimeGrid, into chosen: inout [Int]) {
        let total = self.count * grid.count
        for position in positions where position != 0 && abs(position) <= total {
            let index = position > 0 ? position - 1 : total + position
            chosen.append(self.day(at: index / grid.count) * ClockTime.secondsPerDay + grid[index % grid.count])
        }
        chosen.sort()
        guard positions.count > 1 else { return }
        var last = Int.min
        chosen.removeAll { time in
            defer { last = time }
            return time == last
        }
    }
}

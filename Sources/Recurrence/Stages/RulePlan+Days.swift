import ICalendar

// The days that a rule takes of a week, month or year: the table of RFC 5545 §3.3.10. With what is missing filled in
// from the start, each part takes its days of the period, and what all of them take stays. Where the table says that a
// part does not belong to a frequency (BYMONTHDAY in a week, BYYEARDAY and BYWEEKNO in a week or month), it limits: no
// day is named that the rule as written excludes.
extension RulePlan {
    /// The days of the period `unit`, of a week or longer, before BYSETPOS.
    func days(of unit: Int) -> DaySet {
        switch self.frequency {
        case .yearly: self.isWeekYear ? self.daysOfWeeks(unit) : self.daysOfYear(unit)
        case .monthly: self.daysOfMonth(Month(year: unit / 12, number: unit % 12 + 1))
        case .weekly: self.daysOfWeek(self.weekOrigin + unit * 7)
        default: DaySet(base: unit, bits: self.filter.days(of: Month(containing: unit)) >> self.dayOfMonth(unit) & 1)
        }
    }

    private func dayOfMonth(_ day: Int) -> UInt64 { UInt64(day - Month(containing: day).firstDay) }

    private func daysOfWeek(_ first: Int) -> DaySet {
        let weekdays = DayFilter.pattern(self.filter.weekdays, from: self.weekStart) & 0x7F
        guard self.filter.rare?.limitsDays ?? false || self.filter.hasMonthDays || !self.filter.allowsEveryMonth else {
            return DaySet(base: first, bits: weekdays)
        }
        let month = Month(containing: first)
        let offset = UInt64(first - month.firstDay)
        var days = self.filter.days(of: month) >> offset
        if Int(offset) + 7 > month.length {
            days |= self.filter.days(of: month.next) << UInt64(month.length - Int(offset))
        }
        return DaySet(base: first, bits: days & 0x7F)
    }

    private func daysOfMonth(_ month: Month) -> DaySet {
        if self.skip != .omit { return DaySet(base: month.firstDay - 1, bits: self.daysWithMoved(of: month)) }
        return DaySet(base: month.firstDay, bits: self.days(of: month))
    }

    private func days(of month: Month) -> UInt64 {
        let days = self.filter.days(of: month)
        guard self.hasWeekdays, self.filter.rare?.yearOrdinals.isEmpty ?? true, days != 0 else { return days }
        return days & self.weekdays(of: month)
    }

    /// BYDAY in a month: numbers count in it, a plain weekday is each; together they are a union.
    private func weekdays(of month: Month) -> UInt64 {
        let first = month.firstWeekday
        var days = self.weekdays == 0 ? 0 : DayFilter.pattern(self.weekdays, from: first)
        var bits = self.ordinals
        while bits != 0 {
            let bit = bits.trailingZeroBitCount
            bits &= bits &- 1
            days |= 1 << UInt64((bit % 7 - first + 7) % 7 + bit / 7 * 7)
        }
        bits = self.ordinalsFromEnd
        let last = (first + month.length - 1) % 7
        while bits != 0 {
            let bit = bits.trailingZeroBitCount
            bits &= bits &- 1
            let day = month.length - 1 - (last - bit % 7 + 7) % 7 - bit / 7 * 7
            if day >= 0 { days |= 1 << UInt64(day) }
        }
        return days & month.mask
    }

    private func daysOfYear(_ year: Int) -> DaySet {
        let first = Month.firstDay(of: year)
        let margin = self.skip == .omit ? 0 : 1
        var days = DaySet(base: first - margin)
        let ordinals = self.filter.rare?.yearOrdinals ?? []
        // Only BYDAY.
        guard self.filter.limitsDays else { return self.weekdays(ofYear: year, ordinals) }
        var months = self.filter.months
        while months != 0 {
            let month = Month(year: year, number: months.trailingZeroBitCount)
            months &= months &- 1
            let bits = self.skip == .omit ? self.days(of: month) : self.daysWithMoved(of: month)
            days.insert(bits, at: month.firstDay - first)
        }
        if self.skip != .omit { self.insertMovedYearDays(into: &days, year) }
        if self.hasWeekdays, !ordinals.isEmpty {
            days.formIntersection(self.weekdays(ofYear: year, ordinals, margin: margin))
        }
        return days
    }

    /// BYDAY in a year: numbers count in it.
    ///
    /// - Parameter margin: how many days before the year the set begins.
    private func weekdays(
        ofYear year: Int,
        _ ordinals: [RecurrenceRule.WeekdayItem],
        margin: Int = 0
    ) -> DaySet {
        let first = Month.firstDay(of: year)
        let length = Month.isLeap(year) ? 366 : 365
        let firstWeekday = Month.weekday(of: first)
        var days = DaySet(base: first - margin)
        let pattern = DayFilter.pattern(self.weekdays, from: firstWeekday)
        if self.weekdays != 0 {
            for offset in stride(from: 0, to: 315, by: 63) { days.insert(pattern, at: offset + margin) }
            days.insert(pattern & .lowBits(length - 315), at: 315 + margin)
        }
        for item in ordinals {
            guard let ordinal = item.ordinal else { continue }
            let earliest = (item.weekday.rawValue - firstWeekday + 7) % 7
            let latest = earliest + (length - 1 - earliest) / 7 * 7
            let day = ordinal > 0 ? earliest + (ordinal - 1) * 7 : latest + (ordinal + 1) * 7
            if day >= 0, day < length { days.insert(day + margin) }
        }
        return days
    }

    private func daysOfWeeks(_ year: Int) -> DaySet {
        let weeks = WeekYear(year, weekStart: self.weekStart)
        var days = DaySet(base: weeks.firstDay)
        guard let rare = self.filter.rare else { return days }
        let weekdays = DayFilter.pattern(self.filter.weekdays, from: self.weekStart) & 0x7F
        for number in 1...weeks.weeks where rare.allows(week: number, of: weeks.weeks) {
            days.insert(weekdays, at: (number - 1) * 7)
        }
        guard self.filter.hasMonthDays || !self.filter.allowsEveryMonth else { return days }
        var month = Month(containing: weeks.firstDay)
        var passing = DaySet(base: weeks.firstDay)
        while month.firstDay < weeks.firstDay + weeks.weeks * 7 {
            let bits = self.filter.days(of: month)
            let offset = month.firstDay - weeks.firstDay
            if offset < 0 { passing.insert(bits >> UInt64(-offset), at: 0) } else { passing.insert(bits, at: offset) }
            month = month.next
        }
        days.formIntersection(passing)
        return days
    }
}

// SKIP: RFC 7529 §4.1 moves what BYMONTHDAY or BYYEARDAY name and the month or year does not have, after these parts
// and before BYDAY. A day that is moved stays in the period that it comes from.
extension RulePlan {
    /// The days of `month` and what was moved; bit 0 is the day before the month.
    private func daysWithMoved(of month: Month) -> UInt64 {
        var days = self.days(of: month) << 1
        guard self.filter.allows(month: month.number), self.filter.rare?.hasYearDays != true else { return days }
        let isBackward = self.skip == .backward
        let missing: UInt64 = 0x7FFF_FFFF & ~month.mask
        if self.filter.monthDays & missing != 0 {
            days |= self.moved(to: isBackward ? month.length : month.length + 1, before: month)
        }
        if self.filter.monthDaysFromEnd & .lowBits(31 - month.length) != 0 {
            days |= self.moved(to: isBackward ? 0 : 1, before: month)
        }
        return days
    }

    private func moved(to bit: Int, before month: Month) -> UInt64 {
        self.allowsWeekday(of: month.firstDay - 1 + bit) ? 1 << UInt64(bit) : 0
    }

    private func insertMovedYearDays(into days: inout DaySet, _ year: Int) {
        guard let rare = self.filter.rare, rare.hasYearDays, !Month.isLeap(year) else { return }
        let first = Month.firstDay(of: year)
        let isBackward = self.skip == .backward
        var moved: [Int] = []
        if rare.yearDays.bits(from: 365) & 1 != 0 { moved.append(isBackward ? first + 364 : first + 365) }
        if rare.yearDaysFromEnd.bits(from: 0) & 1 != 0 { moved.append(isBackward ? first - 1 : first) }
        for day in moved where self.allowsWeekday(of: day) { days.insert(day - days.base) }
    }

    /// BYDAY as a limit on a day that was moved, wherever it lies now.
    private func allowsWeekday(of day: Int) -> Bool {
        guard self.hasWeekdays else { return true }
        let month = Month(containing: day)
        if let ordinals = self.filter.rare?.yearOrdinals, !ordinals.isEmpty {
            let days = self.weekdays(ofYear: month.year, ordinals)
            return days.bits(from: day - days.base) & 1 != 0
        }
        return self.weekdays(of: month) >> UInt64(day - month.firstDay) & 1 != 0
    }
}

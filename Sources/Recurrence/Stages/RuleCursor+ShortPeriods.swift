import RemindavICalendar

/// The days of a month that match an hourly, minutely or secondly rule, computed once per month.
struct PassingDays: Sendable {
    private var firstDay = 0
    private var length = 0
    private var days: UInt64 = 0

    mutating func contains(_ day: Int, _ filter: DayFilter) -> Bool {
        if day < self.firstDay || day >= self.firstDay + self.length {
            let month = Month(containing: day)
            self.firstDay = month.firstDay
            self.length = month.length
            self.days = filter.days(of: month)
        }
        return self.days >> UInt64(day - self.firstDay) & 1 != 0
    }
}

// HOURLY, MINUTELY, SECONDLY: parts for the unit of FREQ or a longer unit limit the periods; other parts expand them.
extension RuleCursor {
    mutating func nextShortPeriod() throws(RecurrenceError) -> Int? {
        let size = self.plan.unitSeconds
        let end = (self.lastDay + 1) * ClockTime.secondsPerDay
        guard self.plan.limitsShortPeriods else {
            let local = self.unit * size
            guard local < end else { return self.ended() }
            self.unit += self.plan.interval
            return local
        }
        while self.steps < RecurrenceSet.maximumSteps {
            self.steps += 1
            self.unpaid += 1
            let local = self.unit * size
            guard local < end else { return self.ended() }
            guard let target = self.refusal(of: local) else {
                self.unit += self.plan.interval
                return local
            }
            guard target < end else { return self.ended() }
            self.unit = self.plan.alignedUnit(atOrAfter: target.flooredQuotient(by: size))
            if self.steps == Self.stepsBeforeProof {
                var work = 0
                defer { self.unpaid += work / Self.workPerStep }
                if self.plan.isNeverMet(from: local, work: &work) { return self.ended() }
            }
        }
        throw .budgetExceeded
    }

    /// After this number of steps, the cursor tries to prove that the rule never matches.
    private static let stepsBeforeProof = 2000
    /// The number of tests in ``RulePlan/isNeverMet(from:work:)`` that take as long as one step.
    private static let workPerStep = 16

    private mutating func ended() -> Int? {
        _ = self.end()
        return nil
    }

    /// `nil` if the period at `local` matches; otherwise a local second before which no period matches.
    private mutating func refusal(of local: Int) -> Int? {
        let day = local.flooredQuotient(by: ClockTime.secondsPerDay)
        let midnight = day * ClockTime.secondsPerDay
        if self.plan.filter.limitsDays, !self.passing.contains(day, self.plan.filter) {
            let next = self.plan.filter.firstDay(from: day + 1, through: self.lastDay)
            return next.map { $0 * ClockTime.secondsPerDay } ?? .max
        }
        let time = local - midnight
        let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
        let hours = UInt64(self.plan.hours)
        guard hours & 1 << UInt64(hour) != 0 else {
            return midnight + (hours.firstBit(from: hour + 1) ?? 24) * 3600
        }
        guard self.plan.frequency < .hourly else { return nil }
        guard self.plan.minutes & 1 << UInt64(minute) != 0 else {
            return local - time % 3600 + (self.plan.minutes.firstBit(from: minute + 1) ?? 60) * 60
        }
        guard self.plan.frequency < .minutely, self.plan.seconds & 1 << UInt64(second) == 0 else { return nil }
        return local - second + (self.plan.seconds.firstBit(from: second + 1) ?? 60)
    }
}

extension RulePlan {
    var limitsShortPeriods: Bool {
        self.filter.limitsDays || self.hours.nonzeroBitCount < 24
            || (self.frequency < .hourly && self.minutes.nonzeroBitCount < 60)
            || (self.frequency < .minutely && self.seconds.nonzeroBitCount < 60)
    }

    /// - Parameter time: seconds after midnight at which a period of an hour or less begins.
    func allows(time: Int) -> Bool {
        self.hours & 1 << UInt32(time / 3600) != 0
            && (self.frequency >= .hourly || self.minutes & 1 << UInt64(time / 60 % 60) != 0)
            && (self.frequency >= .minutely || self.seconds & 1 << UInt64(time % 60) != 0)
    }

    /// Whether no period ever matches the rule; `false` also if the proof takes too long.
    ///
    /// INTERVAL reaches only times of day at a fixed distance, `divisor`. Each of these times returns every `stride`
    /// days, and the calendar repeats after 400 years. So a limited number of tests is a proof.
    func isNeverMet(from local: Int, work: inout Int) -> Bool {
        // Other calendars do not repeat after 400 years.
        guard self.filter.rare?.calendar == nil else { return false }
        let step = self.interval * self.unitSeconds
        let day = ClockTime.secondsPerDay
        let divisor = step.greatestCommonDivisor(with: day)
        let stride = step / divisor
        let cycle = 146_097 / 146_097.greatestCommonDivisor(with: stride)
        var tries = 0
        // Visits the periods from `local` on, until their times of day repeat.
        var period = local
        for _ in 0..<(day / divisor) {
            let time = period.flooredRemainder(by: day)
            work += 1
            if self.allows(time: time) {
                guard self.filter.limitsDays else { return false }
                var candidate = period.flooredQuotient(by: day)
                for _ in 0..<cycle where candidate <= CalendarDate.lastDayNumber {
                    work += 1
                    tries += 1
                    if self.filter.allows(day: candidate) || tries > Self.maximumProof { return false }
                    candidate += stride
                }
            }
            period += step
        }
        return true
    }

    /// The largest number of days that are tested to prove that a rule never matches.
    private static let maximumProof = 200_000
}

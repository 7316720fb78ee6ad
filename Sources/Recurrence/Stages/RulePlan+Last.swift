import ICalendar

extension RulePlan {
    /// The last occurrence that is not after `local`, without regard to COUNT; `nil` when none is near.
    ///
    /// - Parameter limit: where UNTIL ends the rule.
    func last(notAfter local: Int, limit: RuleLimit?) -> Int? {
        guard self.frequency >= .daily, !self.isListed, self.grid.count > 0 else { return nil }
        let bound = min(local, limit?.local ?? local)
        var unit = self.alignedUnit(atOrBefore: bound)
        for _ in 0..<Self.maximumStepsBack {
            guard unit >= self.firstUnit else { return nil }
            let days = self.positions.isEmpty ? self.days(of: unit) : self.days(of: unit).chosen(self.positions)
            var day = days.last(notAfter: local.flooredQuotient(by: ClockTime.secondsPerDay))
            while let found = day {
                for index in (0..<self.grid.count).reversed() {
                    let candidate = found * ClockTime.secondsPerDay + self.grid[index]
                    if candidate < self.start { return nil }
                    if candidate <= local, limit?.allows(candidate) ?? true { return candidate }
                }
                day = days.last(notAfter: found - 1)
            }
            unit -= self.interval
        }
        return nil
    }

    /// Time zones change once or twice a year; a rule that has had nothing for so many periods is none of a time zone.
    private static let maximumStepsBack = 400
}

import ICalendar

extension RecurrenceRule {
    /// The rule as a series of whole days reads it.
    ///
    /// BYHOUR, BYMINUTE and BYSECOND "MUST be ignored" there (RFC 5545 §3.3.10). A FREQ below DAILY names a day when it
    /// names a time of it, and a day once: every day, unless its INTERVAL is longer than one.
    var onDays: RecurrenceRule {
        let isShort = self.frequency < .daily
        guard isShort || !(self.byHour.isEmpty && self.byMinute.isEmpty && self.bySecond.isEmpty) else { return self }
        var rule = self
        rule.byHour = []
        rule.byMinute = []
        rule.bySecond = []
        guard isShort else { return rule }
        let unitsOfDay =
            switch self.frequency {
            case .hourly: 24
            case .minutely: 24 * 60
            default: ClockTime.secondsPerDay
            }
        if self.interval <= unitsOfDay {
            rule.frequency = .daily
            rule.interval = 1
        }
        return rule
    }
}

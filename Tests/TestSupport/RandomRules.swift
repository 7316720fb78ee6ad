package import RemindavICalendar

extension RecurrenceRule {
    /// A rule of parts that can be expressed in words, sometimes with another part.
    package static func random(_ generator: inout SeededGenerator) -> RecurrenceRule {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
        func some<Value>(_ values: [Value]) -> [Value] {
            Array(values.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)))
        }
        let frequency = RecurrenceRule.Frequency.allCases.randomElement(using: &generator) ?? .daily
        var rule = RecurrenceRule(
            frequency: frequency,
            interval: chance(50) ? 1 : Int.random(in: 2...40, using: &generator)
        )
        let isLong = frequency >= .monthly
        if chance(frequency == .weekly ? 60 : isLong ? 30 : 5) {
            rule.byDay = some(Weekday.allCases).map { day in
                .init(
                    ordinal: isLong && chance(80) ? [1, 2, 3, 4, 5, -1, -2].randomElement(using: &generator) : nil,
                    weekday: day
                )
            }
        }
        if chance(isLong ? 40 : 3) { rule.byMonthDay = some(Array(1...31) + [-1, -1, -1, -2]) }
        if chance(frequency == .yearly ? 60 : 3) { rule.byMonth = some(Array(1...12)) }
        if chance(5) { rule.bySetPosition = some([1, 2, -1]) }
        if chance(2) { rule.byHour = [9] }
        if chance(10) { rule.weekStart = Weekday.allCases.randomElement(using: &generator) ?? .monday }
        if chance(20) { rule.count = Int.random(in: 1...60, using: &generator) }
        let seconds = Int64.random(in: 1_795_000_000..<2_500_000_000, using: &generator)
        let moment = CalendarDateTime(utc: Instant(secondsSince1970: seconds / 60 * 60 - (chance(30) ? 1 : 0)))
        if chance(15) { rule.until = .dateTime(moment) }
        if chance(15) { rule.until = .date(moment.date) }
        return rule
    }
}

import RemindavICalendar
import RemindavRecurrence

/// The measured operations on rules; the time includes reading the rules.
///
/// The sums are those of `peers/libical_rules.c`.
enum RuleTasks {
    /// All times are floating, also in the compared programs.
    private static let resolver = TimeZoneResolver(database: ZoneDatabase { _ in nil }, calendar: nil, local: "Etc/UTC")

    private struct Sum {
        var found = 0
        var sum = 0

        mutating func add(_ moment: CalendarDateOrDateTime) {
            let day = moment.day
            let date = (day.year * 12 + day.month) * 31 + day.day
            found += 1
            guard case .dateTime(let dateTime) = moment else { return }
            let time = dateTime.time
            sum += ((date * 24 + time.hour) * 60 + time.minute) * 60 + time.second
        }
    }

    static func expand(_ wire: String, count: Int, start: String) throws {
        try measure {
            var sum = Sum()
            guard let moment = CalendarDateOrDateTime(wire: start, tzid: nil) else { throw UsageError() }
            let rule = try RecurrenceRule(wire: wire)
            var occurrences = try RecurrenceSet(start: moment, rules: [rule], resolver: resolver).occurrences()
            while sum.found < count, let occurrence = try occurrences.next() { sum.add(occurrence) }
            return sum
        } finding: {
            ["found": $0.found, "sum": $0.sum]
        }
    }

    static func next(count: Int, shapes: [String]) throws {
        guard let after = CalendarDateOrDateTime(wire: "20260101T000000", tzid: nil) else { throw UsageError() }
        try measure {
            var sum = Sum()
            for index in 0..<count {
                let rule = try RecurrenceRule(wire: shapes[index % shapes.count])
                let set = RecurrenceSet(start: start(index), rules: [rule], resolver: resolver)
                if let occurrence = try set.next(after: after) { sum.add(occurrence) }
            }
            return sum
        } finding: {
            ["found": $0.found, "sum": $0.sum]
        }
    }

    /// The start of rule number `index`, a time in 2010.
    private static func start(_ index: Int) -> CalendarDateOrDateTime {
        let day = CalendarDate(year: 2010, month: 1 + index / 7 % 12, day: 1 + index / 3 % 28)
        let time = ClockTime(secondsOfDay: index % 24 * 3600 + index % 60 * 60)
        return .dateTime(CalendarDateTime(date: day ?? CalendarDate(dayNumber: 0), time: time, zone: .floating))
    }
}

import RemindavCICU
import RemindavICalendar
import RemindavRecurrence
import Testing

@testable import RemindavCalendarSystems

/// The dates of a calendar as ICU itself states them for single days, as a reference: it shares no code with the search.
final class ICUDays {
    struct Fields: Hashable {
        let year: Int
        /// The number of the month in ICU, from 0.
        let month: Int
        let isLeap: Bool
        let day: Int
    }

    private let icu: RemindavICU
    private let calendar: UnsafeMutableRawPointer

    init(_ name: String) throws {
        self.icu = try #require(ICULibrary.system).functions
        var status: Int32 = 0
        let opened = self.icu.open(Array("Etc/UTC".utf16), 7, "en@calendar=\(name)", 0, &status)
        self.calendar = try #require(opened)
        try #require(status <= 0)
    }

    deinit { self.icu.close(self.calendar) }

    func fields(of day: Int) throws -> Fields {
        var status: Int32 = 0
        self.icu.setMillis(self.calendar, Double(day) * 86_400_000, &status)
        // UCalendarDateFields: EXTENDED_YEAR, MONTH, IS_LEAP_MONTH, DATE
        let values = [19, 2, 22, 5].map { Int(self.icu.get(self.calendar, $0, &status)) }
        try #require(status <= 0)
        return Fields(year: values[0], month: values[1], isLeap: values[2] != 0, day: values[3])
    }

    /// The first `count` days from `start` on that match, tested one by one.
    func first(_ count: Int, from start: Int, _ matches: (Fields) -> Bool) throws -> [Int] {
        var found: [Int] = []
        for day in start..<(start + 366 * 400) where found.count < count {
            if matches(try self.fields(of: day)) { found.append(day) }
        }
        return found
    }
}

let systemDatabase = ZoneDatabase(load: { _ in nil }) { name throws(RecurrenceError) in
    try CalendarSystems.ofSystem.calendar(named: name)
}

func series(_ start: String, _ rule: String, _ database: ZoneDatabase = systemDatabase) throws -> RecurrenceSet {
    RecurrenceSet(
        start: try #require(CalendarDateOrDateTime(wire: start, tzid: nil)),
        rules: [try RecurrenceRule(wire: rule)],
        resolver: TimeZoneResolver(database: database, calendar: nil, local: "UTC"),
        budget: nil
    )
}

import RemindavICalendar
import RemindavRecurrence
import Testing

@testable import RemindavCalendarSystems

@Suite("RFC 7529: rules in other calendars")
struct CalendarRuleTests {
    struct Case: CustomTestStringConvertible {
        let start: String
        let rule: String
        let dates: [String]
        var testDescription: String { "\(self.start) \(self.rule)" }

        init(_ start: String, _ rule: String, _ dates: String) {
            self.start = start
            self.rule = rule
            self.dates = dates.split(separator: " ").map(String.init)
        }
    }

    // swift-format-ignore
    static let examples = [
        // 4.3.1: the Chinese New Year
        Case("20130210", "RSCALE=CHINESE;FREQ=YEARLY", "20130210 20140131 20150219 20160208 20170128 20180216"),
        // 4.3.2: the thirteenth month of the Ethiopic calendar
        Case("20130906", "RSCALE=ETHIOPIC;FREQ=MONTHLY;BYMONTH=13", "20130906 20140906 20150906 20160906"),
        // 4.3.3: a birthday in the leap month of the Hebrew calendar, in the following month of other years
        Case("20140208", "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD",
             "20140208 20150227 20160217 20170306 20180223 20190213"),
        // The same date without the parts, which the start gives
        Case("20140208", "RSCALE=HEBREW;FREQ=YEARLY;SKIP=FORWARD", "20140208 20150227 20160217 20170306 20180223"),
        Case("20140208", "RSCALE=HEBREW;FREQ=YEARLY;SKIP=BACKWARD", "20140208 20150128 20160217 20170204 20180124"),
        Case("20140208", "RSCALE=HEBREW;FREQ=YEARLY", "20140208 20160217 20190213 20220209"),
        // Day 30 of Adar I exists in leap years; Adar has 29 days, so the first day of Nisan follows
        Case("20140302", "RSCALE=HEBREW;FREQ=YEARLY;SKIP=FORWARD", "20140302 20150321 20160310 20170328"),
        Case("20140302", "RSCALE=HEBREW;FREQ=YEARLY;SKIP=BACKWARD", "20140302 20150219 20160310 20170226"),
        // Passover begins on 15 Nisan, month 7
        Case("20240423", "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=15", "20240423 20250413 20260402 20270422"),
        // The last day of each Islamic year
        Case("20240707", "RSCALE=ISLAMIC-CIVIL;FREQ=YEARLY;BYYEARDAY=-1", "20240707 20250626 20260616"),
        // The Chinese leap month: 2L in 2023, 6L in 2025, 5L in 2028
        Case("20230322", "RSCALE=CHINESE;FREQ=YEARLY", "20230322 20420322"),
        Case("20250725", "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=6L;BYMONTHDAY=1;SKIP=BACKWARD", "20250725 20260714 20270704"),
        // A set position, a time of day, and an interval
        Case("20240210T090000", "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1,15;BYHOUR=9,18;BYSETPOS=1,-1",
             "20240210T090000 20240224T180000 20250129T090000 20250212T180000"),
        Case("20240911", "RSCALE=ETHIOPIC;FREQ=YEARLY;INTERVAL=2", "20240911 20260911 20280911"),
        // The first Friday of each Islamic month
        Case("20240712", "RSCALE=ISLAMIC-CIVIL;FREQ=MONTHLY;BYDAY=1FR", "20240712 20240809 20240906 20241011"),
        // Parts that limit a shorter unit
        Case("20240910", "RSCALE=ETHIOPIC;FREQ=DAILY;BYMONTH=13;BYMONTHDAY=5", "20240910 20250910 20260910"),
        Case("20240911", "RSCALE=ETHIOPIC;FREQ=WEEKLY;BYMONTH=1;BYDAY=WE", "20240911 20240918 20240925 20241002 20241009 20250917"),
        Case("20240911T090000", "RSCALE=ETHIOPIC;FREQ=HOURLY;BYHOUR=9;BYMONTHDAY=1", "20240911T090000 20241011T090000"),
        // Weeks are the same in all calendars
        Case("20240911", "RSCALE=PERSIAN;FREQ=WEEKLY;BYDAY=WE,FR", "20240911 20240913 20240918"),
        // A calendar that only numbers its years differently
        Case("20240229", "RSCALE=BUDDHIST;FREQ=YEARLY", "20240229 20280229"),
        // The Gregorian calendar has no leap month
        Case("20240515", "RSCALE=GREGORIAN;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=31;SKIP=FORWARD", "20240701 20250701"),
        Case("20240515", "RSCALE=GREGORIAN;FREQ=YEARLY;BYMONTH=5L,6;BYMONTHDAY=3;SKIP=FORWARD", "20240603 20250603"),
    ]

    @Test("the dates are known", arguments: examples)
    func dates(_ example: Case) throws {
        let set = try series(example.start, example.rule)
        #expect(try set.first(example.dates.count).map(\.wire) == example.dates)
        for (earlier, later) in zip(example.dates, example.dates.dropFirst()) {
            let moment = try #require(CalendarDateOrDateTime(wire: earlier, tzid: nil))
            #expect(try set.next(after: moment)?.wire == later)
        }
    }

    /// An RSCALE, its name in ICU, and the first day of the tested dates.
    static let calendars = ICUCalendar.names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }

    /// The number of BYMONTH for ICU's fields, as the table of RFC 7529 §4.2 gives it.
    static func monthName(_ fields: ICUDays.Fields, _ calendar: String) -> String {
        guard calendar == "hebrew" else { return "\(fields.month + 1)\(fields.isLeap ? "L" : "")" }
        return ["1", "2", "3", "4", "5", "5L", "6", "7", "8", "9", "10", "11", "12"][fields.month]
    }

    @Test("200 yearly and monthly dates are those of ICU", arguments: calendars)
    func datesOfICU(rscale: String, name: String) throws {
        let days = try ICUDays(name)
        let start = try #require(CalendarDateOrDateTime(wire: "20240101", tzid: nil)).day
        let first = try days.fields(of: start.dayNumber)
        let yearly = try days.first(60, from: start.dayNumber) {
            $0.month == first.month && $0.isLeap == first.isLeap && $0.day == first.day
        }
        let found = try series("20240101", "RSCALE=\(rscale);FREQ=YEARLY").first(60)
        #expect(found.map(\.day.dayNumber) == yearly)
        let monthly = try days.first(200, from: start.dayNumber) { $0.day == 30 || $0.day == 1 }
        let ofMonths = try series("20240101", "RSCALE=\(rscale);FREQ=MONTHLY;BYMONTHDAY=1,30").first(200)
        #expect(ofMonths.map(\.day.dayNumber) == monthly)
        let ofDays = try series("20240101", "RSCALE=\(rscale);FREQ=DAILY;BYMONTHDAY=1,30").first(200)
        #expect(ofDays == ofMonths)
    }

    @Test("200 dates of each month and of a day of the year are those of ICU", arguments: calendars)
    func monthsOfICU(rscale: String, name: String) throws {
        let days = try ICUDays(name)
        let start = try #require(CalendarDateOrDateTime(wire: "19500101", tzid: nil)).day.dayNumber
        let names = Set(try (start..<(start + 366 * 12)).map { Self.monthName(try days.fields(of: $0), name) })
        let chosen = names.sorted()
        #expect(chosen.count >= 12)
        for month in [chosen[0], chosen[4], chosen[chosen.count - 1]] {
            let expected = try days.first(60, from: start) { Self.monthName($0, name) == month && $0.day == 5 }
            let found = try series("19500101", "RSCALE=\(rscale);FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=5").first(60)
            #expect(found.map(\.day.dayNumber) == expected)
        }
        // ICU's own DAY_OF_YEAR is not used: in ICU 72, it is wrong for Dangi after the use of the Chinese calendar.
        let newYear = try #require(try days.first(1, from: start) { $0.month == 0 && $0.day == 1 }.first)
        var dayOfYear = 0
        let expected = try days.first(80, from: newYear) {
            dayOfYear = $0.month == 0 && !$0.isLeap && $0.day == 1 ? 1 : dayOfYear + 1
            return dayOfYear == 100 || dayOfYear == 353
        }
        let wire = CalendarDate(dayNumber: newYear).wire
        let found = try series(wire, "RSCALE=\(rscale);FREQ=YEARLY;BYYEARDAY=100,353").first(80)
        #expect(found.map(\.day.dayNumber) == expected)
    }

    @Test("the months of a Hebrew year have the numbers of RFC 7529: Adar I is 5L, Adar is 6, Nisan is 7")
    func hebrewMonths() throws {
        let library = try #require(ICULibrary.system)
        let calendar = try #require(ICUCalendar("hebrew", of: library))
        let common = try #require(calendar.year(5783))
        #expect(common.months.map(\.number) == Array(1...12))
        #expect(common.months.allSatisfy { !$0.isLeap })
        let leap = try #require(calendar.year(5784))
        #expect(leap.months.map(\.number) == [1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12])
        #expect(leap.months.map(\.isLeap) == (0...12).map { $0 == 5 })
        // 1 Tishri 5784 is 16 September 2023, 1 Adar I is 10 February 2024, 1 Nisan is 9 April 2024.
        let days = [0, 5, 7].map { CalendarDate(dayNumber: leap.months[$0].firstDay).description }
        #expect(days == ["2023-09-16", "2024-02-10", "2024-04-09"])
    }

    @Test("each year begins on the day after the year before", arguments: calendars)
    func yearsFollow(rscale: String, name: String) throws {
        let library = try #require(ICULibrary.system)
        let calendar = try #require(ICUCalendar(name, of: library))
        let first = try #require(calendar.yearNumber(of: -25_000))
        var end: Int?
        for number in first...(first + 250) {
            let year = try #require(calendar.year(number))
            #expect(year.months[0].firstDay == end ?? year.months[0].firstDay)
            let last = try #require(year.months.last)
            end = last.firstDay + last.length
            #expect(calendar.yearNumber(of: year.months[0].firstDay) == number)
            #expect(calendar.yearNumber(of: last.firstDay + last.length - 1) == number)
        }
    }

    @Test("without ICU the error names the calendar and the library")
    func missingLibrary() throws {
        #expect(ICULibrary.load(named: "libno-such-icu.so") == nil)
        let systems = CalendarSystems { ICULibrary.load(named: "libno-such-icu.so") }
        let database = ZoneDatabase(load: { _ in nil }) { name throws(RecurrenceError) in
            try systems.calendar(named: name)
        }
        let error = #expect(throws: RecurrenceError.missingCalendarLibrary("CHINESE")) {
            try series("20130210", "RSCALE=CHINESE;FREQ=YEARLY", database).first(1)
        }
        #expect(error?.description == "the repeat rule uses a calendar that needs the library libicu (CHINESE)")
        #expect(throws: RecurrenceError.unsupportedCalendar("KLINGON")) {
            try series("20130210", "RSCALE=KLINGON;FREQ=YEARLY", database).first(1)
        }
        #expect(try series("20130210", "RSCALE=GREGORIAN;FREQ=YEARLY", database).first(1).count == 1)
    }

    @Test("week numbers in another calendar are refused")
    func weekNumbers() throws {
        let error = #expect(throws: RecurrenceError.self) {
            try series("20130210", "RSCALE=CHINESE;FREQ=YEARLY;BYWEEKNO=1").first(1)
        }
        #expect(error?.code == .unsupportedWeekNumbers)
    }

    static let hostile = [
        "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=13", "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=12L",
        "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=12L;INTERVAL=7", "RSCALE=HEBREW;FREQ=MONTHLY;BYMONTHDAY=31",
        "RSCALE=HEBREW;FREQ=YEARLY;INTERVAL=2147483647", "RSCALE=HEBREW;FREQ=MONTHLY;INTERVAL=2147483647",
        "RSCALE=CHINESE;FREQ=MONTHLY;COUNT=2147483647;INTERVAL=2", "RSCALE=CHINESE;FREQ=DAILY;BYMONTH=12L",
        "RSCALE=CHINESE;FREQ=HOURLY;BYMONTH=12L;INTERVAL=5", "RSCALE=CHINESE;FREQ=SECONDLY;BYMONTH=13;COUNT=2147483647",
        "RSCALE=CHINESE;FREQ=YEARLY;COUNT=2147483647;SKIP=FORWARD", "RSCALE=DANGI;FREQ=WEEKLY;BYMONTH=12L",
        "RSCALE=ISLAMIC-UMALQURA;FREQ=DAILY;BYMONTHDAY=31", "RSCALE=DANGI;FREQ=MONTHLY;BYMONTHDAY=30;SKIP=BACKWARD",
        "FREQ=MONTHLY;BYMONTH=5L;INTERVAL=3000", "FREQ=YEARLY;BYMONTH=5L;INTERVAL=2147483647",
    ]

    @Test("a search ends soon, with a date, without one or with an error", arguments: hostile)
    func hostileRules(_ rule: String) throws {
        let database = ZoneDatabase(load: { _ in nil }) { name throws(RecurrenceError) in
            try CalendarSystems { ICULibrary.system }.calendar(named: name)
        }
        for start in ["00010101", "20240210", "99991231T235959"] {
            let set = try series(start, rule, database)
            let took = try ContinuousClock().measure {
                for after in ["00010101", "20240210", "99991231"] {
                    let moment = try #require(CalendarDateOrDateTime(wire: after, tzid: nil))
                    do {
                        _ = try set.next(after: moment)
                    } catch {
                        #expect((error as? RecurrenceError) == .budgetExceeded)
                    }
                }
            }
            // This limit is for a debug build on a busy machine.
            #expect(took < .seconds(10))
        }
    }
}

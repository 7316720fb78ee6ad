import RemindavICalendar
import RemindavRecurrence
import Testing

@Suite("series of whole days (RFC 5545 §3.3.10)")
struct DaySeriesTests {
    static let cases: [(String, [String])] = [
        ("FREQ=DAILY;BYHOUR=9,17", ["19970902", "19970903", "19970904"]),
        ("FREQ=MONTHLY;BYMINUTE=0,30;BYSETPOS=1", ["19970902", "19971002", "19971102"]),
        ("FREQ=YEARLY;BYSECOND=0,59;BYMONTH=1,2;BYMONTHDAY=2;COUNT=3", ["19980102", "19980202", "19990102"]),
        ("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11", ["19970902", "19970903", "19970904"]),
        ("FREQ=HOURLY;INTERVAL=7;BYDAY=MO", ["19970908", "19970915", "19970922"]),
        ("FREQ=HOURLY;INTERVAL=48", ["19970902", "19970904", "19970906"]),
    ]

    @Test("hours, minutes and seconds are ignored, and a day occurs once", arguments: Self.cases)
    func timesAreIgnored(rule: String, days: [String]) throws {
        #expect(try series("19970902", rule).first(3).map(\.wire) == days)
    }
}

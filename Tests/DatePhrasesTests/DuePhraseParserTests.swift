import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavDatePhrases

@Suite("date phrases in a file of another program")
struct DuePhraseParserTests {
    // Friday, 20 November 2026, 18:05 in Berlin.
    private static let cases: [(text: String, due: String?, rule: String?)] = [
        ("tomorrow", "2026-11-21", nil), ("fri", "2026-11-27", nil), ("17 Aug", "2026-08-17", nil),
        ("19 Nov", "2026-11-19", nil), ("19 Nov 14:00", "2026-11-19 14:00", nil), ("22 May", "2026-05-22", nil),
        ("21 May", "2027-05-21", nil), ("19 Nov 2027", "2027-11-19", nil), ("29 Feb", "2028-02-29", nil),
        ("tomorrow at 5pm", "2026-11-21 17:00", nil), ("every monday", "2026-11-23", "FREQ=WEEKLY;BYDAY=MO"),
        ("every friday", "2026-11-20", "FREQ=WEEKLY;BYDAY=FR"),
        ("every friday at 9am", "2026-11-27 09:00", "FREQ=WEEKLY;BYDAY=FR"),
        ("ev day 20:00", "2026-11-20 20:00", "FREQ=DAILY"), ("every day at 9", "2026-11-21 09:00", "FREQ=DAILY"),
        ("every 3 days starting 1 dec", "2026-12-01", "FREQ=DAILY;INTERVAL=3"),
        ("every month on the 15th", "2026-12-15", "FREQ=MONTHLY;BYMONTHDAY=15"), ("daily", "2026-11-20", "FREQ=DAILY"),
        ("every 1st", "2026-12-01", "FREQ=MONTHLY;BYMONTHDAY=1"),
        ("every 15th at 9am", "2026-12-15 09:00", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("every 1st, 15th", "2026-12-01", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
        ("every 3rd friday", "2026-11-20", "FREQ=MONTHLY;BYDAY=3FR"),
        ("every last day", "2026-11-30", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("every jan 5", "2027-01-05", "FREQ=YEARLY;BYMONTHDAY=5;BYMONTH=1"),
        ("every 5 jan", "2027-01-05", "FREQ=YEARLY;BYMONTHDAY=5;BYMONTH=1"),
        ("every monday starting 1 dec", "2026-12-07", "FREQ=WEEKLY;BYDAY=MO"),
        ("every 1st starting feb 2", "2027-03-01", "FREQ=MONTHLY;BYMONTHDAY=1"),
        ("every day starting 5 jan 2026", "2026-11-20", "FREQ=DAILY"),
        ("every day ending 5 dec", "2026-11-20", "FREQ=DAILY;UNTIL=20261205"),
        ("every day at 9am until jan 20", "2026-11-21 09:00", "FREQ=DAILY;UNTIL=20270120"),
        ("every day starting 1 dec at 9am ending 5 dec", "2026-12-01 09:00", "FREQ=DAILY;UNTIL=20261205"),
        ("every day 9am starting 1 dec for 2 weeks", "2026-12-01 09:00", "FREQ=DAILY;UNTIL=20261214"),
        ("every day for 3 weeks", "2026-11-20", "FREQ=DAILY;UNTIL=20261210"),
        ("every day for 10 times", "2026-11-20", "FREQ=DAILY;COUNT=10"),
        ("every day ending", nil, nil), ("every 3", "2026-12-03", "FREQ=MONTHLY;BYMONTHDAY=3"),
        ("every 27", "2026-11-27", "FREQ=MONTHLY;BYMONTHDAY=27"),
        ("everyday at 2300", "2026-11-20 23:00", "FREQ=DAILY"),
        ("every 15 jan, may, sep", "2027-01-15", "FREQ=MONTHLY;INTERVAL=4;BYMONTHDAY=15"),
        ("every jan, apr and dec 24th", "2026-12-24", "FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=1,4,12"),
        ("every 1st wed jan", "2027-01-06", "FREQ=YEARLY;BYDAY=1WE;BYMONTH=1"),
        ("every last sun of mar", "2027-03-28", "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"),
        ("every 1st and 3rd mon", "2026-12-07", "FREQ=MONTHLY;BYDAY=1MO,3MO"),
        ("every day starting soon", nil, nil), ("every day starting 1 dec starting 2 dec", nil, nil),
        ("every day until 5 dec ending 6 dec", nil, nil), ("every 32nd", nil, nil),
        ("every second friday", nil, nil), ("every feb 30", nil, nil),
        ("every first workday", "2026-12-01", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1"),
        ("every last workday", "2026-11-30", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("every morning", "2026-11-21 09:00", "FREQ=DAILY"), ("Every Evening", "2026-11-20 19:00", "FREQ=DAILY"),
        ("every day in the evening", "2026-11-20 19:00", "FREQ=DAILY"),
        ("every monday in the morning starting 1 dec", "2026-12-07 09:00", "FREQ=WEEKLY;BYDAY=MO"),
        ("every new year's eve", "2026-12-31", "FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=12"),
        ("every New Year\u{2019}s Day", "2027-01-01", "FREQ=YEARLY;BYMONTHDAY=1;BYMONTH=1"),
        ("every valentine", "2027-02-14", "FREQ=YEARLY;BYMONTHDAY=14;BYMONTH=2"), ("halloween", "2026-10-31", nil),
        ("every 14 jan, 14 apr, 14 jul, 14 oct", "2027-01-14", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=14"),
        ("every dec 14, jan 14", "2026-12-14", "FREQ=YEARLY;BYMONTHDAY=14;BYMONTH=1,12"),
        // The first full hour, because a series that begins at midnight is overdue at once.
        ("every 4 hours", "2026-11-20 19:00", "FREQ=HOURLY;INTERVAL=4"),
        ("sometime", nil, nil), ("every blue moon", nil, nil), ("jeden Montag", nil, nil), ("", nil, nil),
        (String(repeating: "every day ", count: 1000), nil, nil),
    ]

    @Test("each is read as an all-day date, unless it has a time", arguments: cases.indices)
    func reading(index: Int) {
        let test = Self.cases[index]
        let phrase = DuePhraseParser(now: .test, zone: .berlin).read(test.text)
        let due: String? =
            switch phrase?.due {
            case .date(let date)?: date.description
            case .local(let date, let time)?: "\(date) \(time.hoursAndMinutes)"
            case .exact(let instant)?: instant.description
            case nil: nil
            }
        #expect(due == test.due, "\(test.text)")
        #expect(phrase?.rule?.wire == test.rule, "\(test.text)")
    }

    @Test(
        "a phrase with dates that no rule expresses has its first date, and says so",
        arguments: [
            ("every 14 jan, 15 apr", "2027-01-14"), ("every 15 apr, 24 dec", "2026-12-24"),
            ("every 3 workdays", "2026-11-20"), ("every 2 weekdays", "2026-11-20"), ("every 3 workday", "2026-11-20"),
            ("every 1st wed jan, 3rd thu jul", "2027-01-06"),
        ]
    )
    func otherDates(text: String, due: String) {
        let phrase = DuePhraseParser(now: .test, zone: .berlin).read(text)
        #expect(phrase?.due?.writtenDay?.description == due)
        #expect(phrase?.rule == nil && phrase?.hasOtherDates == true)
        #expect(DuePhraseParser(now: .test, zone: .berlin).read("every monday")?.hasOtherDates == false)
    }

    // Friday, 20 November 2026, 18:05 in Berlin.
    @Test(
        "a series that began in the past continues with its next date, and keeps its later dates",
        arguments: [
            ("every year starting 2020-12-24", "2026-12-24", "FREQ=YEARLY"),
            ("every month starting 2026-09-10", "2026-12-10", "FREQ=MONTHLY"),
            ("every 3 months starting 2026-10-05", "2027-01-05", "FREQ=MONTHLY;INTERVAL=3"),
            ("every month starting 31 jan 2026", "2026-12-31", "FREQ=MONTHLY"),
            ("every 2 weeks starting 2026-11-03", "2026-12-01", "FREQ=WEEKLY;INTERVAL=2"),
            ("every 2 weeks on mon starting 2026-11-02", "2026-11-30", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"),
            ("every 3 days starting 2026-11-14", "2026-11-20", "FREQ=DAILY;INTERVAL=3"),
            ("every 3 days at 9am starting 2026-11-14", "2026-11-23 09:00", "FREQ=DAILY;INTERVAL=3"),
            ("every 3 days at 19:00 starting 2026-11-14", "2026-11-20 19:00", "FREQ=DAILY;INTERVAL=3"),
            ("every 12 hours at 9pm starting 2026-11-01", "2026-11-20 21:00", "FREQ=HOURLY;INTERVAL=12"),
            ("every day, 10 times starting 2026-11-15", "2026-11-20", "FREQ=DAILY;COUNT=5"),
            ("every day starting 2026-11-15 for 2 weeks", "2026-11-20", "FREQ=DAILY;UNTIL=20261128"),
            ("every day starting 2026-11-01 until 2026-11-05", "2026-11-05", "FREQ=DAILY;UNTIL=20261105"),
            ("every day, 3 times starting 2026-11-01", "2026-11-03", "FREQ=DAILY;COUNT=1"),
            ("every day starting nov 1", "2026-11-20", "FREQ=DAILY"),
            ("every 2 weeks from 3 nov", "2026-12-01", "FREQ=WEEKLY;INTERVAL=2"),
            ("every day starting nov 1 until dec 15", "2026-11-20", "FREQ=DAILY;UNTIL=20261215"),
            (
                "every mon at 9am starting jan 1 ending dec 31", "2027-01-04 09:00",
                "FREQ=WEEKLY;UNTIL=20271231;BYDAY=MO"
            ),
            ("starting dec 7 every mon until feb 1", "2026-12-07", "FREQ=WEEKLY;UNTIL=20270201;BYDAY=MO"),
            ("every! 3 days starting 2026-11-01", "2026-11-20", "FREQ=DAILY;INTERVAL=3"),
            ("starting 2026-11-01 every! 3 days", "2026-11-20", "FREQ=DAILY;INTERVAL=3"),
        ]
    )
    func began(text: String, due: String, rule: String) {
        let phrase = DuePhraseParser(now: .test, zone: .berlin).read(text)
        let found: String? =
            switch phrase?.due {
            case .date(let date)?: date.description
            case .local(let date, let time)?: "\(date) \(time.hoursAndMinutes)"
            case .exact?, nil: nil
            }
        #expect(found == due)
        #expect(phrase?.rule?.wire == rule)
        #expect(phrase?.rule?.countsFromCompletion == text.contains("every!"))
    }

    @Test("an ended series with more dates than the limit is not read")
    func longEnded() {
        let phrase = DuePhraseParser(now: .test, zone: .berlin).read("every day starting 2020-01-01 until 2022-01-01")
        #expect(phrase == nil)
    }
}

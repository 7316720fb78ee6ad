import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavDatePhrases

@Suite("WHEN")
struct WhenTests {
    /// Returns the meaning of a text in a readable form: `date 2026-12-01`, `local 2026-12-01 09:00:00`, `exact
    /// 1796115600`, `none`, `refused`.
    private static func meaning(_ text: String, now: Instant = .test) -> String {
        guard let when = try? When(text) else { return "refused" }
        return switch when.resolved(now: now, zone: .berlin) {
        case nil: "none"
        case .date(let date): "date \(date)"
        case .local(let date, let time): "local \(date) \(time.hour):\(time.minute):\(time.second)"
        case .exact(let instant): "exact \(instant.secondsSince1970)"
        }
    }

    @Test(
        "a readable value has the expected meaning",
        arguments: [
            // Friday, 20 November 2026, 18:05 in Berlin
            ("2026-12-01", "date 2026-12-01"),
            ("2028-02-29", "date 2028-02-29"),
            (" 2026-12-01 ", "date 2026-12-01"),
            ("\t2026-12-01", "date 2026-12-01"),
            ("9999-12-31", "date 9999-12-31"),
            ("2026-12-01 09:00", "local 2026-12-01 9:0:0"),
            ("2026-12-01  09:00", "local 2026-12-01 9:0:0"),
            ("2026-12-01 9:05", "local 2026-12-01 9:5:0"),
            ("2026-12-01 00:00", "local 2026-12-01 0:0:0"),
            ("2026-12-01 23:59", "local 2026-12-01 23:59:0"),
            ("today", "date 2026-11-20"),
            ("TODAY", "date 2026-11-20"),
            ("today 18:30", "local 2026-11-20 18:30:0"),
            ("today 9:00", "local 2026-11-20 9:0:0"),
            ("Today  23:59", "local 2026-11-20 23:59:0"),
            ("tomorrow", "date 2026-11-21"),
            ("tomorrow 09:00", "local 2026-11-21 9:0:0"),
            ("Tomorrow 00:00", "local 2026-11-21 0:0:0"),
            ("friday", "date 2026-11-27"),
            ("next friday", "date 2026-11-27"),
            ("24 dec", "date 2026-12-24"),
            ("in 3 days", "date 2026-11-23"),
            ("end of month", "date 2026-11-30"),
            ("in 5 minutes", "local 2026-11-20 18:10:0"),
            ("noon", "local 2026-11-21 12:0:0"),
            ("15:30", "local 2026-11-21 15:30:0"),
            ("9am", "local 2026-11-21 9:0:0"),
            ("none", "none"),
            ("NONE ", "none"),
            ("1970-01-01T00:00:00Z", "exact 0"),
            ("1969-12-31T23:59:59Z", "exact -1"),
            ("2026-12-01T09:00:00+01:00", "exact 1796112000"),
            ("2026-12-01T08:00:00Z", "exact 1796112000"),
            ("2026-12-01t08:00:00z", "exact 1796112000"),
            ("2026-12-01 08:00:00Z", "exact 1796112000"),
            ("2026-12-01T03:00:00-05:00", "exact 1796112000"),
            ("2026-12-01T13:30:00+05:30", "exact 1796112000"),
            ("2026-12-01T08:00:00.999Z", "exact 1796112000"),
            ("2026-12-01T08:00:00.000000001+00:00", "exact 1796112000"),
            ("2026-12-01T08:00:00-00:00", "exact 1796112000"),
            ("2016-12-31T23:59:60Z", "exact 1483228799"),
            // the clocks go forward on 28 March 2027 and back on 31 October 2027
            ("2027-03-28", "date 2027-03-28"),
            ("2027-03-28 01:59", "local 2027-03-28 1:59:0"),
            ("2027-03-28 02:00", "local 2027-03-28 3:0:0"),
            ("2027-03-28 02:30", "local 2027-03-28 3:30:0"),
            ("2027-03-28 02:59", "local 2027-03-28 3:59:0"),
            ("2027-03-28 03:00", "local 2027-03-28 3:0:0"),
            ("2027-10-31 01:59", "local 2027-10-31 1:59:0"),
            ("2027-10-31 02:00", "local 2027-10-31 2:0:0"),
            ("2027-10-31 02:30", "local 2027-10-31 2:30:0"),
            ("2027-10-31 03:00", "local 2027-10-31 3:0:0"),
        ]
    )
    func read(text: String, expected: String) {
        #expect(Self.meaning(text) == expected)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", " ", "soon", "morgen", "now 9am",
            "todayy", "today18:30", "today 24:00", "today 18:60", "today 18:3", "today 18:30:00",
            "today 018:30", "tomorrow tomorrow", "tomorrow 09:00 x", "tomorrow -09:00", "none at all",
            "2026-02-29", "2026-13-01", "2026-00-10", "2026-11-00", "2026-11-31", "26-12-01",
            "32.12.2026", "2026-12-01T", "2026-12-01T9:00", "20261201T09",
            "2026-12-01 09:00:00", "2026-12-01 25:00", "2026-12-01T24:00:00Z", "2026-12-01T09:60:00Z",
            "2026-12-01T09:00:61Z", "2026-12-01T09:00:00.Z", "2026-12-01T09:00:00+0100", "2026-12-01T09:00:00+24:00",
            "2026-12-01T09:00:00+01:60", "2026-12-01T09:00:00 +01:00", "2026-12-01T09:00:00+01:00[Europe/Berlin]",
            "２０２６-12-01", "2026-12-01\n", "2026-12-01T09:00:00Zz", "99999-12-01", "-2026-12-01",
        ]
    )
    func refused(text: String) {
        #expect(Self.meaning(text) == "refused")
    }

    @Test(
        "a time below an hour from now is exact, a longer one is rounded up to a full minute, and 'now' the next one",
        arguments: [
            (1, "in 1 min", "local 2026-11-21 12:1:1"), (59, "in 1 min", "local 2026-11-21 12:1:59"),
            (59, "in 59 min", "local 2026-11-21 12:59:59"), (0, "in 1h", "local 2026-11-21 13:0:0"),
            (1, "in 1h", "local 2026-11-21 13:1:0"), (59, "in 25 hours", "local 2026-11-22 13:1:0"),
            (1, "now", "local 2026-11-21 12:1:0"), (0, "now", "local 2026-11-21 12:0:0"),
        ]
    )
    func seconds(second: Int, text: String, expected: String) {
        let now = Instant.utc(2026, 11, 21, 11, 0).adding(seconds: second)
        #expect(Self.meaning(text, now: now) == expected)
    }

    @Test(
        "an evening that has begun means its next full hour, until 23:00",
        arguments: [
            (19, 59, "tonight", "local 2026-11-21 20:0:0"), (20, 0, "tonight", "local 2026-11-21 21:0:0"),
            (20, 30, "tonight", "local 2026-11-21 21:0:0"), (20, 30, "this evening", "local 2026-11-21 21:0:0"),
            (22, 59, "tonight", "local 2026-11-21 23:0:0"), (23, 0, "tonight", "local 2026-11-21 20:0:0"),
            (20, 30, "tonight at 8", "local 2026-11-21 20:0:0"),
        ]
    )
    func evening(hour: Int, minute: Int, text: String, expected: String) {
        #expect(Self.meaning(text, now: .utc(2026, 11, 21, hour - 1, minute)) == expected)
    }

    @Test(
        "today and tomorrow are those of the local zone",
        arguments: [
            (Instant.utc(2026, 11, 20, 22, 59), "today", "date 2026-11-20"),
            (.utc(2026, 11, 20, 23, 0), "today", "date 2026-11-21"),
            (.utc(2026, 11, 20, 23, 0), "tomorrow 09:00", "local 2026-11-22 9:0:0"),
            (.utc(2026, 7, 31, 21, 59), "tomorrow", "date 2026-08-01"),
            (.utc(2026, 7, 31, 22, 0), "tomorrow", "date 2026-08-02"),
            (.utc(2026, 12, 31, 22, 59), "tomorrow", "date 2027-01-01"),
            (.utc(2028, 2, 28, 12, 0), "tomorrow", "date 2028-02-29"),
            (.utc(2027, 3, 27, 12, 0), "tomorrow 02:30", "local 2027-03-28 3:30:0"),
            (.utc(2027, 3, 28, 12, 0), "tomorrow 02:30", "local 2027-03-29 2:30:0"),
        ]
    )
    func relative(now: Instant, text: String, expected: String) {
        #expect(Self.meaning(text, now: now) == expected)
    }

    @Test("without a date it is tomorrow at nine, on short and long days too")
    func missingDate() {
        for day in 0..<800 {
            let now = Instant(secondsSince1970: Instant.test.secondsSince1970 + Int64(day) * 86_400)
            let today = LocalZone.berlin.wallClock(at: now).date
            let due = When.defaultDue().resolved(now: now, zone: .berlin)
            #expect(due == ClockTime(hour: 9, minute: 0, second: 0).map { .local(today.adding(days: 1), $0) })
        }
    }

    @Test(
        "a past time is an error, and so is the current time",
        arguments: [
            ("2026-11-19", false),
            ("2026-11-20", true),
            ("today", true),
            ("today 18:04", false),
            ("today 18:05", false),
            ("today 18:06", true),
            ("2026-11-20T17:05:00Z", false),
            ("2026-11-20T17:05:01Z", true),
            ("2026-11-20T17:04:59Z", false),
            ("2026-11-20T18:05:00+01:00", false),
            ("2001-01-01 09:00", false),
            ("tomorrow 00:00", true),
        ]
    )
    func future(text: String, isAllowed: Bool) throws {
        let due = try #require(try When(text).resolved(now: .test, zone: .berlin))
        let result = Result { () throws(PhraseError) in try due.checkedToBeInFuture(now: .test, zone: .berlin) }
        #expect(result == (isAllowed ? .success(due) : .failure(PhraseError(.mustBeInFuture, ""))))
    }

    @Test("the error has three valid examples")
    func examples() throws {
        let error = #expect(throws: PhraseError.self) { try When("soon") }
        #expect(When.examples.count == 3)
        for example in When.examples {
            #expect(error?.sentence.contains(example) == true)
            _ = try When(String(example.dropFirst().dropLast()))
        }
    }

    @Test(
        "the local time of an instant is that instant again, except in repeated hours",
        arguments: [2026, 2027, 2030]
    )
    func wallClockRoundTrip(year: Int) {
        let start = Instant.utc(year, 1, 1, 0, 0).secondsSince1970
        for step in 0..<(365 * 48) {
            let instant = Instant(secondsSince1970: start + Int64(step) * 1800)
            let wall = LocalZone.berlin.wallClock(at: instant)
            let again = LocalZone.berlin.instant(wall.date, wall.time)
            #expect(again == instant || again.secondsSince1970 == instant.secondsSince1970 - 3600)
        }
    }
}

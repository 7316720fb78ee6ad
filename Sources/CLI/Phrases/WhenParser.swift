import ICalendar

/// Reads WHEN.
///
/// Each method reads the rule that stands above it.
struct WhenParser {
    private let text: String
    private var words: PhraseWords
    /// Set where a rule fits and what it says cannot be.
    private var refusal: String?

    init(_ text: String) {
        self.text = text
        self.words = PhraseWords(text)
    }

    // phrase = "none" / later / moment
    mutating func parse() throws(UsageError) -> When {
        if let when = self.absent() ?? self.later() ?? self.moment(), self.words.isAtEnd {
            if case .day(.months(let months), _) = when, months > Self.maximumMonths {
                self.refusal = "'\(self.text)' is more than a thousand years away."
            }
            if self.refusal == nil { return when }
        }
        let reason = self.refusal ?? self.words.obstacle.flatMap { NumericDay.refusal($0) }
        throw UsageError(
            .badWhen,
            "\(reason ?? self.words.refusal(of: self.text, among: Vocabulary.whenWords) + self.hint) "
                + "Write for example \(When.examples.joined(separator: ", ")) or RFC 3339."
        )
    }

    // Nobody plans so far: it is a slip, such as `in 9999 years`.
    private static let maximumMonths = 12_000

    /// What to write for words that people mean different hours by.
    private var hint: String {
        if self.words.obstacle?.lowercased() == "yesterday" {
            return " It is past; where a past day is meant, write its date."
        }
        let vague: Set = ["tonight", "morning", "afternoon", "evening"]
        let isVague = self.words.obstacle.map { vague.contains($0.lowercased()) } ?? false
        return isVague ? " It names no hour: 'today 20:00' does." : ""
    }

    private mutating func absent() -> When? {
        self.words.attempt { words in words.skip("none") && words.isAtEnd ? .absent : nil }
    }

    // later = count-and-unit;  minutes or hours
    private mutating func later() -> When? {
        self.words.attempt { words in
            guard let (count, unit) = words.countAndUnit() else { return nil }
            return switch unit {
            case .minute: .later(seconds: count * 60)
            case .hour: .later(seconds: count * 3600)
            case .day, .week, .month, .year: nil
            }
        }
    }

    // moment = day [ [","] time ] / time [ [","] day ]
    private mutating func moment() -> When? {
        if let (day, unsaid) = self.day() {
            let time = self.words.attempt { words in
                _ = words.skip(",")
                return words.time()
            }
            return .day(day, time.map { .clock($0) } ?? unsaid)
        }
        guard let time = self.words.time() else { return nil }
        let start = self.words.position
        _ = self.words.skip(",")
        if let (day, _) = self.day() { return .day(day, .clock(time)) }
        self.words.rewind(to: start)
        return .day(.soonest, .clock(time))
    }

    // day = [ "on" ] ( "today" / "tomorrow" / date / [ "next" / "this" ] weekday / named-day ) / after / next / span / end
    //
    // With it: what is meant where no time is named.
    private mutating func day() -> (day: DayPhrase, unsaid: When.TimeOfDay)? {
        let start = self.words.position
        _ = self.words.skip("on")
        if self.words.skip("today") { return (.days(0), .whole) }
        if self.words.skip("tomorrow") { return (.days(1), .whole) }
        if let date = self.words.date() { return (.date(date), .whole) }
        if let day = self.weekday() ?? self.namedDay() { return (day, .usual) }
        self.words.rewind(to: start)
        if self.isDayAfterTomorrow() { return (.days(2), .whole) }
        return (self.next() ?? self.span() ?? self.end()).map { ($0, .usual) }
    }

    // after = [ "the" ] "day" "after" "tomorrow"
    private mutating func isDayAfterTomorrow() -> Bool {
        self.words.attempt { words in
            _ = words.skip("the")
            return words.skip("day", "after", "tomorrow") ? true : nil
        } ?? false
    }

    // [ "next" / "this" ] weekday
    private mutating func weekday() -> DayPhrase? {
        self.words.attempt { words in
            _ = words.skip("next") || words.skip("this")
            return words.take(Vocabulary.weekday).map { .weekday($0) }
        }
    }

    private mutating func namedDay() -> DayPhrase? {
        guard let named = self.words.namedDay() else { return nil }
        // A leap year knows all days.
        guard let date = CalendarDate(year: named.year ?? 2000, month: named.month, day: named.day) else {
            self.refusal = "'\(self.text)': there is no such day."
            return nil
        }
        return named.year == nil ? .yearly(month: named.month, day: named.day) : .date(date)
    }

    // next = "next" ( "week" / "month" / "year" )
    private mutating func next() -> DayPhrase? {
        self.words.attempt { words in
            guard words.skip("next") else { return nil }
            return words.take { ["week": .days(7), "month": .months(1), "year": .months(12)][$0] }
        }
    }

    // span = count-and-unit;  days, weeks, months or years
    private mutating func span() -> DayPhrase? {
        self.words.attempt { words in
            guard let (count, unit) = words.countAndUnit() else { return nil }
            return switch unit {
            case .minute, .hour: nil
            case .day: .days(count)
            case .week: .days(count * 7)
            case .month: .months(count)
            case .year: .months(count * 12)
            }
        }
    }

    // end = [ "the" ] "end" "of" [ "the" ] "month" / "eom"
    private mutating func end() -> DayPhrase? {
        self.words.attempt { words in
            if words.skip("eom") { return .endOfMonth }
            _ = words.skip("the")
            guard words.skip("end"), words.skip("of") else { return nil }
            _ = words.skip("the")
            return words.skip("month") ? .endOfMonth : nil
        }
    }
}

extension PhraseWords {
    // count-and-unit = "in" count unit / count unit
    //
    // Without "in" a number has up to three digits: 1730 is meant for a time, and 2027 for a year.
    fileprivate mutating func countAndUnit() -> (Int, TimeUnit)? {
        let digits = self.skip("in") ? 4 : 3
        guard let count = self.take({ Vocabulary.count($0, digits: digits) }) else { return nil }
        return self.take(Vocabulary.unit).map { (count, $0) }
    }
}

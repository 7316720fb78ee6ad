import ICalendar

/// Reads WHEN.
///
/// Each method reads the rule that stands above it.
struct WhenParser {
    private let text: String
    private var words: PhraseWords
    private let caution: PhraseCaution
    /// Set where a rule fits and what it says cannot be.
    private var refusal: String?

    init(_ text: String, caution: PhraseCaution = .trusting) {
        self.text = text
        self.words = PhraseWords(text)
        self.caution = caution
    }

    // phrase = "none" / later / moment;  no "none" in a title
    mutating func reading() -> PhraseReading<When> {
        guard PhraseWords.refusalOfLength(self.text) == nil else { return .unknown }
        let absent = self.caution.isInTitle ? nil : self.absent()
        guard let when = absent ?? self.later() ?? self.moment(), self.words.isAtEnd else { return .unknown }
        if case .day(.months(let months), _) = when, months > Self.maximumMonths {
            self.refusal = "'\(self.text)' is more than a thousand years away."
        }
        return self.refusal.map { .refused($0) } ?? .understood(when)
    }

    /// - Throws: when it is no such phrase; the sentence names the word that was not understood.
    mutating func parse() throws(UsageError) -> When {
        if case .understood(let when) = self.reading() { return when }
        let long = PhraseWords.refusalOfLength(self.text)
        // `in 1/2 hour` is no day.
        let day = self.words.hasObstacle(behind: "in") ? nil : self.words.obstacle
        let reason = long ?? self.refusal ?? day.flatMap { NumericDay.refusal($0) } ?? self.reasonOfHour
        throw UsageError(
            .badWhen,
            "\(reason ?? self.words.refusal(of: self.text, among: Vocabulary.whenWords) + self.hint) "
                + "Write for example \(When.examples.joined(separator: ", ")) or RFC 3339."
        )
    }

    // Nobody plans so far: it is a slip, such as `in 9999 years`.
    private static let maximumMonths = 12_000

    /// Of `tomorrow 9`, where it is not said whether that is a time.
    private var reasonOfHour: String? {
        let words = self.text.split { $0 == " " || $0 == "\t" }
        guard self.words.obstacle == nil, let hour = words.last.flatMap({ BareHour($0) }) else { return nil }
        return hour.advice(behind: words.dropLast().joined(separator: " ")).map {
            "Something is missing behind '\(self.text)'. \($0)"
        }
    }

    private var hint: String { self.words.obstacle.map { PhraseAdvice.when($0) } ?? "" }

    private mutating func absent() -> When? {
        self.words.attempt { words in words.skip("none") && words.isAtEnd ? .absent : nil }
    }

    // later = count-and-unit;  minutes or hours
    private mutating func later() -> When? {
        let isInTitle = self.caution.isInTitle
        return self.words.attempt { words in
            guard let (count, unit) = words.countAndUnit(needsIn: isInTitle) else { return nil }
            return switch unit {
            case .minute: .later(seconds: count * 60)
            case .hour: .later(seconds: count * 3600)
            case .day, .week, .month, .year: nil
            }
        }
    }

    // moment = [ "by" ] ( day [ [","] time ] / time [ [","] day ] );  "by" in a title only
    private mutating func moment() -> When? {
        let isAnnounced = self.caution.isInTitle && self.words.skip("by")
        if let day = self.day() {
            let time = self.words.attempt { words in
                _ = words.skip(",")
                return words.time()
            }
            return .day(day, time.map { .clock($0) } ?? .whole)
        }
        let first = self.words.position
        let needsSign = self.caution != .trusting && self.caution != .behindRule && !isAnnounced
        guard let time = self.words.time(needs: needsSign ? .sign : .nothing) else { return nil }
        let start = self.words.position
        _ = self.words.skip(",")
        if let day = self.day() { return .day(day, .clock(time)) }
        if self.caution == .alone {
            self.words.rewind(to: first)
            return self.words.time(needs: isAnnounced ? .minutes : .signAndMinutes).map { .day(.soonest, .clock($0)) }
        }
        self.words.rewind(to: start)
        return .day(.soonest, .clock(time))
    }

    // day = [ "on" ] ( "today" / "tomorrow" / date / [ "next" / "this" ] weekday / named-day ) / after / next / span / end
    private mutating func day() -> DayPhrase? {
        let start = self.words.position
        _ = self.words.skip("on")
        if self.words.skip("today") { return .days(0) }
        if self.words.skip("tomorrow") { return .days(1) }
        if let date = self.words.date() { return .date(date) }
        if let day = self.weekday() ?? self.namedDay() { return day }
        self.words.rewind(to: start)
        if self.isDayAfterTomorrow() { return .days(2) }
        return self.next() ?? self.span() ?? self.end()
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
            // Read on all the same: the refusal counts where nothing else is wrong.
            self.refusal = "'\(self.text)': there is no such day."
            return .endOfMonth
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
        let isInTitle = self.caution.isInTitle
        return self.words.attempt { words in
            guard let (count, unit) = words.countAndUnit(needsIn: isInTitle) else { return nil }
            return switch unit {
            case .minute, .hour: nil
            case .day: .days(count)
            case .week: .days(count * 7)
            case .month: .months(count)
            case .year: .months(count * 12)
            }
        }
    }

    // end = [ "at" ] [ "the" ] "end" "of" [ "the" ] "month" / "eom"
    private mutating func end() -> DayPhrase? {
        self.words.attempt { words in
            if words.skip("eom") { return .endOfMonth }
            _ = words.skip("at")
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
    fileprivate mutating func countAndUnit(needsIn: Bool) -> (Int, TimeUnit)? {
        let hasIn = self.skip("in")
        if needsIn, !hasIn { return nil }
        let digits = hasIn ? 4 : 3
        guard let count = self.take({ Vocabulary.count($0, digits: digits) }) else { return nil }
        return self.take(Vocabulary.unit).map { (count, $0) }
    }
}

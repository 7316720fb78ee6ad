import ICalendar

/// Parses WHEN.
///
/// Each method implements the grammar rule above it.
struct WhenParser {
    private let text: String
    private var words: PhraseTokens
    private let caution: PhraseCaution
    /// The reason why the phrase is impossible, although a grammar rule matches.
    private var refusal: String?

    init(_ text: String, caution: PhraseCaution = .trusting) {
        self.text = text
        self.words = PhraseTokens(text)
        self.caution = caution
    }

    // phrase = "none" / later / moment;  no "none" in a title
    mutating func reading() -> PhraseReading<When> {
        guard PhraseTokens.refusalOfLength(self.text) == nil else { return .unknown }
        let absent = self.caution.isInTitle ? nil : self.absent()
        guard let when = absent ?? self.later() ?? self.moment(), self.words.isAtEnd else { return .unknown }
        if case .day(.months(let months), _) = when, months > Self.maximumMonths {
            self.refusal = "'\(self.text)' is more than a thousand years away."
        }
        return self.refusal.map { .refused($0) } ?? .understood(when)
    }

    /// - Throws: if it is not such a phrase; the sentence names the word that cannot be parsed.
    mutating func parse() throws(PhraseError) -> When {
        if case .understood(let when) = self.reading() { return when }
        let long = PhraseTokens.refusalOfLength(self.text)
        // `in 1/2 hour` is no day.
        let day = self.words.hasObstacle(behind: "in") ? nil : self.words.obstacle
        let reason = long ?? self.refusal ?? day.flatMap { NumericDay.refusal($0) } ?? self.reasonOfHour
        throw PhraseError(
            .badWhen,
            "\(reason ?? self.words.refusal(of: self.text, among: Vocabulary.whenWords) + self.hint) "
                + "Write for example \(When.examples.joined(separator: ", ")) or RFC 3339."
        )
    }

    /// A thousand years: no user plans further ahead, and a slip such as `in 9999 years` is refused.
    private static let maximumMonths = 12_000

    /// The error for `tomorrow 9`, where the number may not be a time.
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
    //        / "for" explicit-day [ time ] / part-of-today [ time ] / time "tonight";  in a title only
    private mutating func moment() -> When? {
        if self.caution.isInTitle, let when = self.words.attempt({ Self.today(&$0) }) { return when }
        if self.caution.isInTitle, self.words.isFollowed(by: "for") { return self.announcedDay() }
        let isAnnounced = self.caution.isInTitle && self.words.skip("by")
        if let day = self.day(isAnnounced: isAnnounced) { return .day(day, self.time(behind: day)) }
        let first = self.words.position
        let needsSign = self.caution != .trusting && self.caution != .behindRule && !isAnnounced
        guard let time = self.time(needsSign: needsSign) else { return nil }
        let start = self.words.position
        _ = self.words.skip(",")
        if self.caution.isInTitle, self.words.skip("tonight") { return .day(.days(0), .clock(time.inEvening)) }
        if let day = self.day() { return .day(day, .clock(time)) }
        if self.caution == .alone {
            self.words.rewind(to: first)
            if let time = self.words.clockWithLeadingZero() { return .day(.soonest, .clock(time)) }
            if let time = self.words.dottedTime() { return .day(.soonest, .clock(time)) }
            return self.words.time(needs: isAnnounced ? .minutes : .signAndMinutes).map { .day(.soonest, .clock($0)) }
        }
        self.words.rewind(to: start)
        return .day(.soonest, .clock(time))
    }

    private mutating func time(needsSign: Bool) -> ClockTime? {
        if let time = self.words.time(needs: needsSign ? .sign : .nothing) { return time }
        guard self.caution.isInTitle else { return nil }
        return self.words.clockWithLeadingZero() ?? self.words.dottedTime()
    }

    private mutating func time(behind day: DayPhrase) -> When.TimeOfDay {
        let time = self.words.attempt { words in
            _ = words.skip(",")
            return words.time()
        }
        if let time { return .clock(time) }
        guard self.caution.isInTitle else { return .whole }
        return (self.words.dottedTime() ?? self.words.timeBehindDay(day)).map { .clock($0) } ?? .whole
    }

    /// `tonight`, `this evening`, `tonight at 8`.
    private static func today(_ words: inout PhraseTokens) -> When? {
        guard let part = words.partOfToday() else { return nil }
        let time = words.attempt { words in
            _ = words.skip(",")
            return words.time()
        }
        return .day(.days(0), .clock(time?.inEvening(of: part) ?? part))
    }

    /// `for 12 dec`: only a date, since `for friday` often states a purpose.
    private mutating func announcedDay() -> When? {
        guard self.words.skip("for") else { return nil }
        guard let day = self.words.date().map({ .date($0) }) ?? self.numericDay() ?? self.namedDay() else { return nil }
        return .day(day, self.time(behind: day))
    }

    // day = [ "on" ] ( "today" / "tomorrow" / date / [ "next" / "this" ] weekday / named-day ) / after / next / span / end
    //     / numeric-day / ( "on" / "by" ) day-of-month / weekday-of-month;  these in a title only
    private mutating func day(isAnnounced: Bool = false) -> DayPhrase? {
        let start = self.words.position
        let hasSign = self.words.skip("on") || isAnnounced
        if self.words.skip("today") { return .days(0) }
        if self.words.skip("tomorrow") { return .days(1) }
        if let date = self.words.date() { return .date(date) }
        if let day = self.numericDay() ?? self.weekday() ?? self.namedDay() { return day }
        if self.caution.isInTitle, let day = self.words.weekdayOfMonth() { return day }
        if self.caution.isInTitle, hasSign, let day = self.words.dayOfMonth() { return day }
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

    /// `24.12.2026`, in a title: digits with one reading.
    private mutating func numericDay() -> DayPhrase? {
        self.caution.isInTitle ? self.words.next { NumericDay.onlyDayOfTitle($0) } : nil
    }

    // [ "next" / "this" ] weekday
    private mutating func weekday() -> DayPhrase? {
        self.words.attempt { words in
            _ = words.skip("next") || words.skip("this")
            return words.next(Vocabulary.weekday).map { .weekday($0) }
        }
    }

    private mutating func namedDay() -> DayPhrase? {
        guard let named = self.words.namedDay() else { return nil }
        // A leap year has all days.
        guard let date = CalendarDate(year: named.year ?? 2000, month: named.month, day: named.day) else {
            // Parsing continues: this error counts only if there is no other.
            self.refusal = "'\(self.text)': there is no such day."
            return .endOfMonth
        }
        return named.year == nil ? .yearly(month: named.month, day: named.day) : .date(date)
    }

    // next = "next" ( "week" / "month" / "year" )
    private mutating func next() -> DayPhrase? {
        self.words.attempt { words in
            guard words.skip("next") else { return nil }
            return words.next { ["week": .days(7), "month": .months(1), "year": .months(12)][$0] }
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

extension ClockTime {
    /// `8` in `at 8 tonight` means 20:00.
    fileprivate var inEvening: Self {
        5 * 3600..<12 * 3600 ~= self.secondsOfDay ? Self(secondsOfDay: self.secondsOfDay + 12 * 3600) : self
    }

    /// The same if `part` is after noon; otherwise unchanged.
    fileprivate func inEvening(of part: Self) -> Self { part.secondsOfDay < 12 * 3600 ? self : self.inEvening }
}

extension PhraseTokens {
    // day-of-month = "the" ordinal-day
    fileprivate mutating func dayOfMonth() -> DayPhrase? {
        self.attempt { words in
            guard words.skip("the"), let day = words.next({ Vocabulary.positive($0, digits: 2) }), day <= 31,
                words.skip(day.ordinalLetters)
            else { return nil }
            return .monthly(day: day)
        }
    }

    // weekday-of-month = [ "the" ] ( ordinal weekday / "last" "day" ) "of" ( "the" / "this" ) "month"
    fileprivate mutating func weekdayOfMonth() -> DayPhrase? {
        self.attempt { words in
            _ = words.skip("the")
            guard let ordinal = words.ordinal(), ordinal == -1 || 1...5 ~= ordinal else { return nil }
            let weekday = words.next(Vocabulary.weekday)
            guard weekday != nil || ordinal == -1 && words.skip("day") else { return nil }
            guard words.skip("of"), words.skip("the") || words.skip("this"), words.skip("month") else { return nil }
            return weekday.map { .monthlyWeekday(ordinal: ordinal, $0) } ?? .endOfMonth
        }
    }

    // count-and-unit = "in" count unit / count unit
    //
    // Without "in" a number has up to three digits: 1730 is meant for a time, and 2027 for a year.
    fileprivate mutating func countAndUnit(needsIn: Bool) -> (Int, TimeUnit)? {
        let hasIn = self.skip("in")
        if needsIn, !hasIn { return nil }
        let digits = hasIn ? 4 : 3
        guard let count = self.next({ Vocabulary.count($0, digits: digits) }) else { return nil }
        return self.next(Vocabulary.unit).map { (count, $0) }
    }
}

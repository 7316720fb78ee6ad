import RemindavICalendar

/// Parses WHEN, the text of a due time; the ABNF rule of each method stands above the method.
struct WhenParser {
    private let text: String
    var words: PhraseTokens
    let caution: PhraseCaution
    /// The reason why a phrase that matches the grammar is impossible.
    private var refusal: String?

    private init(_ text: String, _ caution: PhraseCaution) {
        self.text = text
        self.words = PhraseTokens(text)
        self.caution = caution
    }

    static func read(_ text: String, _ caution: PhraseCaution = .trusting) -> PhraseReading<When> {
        var parser = Self(text, caution)
        return parser.reading()
    }

    /// Whether the first word of the text begins a phrase.
    static func acceptsBeginning(of text: String) -> Bool {
        var parser = Self(text, .trusting)
        return parser.reading().value != nil || parser.words.hasProgress
    }

    // phrase = absent / later / moment;  absent is not valid beside a rule
    private mutating func reading() -> PhraseReading<When> {
        guard PhraseTokens.refusalOfLength(self.text) == nil else { return .unknown }
        let isWhole = self.caution == .trusting || self.caution == .alone
        let isInTitle = self.caution.isInTitle
        let isAbsent = isWhole && self.words.attempt { $0.absence(isInTitle: isInTitle) } ?? false
        guard let when = isAbsent ? .absent : self.later() ?? self.moment(), self.words.isAtEnd else { return .unknown }
        if case .day(.months(let months), _) = when, abs(months) > Self.maximumMonths {
            self.refusal = "'\(self.text)' is more than a thousand years away."
        }
        return self.refusal.map { .refused($0) } ?? .understood(when)
    }

    /// - Throws: an error; its message names the word that cannot be parsed.
    static func when(_ text: String) throws(PhraseError) -> When {
        var parser = Self(text, .trusting)
        if let when = parser.reading().value { return when }
        let words = parser.words
        let reason = PhraseTokens.refusalOfLength(text) ?? parser.reasonOfRefusal
        let hint = words.obstacle.flatMap { PhraseAdvice.when($0.lowercased()) } ?? ""
        let sentence = reason ?? words.refusal(of: text, among: Vocabulary.whenWords) + hint
        let examples = When.examples.joined(separator: ", ")
        throw PhraseError(.badWhen, "\(sentence) Write for example \(examples) or RFC 3339.")
    }

    /// The reason why a text that resembles a date is impossible or ambiguous; `nil` if another word is the reason.
    static func reasonOfRefusal(_ text: String) -> String? {
        guard PhraseTokens.refusalOfLength(text) == nil else { return nil }
        var parser = Self(text, .trusting)
        return parser.reading().value == nil ? parser.reasonOfRefusal : nil
    }

    private var reasonOfRefusal: String? {
        // In `in 1/2 hour`, the word after `in` is not a day in digits.
        let day = self.words.hasObstacle(behind: "in") ? nil : self.words.obstacle
        return self.refusal ?? day.flatMap { NumericDay.refusal($0) } ?? self.reasonOfHour
    }

    /// A thousand years; no user plans that far, so a phrase such as `in 9999 years` is a mistake.
    private static let maximumMonths = 12_000

    /// The error message for `10`, where the number may mean something other than an hour.
    private var reasonOfHour: String? {
        let words = self.text.split { $0 == " " || $0 == "\t" }
        guard self.words.obstacle == nil, words.count == 1, let hour = words.last,
            let number = Vocabulary.positive(String(hour), digits: 2)
        else { return nil }
        let time = number < 24 ? " or 'at \(number)' for \(number):00" : ""
        return "Something is missing after '\(self.text)'. Try '\(number)m' for \(number) minutes\(time)."
    }

    // count-and-unit = [ "in" ] count unit
    // A title requires "in". Without it, a number has at most three digits: 1730 is probably a time, and 2027 a year.
    mutating func countAndUnit<Value>(_ value: (Int, RecurrenceRule.Frequency) -> Value?) -> Value? {
        let needsIn = self.caution.isInTitle
        return self.words.attempt { words in
            let hasIn = words.skip("in")
            guard hasIn || !needsIn, let count = words.next({ Vocabulary.count($0, digits: hasIn ? 4 : 3) }) else {
                return nil
            }
            return words.next(Vocabulary.units).flatMap { value(count, $0) }
        }
    }

    // moment = [ "by" ] ( day [ [","] time ] / time [ [","] day ] );  "by" is valid in a title only
    //        / part-of-today [ time ] / time "tonight"
    //        / "for" explicit-day [ time ];  valid in a title only
    private mutating func moment() -> When? {
        if let when = self.words.attempt({ Self.today(&$0) }) { return when }
        if self.caution == .behindRule, let time = self.words.partOfEachDay() { return .day(.soonest, .clock(time)) }
        if self.caution.isInTitle, self.words.isFollowed(by: "for") { return self.announcedDay() }
        let isAnnounced = self.caution.isInTitle && self.words.skip("by")
        if let day = self.day(isAnnounced: isAnnounced) { return .day(day, self.time(behind: day)) }
        let first = self.words.position
        let needsSign = self.caution != .trusting && self.caution != .behindRule && !isAnnounced
        guard let time = self.time(needsSign: needsSign) else { return nil }
        let start = self.words.position
        self.words.skip(",")
        if self.words.skip("tonight") { return .day(.days(0), .clock(time.inEvening)) }
        if let day = self.day() { return .day(day, .clock(time)) }
        if self.caution == .alone {
            self.words.rewind(to: first)
            if let time = self.words.clockWithLeadingZero() { return .day(.soonest, .clock(time)) }
            if let time = self.words.dottedTime() ?? self.words.clockWithoutSign() {
                return .day(.soonest, .clock(time))
            }
            return self.words.time(needsSign: !isAnnounced).map { .day(.soonest, .clock($0)) }
        }
        self.words.rewind(to: start)
        return .day(.soonest, .clock(time))
    }

    private mutating func time(needsSign: Bool) -> ClockTime? {
        if let time = self.words.time(needsSign: needsSign) { return time }
        if let time = self.words.startOfRange() { return time }
        guard self.caution.isInTitle else { return self.words.timeInWords() ?? self.words.dottedTime() }
        return self.words.clockWithoutSign() ?? self.words.dottedTime()
    }

    private mutating func time(behind day: DayPhrase) -> When.TimeOfDay {
        if self.words.allDay() { return .allDay }
        if let time = self.words.timeAfterComma() { return .clock(time) }
        if !self.caution.isInTitle, let time = self.words.timeInWords() { return .clock(time) }
        return (self.words.dottedTime() ?? self.words.timeBehindDay()).map { .clock($0) } ?? .whole
    }

    private static func today(_ words: inout PhraseTokens) -> When? {
        guard let part = words.partOfToday() else { return nil }
        if let time = words.timeAfterComma() { return .day(.days(0), .clock(time.inEvening(of: part))) }
        let isEvening = [Vocabulary.tonight, Vocabulary.partsOfDay["evening"], Vocabulary.partsOfDay["night"]].contains(
            part
        )
        return .day(.days(0), isEvening ? .evening(part) : .clock(part))
    }

    /// Parses `for 12 dec`; a weekday after `for` is not accepted, because `for friday` often states a purpose.
    private mutating func announcedDay() -> When? {
        guard self.words.skip("for") else { return nil }
        guard let day = self.words.date().map({ .date($0) }) ?? self.numericDay() ?? self.namedDay() else { return nil }
        return .day(day, self.time(behind: day))
    }

    // day = [ "on" ] ( "today" / "tomorrow" / date / numeric-day / [ "next" / "this" ] weekday / named-day
    //                  / weekday-of-month / day-of-month ) / next / span / end / habit
    //     / [ "the" ] "day" "after" "tomorrow";  a title needs "on" or "by" before day-of-month
    private mutating func day(isAnnounced: Bool = false) -> DayPhrase? {
        let start = self.words.position
        let hasSign = self.words.skip("on") || isAnnounced
        if self.words.skip("today") { return .days(0) }
        if self.words.skip("tomorrow") { return .days(1) }
        if let date = self.date() { return .date(date) }
        if let day = self.numericDay() ?? self.weekday() ?? self.namedDay() { return day }
        if let day = self.words.weekdayOfMonth() { return day }
        let needsThe = self.caution.isInTitle
        if hasSign || !needsThe, let day = self.words.dayOfMonth(needsThe: needsThe) { return day }
        self.words.rewind(to: start)
        let isThird = self.words.skip("the", "day", "after", "tomorrow") || self.words.skip("day", "after", "tomorrow")
        if isThird { return .days(2) }
        if let day = self.caution.isInTitle ? self.words.dayOfTitle() : self.words.dayOfHabit() { return day }
        return self.next() ?? self.span() ?? self.end()
    }

    // date = iso-date;  outside a title also weekday [","] ( iso-date / named-day year ) / iso-date weekday
    private mutating func date() -> CalendarDate? {
        guard !self.caution.isInTitle else { return self.words.date() }
        if self.words.isWeekdayBeforeDate {
            self.refusal =
                "'\(self.text)' has a weekday but no year. Write the date without the weekday, or with its year."
        }
        guard let (date, weekday) = self.words.dateWithWeekday() else { return nil }
        if let weekday, weekday != date.weekday {
            let (real, written) = (date.weekday.longName, weekday.longName)
            self.refusal = "\(date) is a \(real), not a \(written)."
        }
        return date
    }

    /// Parses `24.12.2026`, if the digits can mean one day only.
    private mutating func numericDay() -> DayPhrase? {
        let isInTitle = self.caution.isInTitle
        return self.words.next { isInTitle ? NumericDay.onlyDayOfTitle($0) : NumericDay.onlyDay($0) }
    }

    // [ "next" / "this" ] weekday
    private mutating func weekday() -> DayPhrase? {
        self.words.attempt { words in
            _ = words.skip("next") || words.skip("this")
            return words.next(Vocabulary.weekdays).map { .weekday($0) }
        }
    }

    private mutating func namedDay() -> DayPhrase? {
        guard let named = self.words.namedDay(shortYear: !self.caution.isInTitle) else { return nil }
        // The year 2000 is a leap year, so 29 February is accepted.
        guard let date = CalendarDate(year: named.year ?? 2000, month: named.month, day: named.day) else {
            // The parser goes on with a placeholder day. In a title, this error is reported only if the rest is valid.
            self.refusal = "'\(self.text)': there is no such day."
            return .endOfMonth
        }
        return named.year == nil ? .yearly(month: named.month, day: named.day) : .date(date)
    }

    // next = "next" ( "week" / "month" / "year" / "weekend" )
    private mutating func next() -> DayPhrase? {
        self.words.attempt { words in
            guard words.skip("next") else { return nil }
            return words.next(["week": .days(7), "month": .months(1), "year": .months(12), "weekend": .weekend(1)])
        }
    }

    // span = count-and-unit [ "ago" ];  the unit is days, weeks, months or years, and "ago" is not valid in a title
    private mutating func span() -> DayPhrase? {
        let hasIn = self.words.isFollowed(by: "in")
        guard let (count, unit) = self.countAndUnit({ $1 >= .daily ? ($0, $1) : nil }) else { return nil }
        let isPast = !hasIn && !self.caution.isInTitle && self.words.skip("ago")
        return DayPhrase.span(isPast ? -count : count, unit)
    }

    // end = [ "at" ] [ "the" ] "end" "of" [ "the" ] "month" / "eom"
    private mutating func end() -> DayPhrase? {
        self.words.attempt { words in
            if words.skip("eom") { return .endOfMonth }
            words.skip("at")
            words.skip("the")
            guard words.skip("end"), words.skip("of") else { return nil }
            words.skip("the")
            return words.skip("month") ? .endOfMonth : nil
        }
    }
}

extension PhraseTokens {
    // part-of-each-day = [ "in" "the" / "at" ] part [ time ]
    fileprivate mutating func partOfEachDay() -> ClockTime? {
        self.attempt { words in
            _ = words.skip("in", "the") || words.skip("at")
            guard let part = words.next(Vocabulary.partsOfDay) else { return nil }
            return words.time()?.inEvening(of: part) ?? part
        }
    }
}

extension ClockTime {
    /// The same time in the evening: in `at 8 tonight`, `8` means 20:00.
    fileprivate var inEvening: Self {
        5 * 3600..<12 * 3600 ~= self.secondsOfDay ? Self(secondsOfDay: self.secondsOfDay + 12 * 3600) : self
    }

    /// Moves the time to the evening if `part` is after noon.
    func inEvening(of part: Self) -> Self { part.secondsOfDay < 12 * 3600 ? self : self.inEvening }
}

extension PhraseTokens {
    // day-of-month = [ "the" ] ordinal-day
    fileprivate mutating func dayOfMonth(needsThe: Bool) -> DayPhrase? {
        self.attempt { words in
            guard words.skip("the") || !needsThe, let day = words.next({ Vocabulary.positive($0, digits: 2) }),
                day <= 31,
                words.skip(day.ordinalLetters)
            else { return nil }
            return .monthly(day: day)
        }
    }

    // weekday-of-month = [ "the" ] ( ordinal weekday / "last" "day" ) "of" [ "the" / "this" ] "month"
    fileprivate mutating func weekdayOfMonth() -> DayPhrase? {
        self.attempt { words in
            words.skip("the")
            guard let ordinal = words.ordinal(), ordinal == -1 || 1...5 ~= ordinal else { return nil }
            let weekday = words.next(Vocabulary.weekdays)
            guard weekday != nil || ordinal == -1 && words.skip("day") else { return nil }
            guard words.skip("of") else { return nil }
            _ = words.skip("the") || words.skip("this")
            guard words.skip("month") else { return nil }
            return weekday.map { .monthlyWeekday(ordinal: ordinal, $0) } ?? .endOfMonth
        }
    }
}

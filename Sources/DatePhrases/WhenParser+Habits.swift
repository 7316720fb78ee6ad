import RemindavICalendar

/// Parses elapsed times.
extension WhenParser {
    // later = "now" / [ "in" ] ( part-of-hour / joined / elapsed [ [","] [ "and" ] elapsed-minutes ] )
    // A title requires "in" or a sign (`+2h`), and "now" is not valid in a title.
    mutating func later() -> When? {
        let isInTitle = self.caution.isInTitle
        return self.words.attempt { words in
            if !isInTitle, words.skip("now") { return .later(seconds: 0) }
            let hasIn = words.skip("in")
            guard hasIn || !isInTitle else { return words.signedElapsed().map { .later(seconds: $0) } }
            if let seconds = words.partOfHour() ?? words.next(PhraseTokens.joinedElapsed) {
                return .later(seconds: seconds)
            }
            // Without "in", a number has at most three digits: 1730 is probably a time, and 2027 a year.
            guard let (count, unit) = words.elapsed(digits: hasIn ? 4 : 3) else { return nil }
            // `20 minutes to 7` is a time of day.
            guard unit == .hourly else {
                let goesOn = words.isFollowed(by: "to") || words.isFollowed(by: "past")
                return goesOn ? nil : .later(seconds: count * 60)
            }
            let minutes = words.attempt { words -> Int? in
                words.skip(",")
                words.skip("and")
                return words.elapsed(digits: 2).flatMap { $1 == .minutely ? $0 : nil }
            }
            return .later(seconds: count * 3600 + (minutes ?? 0) * 60)
        }
    }
}

extension DayPhrase {
    /// The day a number of units after today, or before today if the number is negative; `nil` for shorter units.
    static func span(_ count: Int, _ unit: RecurrenceRule.Frequency) -> DayPhrase? {
        let spans: [RecurrenceRule.Frequency: DayPhrase] = [
            .daily: .days(count), .weekly: .days(count * 7), .monthly: .months(count), .yearly: .months(count * 12),
        ]
        return spans[unit]
    }
}

/// Forms of other programs that are valid outside a title; the ABNF rule of each method stands above the method.
extension PhraseTokens {
    // absent = ( "none" / "someday" / "later" / "no" [ "due" ] "date" ) at the end;  in a title only "no" [ "due" ] "date"
    mutating func absence(isInTitle: Bool) -> Bool? {
        let isAbsent =
            self.skip("no", "date") || self.skip("no", "due", "date")
            || !isInTitle && (self.skip("none") || self.skip("someday") || self.skip("later"))
        return isAbsent && self.isAtEnd ? true : nil
    }

    // elapsed = count ( "minutes" / "hours" )
    fileprivate mutating func elapsed(digits: Int) -> (count: Int, unit: RecurrenceRule.Frequency)? {
        self.attempt { words in
            guard let count = words.next({ Vocabulary.count($0, digits: digits) }) else { return nil }
            return words.next(Vocabulary.units).flatMap { $0 == .minutely || $0 == .hourly ? (count, $0) : nil }
        }
    }

    // part-of-hour = "half" ( "an" / "a" ) "hour" / [ "a" ] "quarter" "of" "an" "hour"
    fileprivate mutating func partOfHour() -> Int? {
        if self.skip("half", "an", "hour") || self.skip("half", "a", "hour") { return 1800 }
        return self.skip("a", "quarter", "of", "an", "hour") || self.skip("quarter", "of", "an", "hour") ? 900 : nil
    }

    /// The seconds of `1h30m`, `+2h` and `pt1h30m` (RFC 5545 §3.3.6).
    fileprivate static func joinedElapsed(_ word: String) -> Int? {
        let word = word.hasPrefix("now+") ? String(word.dropFirst(3)) : word
        if let (count, unit) = self.signedCount(word) {
            return unit == .hourly ? count * 3600 : unit == .minutely ? count * 60 : nil
        }
        if word.hasPrefix("p"), let duration = CalendarDuration(wire: word.uppercased()), duration.seconds > 0 {
            return duration.days * ClockTime.secondsPerDay + duration.seconds
        }
        let parts = word.split(separator: "h", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let hours = Vocabulary.positive(parts[0], digits: 3) else { return nil }
        let digits = parts[1].prefix { $0.isPhraseDigit }
        guard let minutes = Vocabulary.positive(String(digits), digits: 2),
            Vocabulary.units[String(parts[1].dropFirst(digits.count))] == .minutely
        else { return nil }
        return hours * 3600 + minutes * 60
    }

    /// Splits `+3d`; `+3m` is not accepted, because it means months in Org mode and minutes elsewhere.
    private static func signedCount(_ word: String) -> (Int, RecurrenceRule.Frequency)? {
        guard word.hasPrefix("+") else { return nil }
        let digits = word.dropFirst().prefix { $0.isPhraseDigit }
        let unit = String(word.dropFirst(1 + digits.count))
        guard unit != "m", let count = Vocabulary.positive(String(digits), digits: 4) else { return nil }
        return Vocabulary.units[unit].map { (count, $0) }
    }

    /// The seconds of `+2h`.
    fileprivate mutating func signedElapsed() -> Int? {
        self.next { $0.hasPrefix("+") ? Self.joinedElapsed($0) : nil }
    }

    // signed-day = "+" count ( "d" / "w" / "y" )
    private mutating func signedDay() -> DayPhrase? {
        self.next { word in Self.signedCount(word).flatMap { DayPhrase.span($0, $1) } }
    }

    /// The day of `+3d` (Org mode), of `today+3d` (taskwarrior), and of `p3d`, `p2w`, `p1m` and `p1y` (ISO 8601).
    private static func joinedSpan(_ word: String) -> DayPhrase? {
        for base in ["today+", "now+"] where word.hasPrefix(base) {
            return self.joinedSpan(String(word.dropFirst(base.count - 1)))
        }
        if let (count, unit) = self.signedCount(word) { return DayPhrase.span(count, unit) }
        guard word.hasPrefix("p") else { return nil }
        if let duration = CalendarDuration(wire: word.uppercased()), duration.seconds == 0, duration.days > 0 {
            return .days(duration.days)
        }
        guard let count = Vocabulary.positive(String(word.dropFirst().dropLast()), digits: 3) else { return nil }
        return word.hasSuffix("m") ? .months(count) : word.hasSuffix("y") ? .months(count * 12) : nil
    }

    /// The days that one word names, as in taskwarrior and Todoist.
    private static let dayWords: [String: DayPhrase] = [
        "tom": .days(1), "tmr": .days(1), "tmrw": .days(1), "tod": .days(0), "yesterday": .days(-1),
        "eod": .days(0), "sod": .days(0), "eow": .period(.week, offset: 0, isEnd: true),
        "eoww": .weekday(.friday), "eoq": .period(.quarter, offset: 0, isEnd: true),
        "eoy": .period(.year, offset: 0, isEnd: true), "sow": .period(.week, offset: 1, isEnd: false),
        "soww": .period(.week, offset: 1, isEnd: false), "socw": .period(.week, offset: 0, isEnd: false),
        "som": .period(.month, offset: 1, isEnd: false), "socm": .period(.month, offset: 0, isEnd: false),
        "soq": .period(.quarter, offset: 1, isEnd: false), "socq": .period(.quarter, offset: 0, isEnd: false),
        "soy": .period(.year, offset: 1, isEnd: false), "socy": .period(.year, offset: 0, isEnd: false),
    ].merging(Self.boundWords) { word, _ in word }

    /// The words of taskwarrior for the start (`so`) and the end (`eo`) of the current (`c`) and next (`n`) period.
    private static let boundWords: [String: DayPhrase] = {
        let periods: [String: CalendarPeriod] = ["w": .week, "m": .month, "q": .quarter, "y": .year]
        var words: [String: DayPhrase] = [:]
        for (letter, period) in periods {
            words["son\(letter)"] = .period(period, offset: 1, isEnd: false)
            words["eoc\(letter)"] = .period(period, offset: 0, isEnd: true)
            words["eon\(letter)"] = .period(period, offset: 1, isEnd: true)
        }
        return words
    }()

    /// The words of ``dayWords`` that are valid in a title too, because they have no other meaning.
    private static let dayWordsOfTitle: Set = ["tmr", "tmrw", "eod", "eow", "eoq", "eoy"]

    // day-of-title = signed-day / "tmr" / "tmrw" / "eod" / "eow" / "eoq" / "eoy" / "this" "weekend"
    mutating func dayOfTitle() -> DayPhrase? {
        self.signedDay() ?? self.next { Self.dayWordsOfTitle.contains($0) ? Self.dayWords[$0] : nil }
            ?? (self.skip("this", "weekend") ? .weekend(0) : nil)
    }

    private static let periods: [String: CalendarPeriod] = [
        "week": .week, "month": .month, "quarter": .quarter, "year": .year,
    ]

    // habit = day-word / joined-span / iso-week / "this" "weekend" / "last" ( weekday / "week" / "month" / "year" )
    //       / [ "at" ] [ "the" ] ( "end" / "start" / "beginning" ) "of" ( [ "the" / "this" / "next" ] period / month )
    //       / [ "in" ] ( "mid" month / "mid-" month )
    mutating func dayOfHabit() -> DayPhrase? {
        if let day = self.next(Self.dayWords) ?? self.next(Self.joinedSpan) ?? self.dayOfWeek() ?? self.dayBefore()
            ?? self.middle()
        {
            return day
        }
        return self.skip("this", "weekend") ? .weekend(0) : self.bound()
    }

    private mutating func dayBefore() -> DayPhrase? {
        self.attempt { words in
            guard words.skip("last") else { return nil }
            return words.next(Vocabulary.weekdays).map { .weekdayBefore($0) }
                ?? words.next(["week": .days(-7), "month": .months(-1), "year": .months(-12)])
        }
    }

    private mutating func middle() -> DayPhrase? {
        self.attempt { words in
            words.skip("in")
            let isSplit = words.skip("mid")
            let month = words.next { word -> Int? in
                isSplit
                    ? Vocabulary.months[word]
                    : word.hasPrefix("mid-") ? Vocabulary.months[String(word.dropFirst(4))] : nil
            }
            return month.map { .yearly(month: $0, day: 15) }
        }
    }

    private mutating func bound() -> DayPhrase? {
        self.attempt { words in
            words.skip("at")
            words.skip("the")
            let isEnd = words.skip("end")
            guard isEnd || words.skip("start") || words.skip("beginning"), words.skip("of") else { return nil }
            if let month = words.next(Vocabulary.months) {
                return isEnd ? .endOfMonthNamed(month) : .yearly(month: month, day: 1)
            }
            let isNext = words.skip("next")
            if !isNext { _ = words.skip("the") || words.skip("this") }
            // The start of this period is past, so `start of month` has no clear meaning.
            guard isEnd || isNext, let period = words.next(Self.periods) else { return nil }
            return .period(period, offset: isNext ? 1 : 0, isEnd: isEnd)
        }
    }

    /// The Monday of `2026-w50`, and the day of `2026-w50-3` (ISO 8601).
    mutating func dayOfWeek() -> DayPhrase? {
        self.next { word in
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            guard 2...3 ~= parts.count, parts[0].count == 4, parts[1].count == 3, parts[1].hasPrefix("w"),
                let year = Vocabulary.positive(String(parts[0]), digits: 4),
                let week = Vocabulary.positive(String(parts[1].dropFirst()), digits: 2),
                let day = parts.count < 3 ? 1 : Vocabulary.positive(String(parts[2]), digits: 1), day <= 7,
                // 4 January is always in the first week.
                let first = CalendarDate(year: year, month: 1, day: 4)
            else { return nil }
            let monday = first.adding(days: week * 7 - 7 - first.weekday.days(after: .monday))
            // The Thursday of a week is in its year.
            return monday.adding(days: 3).year == year ? .date(monday.adding(days: day - 1)) : nil
        }
    }

    // date-with-weekday = ( iso-date / basic-date ) [ weekday ] / weekday [","] ( iso-date / named-day year )
    mutating func dateWithWeekday() -> (CalendarDate, Weekday?)? {
        self.attempt { words in
            let before = words.next(Vocabulary.weekdays)
            if before != nil { words.skip(",") }
            if let date = words.date() ?? words.next(Self.basicDate) {
                return (date, before ?? words.next(Vocabulary.weekdays))
            }
            guard let before, let named = words.namedDay(), let year = named.year else { return nil }
            return CalendarDate(year: year, month: named.month, day: named.day).map { ($0, before) }
        }
    }

    /// Whether a weekday and a date without its year follow, as in `fri 24 dec`.
    var isWeekdayBeforeDate: Bool {
        var words = self
        guard words.next(Vocabulary.weekdays) != nil else { return false }
        words.skip(",")
        return words.namedDay().map { $0.year == nil } ?? false
    }

    /// The date of `20261201` (ISO 8601, basic format).
    private static func basicDate(_ word: String) -> CalendarDate? {
        guard word.utf8.count == 8, let number = Vocabulary.positive(word, digits: 8) else { return nil }
        // Other years are more probably another number, such as 12012026 for 1 December 2026.
        guard 1900...2199 ~= number / 10_000 else { return nil }
        return CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    // time-in-words = [ "at" ] ( ( "quarter" / "half" / count [ "minutes" ] ) ( "past" / "to" ) hour
    //               / hour "o'clock" ) [ "am" / "pm" ];  "half to" is not valid
    mutating func timeInWords() -> ClockTime? {
        self.attempt { words in
            words.skip(",")
            words.skip("at")
            let isHour = { (word: String) in Vocabulary.count(word, digits: 2).flatMap { $0 < 24 ? $0 : nil } }
            if let clock = words.attempt({ words -> ClockTime? in
                guard let hour = words.next(isHour), words.skip("o'clock") else { return nil }
                return words.clock(hour, minutes: 0)
            }) {
                return clock
            }
            let isHalf = words.skip("half")
            let count = isHalf ? 30 : words.skip("quarter") ? 15 : words.next { Vocabulary.count($0, digits: 2) }
            guard let count, count <= 30 else { return nil }
            if !isHalf { _ = words.skip("minutes") || words.skip("min") }
            let isPast = words.skip("past")
            guard isPast || !isHalf && words.skip("to"), let hour = words.next(isHour) else { return nil }
            return words.clock(hour, minutes: isPast ? count : -count)
        }
    }

    /// The time some minutes before or after an hour, with `am` or `pm` after it; without these words, it is the hour
    /// of a 24-hour clock, as in `at 9`.
    private mutating func clock(_ hour: Int, minutes: Int) -> ClockTime {
        let half = 1...12 ~= hour ? self.next(Vocabulary.halves) : nil
        let total = (half.map { hour % 12 + $0 } ?? hour) * 60 + minutes
        return ClockTime(secondsOfDay: (total + 1440) % 1440 * 60)
    }
}

extension Weekday {
    fileprivate static let longNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    var longName: String { Self.longNames[self.rawValue] }
}

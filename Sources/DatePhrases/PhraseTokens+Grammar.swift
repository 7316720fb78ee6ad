import RemindavICalendar

/// The grammar of days; the ABNF rule of each method stands above the method.
extension PhraseTokens {
    /// A day with the name of its month; the year is `nil` if the phrase names none.
    struct NamedDay: Hashable {
        let year: Int?
        let month: Int
        let day: Int
    }

    // date = 4DIGIT "-" 2DIGIT "-" 2DIGIT
    mutating func date() -> CalendarDate? {
        self.next { word in
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.count) == [4, 2, 2] else { return nil }
            let numbers = parts.compactMap { Vocabulary.number(String($0), digits: 4) }
            return numbers.count == 3 ? CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]) : nil
        }
    }

    // named-day = day-month [ year ];  day-month = day-number [ "of" ] month / month [ "the" ] day-number
    // `shortYear` accepts `1 dec 26` too. The year is at least 24 then, because a smaller number may be an hour.
    mutating func namedDay(shortYear: Bool = false) -> NamedDay? {
        self.attempt { words in
            if let (month, day) = words.dayThenMonth() {
                let short = { (word: String) -> Int? in
                    Vocabulary.number(word, digits: 2).flatMap { $0 < 24 ? nil : 2000 + $0 }
                }
                return NamedDay(year: words.year() ?? (shortYear ? words.next(short) : nil), month: month, day: day)
            }
            guard let (month, day) = words.monthThenDay() else { return nil }
            return NamedDay(year: words.year(), month: month, day: day)
        }
    }

    // yearly-days = day-number [ "of" ] month 1*( separator month ) / month 1*( separator month ) day-number
    //             / named-day *( separator named-day );  separator = [","] "and" / ","
    mutating func yearlyDays() -> [NamedDay] {
        let shared = self.attempt { words -> [NamedDay]? in
            let before = words.dayNumber()
            if before != nil { words.skip("of") }
            let months = words.list { $0.next(Vocabulary.months) }
            // In `15 jan, may 3`, each month has its own day.
            let behind = words.dayNumber()
            guard months.count > 1, before == nil || behind == nil, let day = before ?? behind else { return nil }
            return months.map { NamedDay(year: nil, month: $0, day: day) }
        }
        return shared ?? self.list { $0.namedDay() }
    }

    private mutating func dayThenMonth() -> (month: Int, day: Int)? {
        self.attempt { words in
            guard let day = words.dayNumber() else { return nil }
            words.skip("of")
            return words.next(Vocabulary.months).map { ($0, day) }
        }
    }

    private mutating func monthThenDay() -> (month: Int, day: Int)? {
        self.attempt { words in
            guard let month = words.next(Vocabulary.months) else { return nil }
            return words.dayNumber().map { (month, $0) }
        }
    }

    // day-number = [ "the" ] 1*2DIGIT [ "st" / "nd" / "rd" / "th" ];  the suffix must fit the number
    mutating func dayNumber() -> Int? {
        self.attempt { words in
            words.skip("the")
            // Accepts also a day that no month has, so that the error message can name the reason.
            guard let day = words.next({ Vocabulary.positive($0, digits: 2) }) else { return nil }
            words.skip(day.ordinalLetters)
            return day
        }
    }

    // year = [","] 4DIGIT
    private mutating func year() -> Int? {
        self.attempt { words in
            words.skip(",")
            return words.next { $0.count == 4 ? Vocabulary.number($0, digits: 4) : nil }
        }
    }
}

extension Int {
    /// The suffix of this number as an ordinal: `st` for 1 and 21, `th` for 11.
    var ordinalLetters: String {
        self / 10 % 10 == 1 ? "th" : [1: "st", 2: "nd", 3: "rd"][self % 10] ?? "th"
    }
}

/// The grammar of times of day; the ABNF rule of each method stands above the method.
extension PhraseTokens {
    // time = at hour [ "o'clock" ] / [ at ] ( hour ":" 2DIGIT / 12hour [ ":" 2DIGIT ] ( "am" / "pm" ) / "noon" / "midnight" )
    // at = "at" / "@"
    // `needsSign` requires `at`, `am` or `pm`. `needsMinutes` requires minutes, `am`, `pm`, noon or midnight.
    mutating func time(needsSign: Bool = false, needsMinutes: Bool = false, separator: Character = ":") -> ClockTime? {
        self.attempt { words in
            let isAnnounced = words.skip("at") || words.skip("@")
            if needsSign, !isAnnounced, words.isFollowed(by: "noon") || words.isFollowed(by: "midnight") { return nil }
            if words.skip("noon") { return ClockTime(hour: 12, minute: 0, second: 0) }
            if words.skip("midnight") { return ClockTime(hour: 0, minute: 0, second: 0) }
            guard let (hour, minute) = words.next({ Self.hourAndMinute($0, separator: separator) }),
                // An hour without minutes is at most 23 after `at`, and at most 12 otherwise.
                minute != nil || isAnnounced || 1...12 ~= hour
            else { return nil }
            if isAnnounced, minute == nil { words.skip("o'clock") }
            let half = 1...12 ~= hour ? words.next(Vocabulary.halves) : nil
            if half == nil, minute == nil, !isAnnounced || words.isTwelveHourPart { return nil }
            if needsSign, !isAnnounced, half == nil { return nil }
            if needsMinutes, half == nil, minute == nil { return nil }
            return ClockTime(hour: half.map { hour % 12 + $0 } ?? hour, minute: minute ?? 0, second: 0)
        }
    }

    mutating func timeAfterComma() -> ClockTime? {
        self.attempt { words in
            words.skip(",")
            return words.time()
        }
    }

    /// Whether `am` or `pm` follows; after a number that is no hour of a 12-hour clock, these letters are an error.
    private var isTwelveHourPart: Bool {
        mutating get { self.isFollowed(by: "am") || self.isFollowed(by: "pm") }
    }

    /// Splits `9:30` into hour and minute; the word `9` has the minute `nil`.
    private static func hourAndMinute(_ word: String, separator: Character) -> (hour: Int, minute: Int?)? {
        let parts = word.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        guard parts.count < 3, let hour = Vocabulary.number(parts[0], digits: 2), hour < 24 else { return nil }
        guard parts.count == 2 else { return (hour, nil) }
        guard parts[1].count == 2, let minute = Vocabulary.number(parts[1], digits: 2), minute < 60 else { return nil }
        return (hour, minute)
    }
}

/// Times of day that are valid only after a day or with another sign of a time.
extension PhraseTokens {
    /// Parses a time after a day: `15.30`, `15h`, `15h30`, `evening`, the start of `3-4pm`, or `9`.
    mutating func timeBehindDay() -> ClockTime? {
        self.attempt { words in
            words.skip(",")
            if let clock = words.next(Vocabulary.partsOfDay) ?? words.next(Self.unambiguousClock) { return clock }
            if let clock = words.attempt({ $0.hourWithUnit() }) { return clock }
            let clock = words.next { word in
                Vocabulary.number(word, digits: 2).flatMap { ClockTime(hour: $0, minute: 0, second: 0) }
            }
            return words.isAtEnd ? clock : nil
        }
    }

    // part = "tonight" / "this" ( "morning" / "afternoon" / "evening" / "night" )
    mutating func partOfToday() -> ClockTime? {
        self.attempt { words in
            if words.skip("tonight") { return Vocabulary.tonight }
            return words.skip("this") ? words.next(Vocabulary.partsOfDay) : nil
        }
    }

    /// Parses `at 15.30` or `3.30 pm`; the word `at`, `am` or `pm` shows that the number is a time.
    mutating func dottedTime() -> ClockTime? { self.time(needsSign: true, needsMinutes: true, separator: ".") }

    /// Parses `06:40`; a score or a Bible verse has no leading zero, so the digits are a time.
    mutating func clockWithLeadingZero() -> ClockTime? {
        self.next { $0.count == 5 && $0.hasPrefix("0") ? Self.clock($0, separator: ":") : nil }
    }

    /// Parses `9:30`; in a title, a day or a rule must stand beside it.
    mutating func clockWithoutSign() -> ClockTime? { self.next { Self.clock($0, separator: ":") } }

    private mutating func hourWithUnit() -> ClockTime? {
        guard let hour = self.next({ Vocabulary.number($0, digits: 2) }), self.skip("h") else { return nil }
        return ClockTime(hour: hour, minute: 0, second: 0)
    }

    /// A word that can only be a time: `15.30`, `15h30`, and the beginning of `3-4pm` or `15:00-16:30`.
    private static func unambiguousClock(_ word: String) -> ClockTime? {
        if let clock = self.clock(word, separator: ".") {
            // `9.05` may mean 9 May, so minutes from 1 to 12 are not accepted.
            return 1...12 ~= clock.minute ? nil : clock
        }
        return self.clock(word, separator: "h") ?? self.startOfRange(word)
    }

    // all-day = [","] ( "all" "day" / "all-day" )
    mutating func allDay() -> Bool {
        self.attempt { words in
            words.skip(",")
            return words.skip("all", "day") || words.skip("all-day") ? true : nil
        } ?? false
    }

    /// Parses the start of `3-4pm` or `15:00-16:30`.
    mutating func startOfRange() -> ClockTime? { self.next(Self.startOfRange) }

    private static func startOfRange(_ word: String) -> ClockTime? {
        let ends = word.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "\u{2013}" }
        return ends.count == 2 ? self.beginning(String(ends[0]), before: String(ends[1])) : nil
    }

    /// Whether the word has the form `mon-wed`.
    static func isWeekdayRange(_ word: String) -> Bool {
        let days = word.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "\u{2013}" }
        return days.count == 2 && days.allSatisfy { Vocabulary.weekdays[String($0)] != nil }
    }

    /// The days of `mon-wed`, from the first to the last one.
    static func weekdayRange(_ word: String) -> [Weekday]? {
        guard self.isWeekdayRange(word) else { return nil }
        let ends = word.split { $0 == "-" || $0 == "\u{2013}" }.compactMap { Vocabulary.weekdays[String($0)] }
        let count = ends[1].days(after: ends[0])
        return (0...count).compactMap { days in Weekday.allCases.first { $0.days(after: ends[0]) == days } }
    }

    private static func clock(_ word: String, separator: Character) -> ClockTime? {
        guard case (let hour, let minute?)? = self.hourAndMinute(word, separator: separator) else { return nil }
        return ClockTime(hour: hour, minute: minute, second: 0)
    }

    /// The beginning of a range of times; `nil` if both ends lack `am` or `pm` and one lacks minutes.
    private static func beginning(_ first: String, before last: String) -> ClockTime? {
        guard let start = self.rangeEnd(first), let end = self.rangeEnd(last) else { return nil }
        guard let half = start.half ?? end.half else {
            // `3-4` without minutes may be a range of pages.
            guard let minute = start.minute, end.minute != nil else { return nil }
            return ClockTime(hour: start.hour, minute: minute, second: 0)
        }
        guard 1...12 ~= start.hour else { return nil }
        var hour = start.hour % 12 + half
        // `11-1pm` begins before noon.
        if start.half == nil, hour > end.hour % 12 + half { hour = start.hour % 12 }
        return ClockTime(hour: hour, minute: start.minute ?? 0, second: 0)
    }

    /// Parses an end of a range: `3`, `3pm` or `15:30`; `half` is 0 for `am` and 12 for `pm`.
    private static func rangeEnd(_ text: String) -> (hour: Int, minute: Int?, half: Int?)? {
        let half = Vocabulary.halves.first { text.hasSuffix($0.key) }
        let digits = half == nil ? text : String(text.dropLast(2))
        guard let (hour, minute) = self.hourAndMinute(digits, separator: ":"), half == nil || 1...12 ~= hour else {
            return nil
        }
        return (hour, minute, half?.value)
    }
}

import ICalendar

/// Times of day that only a title is read for, where the words before them leave one meaning.
///
/// `--due` has a stricter grammar: its value is written on purpose, and a refusal names the right form.
extension PhraseTokens {
    /// A time after a day: `15.30`, `15h`, `15h30`, `3-4pm`, `evening`, and a bare hour after `tomorrow`.
    ///
    /// Of a range, the beginning counts.
    mutating func timeBehindDay(_ day: DayPhrase) -> ClockTime? {
        self.attempt { words in
            _ = words.skip(",")
            if let clock = words.next(Vocabulary.partOfDay) { return clock }
            if let clock = words.next(Self.unambiguousClock) { return clock }
            if let clock = words.attempt({ $0.hourWithUnit() }) { return clock }
            // `friday 9` may be the ninth, so that only these two days take a bare hour.
            guard day == .days(0) || day == .days(1) else { return nil }
            let hour = words.next { Vocabulary.number($0, digits: 2) }
            return words.isAtEnd ? hour.flatMap { ClockTime(hour: $0, minute: 0, second: 0) } : nil
        }
    }

    // part = "tonight" / "this" ( "morning" / "afternoon" / "evening" / "night" )
    mutating func partOfToday() -> ClockTime? {
        self.attempt { words in
            if words.skip("tonight") { return Vocabulary.tonight }
            return words.skip("this") ? words.next(Vocabulary.partOfDay) : nil
        }
    }

    /// `at 15.30`, `15.30 pm`: with a sign, the number is a time.
    mutating func dottedTime() -> ClockTime? {
        self.attempt { words in
            let isAnnounced = words.skip("at")
            guard let (hour, minute) = words.next({ Self.hourAndMinute($0, separator: ".") }) else { return nil }
            let half = 1...12 ~= hour ? words.next { ["am": 0, "pm": 12][$0] } : nil
            guard isAnnounced || half != nil else { return nil }
            return ClockTime(hour: half.map { hour % 12 + $0 } ?? hour, minute: minute, second: 0)
        }
    }

    /// `06:40`: a score or a verse has no leading zero.
    mutating func clockWithLeadingZero() -> ClockTime? {
        self.next { word in
            guard word.count == 5, word.hasPrefix("0"),
                let (hour, minute) = Self.hourAndMinute(word, separator: ":")
            else { return nil }
            return ClockTime(hour: hour, minute: minute, second: 0)
        }
    }

    /// `15h`: the number and its letter are two words.
    private mutating func hourWithUnit() -> ClockTime? {
        guard let hour = self.next({ Vocabulary.number($0, digits: 2) }), self.skip("h") else { return nil }
        return ClockTime(hour: hour, minute: 0, second: 0)
    }

    /// `15.30`, which is no day of a month; `15h30`; and the beginning of `3-4pm` or `15:00-16:30`.
    private static func unambiguousClock(_ word: String) -> ClockTime? {
        if let (hour, minute) = self.hourAndMinute(word, separator: ".") {
            // `9.05` may be the ninth of May.
            return minute == 0 || minute > 12 ? ClockTime(hour: hour, minute: minute, second: 0) : nil
        }
        if let (hour, minute) = self.hourAndMinute(word, separator: "h") {
            return ClockTime(hour: hour, minute: minute, second: 0)
        }
        let ends = word.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "\u{2013}" }.map(String.init)
        guard ends.count == 2, let first = ClockText(ends[0]), let last = ClockText(ends[1]) else { return nil }
        return first.time(before: last)
    }

    private static func hourAndMinute(_ word: String, separator: Character) -> (hour: Int, minute: Int)? {
        let parts = word.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts[1].count == 2, let hour = Vocabulary.number(parts[0], digits: 2), hour < 24,
            let minute = Vocabulary.number(parts[1], digits: 2), minute < 60
        else { return nil }
        return (hour, minute)
    }
}

/// One end of a range of times: `3`, `3pm`, `15:30`.
private struct ClockText {
    let hour: Int
    let minute: Int?
    /// Hours to add: 0 for `am`, 12 for `pm`; `nil` without either.
    let half: Int?

    /// - Returns: `nil` for anything else.
    init?(_ text: String) {
        let half = ["am": 0, "pm": 12].first { text.hasSuffix($0.key) }
        let digits = half == nil ? text : String(text.dropLast(2))
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let hour = parts.first.flatMap({ Vocabulary.number($0, digits: 2) }), hour < 24, parts.count < 3 else {
            return nil
        }
        let minute = parts.count == 2 ? Vocabulary.number(parts[1], digits: 2) : nil
        guard parts.count == 1 || parts[1].count == 2 && minute.map({ $0 < 60 }) == true else { return nil }
        guard half == nil || 1...12 ~= hour else { return nil }
        self.hour = hour
        self.minute = minute
        self.half = half?.value
    }

    /// The time, if this is the beginning of a range; `nil` if the two ends do not say which half of the day it is.
    func time(before end: Self) -> ClockTime? {
        guard let half = self.half ?? end.half else {
            // `3-4` may be anything.
            guard self.minute != nil, end.minute != nil else { return nil }
            return ClockTime(hour: self.hour, minute: self.minute ?? 0, second: 0)
        }
        guard 1...12 ~= self.hour else { return nil }
        var start = self.hour % 12 + half
        // `11-1pm` begins in the morning.
        if self.half == nil, let endHalf = end.half, start > end.hour % 12 + endHalf { start = self.hour % 12 }
        return ClockTime(hour: start, minute: self.minute ?? 0, second: 0)
    }
}

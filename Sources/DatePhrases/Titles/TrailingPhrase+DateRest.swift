import RemindavICalendar

/// Finds words in the title that may mean a date; if there are any, no other date may be assumed.
extension TrailingPhraseReader {
    /// The words before `end` that may mean a date and cannot be parsed; `nil` if there are none.
    ///
    /// - Parameter namesDay: whether a phrase at `end` names its day. Then only words directly before `end` are found,
    ///   and only if the title can end without them: `Meeting 03/04 tomorrow`, but not `Prepare for friday tomorrow`.
    func dateRest(before end: Int, namesDay: Bool) -> Range<Int>? {
        guard self.kinds.contains(.due) else { return nil }
        let isTimed = end < self.words.count && !namesDay
        let first = namesDay ? max(0, end - Self.longestRest) : 0
        for place in first..<max(first, end) {
            guard var range = self.dateLike(at: place, before: end, isTimed: isTimed) else { continue }
            while range.upperBound < end,
                let next = self.dateLike(at: range.upperBound, before: end, isTimed: isTimed)
            {
                range = range.lowerBound..<next.upperBound
            }
            guard namesDay else { return range }
            if range.upperBound == end, !self.isNeeded(range.lowerBound), !self.isUnderstood(range) { return range }
        }
        return nil
    }

    /// Whether a phrase determines the day of its first date.
    static func namesDay(_ tail: TrailingPhrase) -> Bool {
        switch tail.due?.when {
        case nil, .day(.soonest, _): break
        default: return true
        }
        guard let rule = tail.rule?.rule else { return false }
        return rule.frequency <= .daily || !(rule.byDay.isEmpty && rule.byMonthDay.isEmpty)
    }

    /// The number of words before a phrase that are examined; `end of the next month` has five.
    private static let longestRest = 6

    /// Whether the words can be parsed, but stay in the title: `Friday` in `Watch Freaky Friday tomorrow`.
    func isUnderstood(_ range: Range<Int>) -> Bool {
        if case .unknown = WhenParser.read(self.text(range), .alone) { false } else { true }
    }

    /// Whether the words before `start` need a continuation: `Prepare for` in `Prepare for the 4th`.
    private func isNeeded(_ start: Int) -> Bool {
        var place = start
        while ["on", "by", "the", "this", "next"].contains(self.word(place - 1)) { place -= 1 }
        return Self.needsMore(self.word(place - 1))
    }

    /// The word at `place` in lower case; empty if there is no such word, or if the word is quoted or too long.
    private func word(_ place: Int) -> String {
        guard self.words.indices.contains(place), self.words[place].form == .plain,
            self.words[place].text.utf8.count <= Self.longestWord
        else { return "" }
        return self.bare(place)
    }

    private func dateLike(at place: Int, before end: Int, isTimed: Bool) -> Range<Int>? {
        let word = self.word(place)
        guard !word.isEmpty else { return nil }
        if word.first?.isPhraseDigit == true, self.isNumericDay(place, before: end, isTimed: isTimed) {
            return place..<place + 1
        }
        if self.isDayName(word, place, before: end) { return place..<place + 1 }
        let length = self.lengthOfDate(word, place, before: end) ?? self.lengthOfSpan(word, place, before: end)
        guard let length, place + length <= end else { return nil }
        return place..<place + length
    }

    private func isNumericDay(_ place: Int, before end: Int, isTimed: Bool) -> Bool {
        let before = self.word(place - 1)
        guard !Self.numberedThings.contains(before) else { return false }
        let word = Self.withoutPunctuation(self.words[place].text)
        let parts = word.split(omittingEmptySubsequences: false) { "/.-".contains($0) }
        if Self.isDotted(word) { return NumericDay.isDay(String(word)) }
        if parts.count == 3 {
            // A date with one possible meaning was parsed earlier or is past, so it is not an unread date.
            return Self.isWholeDay(word, from: self.today.year) && NumericDay.isDay(String(word))
                && NumericDay.onlyDayOfTitle(String(word)) == nil && parts[0].count <= 2
        }
        guard parts.count == 2, NumericDay.isDay("\(parts[0]).\(parts[1]).") else { return false }
        let isAnnounced = ["on", "by", "until", "till"].contains(before)
        let isLast = place + 1 == end
        if word.contains("/") {
            let isFraction = ["2", "3", "4", "8", "16"].contains(parts[1]) && !parts[0].hasPrefix("0")
            // `3/4` is a fraction and `24/7` means always, except after `by` or directly before a time at the end.
            return isAnnounced || isLast && isTimed || !isFraction && word != "24/7"
        }
        // `3-4` may be a range of pages.
        if word.contains("-") { return isAnnounced || isLast && isTimed }
        // `6.1` may be a version, and `2.5 kg` a weight.
        guard word.contains("."), !Self.verbsOfVersions.contains(self.word(0)) else { return false }
        return isAnnounced || isLast || place == 0
    }

    static let verbsOfVersions: Set = ["install", "upgrade", "update"]

    private func isDayName(_ word: String, _ place: Int, before end: Int) -> Bool {
        // An unknown `@name` may stand after the day.
        let isLast = self.words[(place + 1)..<end].allSatisfy { $0.form != .plain }
        if PhraseTokens.isWeekdayRange(word) || word.hasPrefix("every!") && word.count > 6 { return true }
        if Vocabulary.weekdays[word] != nil {
            guard !self.isInWork(place), !Self.namesOfDays.contains(self.word(place - 1)) else { return false }
            return !Self.isEnglishWord(word) || self.isShortDay(word, place, isLast: isLast)
        }
        // `Mardi gras` is a feast.
        if Vocabulary.weekdays[Self.foreignWords[word] ?? ""] != nil { return word != "mardi" || isLast }
        if Self.daysFromToday.contains(word) || Self.wordsForDays.contains(word) { return true }
        let isSmall = self.words[place].text.first?.isLowercase ?? false
        if word == "yesterday" { return isSmall }
        if Self.lastWords.contains(word) || self.isDuration(word) { return isLast && (isSmall || word.first == "p") }
        // `Tom` is a name, and `tom` an abbreviation of `tomorrow`.
        if word == "tom" { return isLast && self.words[place].text.first == "t" }
        if ["eod", "cob", "eow", "eom", "eoy"].contains(word) { return isLast || self.word(place - 1) == "by" }
        if word == "weekend" { return self.isWeekend(place, isLast: isLast) }
        if ["feb", "sept", "oct", "nov", "dec"].contains(word) { return isLast }
        if Self.fullMonths.contains(word) { return isLast || self.word(place - 1) == "in" }
        return Self.isNearMiss(word)
    }

    /// Whether `weekend` at `place` means the due day: `Plan the weekend` is only about a weekend.
    private func isWeekend(_ place: Int, isLast: Bool) -> Bool {
        let before = self.word(place - 1)
        if before == "the" { return ["on", "at", "over"].contains(self.word(place - 2)) }
        if ["this", "next", "on", "at", "by"].contains(before) { return true }
        return isLast && !Self.needsMore(before)
    }

    /// Whether `sat`, `sun` or `wed` probably is the day: `Clean oven sat`, but not `Get more sun` or `Buy sun cream`.
    private func isShortDay(_ word: String, _ place: Int, isLast: Bool) -> Bool {
        let (before, next) = (self.word(place - 1), self.word(place + 1))
        // The parts of a day follow in `sat morning`, and `SAT` is the name of an examination.
        guard Vocabulary.partsOfDay[next] == nil, self.words[place].text != word.uppercased(),
            !Self.needsMore(before), !["more", "some", "enough", "newly"].contains(before)
        else { return false }
        return isLast || next.isEmpty || ["with", "at", "by", "for"].contains(next)
            || word == "sat" && next != "nav" && place > 0
    }

    /// Whether the word has the form `P3D`.
    private func isDuration(_ word: String) -> Bool {
        word.first == "p" && word.dropFirst().first?.isPhraseDigit == true && WhenParser.read(word).value != nil
    }

    /// Words that mean a time or a repetition at the end of a title only: `Buy everyday shoes` has none.
    private static let lastWords: Set = ["everyday", "tod", "noon", "midnight", "christmas", "xmas", "soww", "eoww"]
    private static let daysFromToday: Set = ["today", "tomorrow", "tonight", "tmw", "2moro"]
    /// Month names without another meaning; May, March, April, June and August are also words or first names.
    private static let fullMonths: Set = [
        "january", "february", "july", "september", "october", "november", "december",
    ]

    /// Whether the word is probably a misspelled name of a day or month.
    private static func isNearMiss(_ word: String) -> Bool {
        // Shorter words are similar to too many unrelated words.
        guard 6...11 ~= word.utf8.count, !Self.nearWords.contains(word), !word.hasSuffix("days") else { return false }
        return Spelling.nearest(to: word, among: Self.longNames, slips: 1) != nil
            || Spelling.nearest(to: word, among: ["tomorrow", "wednesday"], slips: 2) != nil
            || Spelling.nearest(to: word, among: ["mittwoch", "donnerstag", "dienstag"], slips: 1) != nil
    }

    /// Words that are similar to the name of a day or month, but are not misspelled.
    private static let nearWords = Set(["sundae", "sundry", "friary"]).union(longNames)
    private static let longNames = [
        "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february",
        "september", "october", "november", "december",
    ]

    /// The number of words from `place` on that are a month with a day, an ordinal day or a numbered week; else `nil`.
    private func lengthOfDate(_ word: String, _ place: Int, before end: Int) -> Int? {
        let next = place + 1 < end ? self.word(place + 1) : ""
        let isMonthFirst = self.isMonth(word) && Self.dayNumber(next) != nil
        if isMonthFirst || self.isMonth(next) && Self.dayNumber(word) != nil {
            let month = self.words[isMonthFirst ? place : place + 1].text
            // None of these titles names a due date: `Top 10 may win`, `Read p. 12 may`, `Invoice 1 dec 2025`.
            let third = self.word(place + 2)
            let isVerb =
                ["may", "march"].contains(month) && place + 2 < end && !third.isEmpty
                && !["with", "at", "in", "by", "for"].contains(third)
            let isNumbered = !isMonthFirst && Self.numberedThings.contains(self.word(place - 1))
            let year = Vocabulary.number(third, digits: 4) ?? 0
            return isVerb || isNumbered || 1000..<max(1000, self.today.year) ~= year ? nil : 2
        }
        if Self.dayNumber(word) != nil, word.last?.isPhraseDigit == false {
            let before = self.word(place - 1)
            let isDay = Vocabulary.weekdays[before] != nil || before == "the" && self.word(place - 2) == "on"
            return place + 1 == end || isDay ? 1 : nil
        }
        if word == "the", Self.dayNumber(next) != nil, next.last?.isPhraseDigit == false {
            return place + 2 == end || Vocabulary.weekdays[self.word(place - 1)] != nil ? 2 : nil
        }
        guard ["week", "wk", "kw"].contains(word), let week = Vocabulary.positive(next, digits: 2) else { return nil }
        return week <= 53 ? 2 : nil
    }

    private func isMonth(_ word: String) -> Bool {
        Vocabulary.months[Self.foreignWords[word] ?? ["dez": "dec", "okt": "oct"][word] ?? word] != nil
    }

    /// The number 4 for `4` and for `4th`; `nil` for other words and for numbers over 31.
    private static func dayNumber(_ word: String) -> Int? {
        let digits = word.prefix { $0.isPhraseDigit }
        guard let day = Vocabulary.positive(String(digits), digits: 2), day <= 31 else { return nil }
        return ["", "st", "nd", "rd", "th"].contains(word.dropFirst(digits.count)) ? day : nil
    }

    private static let wordsOfWorkdays: Set = ["working", "business", "work", "workday", "workdays"]

    /// Whether the word has the form `9:30` or `25:00`.
    private static func hasFormOfClock(_ word: String) -> Bool {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && 1...2 ~= parts[0].count && parts[1].count == 2
            && parts.joined().allSatisfy(\.isPhraseDigit)
    }

    /// The number of words from `place` on that are a span of time, a part of a day or a time; `nil` if there is none.
    private func lengthOfSpan(_ word: String, _ place: Int, before end: Int) -> Int? {
        let next = place + 1 < end ? self.word(place + 1) : ""
        let third = place + 2 < end ? self.word(place + 2) : ""
        if ["next week", "next month", "next year", "next wk", "this week", "from now", "from today"].contains(
            "\(word) \(next)"
        ) {
            return 2
        }
        switch (word, next) {
        case ("sat", _), ("sun", _), ("wed", _): return Vocabulary.partsOfDay[next] == nil ? nil : 2
        case ("at", "night"): return place + 2 == end ? 2 : nil
        case ("in", "the"):
            return place + 3 == end && ["morning", "afternoon", "evening"].contains(third) ? 3 : nil
        case ("in", "a") where third == "fortnight": return 3
        case ("in", _) where Vocabulary.count(next) != nil && Vocabulary.units[third] != nil,
            ("after", _) where Vocabulary.count(next) != nil && Vocabulary.units[third] != nil:
            return 3
        case ("in", _) where Vocabulary.count(next) != nil && Self.wordsOfWorkdays.contains(third):
            let isDay = place + 3 < end && ["day", "days"].contains(self.word(place + 3))
            return isDay ? 4 : third.hasPrefix("workday") ? 3 : nil
        case ("end", "of"):
            let length = ["the", "this", "next"].contains(third) ? 4 : 3
            let unit = place + length <= end ? self.word(place + length - 1) : ""
            guard ["day", "week", "month", "quarter", "year"].contains(unit) else { return nil }
            return place + length == end || ["by", "at", "the"].contains(self.word(place - 1)) ? length : nil
        case (_, "uhr") where word.first?.isPhraseDigit == true: return 2
        default: break
        }
        // A clock time can mean the due time only if no phrase ends the title: `Meeting 3pm with Ben`.
        guard end == self.words.count else { return nil }
        if Self.isClock(word), !self.isVerse(place) { return 1 }
        // `at 25:00` is no time, but it means one.
        if word == "at", Self.hasFormOfClock(next) { return 2 }
        let isTime = word.first?.isPhraseDigit == true && (word.hasSuffix("am") || word.hasSuffix("pm"))
        return isTime && self.isTime(place..<place + 1) ? 1 : nil
    }
}

/// Finds dates with a year; they are unambiguous at any position in a title.
extension TrailingPhraseReader {
    /// A date with the positions of its words; a time after the date is included.
    struct FullDate {
        let when: When
        let words: Range<Int>
    }

    /// The only full date in the title: `Flight 2026-12-01 06:40 to Paris`; `nil` if the title has none or several.
    ///
    /// The result is also `nil` if the date continues the words before it, or begins a range: `from 2026-12-01`.
    func onlyFullDate() -> FullDate? {
        let dates = self.fullDates(before: self.words.count)
        guard self.kinds.contains(.due), dates.count == 1, let date = dates.first else { return nil }
        let before = date.lowerBound - 1
        let hasWeekday = before >= 0 && Vocabulary.weekdays[self.word(before)] != nil
        return (hasWeekday ? self.fullDate(from: before, date) : nil) ?? self.fullDate(from: date.lowerBound, date)
    }

    /// The date from `first` on, with `on` or `by` before it, and with a weekday and a time: `Tue 1 Dec 2026 9am`.
    private func fullDate(from first: Int, _ date: Range<Int>) -> FullDate? {
        var start = first
        if start > 0, ["on", "by"].contains(self.words[start - 1].text.lowercased()) { start -= 1 }
        guard start == 0 || !Self.needsMore(self.words[start - 1].text.lowercased()) else { return nil }
        // A date has at most a weekday and three words of time after it: `Tue at 9 pm`.
        for end in (date.upperBound...min(date.upperBound + 4, self.words.count)).reversed() {
            let range = start..<end
            guard self.words[range].allSatisfy({ $0.form == .plain }) else { continue }
            let hasWeekday = range.contains { Vocabulary.weekdays[self.bare($0)] != nil }
            guard let when = self.when(range) ?? (hasWeekday ? self.when(range, .trusting) : nil) else { continue }
            return self.isBeginningOfRange(end) ? nil : FullDate(when: when, words: range)
        }
        return nil
    }

    /// Whether the words at `end` continue a range: `to 5 dec`, but not `to Paris`.
    private func isBeginningOfRange(_ end: Int) -> Bool {
        guard end < self.words.count, Self.rangeWords.contains(self.words[end].text.lowercased()) else { return false }
        guard end + 1 < self.words.count else { return true }
        let next = self.words[end + 1].text
        return next.first?.isPhraseDigit == true || Vocabulary.weekdays[next.lowercased()] != nil
    }

    /// The words of dates with a year that are not past: `2026-12-01`, `31 dec 2026`.
    func fullDates(before end: Int) -> [Range<Int>] {
        self.words[..<end].indices.compactMap { place in
            let word = self.words[place]
            guard word.form == .plain, word.text.utf8.count <= Self.longestFullDate else { return nil }
            let range = place..<place + (Self.isFullDate(word.text) ? 1 : 3)
            guard range.count == 1 || range.upperBound <= end && self.isNamedDateWithYear(range) else { return nil }
            guard case .day(.date, _)? = self.when(range).flatMap({ self.isBygone($0) ? nil : $0 }) else { return nil }
            return range
        }
    }

    /// Whether three words have the form `31 dec 2026` or `Dec 31, 2026`.
    private func isNamedDateWithYear(_ range: Range<Int>) -> Bool {
        guard self.words[range].allSatisfy({ $0.form == .plain }) else { return false }
        let words = range.map(self.bare)
        let year = Vocabulary.number(words[2], digits: 4) ?? 0
        return year > 999 && words[..<2].contains { Vocabulary.months[$0] != nil }
    }

    /// The maximum length of a word with a full date, in bytes; `2026-12-01T06:40:00,` has 20.
    private static let longestFullDate = 24
    private static let rangeWords: Set = ["to", "until", "till", "through", "-", "\u{2013}", "or"]

    /// Whether the word can only be a date or a time, even after a word that takes a number: `room 2026-12-01`.
    static func isClear(_ word: Substring) -> Bool {
        let isClock = word.utf8.count >= 5 && word.hasPrefix("0") && word.dropFirst(2).first == ":"
        return isClock || self.isFullDate(word)
    }

    private static func isFullDate(_ word: Substring) -> Bool {
        var text = word
        while let last = text.last, ",.!".contains(last) { text.removeLast() }
        if Self.dateWithTime(text) != nil { return true }
        let numbers = text.split(omittingEmptySubsequences: false) { "-./".contains($0) }
        let isNumber = { (text: Substring) in !text.isEmpty && text.allSatisfy(\.isPhraseDigit) }
        guard numbers.count == 3, numbers.allSatisfy(isNumber) else { return false }
        return numbers.first?.count == 4 || numbers.last?.count == 4
    }
}

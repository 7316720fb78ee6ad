import RemindavICalendar

/// Finds words at the end of a title that may mean a date, but cannot be parsed; no default due time is then assumed.
extension TrailingPhraseReader {
    var mayNameDate: Bool {
        guard self.kinds.contains(.due), self.words.count > 1 else { return false }
        return self.endMayNameDate || self.hasDateBeforeList || !self.fullDates(before: self.words.count).isEmpty
    }

    /// Whether words before `start` belong to the phrase there, but are unreadable: `quarter past 9` before `tomorrow`.
    func hasMoreBefore(_ start: Int, hasRule: Bool) -> Bool {
        if self.isTimeInWords(before: start) { return true }
        if self.kinds.contains(.rule), let place = self.repetition(before: start) {
            // `every day ending friday`.
            if self.bare(start - 1) == "ending" { return true }
            // The last day of `every 15 mar, 15 sep`, and `every month, first on 5 dec`.
            for end in max(place + 1, start - 2)...max(place + 1, start) where self.words[end - 1].text.last == "," {
                var rule = RepeatParser(self.text(place..<end))
                if rule.reading().value != nil { return true }
            }
        }
        // In `Send every week report tomorrow`, the repetition does not end directly before the phrase.
        return !hasRule && self.kinds.contains(.rule) && self.repetition(before: start) == start - 2
    }

    /// Whether the word before `place` is a day in digits that is ambiguous or impossible.
    func hasUnclearDay(before place: Int) -> Bool {
        guard place > 0, self.words[place - 1].form == .plain else { return false }
        return self.isUnclearDay(self.words[place - 1].text)
    }

    private func isUnclearDay(_ text: Substring) -> Bool {
        let word = Self.withoutPunctuation(text)
        return Self.isWholeDay(word, from: self.today.year) && NumericDay.refusal(String(word)) != nil
    }

    static func withoutPunctuation(_ text: Substring) -> Substring {
        var word = text
        while let end = word.last, ",.!?".contains(end), !Self.isDotted(word) { word.removeLast() }
        return word
    }

    /// Whether the title ends with a date and an unknown list: `friday 9am @grocries`.
    private var hasDateBeforeList: Bool {
        guard case .mark("@", _)? = self.words.last?.form else { return false }
        var reader = self
        reader.words.removeLast()
        return (try? reader.read())?.due != nil
    }

    private var endMayNameDate: Bool {
        let end = self.words.count
        guard self.words[end - 1].form == .plain else { return false }
        if self.endsInUnreadTime { return true }
        let word = Self.withoutPunctuation(self.words[end - 1].text)
        let before = self.words[end - 2].text.lowercased()
        if !Self.needsMore(before) || before == "on", self.isUnclearDay(word) { return true }
        // In `24.12.2026 at 10am`, a time follows the day in digits.
        let hasDayBeforeTime = (max(1, end - 2)..<end).contains { start in
            self.isTime(start..<end) && self.hasUnclearDay(before: start)
        }
        return hasDayBeforeTime || !Self.needsMore(before) && self.endsInLooseTime
    }

    /// Whether the title ends with words such as `every night`, `at 7`, `in half an hour` or `quarter past 9 tomorrow`.
    private var endsInUnreadTime: Bool {
        let end = self.words.count
        if self.kinds.contains(.rule), self.repetition(before: end) != nil { return true }
        if end > 2, self.bare(end - 2) == "at", PhraseAdvice.isBareHour(self.bare(end - 1)) { return true }
        if end > 4, (end - 4..<end).map(self.bare) == ["in", "half", "an", "hour"] { return true }
        let last = self.bare(end - 1)
        let isDay = ["today", "tomorrow"].contains(last) || Vocabulary.weekdays[last] != nil
        return self.isTimeInWords(before: end) || isDay && self.isTimeInWords(before: end - 1)
    }

    /// Whether `quarter past 9` or `at 10 to 9` ends at `end`; without `at`, `10 to 9` may be a range of pages.
    private func isTimeInWords(before end: Int) -> Bool {
        guard end > 2, ["past", "to"].contains(self.bare(end - 2)), PhraseAdvice.isBareHour(self.bare(end - 1)) else {
            return false
        }
        let word = self.bare(end - 3)
        if ["quarter", "half"].contains(word) { return true }
        return end > 3 && self.bare(end - 4) == "at" && Vocabulary.positive(word, digits: 2) != nil
    }

    /// Whether the title ends with a word such as `17:30`, `3-4pm`, `10m` or `Dezember`.
    private var endsInLooseTime: Bool {
        let place = self.words.count - 1
        let last = self.bare(place)
        if Self.isClock(last), !self.isVerse(place) { return true }
        return Self.foreignWords[last] != nil || Self.isRange(last) || self.endsInCount
    }

    /// Whether the word has the form `17:30` or `9:30`.
    static func isClock(_ word: String) -> Bool {
        4...5 ~= word.utf8.count && word.contains(":") && WhenParser.read("at \(word)").value != nil
    }

    private static func isRange(_ word: String) -> Bool {
        guard word.contains("-"), word.hasSuffix("am") || word.hasSuffix("pm") else { return false }
        return if case .day(_, .clock)? = WhenParser.read("today \(word)", .alone).value { true } else { false }
    }

    /// Whether the title ends with `10m` or `10 min`, which may be a duration or the time until the due time.
    private var endsInCount: Bool {
        let end = self.words.count
        for start in [end - 2, end - 1] where start > 0 && self.words[start].form == .plain {
            let text = (start..<end).map { self.bare($0) }.joined(separator: " ")
            guard text.first?.isPhraseDigit == true, !Self.needsMore(self.bare(start - 1)) else { continue }
            switch WhenParser.read(text).value {
            case .later, .day(.days, .whole): return true
            default: continue
            }
        }
        return false
    }

    /// The position of the last `every` or `each` that begins a repetition (`each night`), up to 12 words before `end`.
    private func repetition(before end: Int) -> Int? {
        (max(1, end - 12)..<max(1, end)).last { place in
            guard self.words[place].form == .plain, place + 1 < end else { return false }
            // `Play Every Day` is the name of a work.
            guard RepeatParser.everyWords.contains(self.bare(place)), self.words[place].text.first?.isLowercase == true
            else { return false }
            let next = self.bare(place + 1)
            if Self.periods.contains(next) || Vocabulary.weekdays[next] != nil || Vocabulary.months[next] != nil {
                return true
            }
            return next.first?.isPhraseDigit == true || Self.isMisspelledDay(next)
        }
    }

    /// Whether the word after `every` is probably a misspelled weekday: `every mondy`.
    private static func isMisspelledDay(_ word: String) -> Bool {
        let days = Vocabulary.weekdays.keys.filter { $0.hasSuffix("day") }
        return 5...10 ~= word.utf8.count && Spelling.nearest(to: word, among: days, slips: 1) != nil
    }

    /// The word at `place` in lower case, without punctuation at its end.
    func bare(_ place: Int) -> String {
        var word = self.words[place].text
        while let last = word.last, ",.!?".contains(last) { word.removeLast() }
        return word.lowercased()
    }

    /// Splits `2026-12-01T14:00` into `2026-12-01 14:00`; `nil` if the word has another form.
    static func dateWithTime(_ word: Substring) -> String? {
        let halves = word.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].utf8.count == 10, [5, 8].contains(halves[1].utf8.count) else { return nil }
        guard halves.joined().allSatisfy({ $0.isPhraseDigit || "-:".contains($0) }) else { return nil }
        return "\(halves[0]) \(halves[1].prefix(5))"
    }

    private static let periods: Set = [
        "day", "days", "week", "weeks", "weekday", "weekend", "month", "months", "year", "years", "hour", "morning",
        "afternoon", "evening", "night", "other", "second", "third", "fourth", "last", "two", "three",
    ]

    /// Whether the word is a day with a year from `year` on, or has the form `24.12.`; `3/4` and `6.1.2` are neither.
    static func isWholeDay(_ word: Substring, from year: Int) -> Bool {
        let numbers = word.split { "/.-".contains($0) }
        if numbers.count == 2 { return self.isDotted(word) }
        let long = numbers.filter { $0.count > 2 }
        if !long.isEmpty { return long.allSatisfy { $0.count == 4 && (Int($0) ?? 0) >= year } }
        // In a date with hyphens, the first number may be a year of two digits.
        let years = [numbers.last, word.contains("-") ? numbers.first : nil].compactMap { $0 }
        return years.contains { $0.count == 2 && 2000 + (Int($0) ?? 0) >= year }
    }

    /// Whether the word has the form `24.12.`, with a dot after each number.
    static func isDotted(_ word: Substring) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].isEmpty else { return false }
        return parts[..<2].allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isPhraseDigit) }
    }

    /// Words that mean a day at the end of a title, although the parsers do not know them.
    static let wordsForDays: Set = [
        "tonight", "tmr", "tmrw", "2morrow", "heute", "morgen", "aujourd'hui", "demain", "hoy", "mañana", "oggi",
        "domani", "hoje", "amanhã", "vandaag",
    ]

    /// Names of months and weekdays in other European languages, each with the English name.
    static let foreignWords: [String: String] = {
        let names = [
            "january": "januar jänner janvier enero gennaio januari janeiro",
            "february": "februar février febrero febbraio februari fevereiro",
            "march": "märz mars marzo maart março", "april": "avril abril aprile", "may": "mai mayo maggio mei maio",
            "june": "juni juin junio giugno junho", "july": "juli juillet julio luglio julho",
            "august": "août agosto augustus", "september": "septembre septiembre settembre setembro",
            "october": "oktober octobre octubre ottobre outubro", "november": "novembre noviembre novembro",
            "december": "dezember décembre diciembre dicembre dezembro",
            "monday": "montag lundi lunes lunedì maandag", "tuesday": "dienstag mardi martes martedì dinsdag",
            "wednesday": "mittwoch mercredi miércoles mercoledì woensdag",
            "thursday": "donnerstag jeudi jueves giovedì donderdag",
            "friday": "freitag vendredi viernes venerdì vrijdag",
            "saturday": "samstag samedi sábado sabato zaterdag",
            "sunday": "sonntag dimanche domingo domenica zondag",
        ]
        var english: [String: String] = [:]
        for (name, words) in names {
            for word in words.split(separator: " ") { english[String(word)] = name }
        }
        return english
    }()
}

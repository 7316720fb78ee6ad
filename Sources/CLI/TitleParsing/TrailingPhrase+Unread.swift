/// What people write at the end of a title to say when, and no phrase knows: nothing is taken then, and that is told.
extension TrailingPhraseReader {
    /// Whether words directly before a phrase say more of it than is understood: `quarter past 9` before `tomorrow`,
    /// and `every night` before `at 9pm`.
    func hasMoreBefore(_ start: Int, hasRule: Bool) -> Bool {
        if self.timeInWords(before: start) != nil { return true }
        // `Send every week report tomorrow` is another thing.
        return !hasRule && self.kinds.contains(.rule) && self.repetition(before: start) == start - 2
    }

    /// What to write in the place of words at the end that are not understood; `nil` where none are.
    func hintOfUnread() -> String? {
        let end = self.words.count
        let last = self.bare(end - 1)
        let before = self.bare(end - 2)
        if let advice = Self.advice[last] { return "'\(last)': \(advice)" }
        if self.kinds.contains(.rule), let start = self.repetition(before: end) {
            let words = self.words[start...].map { String($0.text) }.joined(separator: " ")
            return "'\(words)' is not understood: say it with --repeat, and its first date with --due."
        }
        if before == "at", end > 2, let hour = BareHour(last) { return hour.adviceAlone }
        if end > 4, (end - 4..<end).map(self.bare) == ["in", "half", "an", "hour"] { return "Write 'in 30 min'." }
        if let time = self.timeInWords(before: end) { return "Write the time as 'at \(time)'." }
        if self.isDay(last), let time = self.timeInWords(before: end - 1) {
            return "Write the time as '\(last) at \(time)'."
        }
        return nil
    }

    private func isDay(_ word: String) -> Bool {
        ["today", "tomorrow"].contains(word) || Vocabulary.weekday(word) != nil
    }

    /// The time of `quarter past 9` that ends there, or of `at 10 to 9`: without `at` these are numbers, such as pages.
    private func timeInWords(before end: Int) -> String? {
        guard end > 2, let sign = ["past": 1, "to": -1][self.bare(end - 2)], let hour = BareHour(self.bare(end - 1))
        else { return nil }
        let word = self.bare(end - 3)
        if let minutes = ["quarter": 15, "half": 30][word] { return hour.time(minutes: sign * minutes) }
        guard end > 3, self.bare(end - 4) == "at", let minutes = Vocabulary.positive(word, digits: 2) else {
            return nil
        }
        return hour.time(minutes: sign * minutes)
    }

    /// Where words begin that say how it repeats, at most twelve before an end: `every 2 days`, `each night`.
    private func repetition(before end: Int) -> Int? {
        (max(1, end - 12)..<max(1, end)).last { place in
            guard self.words[place].form == .plain, place + 1 < end else { return false }
            // `Play Every Day` is a name.
            guard ["every", "each"].contains(self.bare(place)), self.words[place].text.first?.isLowercase == true
            else { return false }
            let next = self.bare(place + 1)
            return Self.periods.contains(next) || Vocabulary.weekday(next) != nil || next.first?.isPhraseDigit == true
        }
    }

    /// A word in small letters, without what ends a sentence.
    func bare(_ place: Int) -> String {
        var word = self.words[place].text
        while let last = word.last, ",.!?".contains(last) { word.removeLast() }
        return word.lowercased()
    }

    /// `2026-12-01 14:00` of `2026-12-01T14:00`.
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

    private static let advice = [
        "tomorow": "Write 'tomorrow'.", "tommorow": "Write 'tomorrow'.", "tommorrow": "Write 'tomorrow'.",
        "tomorrrow": "Write 'tomorrow'.", "tomorro": "Write 'tomorrow'.",
        "biweekly": "Write 'every 2 weeks'.", "bi-weekly": "Write 'every 2 weeks'.",
        "fortnightly": "Write 'every 2 weeks'.", "quarterly": "Write 'every 3 months'.",
    ]
}

import ICalendar

/// Dates with their year, which are unambiguous at any position in a title.
extension TrailingPhraseReader {
    /// A date and its words, including the time after it.
    struct FullDate {
        let when: When
        let words: Range<Int>
    }

    /// The only date of this kind in the title: `Flight 2026-12-01 06:40 to Paris`; `nil` for none, and for several.
    ///
    /// One between other words is left out where they need it (`from 2026-12-01 to 2026-12-05`).
    func onlyFullDate() -> FullDate? {
        let dates = self.fullDates(before: self.words.count)
        guard self.kinds.contains(.due), dates.count == 1, let place = dates.first else { return nil }
        var start = place
        if start > 0, ["on", "by"].contains(self.words[start - 1].text.lowercased()) { start -= 1 }
        guard start == 0 || !Self.needsMore(self.words[start - 1].text.lowercased()) else { return nil }
        // The time is at most `at 9 pm`.
        for end in (place + 1...min(place + 4, self.words.count)).reversed() {
            let range = start..<end
            guard self.words[range].allSatisfy({ $0.form == .plain }) else { continue }
            var parser = WhenParser(self.text(range), caution: .alone)
            guard case .understood(let when) = parser.reading() else { continue }
            return self.isBeginningOfRange(end) ? nil : FullDate(when: when, words: range)
        }
        return nil
    }

    /// Whether a date that ends there is the beginning of a range: `to 5 dec`, but not `to Paris`.
    private func isBeginningOfRange(_ end: Int) -> Bool {
        guard end < self.words.count, Self.rangeWords.contains(self.words[end].text.lowercased()) else { return false }
        guard end + 1 < self.words.count else { return true }
        let next = self.words[end + 1].text
        return next.first?.isPhraseDigit == true || Vocabulary.weekday(next.lowercased()) != nil
    }

    /// The places of dates with a year that is not over.
    func fullDates(before end: Int) -> [Int] {
        self.words[..<end].indices.filter { place in
            let word = self.words[place]
            guard word.form == .plain, word.text.utf8.count <= Self.longestFullDate, Self.isFullDate(word.text) else {
                return false
            }
            var parser = WhenParser(self.text(place..<place + 1), caution: .alone)
            guard case .understood(let when) = parser.reading() else { return false }
            return !self.isBygone(when)
        }
    }

    /// `2026-12-01T06:40:00,` has 20 letters.
    private static let longestFullDate = 24

    private static let rangeWords: Set = ["to", "until", "till", "through", "-", "\u{2013}", "or"]

    /// Whether a word can only be a date or a time, even after a word that takes a number: `room 2026-12-01`.
    static func isClear(_ word: Substring) -> Bool {
        let isClock = word.utf8.count >= 5 && word.hasPrefix("0") && word.dropFirst(2).first == ":"
        return isClock || self.isFullDate(word)
    }

    /// Whether it has the form of a date with its year.
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

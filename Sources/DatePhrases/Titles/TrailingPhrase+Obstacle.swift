/// A date that stays in the title, and the words beside it that are the reason.
package struct DateObstacle: Hashable, Sendable {
    /// The words of the date, such as `tomorrow`.
    package let date: String
    /// The words between the date and the end of the title or another phrase there, or the word before the date.
    package let words: String
    /// Whether ``words`` stand behind the date.
    package let isBehind: Bool
}

/// Finds the words that keep a date in the title.
extension TrailingPhraseReader {
    /// - Parameters:
    ///   - dateRest: the words of ``dateRest(before:namesDay:)``.
    ///   - end: the first word of a phrase at the end of the title, or the number of words.
    /// - Returns: `nil` if the words of the date itself cannot be parsed, or if the reason is not a single word.
    func obstacle(of dateRest: Range<Int>?, before end: Int) -> DateObstacle? {
        if let date = dateRest, date.upperBound < end {
            var rule = RepeatParser(self.text(date))
            guard self.isUnderstood(date) || rule.reading().value != nil else { return nil }
            return DateObstacle(date: self.plain(date), words: self.plain(date.upperBound..<end), isBehind: true)
        }
        let last = self.words.count
        let start = self.starts(before: last).first { start in
            guard case .understood(let tail) = self.reading(start..<last) else { return false }
            return !(tail.due.map { self.isBygone($0.when) } ?? false)
        }
        guard let start, start > 0 else { return nil }
        let before = self.words[start - 1].text.lowercased()
        let isReason =
            Self.needsMore(before) || Self.numberedThings.contains(before) || Self.namesOfDays.contains(before)
            || Vocabulary.weekdays[before] != nil
        guard isReason else { return nil }
        return DateObstacle(date: self.plain(start..<last), words: self.plain(start - 1..<start), isBehind: false)
    }

    private func plain(_ range: Range<Int>) -> String { self.words[range].map(\.text).joined(separator: " ") }
}

/// What keeps words in the title.
extension QuickTailReader {
    /// Days in short that are words of their own: `where the cat sat`.
    static func isEnglishWord(_ text: String) -> Bool { ["sat", "sun", "wed"].contains(text.lowercased()) }

    func belongsToTitle(_ range: Range<Int>, _ tail: QuickTail?) -> Bool {
        if let when = tail?.due?.when, self.isBygone(when) { return true }
        if self.words[range].contains(where: { Self.isPartOfName($0.text) }) { return true }
        guard range.lowerBound > 0 else { return false }
        let before = self.words[range.lowerBound - 1].text.lowercased()
        if Self.needsMore(before) { return true }
        let first = self.words[range.lowerBound].text.lowercased()
        return Self.namesOfDays.contains(before) && Vocabulary.weekday(first) != nil
    }

    /// Whether a word is written as only a name is: of the words in phrases, English has capitals for days and months.
    ///
    /// A word all in capitals says nothing: then the whole line may be.
    private static func isPartOfName(_ word: Substring) -> Bool {
        word.split(separator: ",").contains { piece in
            let letters = piece.drop { !$0.isLetter }
            guard letters.first?.isUppercase == true, letters.contains(where: \.isLowercase) else { return false }
            let small = letters.lowercased()
            return Vocabulary.weekday(small) == nil && Vocabulary.month(small) == nil
        }
    }

    /// Whether a title that ends in this word would be torn: `Lie in the`, `Prepare for`, `9am -`.
    private static func needsMore(_ word: String) -> Bool {
        if let last = word.last, "-\u{2013}\u{2014}/&+(:=<>~".contains(last) { return true }
        return Self.openWords.contains(word)
    }

    private static let openWords: Set = [
        "a", "an", "the", "this", "that", "my", "your", "his", "her", "its", "our", "their", "of", "for", "about",
        "from", "until", "till", "since", "by", "before", "after", "to", "in", "at", "on", "with", "without", "and",
        "or", "but", "vs", "vs.", "versus", "between", "during", "per", "than", "as", "like", "is", "are", "was",
        "were", "be", "not", "no", "every", "each", "next", "last", "past", "previous", "into", "over", "under",
        "through", "around",
    ]

    /// Behind these a day of the week is a feast, a bargain or a book.
    private static let namesOfDays: Set = [
        "ash", "black", "bloody", "cyber", "easter", "fat", "giving", "good", "holy", "man", "maundy", "palm",
        "shrove", "super", "whit",
    ]
}

import RemindavICalendar

/// A phrase that stays in a title.
struct UnreadPhrase {
    let words: Range<Int>
    /// Whether the words can hardly mean something else, so that no other date may be assumed: `every day`, but not the
    /// adjective `weekly`.
    let isCertain: Bool
}

/// Finds phrases that stay in the title, so that none is passed over without a message.
///
/// The search uses the grammars of `--due` and `--repeat` themselves: each phrase that one of them accepts is found.
extension TrailingPhraseReader {
    /// The first phrase before `end`; of several ones with the same first word, the longest.
    ///
    /// - Parameter isRelevant: selects the ranges of words that are examined.
    func unreadPhrase(before end: Int, where isRelevant: (Range<Int>) -> Bool = { _ in true }) -> UnreadPhrase? {
        for start in self.words[..<end].prefix(Self.longestSearch).indices {
            let words = self.words[start..<end].prefix(Self.longestUnread).prefix(while: Self.isShortAndPlain)
            guard self.mayBegin(words.prefix(Self.longestBeginning).indices) else { continue }
            for last in words.indices.reversed() {
                let range = start..<last + 1
                guard isRelevant(range), self.isPhrase(range) else { continue }
                return UnreadPhrase(words: range, isCertain: self.isCertain(range))
            }
        }
        return nil
    }

    /// Whether a grammar accepts the first word as the beginning of a phrase; a parser then examined the next one.
    private func mayBegin(_ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return false }
        let text = self.text(range)
        var rule = RepeatParser(text)
        return WhenParser.acceptsBeginning(of: text) || rule.reading().value != nil || rule.words.hasProgress
            || When.isoForm(String(self.words[range.lowerBound].text)) != nil
    }

    /// The phrase that stays before a phrase at `end`: a repetition anywhere, or a phrase directly before `end`.
    func phraseLeft(before end: Int) -> UnreadPhrase? {
        self.unreadPhrase(before: end) { range in
            range.upperBound == end || RepeatParser.everyWords.contains(self.bare(range.lowerBound))
        }
    }

    /// The longest range from the first word of `range` on that `--due` accepts, or else `range`.
    func extended(_ range: Range<Int>) -> Range<Int> {
        let words = self.words[range.lowerBound...].prefix(Self.longestUnread).prefix(while: Self.isShortAndPlain)
        let last = words.indices.reversed().first { last in
            last + 1 >= range.upperBound && When.understood(self.text(range.lowerBound..<last + 1)) != nil
        }
        return range.lowerBound..<(last.map { $0 + 1 } ?? range.upperBound)
    }

    /// The number of words at the beginning of a title that are examined.
    private static let longestSearch = 64
    /// The maximum number of words in a found phrase; `every other month on the second last friday` has eight.
    private static let longestUnread = 10

    /// The number of words that show whether a phrase can begin with the first of them.
    private static let longestBeginning = 3

    private static func isShortAndPlain(_ word: TitleTokens.Word) -> Bool {
        word.form == .plain && word.text.utf8.count <= self.longestWord
    }

    private func isPhrase(_ range: Range<Int>) -> Bool {
        guard !self.isOtherThing(range) else { return false }
        let text = self.text(range)
        if self.kinds.contains(.rule) {
            var parser = RepeatParser(text)
            if parser.reading().value != nil { return true }
        }
        guard self.kinds.contains(.due), let when = When.understood(text) else { return false }
        return !self.isBygone(when)
    }

    /// Whether the words are probably no date, although a grammar accepts them.
    private func isOtherThing(_ range: Range<Int>) -> Bool {
        let first = self.words[range.lowerBound].text
        let before = range.lowerBound > 0 ? self.bare(range.lowerBound - 1) : ""
        // `twice a day`, `bus 12 may`, `John 3:16`, `Freaky Friday`.
        if ["a", "an"].contains(self.bare(range.lowerBound)) || self.isVerse(range.lowerBound) { return true }
        if Self.numberedThings.contains(before), first.first?.isPhraseDigit == true { return true }
        guard range.count == 1 else { return false }
        let word = self.bare(range.lowerBound)
        if Vocabulary.weekdays[word] != nil {
            return Self.isEnglishWord(word) || Self.namesOfDays.contains(before) || self.isInWork(range.lowerBound)
        }
        // `dateRest` decides about fractions. `Tom` is a name.
        return word.contains("/") || first == "Tom" || Self.wordsOfOptions.contains(word)
    }

    /// Words of `--due` that are frequent English words.
    private static let wordsOfOptions: Set = ["none", "now"]

    private func isCertain(_ range: Range<Int>) -> Bool {
        let word = self.bare(range.lowerBound)
        if range.count > 1, self.words[range.lowerBound].text.first?.isLowercase == true,
            word == "in" || RepeatParser.everyWords.contains(word)
        {
            return true
        }
        // `weekly` is an adjective in `Write weekly report`, and an adverb before `for` or `at`.
        guard Vocabulary.adverbs[word] != nil, range.upperBound < self.words.count else { return false }
        return Self.wordsBehindAdverbs.contains(self.bare(range.upperBound))
    }

    private static let wordsBehindAdverbs: Set = [
        "after", "at", "before", "by", "except", "for", "from", "in", "on", "starting", "to", "until", "with",
    ]

    /// The words without names of unknown lists or places at the end, such as `@money`; `@9am` and `@noon` are times.
    static func withoutNames(_ words: [TitleTokens.Word]) -> [TitleTokens.Word] {
        let names = words.reversed().prefix { word in
            guard case .mark("@", let name) = word.form, name.first?.isLetter == true else { return false }
            return WhenParser.read("at \(name)").value == nil
        }
        return Array(words.dropLast(names.count))
    }
}

/// Decides whether a phrase at the end stays in the title, for example because it belongs to a name.
extension TrailingPhraseReader {
    /// Whether the text is an abbreviated weekday that is also an English word: `where the cat sat`.
    static func isEnglishWord(_ text: String) -> Bool { ["sat", "sun", "wed"].contains(text.lowercased()) }

    func belongsToTitle(_ range: Range<Int>, _ tail: TrailingPhrase?) -> Bool {
        if let when = tail?.due?.when, self.isBygone(when) { return true }
        if self.words[range].contains(where: { Self.isPartOfName($0.text) }), !self.isHeading(range) { return true }
        guard range.lowerBound > 0 else { return false }
        let before = self.words[range.lowerBound - 1].text.lowercased()
        // `Vitamin A` ends with a name.
        if Self.needsMore(before), range.lowerBound < 2 || self.words[range.lowerBound - 1].text != "A" { return true }
        // The weekday of `sun 28 nov` contradicts the day.
        if case .day(.yearly, _)? = tail?.due?.when, Vocabulary.weekdays[Self.letters(before[...])] != nil {
            return true
        }
        if self.hasMoreBefore(range.lowerBound, hasRule: tail?.rule != nil) { return true }
        // In `Meeting 03/04 9am`, the time belongs to an ambiguous day, so it does not mean today.
        if tail?.rule == nil, self.isTime(range), self.hasUnclearDay(before: range.lowerBound) { return true }
        let first = self.words[range.lowerBound].text
        if first.first?.isPhraseDigit == true, Self.numberedThings.contains(before), !Self.isClear(first),
            !Self.isClock(first.lowercased())
        {
            return true
        }
        // `Install Fedora 13.1.` names a version.
        if Self.verbsOfVersions.contains(self.bare(0)), first.contains("."), !Self.isClear(first),
            NumericDay.isDay(String(first))
        {
            return true
        }
        // `24 dec 15` may mean 24 December or 15 December.
        let isMonth = Vocabulary.months[first.lowercased()] != nil
        if isMonth, Vocabulary.positive(before, digits: 2) != nil { return true }
        guard Vocabulary.weekdays[Self.letters(first).lowercased()] != nil else { return false }
        // `Monday Monday` is the name of a song, so its second weekday is not a date.
        let name = Self.letters(before[...])
        return Self.namesOfDays.contains(name) || Vocabulary.weekdays[name] != nil || self.isInWork(range.lowerBound)
    }

    /// Whether each word of the phrase has a capital letter, as in `Call mum Tomorrow 5pm` and `Standup Every Day`.
    ///
    /// `The Day After Tomorrow` is a film, and `In 80 Days` is part of a name. After a word such as `Watch`, the words
    /// may be a name too.
    private func isHeading(_ range: Range<Int>) -> Bool {
        guard range.lowerBound > 0, !Self.verbsOfWorks.contains(self.bare(0)),
            !["the", "in"].contains(self.bare(range.lowerBound))
        else { return false }
        return self.words[range].allSatisfy { word in
            guard let first = word.text.first, first.isLetter else { return true }
            return first.isUppercase || ["at", "am", "pm", "noon"].contains(word.text.lowercased())
        }
    }

    /// Whether the word at `place` is a Bible verse such as `3:16` and not a time.
    func isVerse(_ place: Int) -> Bool {
        guard place > 0, Self.isClock(self.bare(place)) else { return false }
        let book = self.bare(place - 1)
        if Self.wordsBeforeVerses.contains(book) { return true }
        // `Call John 17:30` is about a person.
        return Self.booksWithFirstNames.contains(book)
            && (place == 1 || Self.verbsOfVerses.contains(self.bare(0)))
    }

    private static let wordsBeforeVerses: Set = [
        "chapter", "ch.", "chap.", "verse", "verses", "v.", "surah", "sura", "genesis", "gen", "exodus", "leviticus",
        "numbers", "deuteronomy", "joshua", "judges", "kings", "chronicles", "ezra", "nehemiah", "psalm", "psalms",
        "proverbs", "ecclesiastes", "isaiah", "jeremiah", "lamentations", "ezekiel", "hosea", "obadiah", "habakkuk",
        "zephaniah", "haggai", "zechariah", "malachi", "acts", "romans", "corinthians", "galatians", "ephesians",
        "philippians", "colossians", "thessalonians", "hebrews", "revelation",
    ]
    /// Books of the Bible with the name of a person.
    private static let booksWithFirstNames: Set = [
        "amos", "daniel", "esther", "james", "job", "joel", "john", "jonah", "jude", "luke", "mark", "matthew",
        "micah", "nahum", "peter", "philemon", "ruth", "samuel", "timothy", "titus",
    ]
    private static let verbsOfVerses: Set = [
        "discuss", "learn", "memorise", "memorize", "preach", "quote", "read", "recite", "study", "verse",
    ]

    /// Whether a weekday ends the title of a film or book: `Watch Match Point Friday`.
    func isInWork(_ place: Int) -> Bool {
        guard place > 1, Self.verbsOfWorks.contains(self.words[0].text.lowercased()) else { return false }
        return [place - 1, place].allSatisfy { Self.hasCapital(self.words[$0].text) }
    }

    private static func hasCapital(_ word: Substring) -> Bool {
        let letters = self.letters(word)
        return letters.first?.isUppercase == true && letters.contains(where: \.isLowercase)
    }

    private static func letters(_ word: Substring) -> String {
        let start = word.drop { !$0.isLetter }
        guard let last = start.lastIndex(where: \.isLetter) else { return "" }
        return String(start[...last])
    }

    /// Whether a word begins with a capital letter, has a small letter, and is not the name of a day or month.
    private static func isPartOfName(_ word: Substring) -> Bool {
        word.split(separator: ",").contains { piece in
            guard self.hasCapital(piece) else { return false }
            let small = self.letters(piece).lowercased()
            return Vocabulary.weekdays[small] == nil && Vocabulary.months[small] == nil
        }
    }

    /// Whether a title cannot end with this word: `Lie in the`, `Prepare for`, `9am -`.
    static func needsMore(_ word: String) -> Bool {
        if let last = word.last, "-\u{2013}\u{2014}/&+(:=<>~".contains(last) { return true }
        return Self.openWords.contains(word)
    }

    private static let openWords: Set = [
        "a", "an", "the", "this", "that", "my", "your", "his", "her", "its", "our", "their", "of", "for", "about",
        "from", "until", "till", "since", "by", "before", "after", "to", "in", "at", "on", "with", "without", "and",
        "or", "but", "vs", "vs.", "versus", "between", "during", "per", "than", "as", "like", "is", "are", "was",
        "were", "be", "not", "no", "every", "each", "next", "last", "past", "previous", "into", "over", "under",
        "except", "excluding",
        "unless",
        "through", "around", "starting", "beginning",
    ]

    /// Words that form a name with a weekday: of a holiday, a sale, a book, a film or a song.
    static let namesOfDays: Set = [
        "ash", "black", "bloody", "blue", "casual", "cyber", "easter", "fat", "freaky", "giving", "good", "happy",
        "holy", "man", "manic", "maundy", "palm", "ruby", "shrove", "spy", "stormy", "super", "taco", "throwback",
        "whit",
    ]

    private static let verbsOfWorks: Set = ["hear", "listen", "play", "read", "see", "sing", "stream", "watch"]

    /// Words that take a number: `Read p. 12 may be wrong` does not mean 12 May.
    static let numberedThings: Set = [
        "act", "apartment", "apt.", "appendix", "article", "bus", "ch.", "chap.", "chapter", "chapters", "episode",
        "ep.", "ex.", "exercise", "exercises", "fig.", "figure", "flight", "floor", "gate", "issue", "item", "items",
        "level", "line", "lines", "module", "no", "no.", "nr", "nr.", "number", "p", "p.", "page", "pages", "paragraph",
        "part", "parts", "platform", "pp.", "problem", "question", "questions", "room", "scene", "season", "sec.",
        "section", "seat", "size", "step", "table", "task", "track", "unit", "verse", "verses", "version", "vol",
        "vol.", "volume", "week",
    ]
}

/// The words of a phrase, and how far a reader has come.
///
/// Words stand between blanks; a comma is a word of its own. Where nothing but letters follows digits there are two:
/// `9am` is read as `9 am` is. Letters count without regard to case.
struct PhraseTokens {
    private struct Word {
        /// In small letters.
        let text: Substring
        /// The text between two blanks or commas that it is of, as it was written.
        let written: Substring
    }

    /// Bytes: several times what the longest phrase has that says something.
    static let longestText = 512

    private let words: [Word]
    private(set) var position = 0
    /// The furthest word that a rule has looked at: where nothing fits, the one that was not understood.
    private var furthest = 0

    init(_ text: String) {
        // By scalars: a blank and what joins on to it are one character.
        self.words = text.unicodeScalars.split { $0 == " " || $0 == "\t" }.flatMap { Self.parts(Substring($0)) }
    }

    private static func parts(_ chunk: Substring) -> [Word] {
        chunk.split(separator: ",", omittingEmptySubsequences: false).enumerated().flatMap { index, piece in
            var words = index > 0 ? [Word(text: ",", written: chunk)] : []
            let small = Substring(piece.lowercased())
            let letters = small.drop { $0.isPhraseDigit || $0 == ":" }
            let isJoined = letters.startIndex > small.startIndex && letters.allSatisfy { ("a"..."z").contains($0) }
            if isJoined { words.append(Word(text: small[..<letters.startIndex], written: piece)) }
            if !letters.isEmpty || !isJoined, !small.isEmpty {
                words.append(Word(text: isJoined ? letters : small, written: piece))
            }
            return words
        }
    }

    /// Whether nothing is left.
    var isAtEnd: Bool {
        mutating get {
            self.furthest = max(self.furthest, self.position)
            return self.position == self.words.count
        }
    }

    /// Takes the next word when `reading` knows what it means.
    mutating func take<Value>(_ reading: (String) -> Value?) -> Value? {
        guard !self.isAtEnd, let value = reading(String(self.words[self.position].text)) else { return nil }
        self.position += 1
        return value
    }

    /// Takes these words when they are the next.
    mutating func skip(_ expected: String...) -> Bool {
        self.attempt { words in
            expected.allSatisfy { word in words.take { $0 == word ? true : nil } != nil } ? true : nil
        } ?? false
    }

    /// Reads a rule; where it does not fit, nothing is taken.
    mutating func attempt<Value>(_ rule: (inout Self) -> Value?) -> Value? {
        let start = self.position
        if let value = rule(&self) { return value }
        self.position = start
        return nil
    }

    /// Gives words back, up to the one that was the next at `position`.
    mutating func rewind(to position: Int) { self.position = min(position, self.position) }

    /// The word at which reading stopped, as it was written; `nil` when something is missing behind the last one.
    var obstacle: String? {
        self.furthest < self.words.count ? String(self.words[self.furthest].written) : nil
    }

    /// Whether reading stopped at the word behind this one.
    func hasObstacle(behind word: String) -> Bool {
        self.words.indices.contains(self.furthest - 1) && self.words[self.furthest - 1].text == word
    }
}

extension Character {
    /// Whether it is 0 to 9; no other script's digits.
    var isPhraseDigit: Bool { ("0"..."9").contains(self) }
}

/// The words of a phrase in lower case, with the position of the parser.
///
/// Blanks separate words, and a comma is a word. Digits with letters after them are two words, so `9am` equals `9 am`.
struct PhraseTokens {
    private struct Word {
        let text: Substring
        /// The original text around `text`, between two blanks or commas.
        let written: Substring
    }

    /// The maximum length of a phrase in bytes; useful phrases are much shorter.
    static let longestText = 512
    private let words: [Word]
    private(set) var position = 0
    /// The index of the last word that was examined; if no grammar rule matches, an error message names this word.
    private var furthest = 0

    init(_ text: String) {
        // Splits Unicode scalars, because Swift combines a blank and a combining scalar after it into one character.
        self.words = text.unicodeScalars.split { $0 == " " || $0 == "\t" }.flatMap { Self.parts(Substring($0)) }
    }

    private static func parts(_ chunk: Substring) -> [Word] {
        chunk.split(separator: ",", omittingEmptySubsequences: false).enumerated().flatMap { index, piece in
            var words = index > 0 ? [Word(text: ",", written: chunk)] : []
            let small = Substring(piece.lowercased())
            let isDotted = small.hasSuffix("am") || small.hasSuffix("pm")
            let letters = small.drop { $0.isPhraseDigit || $0 == ":" || isDotted && $0 == "." }
            let isJoined = letters.startIndex > small.startIndex && letters.allSatisfy { ("a"..."z").contains($0) }
            if isJoined { words.append(Word(text: small[..<letters.startIndex], written: piece)) }
            if !letters.isEmpty || !isJoined, !small.isEmpty {
                words.append(Word(text: isJoined ? letters : small, written: piece))
            }
            return words
        }
    }

    var isAtEnd: Bool {
        mutating get {
            self.furthest = max(self.furthest, self.position)
            return self.position == self.words.count
        }
    }

    /// Consumes the next word and returns `reading`'s value for it; consumes nothing if that value is `nil`.
    mutating func next<Value>(_ reading: (String) -> Value?) -> Value? {
        guard !self.isAtEnd, let value = reading(String(self.words[self.position].text)) else { return nil }
        self.position += 1
        return value
    }

    mutating func next<Value>(_ table: [String: Value]) -> Value? { self.next { table[$0] } }

    @discardableResult
    mutating func skip(_ expected: String...) -> Bool {
        self.attempt { words in
            expected.allSatisfy { word in words.next { $0 == word ? true : nil } != nil } ? true : nil
        } ?? false
    }

    /// Applies a grammar rule; if the rule does not match, the position stays the same.
    mutating func attempt<Value>(_ rule: (inout Self) -> Value?) -> Value? {
        let start = self.position
        if let value = rule(&self) { return value }
        self.position = start
        return nil
    }

    mutating func isFollowed(by word: String) -> Bool {
        let start = self.position
        defer { self.position = start }
        return self.skip(word)
    }

    mutating func rewind(to position: Int) { self.position = min(position, self.position) }

    /// The original text of the word that no rule accepts; `nil` if the phrase ended too early.
    var obstacle: String? {
        self.furthest < self.words.count ? String(self.words[self.furthest].written) : nil
    }

    /// Whether a rule accepted the first word, so that a later word was examined.
    var hasProgress: Bool { self.furthest > 0 }

    func hasObstacle(behind word: String) -> Bool {
        self.words.indices.contains(self.furthest - 1) && self.words[self.furthest - 1].text == word
    }
}

extension PhraseTokens {
    /// The error message for a text over ``longestText``; `nil` for a shorter text.
    static func refusalOfLength(_ text: String) -> String? {
        guard text.utf8.count > self.longestText else { return nil }
        return "'\(text.prefix(32))…' has more than \(self.longestText) bytes, which is too long for a phrase."
    }

    /// The error message: the word of `text` that cannot be parsed, and a similar word from `known` if there is one.
    func refusal(of text: String, among known: [String]) -> String {
        guard let obstacle = self.obstacle else {
            return text.contains { $0 != " " && $0 != "\t" }
                ? "Something is missing after '\(text)'." : "The text is empty."
        }
        let place = obstacle == text ? "" : " in '\(text)'"
        let guess = Self.guess(obstacle, among: known).map { " \(Self.guessMark)\($0)'?" } ?? ""
        return "'\(obstacle)'\(place) is not understood.\(guess)"
    }

    /// The beginning of the sentence with a similar word.
    static let guessMark = "Did you mean '"

    private static func guess(_ word: String, among known: [String]) -> String? {
        let small = word.lowercased()
        guard small.count > 3, small.allSatisfy({ ("a"..."z").contains($0) }) else { return nil }
        // With two wrong letters, short words are similar to unrelated words: `never` to `every`, `each` to `march`.
        let nearest = Spelling.nearest(to: small, among: known, slips: small.count > 5 ? 2 : 1)
        return nearest == small ? nil : nearest
    }
}

extension Character {
    package var isPhraseDigit: Bool { ("0"..."9").contains(self) }
}

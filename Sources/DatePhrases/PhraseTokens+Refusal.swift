extension PhraseTokens {
    /// The error for a text that is too long to parse; `nil` for other texts.
    static func refusalOfLength(_ text: String) -> String? {
        guard text.utf8.count > self.longestText else { return nil }
        return "'\(text.prefix(32))…' has more than \(self.longestText) bytes; no phrase is that long."
    }

    /// One or two sentences: the word of `text` that cannot be parsed, and a similar known word.
    ///
    /// - Parameter known: the words that the phrase may contain.
    func refusal(of text: String, among known: [String]) -> String {
        guard let obstacle = self.obstacle else {
            return text.contains { $0 != " " && $0 != "\t" }
                ? "Something is missing behind '\(text)'." : "An empty text says nothing."
        }
        let place = obstacle == text ? "" : " in '\(text)'"
        let guess = Self.guess(obstacle, among: known).map { " Did you mean '\($0)'?" } ?? ""
        return "remindav does not understand '\(obstacle)'\(place).\(guess)"
    }

    private static func guess(_ word: String, among known: [String]) -> String? {
        let small = word.lowercased()
        guard small.count > 3, small.allSatisfy({ ("a"..."z").contains($0) }) else { return nil }
        // With two mistakes, short words are similar to too many others: never and every, each and march.
        let nearest = Spelling.nearest(to: small, among: known, slips: small.count > 5 ? 2 : 1)
        return nearest == small ? nil : nearest
    }
}

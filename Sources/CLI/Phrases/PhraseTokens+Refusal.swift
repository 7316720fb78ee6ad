extension PhraseTokens {
    /// A sentence about a text that is too long to be looked at; `nil` for all others.
    static func refusalOfLength(_ text: String) -> String? {
        guard text.utf8.count > self.longestText else { return nil }
        return "'\(text.prefix(32))…' has more than \(self.longestText) bytes, which no phrase has."
    }

    /// One or two sentences: which word of `text` was not understood, and what it may have been meant to be.
    ///
    /// - Parameter known: the words that such a phrase can have.
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
        // In short words two slips lead anywhere: from never to every, from each to march.
        let nearest = Spelling.nearest(to: small, among: known, slips: small.count > 5 ? 2 : 1)
        return nearest == small ? nil : nearest
    }
}

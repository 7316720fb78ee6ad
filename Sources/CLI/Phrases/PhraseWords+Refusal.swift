extension PhraseWords {
    /// One or two sentences: which word of `text` was not understood, and what it may have been meant to be.
    func refusal(of text: String) -> String {
        guard let obstacle = self.obstacle else {
            return text.contains { $0 != " " && $0 != "\t" }
                ? "Something is missing behind '\(text)'." : "An empty text says nothing."
        }
        let place = obstacle == text ? "" : " in '\(text)'"
        let guess = self.guess(obstacle).map { " Did you mean '\($0)'?" } ?? ""
        return "remindav does not understand '\(obstacle)'\(place).\(guess)"
    }

    private func guess(_ word: String) -> String? {
        let small = word.lowercased()
        guard small.count > 3, small.allSatisfy({ ("a"..."z").contains($0) }) else { return nil }
        let nearest = Spelling.nearest(to: small, among: Vocabulary.all)
        return nearest == small ? nil : nearest
    }
}

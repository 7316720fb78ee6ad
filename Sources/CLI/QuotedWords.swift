/// Splits a text into words at spaces, as a shell does.
enum QuotedWords {
    // text = *( space / word );  word = 1*( "'" *any "'" / DQUOTE *( "\" any / any ) DQUOTE / "\" any / any )
    static func split(_ text: String) throws(UsageError) -> [String] {
        var words: [String] = []
        var word: String?
        var rest = text[...]
        while let letter = rest.popFirst() {
            switch letter {
            case _ where letter.isWhitespace:
                if let whole = word { words.append(whole) }
                word = nil
            case "'", "\"": word = (word ?? "") + (try self.quoted(by: letter, &rest))
            case "\\": word = (word ?? "") + (rest.popFirst().map(String.init) ?? "\\")
            default: word = (word ?? "") + String(letter)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// The text without the quotation marks around it: `Home Garden` for `"Home Garden"`.
    static func withoutMarks(_ text: String) -> String {
        guard text.count > 2, let mark = text.first, "'\"".contains(mark), text.last == mark else { return text }
        return String(text.dropFirst().dropLast())
    }

    private static func quoted(by quote: Character, _ rest: inout Substring) throws(UsageError) -> String {
        var word = ""
        while let letter = rest.popFirst() {
            if letter == quote { return word }
            if letter == "\\", quote == "\"", let next = rest.popFirst() {
                word.append(next)
            } else {
                word.append(letter)
            }
        }
        throw UsageError(.badValue, "The closing \(quote) of a value is missing.")
    }
}

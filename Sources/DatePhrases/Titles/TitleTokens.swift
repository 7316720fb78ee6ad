import RemindavReminders

/// The words of a line, as substrings.
///
/// Blanks separate words. A text in quotation marks is one word. After `#`, `+` or `@` it is the name of a marker; elsewhere
/// the parser leaves it unchanged.
struct TitleTokens {
    struct Word {
        let text: Substring
        let form: Form
    }

    enum Form: Hashable {
        case plain
        /// A marker such as `#home`, `p1` or `@"Two words"`: its sign, and its name without quotation marks.
        case mark(Character, Substring)
        /// A pair whose value is in quotation marks, such as `project:"Home Garden"`: its key, and the value.
        case pair(Substring, Substring)
        case quoted
    }

    private(set) var words: [Word] = []

    init(_ line: String) {
        var rest = line[...]
        // Quotation marks for which the rest of the line has no closing mark.
        var unclosed: Set<Character> = []
        while true {
            rest = rest.drop { $0.isLineBlank }
            guard let first = rest.first else { break }
            let word: Word
            if let marked = Self.quotedMark(rest) ?? Self.quotedPair(rest) {
                word = marked
            } else if !unclosed.contains(first), let end = Self.endOfQuotation(rest) {
                word = Word(text: rest[..<end], form: .quoted)
            } else {
                if Self.closing[first] != nil { unclosed.insert(first) }
                let text = rest.prefix { !$0.isLineBlank }
                word = Word(text: text, form: Self.form(of: text))
            }
            self.words.append(word)
            rest = rest[word.text.endIndex...]
        }
    }

    private static func form(of text: Substring) -> Form {
        guard let sign = text.first, let second = text.dropFirst().first else { return .plain }
        let isMark =
            switch sign {
            case "#", "@", "!", "*": true
            // `+3d` is a date, and `+49` is the beginning of a telephone number.
            case "+": second.isLetter
            // A capital letter stays in the title: `P1` is also the name of an incident's level.
            case "p": ["p1", "p2", "p3", "p4"].contains(text)
            default: false
            }
        return isMark ? .mark(sign, text.dropFirst()) : .plain
    }

    private static let closing: [Character: Character] = ["\"": "\"", "\u{201C}": "\u{201D}"]

    /// The end of the word with the closing quotation mark; `nil` if `rest` does not begin with a quotation.
    private static func endOfQuotation(_ rest: Substring) -> String.Index? {
        guard let closing = rest.first.flatMap({ Self.closing[$0] }),
            let end = rest.dropFirst().firstIndex(of: closing)
        else { return nil }
        return rest[end...].firstIndex { $0.isLineBlank } ?? rest.endIndex
    }

    // quoted-mark = ( "#" / "@" / "+" ) ( DQUOTE name DQUOTE / "'" name "'" );  a blank or the end of the line follows
    private static func quotedMark(_ rest: Substring) -> Word? {
        guard let sign = rest.first, "#@+".contains(sign), let inner = Self.quotation(rest.dropFirst()) else {
            return nil
        }
        return Word(text: rest[..<rest.index(after: inner.endIndex)], form: .mark(sign, inner))
    }

    // quoted-pair = key ":" ( DQUOTE value DQUOTE / "'" value "'" );  a blank or the end of the line follows
    private static func quotedPair(_ rest: Substring) -> Word? {
        let key = rest.prefix(PairField.longestKey).prefix { ("a"..."z").contains($0) }
        let behind = rest[key.endIndex...]
        guard !key.isEmpty, behind.first == ":", let inner = Self.quotation(behind.dropFirst()) else { return nil }
        return Word(text: rest[..<rest.index(after: inner.endIndex)], form: .pair(key, inner))
    }

    /// The text in the quotation marks at the beginning of `rest`, if a blank or the end of the line follows them.
    private static func quotation(_ rest: Substring) -> Substring? {
        guard let quote = rest.first, "\"'".contains(quote) else { return nil }
        let inner = rest.dropFirst()
        // The closing mark is searched only as far as the longest possible name of a list or label.
        let place = inner.prefix(Label.longestName + 1).indices.first { index in
            let next = inner.index(after: index)
            return inner[index] == quote && (next == inner.endIndex || inner[next].isLineBlank)
        }
        return place.flatMap { $0 > inner.startIndex ? inner[..<$0] : nil }
    }
}

extension Character {
    var isLineBlank: Bool { self == " " || self == "\t" || self.isNewline }
}

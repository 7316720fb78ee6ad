import Reminders

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
            if let mark = Self.quotedMark(rest) {
                word = mark
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
        let head = rest.prefix(2)
        guard let sign = head.first, "#@+".contains(sign), let quote = head.dropFirst().first, "\"'".contains(quote)
        else {
            return nil
        }
        let inner = rest.dropFirst(2)
        // The closing mark is searched only as far as the longest possible name of a list or label.
        let place = inner.prefix(Label.longestName + 1).indices.first { index in
            let next = inner.index(after: index)
            return inner[index] == quote && (next == inner.endIndex || inner[next].isLineBlank)
        }
        guard let place, place > inner.startIndex else { return nil }
        return Word(text: rest[..<inner.index(after: place)], form: .mark(sign, inner[..<place]))
    }
}

extension Character {
    var isLineBlank: Bool { self == " " || self == "\t" || self.isNewline }
}

/// What a piece of text means; on a coloured terminal it shows.
struct TextStyle: Hashable, Sendable {
    static let heading = Self(code: "1")
    static let warning = Self(code: "31")
    static let quiet = Self(code: "2")
    static let important = Self(code: "1;33")
    /// What was looked for.
    static let match = Self(code: "1")

    /// The parameters of SGR (ECMA-48 §8.3.117).
    let code: String
}

/// Text on its way to a stream: pieces that are made harmless there, and styles of our own around them.
///
/// An escape sequence reaches a terminal only as a style; what is in a `String` never becomes one.
struct StyledText: Sendable, ExpressibleByStringInterpolation {
    fileprivate var pieces: [(text: String, style: TextStyle?)] = []

    init() {}
    init(_ text: String, _ style: TextStyle? = nil) { self.pieces = [(text, style)] }
    init(stringLiteral value: String) { self.init(value) }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.pieces += right.pieces
        return sum
    }

    static func += (left: inout Self, right: Self) { left.pieces += right.pieces }
}

extension StyledText {
    /// The text for a stream: made harmless, with or without colour.
    func rendered(inColor: Bool) -> String {
        var text = ""
        for piece in self.pieces {
            let clean = Sanitizer.text(piece.text)
            if inColor, let style = piece.style, !clean.isEmpty {
                text += "\u{1B}[\(style.code)m\(clean)\u{1B}[0m"
            } else {
                text += clean
            }
        }
        return text
    }

    /// The columns that it takes; for a single line.
    var columns: Int { self.pieces.reduce(0) { $0 + DisplayWidth.columns(Sanitizer.line($1.text)) } }
}

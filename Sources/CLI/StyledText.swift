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

    static func + (left: consuming Self, right: Self) -> Self {
        left.pieces += right.pieces
        return left
    }

    static func += (left: inout Self, right: Self) { left.pieces += right.pieces }
}

extension StyledText {
    /// The text for a stream: made harmless, with or without colour.
    func rendered(inColor: Bool) -> String { String(decoding: self.bytes(inColor: inColor), as: UTF8.self) }

    /// The same in UTF-8, with a line end: no copy is made of a long list.
    func line(inColor: Bool) -> [UInt8] { self.bytes(inColor: inColor, andThen: [UInt8(ascii: "\n")]) }

    private func bytes(inColor: Bool, andThen end: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(self.pieces.reduce(end.count) { $0 + $1.text.utf8.count })
        for piece in self.pieces {
            let clean = Sanitizer.text(piece.text)
            if inColor, let style = piece.style, !clean.isEmpty {
                bytes += "\u{1B}[\(style.code)m".utf8
                bytes += clean.utf8
                bytes += "\u{1B}[0m".utf8
            } else {
                bytes += clean.utf8
            }
        }
        bytes += end
        return bytes
    }

    /// The columns that it takes; for a single line.
    var columns: Int { self.pieces.reduce(0) { $0 + DisplayWidth.columns(Sanitizer.line($1.text)) } }
}

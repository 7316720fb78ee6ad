/// The role of a text, shown on a colour terminal.
struct TextStyle: Hashable, Sendable {
    static let heading = Self(code: "1")
    static let warning = Self(code: "31")
    static let quiet = Self(code: "2")
    static let important = Self(code: "1;33")
    static let match = Self(code: "1")

    /// The parameters of SGR (ECMA-48 §8.3.117).
    let code: String
}

/// Text on its way to a stream: made harmless there, with styles of our own around parts of it.
///
/// Escape sequences reach a terminal only as styles, never from a `String`. It is one piece of
/// memory, since a list of ten thousand has a hundred thousand parts.
struct StyledText: Sendable, ExpressibleByStringInterpolation {
    /// In UTF-8.
    private var bytes: [UInt8] = []
    /// The parts with a style, in order and not empty; text between them is plain.
    private var styled: [(range: Range<Int>, style: TextStyle)] = []

    init() {}
    init(_ text: String, _ style: TextStyle? = nil) { self.append(text, style) }
    init(stringLiteral value: String) { self.init(value) }

    static func + (left: consuming Self, right: Self) -> Self {
        left += right
        return left
    }

    static func += (left: inout Self, right: Self) {
        let start = left.bytes.count
        left.bytes += right.bytes
        for part in right.styled {
            left.styled.append((part.range.lowerBound + start..<part.range.upperBound + start, part.style))
        }
    }

    mutating func append(_ text: String, _ style: TextStyle? = nil) {
        let start = self.bytes.count
        self.bytes += text.utf8
        if let style, self.bytes.count > start { self.styled.append((start..<self.bytes.count, style)) }
    }

    mutating func append(spaces count: Int) {
        if count > 0 { self.bytes += repeatElement(UInt8(ascii: " "), count: count) }
    }

    mutating func append(_ number: Int, digits: Int) {
        guard digits > 0 else { return }
        self.append(number / 10, digits: digits - 1)
        self.bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// The bytes of UTF-8 in it.
    var byteCount: Int { self.bytes.count }

    /// Reserves capacity for bytes of UTF-8 and styled parts.
    mutating func reserve(_ count: Int, parts: Int) {
        self.bytes.reserveCapacity(count)
        self.styled.reserveCapacity(parts)
    }

    /// Takes everything out, and keeps the room for it.
    mutating func removeAll() {
        self.bytes.removeAll(keepingCapacity: true)
        self.styled.removeAll(keepingCapacity: true)
    }
}

extension StyledText {
    /// The text for a stream: made harmless, with or without colour.
    func rendered(inColor: Bool) -> String { String(decoding: self.bytes(inColor: inColor), as: UTF8.self) }

    /// The same in UTF-8, with a line end: no copy is made of a long list.
    consuming func line(inColor: Bool) -> [UInt8] {
        let isPlain = !inColor || self.styled.isEmpty
        guard isPlain, Sanitizer.isHarmless(self.bytes.span, keepsLines: true) else {
            return self.bytes(inColor: inColor, andThen: [UInt8(ascii: "\n")])
        }
        self.bytes.append(UInt8(ascii: "\n"))
        return self.bytes
    }

    private func bytes(inColor: Bool, andThen end: [UInt8] = []) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(self.bytes.count + end.count)
        var position = 0
        for part in inColor ? self.styled : [] {
            result += Sanitizer.text(utf8: self.bytes[position..<part.range.lowerBound])
            result += "\u{1B}[\(part.style.code)m".utf8
            result += Sanitizer.text(utf8: self.bytes[part.range])
            result += "\u{1B}[0m".utf8
            position = part.range.upperBound
        }
        result += Sanitizer.text(utf8: self.bytes[position...])
        result += end
        return result
    }

    /// The columns that it takes; for a single line.
    var columns: Int {
        let bytes = self.bytes.span
        if Sanitizer.isHarmless(bytes, keepsLines: false), let columns = DisplayWidth.simpleColumns(bytes) {
            return columns
        }
        return DisplayWidth.columns(Sanitizer.line(String(decoding: self.bytes, as: UTF8.self)))
    }
}

extension DefaultStringInterpolation {
    /// Inside a string its styles would be lost, and its bytes be shown as numbers.
    ///
    /// Deprecated, which is an error in our builds. An unavailable method would be skipped for a generic overload.
    @available(*, deprecated, message: "put styled text together with +")
    mutating func appendInterpolation(_ text: StyledText) { self.appendLiteral(text.rendered(inColor: false)) }
}

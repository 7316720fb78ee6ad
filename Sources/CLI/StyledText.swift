import RemindavReminders

/// A style that is readable on a light and on a dark background, in the usual palettes of terminals.
///
/// The only colour with a contrast of at least 3 on both is bold red. Faint text (SGR 2) has less, so no style uses it
/// ([0057](../../docs/decisions/0057-styles-for-light-and-dark-terminals.md)).
struct TextStyle: Hashable, Sendable {
    static let heading = Self(code: "1")
    static let warning = Self(code: "1;31")
    static let important = Self(code: "1")
    static let match = Self(code: "4")

    /// The parameters of the escape sequence SGR (ECMA-48 §8.3.117).
    let code: String
}

/// Text for the output, with styles for parts of it.
///
/// Escape sequences reach a terminal only as styles, never from a `String`. All parts share one buffer, because a list
/// of ten thousand reminders has a hundred thousand parts.
struct StyledText: Sendable, ExpressibleByStringInterpolation {
    private(set) var bytes: [UInt8] = []
    /// The byte ranges with a style, in order and not empty; the text between them has no style.
    private var styled: [(range: Range<Int>, style: TextStyle)] = []

    init() {}
    init(_ text: String, _ style: TextStyle? = nil) { self.append(text, style) }
    init(stringLiteral value: String) { self.init(value) }

    init(_ parts: [Self], between separator: String) {
        for (index, part) in parts.enumerated() {
            if index > 0 { self.append(separator) }
            self += part
        }
    }

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
        var text = text
        // Appending the buffer is faster than appending the collection `utf8`.
        text.withUTF8 { unsafe self.bytes.append(contentsOf: $0) }
        if let style, self.bytes.count > start { self.styled.append((start..<self.bytes.count, style)) }
    }

    /// Adds a part of another text, with the styles of this part.
    mutating func append(_ bytes: Range<Int>, of other: Self) {
        if bytes.isEmpty { return }
        let shift = self.bytes.count - bytes.lowerBound
        self.bytes += other.bytes[bytes]
        for part in other.styled[other.firstStyled(behind: bytes.lowerBound)...] {
            if part.range.lowerBound >= bytes.upperBound { break }
            let range = part.range.clamped(to: bytes)
            var start = range.lowerBound + shift
            // Two adjacent parts of one style become one, so that a text that was divided gets the same sequences.
            if let last = self.styled.last, last.range.upperBound == start, last.style == part.style {
                start = last.range.lowerBound
                self.styled.removeLast()
            }
            self.styled.append((start..<range.upperBound + shift, part.style))
        }
    }

    /// The index of the first part with a style that ends behind a position; a binary search, because a list has many.
    private func firstStyled(behind position: Int) -> Int {
        var (low, high) = (0, self.styled.count)
        while low < high {
            let middle = (low + high) / 2
            if self.styled[middle].range.upperBound > position { high = middle } else { low = middle + 1 }
        }
        return low
    }

    mutating func append(spaces count: Int) {
        // For the few spaces between columns, this is faster than appending a collection.
        for _ in 0..<max(count, 0) { self.bytes.append(UInt8(ascii: " ")) }
    }

    mutating func append(_ number: Int, digits: Int) {
        guard digits > 0 else { return }
        self.append(number / 10, digits: digits - 1)
        self.bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    var byteCount: Int { self.bytes.count }

    mutating func reserve(_ bytes: Int, parts: Int) {
        self.bytes.reserveCapacity(bytes)
        self.styled.reserveCapacity(parts)
    }

    /// Removes the text and keeps the memory for the next text.
    mutating func removeAll() {
        self.bytes.removeAll(keepingCapacity: true)
        if !self.styled.isEmpty { self.styled.removeAll(keepingCapacity: true) }
    }
}

extension StyledText {
    func rendered(inColor: Bool) -> String { String(decoding: self.bytes(inColor: inColor), as: UTF8.self) }

    /// The text in UTF-8 with a line end; without styles and control characters, the bytes are not copied.
    consuming func line(inColor: Bool) -> [UInt8] {
        self.append("\n")
        let isPlain = !inColor || self.styled.isEmpty
        return isPlain && Sanitizer.isHarmless(self.bytes.span, keepsLines: true)
            ? self.bytes : self.bytes(inColor: inColor)
    }

    private func bytes(inColor: Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(self.bytes.count)
        var position = 0
        for part in inColor ? self.styled : [] {
            result += Sanitizer.text(utf8: self.bytes[position..<part.range.lowerBound])
            result += "\u{1B}[\(part.style.code)m".utf8
            result += Sanitizer.text(utf8: self.bytes[part.range])
            result += "\u{1B}[0m".utf8
            position = part.range.upperBound
        }
        result += Sanitizer.text(utf8: self.bytes[position...])
        return result
    }

    /// The width of a text of one line, in columns.
    var columns: Int { DisplayWidth.columns(Sanitizer.line(String(decoding: self.bytes, as: UTF8.self))) }
}

extension DefaultStringInterpolation {
    /// Deprecated because strings lose styles; if it were unavailable, a generic overload would be used silently.
    @available(*, deprecated, message: "put styled text together with +")
    mutating func appendInterpolation(_ text: StyledText) { self.appendLiteral(text.rendered(inColor: false)) }
}

extension StyledText {
    init(dotIn color: LabelColor, _ depth: ColorDepth) { self.init("\u{25CF}", .foreground(color, depth)) }
}

enum ColorDepth: Sendable {
    /// The 256 colours of xterm; the first 16 depend on the theme of the user and are not used.
    case palette
    case full

    /// A terminal with all colours sets `COLORTERM` to `truecolor` or `24bit`.
    init(environment: [String: String]) {
        self = ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased() ?? "") ? .full : .palette
    }
}

extension TextStyle {
    /// A colour of the user or a server, made darker or lighter until it is readable.
    static func foreground(_ color: LabelColor, _ depth: ColorDepth) -> Self {
        let color = color.readable
        return switch depth {
        case .full: Self(code: "38;2;\(color.red);\(color.green);\(color.blue)")
        case .palette: Self(code: "38;5;\(TerminalPalette.cell(nearest: color))")
        }
    }
}

/// The fixed colours of xterm: a cube of 216 colours, and 24 greys.
enum TerminalPalette {
    private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

    private static let cells: [(number: Int, color: LabelColor, lab: LabelColor.Lab)] = {
        let cube = (0..<216).map { index in
            (16 + index, LabelColor(red: levels[index / 36], green: levels[index / 6 % 6], blue: levels[index % 6]))
        }
        let greys = (0..<24).map { index in
            let level = UInt8(8 + 10 * index)
            return (232 + index, LabelColor(red: level, green: level, blue: level))
        }
        return (cube + greys).map { ($0.0, $0.1, LabelColor.Lab($0.1)) }
    }()

    private static let readableCells = Self.cells.filter { $0.color.isReadable }

    /// The colour of a cell; `nil` for one of the first 16.
    static func color(of number: Int) -> LabelColor? { self.cells.first { $0.number == number }?.color }

    /// The number of the readable cell that is most similar to a colour.
    static func cell(nearest color: LabelColor) -> Int {
        let lab = LabelColor.Lab(color)
        let distances = self.readableCells.map { ($0.number, $0.lab.difference(from: lab)) }
        return distances.min { $0.1 < $1.1 }?.0 ?? 15
    }
}

extension LabelColor {
    /// The minimum contrast of a coloured symbol with its background (WCAG 2.2, 1.4.11).
    static let minimumContrast = 3.0

    private static let white = Self(rgb: 0xFFFFFF)
    private static let black = Self(rgb: 0x000000)

    /// Whether the colour has the minimum contrast with white and with black.
    var isReadable: Bool {
        min(self.contrast(with: Self.white), self.contrast(with: Self.black)) >= Self.minimumContrast
    }

    /// This colour, mixed with as little black or white as makes it readable, in steps of a 32nd.
    var readable: Self {
        let pole = self.contrast(with: Self.white) < Self.minimumContrast ? Self.black : Self.white
        for step in 0...32 {
            let mixed = self.mixed(with: pole, parts: step, of: 32)
            if mixed.isReadable { return mixed }
        }
        return .unreadable
    }

    private func mixed(with other: Self, parts: Int, of whole: Int) -> Self {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Int(one) * (whole - parts) + Int(two) * parts) / whole)
        }
        return Self(
            red: mix(self.red, other.red),
            green: mix(self.green, other.green),
            blue: mix(self.blue, other.blue)
        )
    }
}

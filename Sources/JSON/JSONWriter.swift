/// Collects JSON text (RFC 8259), which ``removePiece(atLeast:)`` returns in pieces.
///
/// The caller writes commas and brackets, except with ``array(_:open:separator:close:_:)``.
package struct JSONWriter {
    /// By default, ``removePiece(atLeast:)`` returns the collected bytes if there are at least this many.
    package static let pieceBytes = 1 << 16
    package private(set) var bytes: [UInt8] = []
    package init() { self.bytes.reserveCapacity(Self.pieceBytes + 4096) }

    /// Returns and removes the collected bytes if there are at least `count`.
    package mutating func removePiece(atLeast count: Int = Self.pieceBytes) -> [UInt8]? {
        guard self.bytes.count >= max(count, 1) else { return nil }
        let piece = self.bytes
        self.bytes.removeAll(keepingCapacity: true)
        return piece
    }

    package mutating func raw(_ text: some StringProtocol) { self.bytes += text.utf8 }
    package mutating func raw(_ bytes: [UInt8]) { self.bytes += bytes }
    package mutating func string(_ text: String) { JSONString.append(text, to: &self.bytes) }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>,
        open: String = "[",
        separator: String = ", ",
        close: String = "]",
        _ write: (inout Self, Element) -> Void
    ) {
        self.raw(open)
        var isFirst = true
        for element in elements {
            if !isFirst { self.raw(separator) }
            write(&self, element)
            isFirst = false
        }
        self.raw(close)
    }
}

package enum JSONString {
    package enum Escaping: Sendable {
        /// Escapes the characters that JSON requires, and those that a terminal would interpret.
        case terminal
        /// Escapes the special characters of XML and all non-ASCII characters, so that no server changes the text.
        case ascii
    }

    // string = quotation-mark *char quotation-mark    (RFC 8259 §7)
    package static func append(_ text: String, to bytes: inout [UInt8], escaping: Escaping = .terminal) {
        bytes.append(UInt8(ascii: "\""))
        switch escaping {
        case .terminal where text.utf8.allSatisfy(\.isPlainInJSON): bytes += text.utf8
        case .terminal: for scalar in text.unicodeScalars { self.append(scalar, to: &bytes) }
        case .ascii: for unit in text.utf16 { self.append(unit, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package static func quoted(_ text: String, escaping: Escaping = .terminal) -> String {
        var bytes: [UInt8] = []
        self.append(text, to: &bytes, escaping: escaping)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes += #"\""#.utf8
        case "\\": bytes += #"\\"#.utf8
        case "\n": bytes += #"\n"#.utf8
        case "\r": bytes += #"\r"#.utf8
        case "\t": bytes += #"\t"#.utf8
        case _ where scalar.isEscapedInJSON:
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { self.escape(unit, to: &bytes) }
        default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }

    private static func append(_ unit: UInt16, to bytes: inout [UInt8]) {
        if (0x20...0x7E).contains(unit), !"\"\\<>&'".utf16.contains(unit) {
            bytes.append(UInt8(unit))
        } else {
            self.escape(unit, to: &bytes)
        }
    }

    private static func escape(_ unit: UInt16, to bytes: inout [UInt8]) {
        let digits = String(unit, radix: 16)
        bytes += (#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8
    }
}

extension UInt8 {
    /// Whether no character that begins with this UTF-8 byte is escaped.
    fileprivate var isPlainInJSON: Bool {
        switch self {
        case 0...0x1F, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F: false
        // The first UTF-8 bytes of the characters in ``Unicode/Scalar/isEscapedInJSON``.
        case 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: false
        default: true
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is escaped: controls, separators, invisible characters and direction marks.
    fileprivate var isEscapedInJSON: Bool {
        switch self.value {
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }
}

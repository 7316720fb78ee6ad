/// JSON on its way out, piece by piece (RFC 8259).
///
/// Knows how a string and a number are written; commas and brackets are the caller's.
package struct JSONWriter {
    /// Bytes that are collected before they are handed on.
    package static let pieceBytes = 1 << 16

    /// What has been written and not been handed on yet.
    package private(set) var bytes: [UInt8] = []

    /// A writer that has written nothing.
    package init() { self.bytes.reserveCapacity(Self.pieceBytes + 4096) }

    /// What has been collected, when it is worth handing on; it is then forgotten here.
    package mutating func takePiece(atLeast count: Int = Self.pieceBytes) -> [UInt8]? {
        guard self.bytes.count >= max(count, 1) else { return nil }
        let piece = self.bytes
        self.bytes.removeAll(keepingCapacity: true)
        return piece
    }

    /// Brackets, commas, `true`, numbers.
    package mutating func raw(_ text: some StringProtocol) { self.bytes += text.utf8 }

    // string = quotation-mark *char quotation-mark    (RFC 8259 §7)
    /// A string; what a terminal would act on is escaped as well, since people look at JSON on terminals.
    package mutating func string(_ text: String) {
        self.bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy(\.isPlainInJSON) {
            self.bytes += text.utf8
        } else {
            for scalar in text.unicodeScalars { self.append(scalar) }
        }
        self.bytes.append(UInt8(ascii: "\""))
    }

    /// A list of whatever `write` writes.
    package mutating func array<Element>(_ elements: some Sequence<Element>, _ write: (inout Self, Element) -> Void) {
        self.raw("[")
        var isFirst = true
        for element in elements {
            if !isFirst { self.raw(", ") }
            write(&self, element)
            isFirst = false
        }
        self.raw("]")
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": self.raw(#"\""#)
        case "\\": self.raw(#"\\"#)
        case "\n": self.raw(#"\n"#)
        case "\r": self.raw(#"\r"#)
        case "\t": self.raw(#"\t"#)
        case _ where scalar.isEscapedInJSON:
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                let digits = String(unit, radix: 16)
                self.raw(#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits)
            }
        default: self.bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }
}

extension UInt8 {
    /// Whether a byte of UTF-8 can begin nothing that has to be escaped.
    fileprivate var isPlainInJSON: Bool {
        switch self {
        case 0...0x1F, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F: false
        // The first bytes of what ``Unicode/Scalar/isEscapedInJSON`` names.
        case 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: false
        default: true
        }
    }
}

extension Unicode.Scalar {
    /// Control characters, line and paragraph separators, and what turns the reading direction around or is invisible.
    fileprivate var isEscapedInJSON: Bool {
        switch self.value {
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }
}

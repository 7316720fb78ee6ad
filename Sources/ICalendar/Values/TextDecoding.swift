package enum TextDecoding {
    /// Decodes UTF-8; bytes that are not valid UTF-8 are decoded as Windows-1252.
    package static func string(_ bytes: ArraySlice<UInt8>) -> String {
        // A span is faster: the generic initialisers look up their types at each call.
        if let text = try? UTF8Span(validating: bytes.span) { return String(copying: text) }
        var text = ""
        for byte in bytes { text.unicodeScalars.append(self.windows1252(byte)) }
        return text
    }

    /// Decodes quoted-printable (RFC 2045 §6.7): `=C3=BC` becomes the bytes C3 and BC; other bytes stay unchanged.
    static func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                // A CRLF becomes LF, the only line end in decoded texts.
                if value == 0x0A, result.last == 0x0D { result.removeLast() }
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return self.string(result[...])
    }

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return self.upperControls[Int(byte) - 0x80]
    }

    /// The characters of the bytes 0x80 to 0x9F in Windows-1252, from the WHATWG Encoding Standard.
    private static let upperControls: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
        "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]
}

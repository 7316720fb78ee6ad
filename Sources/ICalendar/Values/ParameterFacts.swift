/// The parameters VALUE, TZID and ENCODING, found in one pass over the bytes; other parameters are not parsed.
struct ParameterFacts {
    enum Encoding { case plain, quotedPrintable, base64 }

    private(set) var type: ValueType?
    private(set) var tzid: String?
    private(set) var encoding = Encoding.plain

    init() {}

    init(_ slice: ArraySlice<UInt8>) {
        let bytes = slice.span
        var position = 0
        // param         = param-name "=" param-value *("," param-value)
        while position < bytes.count {
            let start = bytes.skippingBlanks(from: position + 1)
            var end = start
            while end < bytes.count, bytes[end].isNameCharacter { end += 1 }
            let equals = bytes.skippingBlanks(from: end)
            if equals < bytes.count, bytes[equals] == UInt8(ascii: "=") {
                let first = equals == end ? end + 1 : bytes.skippingBlanks(from: equals + 1)
                let value = Self.firstValue(bytes, from: first)
                self.read(start..<end, value, bytes, slice)
                position = Self.nextParameter(bytes, from: first)
            } else {
                self.readBare(NameTableWords(bytes, start, end - start))
                position = bytes.firstPosition(of: UInt8(ascii: ";"), from: start)
            }
        }
    }

    private mutating func read(
        _ name: Range<Int>,
        _ value: Range<Int>,
        _ bytes: Span<UInt8>,
        _ slice: ArraySlice<UInt8>
    ) {
        let known = Self.known
        let text = slice[(slice.startIndex + value.lowerBound)..<(slice.startIndex + value.upperBound)]
        switch NameTableWords(bytes, name.lowerBound, name.count) {
        case known.value where self.type == nil:
            self.type = value.isEmpty ? nil : ValueType(wire: TextDecoding.string(text))
        case known.tzid where self.tzid == nil:
            self.tzid =
                text.contains(UInt8(ascii: "^")) ? ParameterReader.decodingCarets(text) : TextDecoding.string(text)
        case known.encoding:
            let encoding = NameTableWords(bytes, value.lowerBound, value.count)
            if encoding == known.letterB { self.encoding = .base64 } else { self.readBare(encoding) }
        default:
            break
        }
    }

    /// Reads an encoding without `ENCODING=`, as vCalendar 1.0 allows: `SUMMARY;QUOTED-PRINTABLE:=C3=84`.
    private mutating func readBare(_ words: NameTableWords) {
        switch words {
        case Self.known.quotedPrintable: self.encoding = .quotedPrintable
        case Self.known.base64: self.encoding = .base64
        default: break
        }
    }

    // param-value   = paramtext / quoted-string
    private static func firstValue(_ bytes: Span<UInt8>, from start: Int) -> Range<Int> {
        if start < bytes.count, bytes[start] == UInt8(ascii: "\"") {
            return (start + 1)..<bytes.firstPosition(of: UInt8(ascii: "\""), from: start + 1)
        }
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: ";"), bytes[end] != UInt8(ascii: ",") { end += 1 }
        return start..<end
    }

    /// The position of the semicolon after the values that begin at `start`, or the end of the bytes.
    private static func nextParameter(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        var isAtStart = true
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: ";") { return position }
            if byte == UInt8(ascii: "\""), isAtStart {
                position = bytes.firstPosition(of: byte, from: position + 1)
            }
            isAtStart = byte == UInt8(ascii: ",")
            position += 1
        }
        return bytes.count
    }

    /// All searched names in one global constant, because each access to a global checks its initialisation.
    private struct Known {
        let value = NameTableWords("VALUE")
        let tzid = NameTableWords("TZID")
        let encoding = NameTableWords("ENCODING")
        let quotedPrintable = NameTableWords("QUOTED-PRINTABLE")
        let base64 = NameTableWords("BASE64")
        let letterB = NameTableWords("B")
    }

    private static let known = Known()
}

extension Span<UInt8> {
    fileprivate func skippingBlanks(from start: Int) -> Int {
        var position = start
        while position < self.count, self[position].isFold { position += 1 }
        return position
    }
}

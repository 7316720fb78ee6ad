import Glibc

/// The representation of U+0000 in PostgreSQL, whose texts cannot contain it.
///
/// A private-use character begins each pair: the pair with `0` is U+0000, and the pair with `1` is the character itself.
/// Different texts stay different, and equal texts stay equal.
enum TextCoding {
    /// U+10FF00 in UTF-8.
    private static let marker: [UInt8] = [0xF4, 0x8F, 0xBC, 0x80]
    private static let zero = UInt8(ascii: "0")
    private static let itself = UInt8(ascii: "1")

    /// Returns the bytes to store; `nil` if they are the same bytes.
    static func encoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.contains(0) || self.containsMarker(text) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 16)
        var index = 0
        while index < text.count {
            if text[index] == 0 {
                result += self.marker + [self.zero]
                index += 1
            } else if self.isMarker(text, at: index) {
                result += self.marker + [self.itself]
                index += self.marker.count
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }

    /// Returns the original bytes of a stored text; `nil` if they are the same bytes.
    static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard self.containsMarker(text) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if self.isMarker(text, at: index), index + self.marker.count < text.count {
                result += text[index + self.marker.count] == self.zero ? [0] : self.marker
                index += self.marker.count + 1
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }

    private static func containsMarker(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress else { return false }
        // The first byte is rare: it begins only characters beyond U+FFFFF.
        guard let first = memchr(start, Int32(self.marker[0]), text.count) else { return false }
        let offset = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(first))
        return (offset..<text.count).contains { self.isMarker(text, at: $0) }
    }

    private static func isMarker(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        text[index] == self.marker[0] && text[index...].prefix(self.marker.count).elementsEqual(self.marker)
    }
}

/// Values of type BINARY: bytes in base64 (RFC 5545 §3.3.1, RFC 4648 §4).
package enum BinaryValue {
    private static let padding = UInt8(ascii: "=")
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let numbers: [UInt8] = {
        var numbers = [UInt8](repeating: 64, count: 256)
        for (number, byte) in alphabet.enumerated() { numbers[Int(byte)] = UInt8(number) }
        return numbers
    }()

    /// Decodes base64; `nil` for a byte outside the alphabet, or if the last group of four has only one letter.
    ///
    /// Spaces are skipped, because Outlook leaves some at its folds. Missing padding is accepted.
    package static func decode(_ wire: some Collection<UInt8>) -> [UInt8]? {
        let numbers = Self.numbers
        var result: [UInt8] = []
        result.reserveCapacity(wire.count / 4 * 3)
        var group: UInt32 = 0
        var count = 0
        var isPadded = false
        for byte in wire where byte != 0x20 && byte != 0x09 {
            if byte == Self.padding {
                isPadded = true
                continue
            }
            let number = numbers[Int(byte)]
            guard number < 64, !isPadded else { return nil }
            group = group << 6 | UInt32(number)
            count += 1
            if count == 4 {
                result.append(UInt8(truncatingIfNeeded: group >> 16))
                result.append(UInt8(truncatingIfNeeded: group >> 8))
                result.append(UInt8(truncatingIfNeeded: group))
                (group, count) = (0, 0)
            }
        }
        switch count {
        case 1: return nil
        case 2: result.append(UInt8(truncatingIfNeeded: group >> 4))
        case 3:
            result.append(UInt8(truncatingIfNeeded: group >> 10))
            result.append(UInt8(truncatingIfNeeded: group >> 2))
        default: break
        }
        return result
    }

    package static func encode(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for place in 0..<3 { group = group << 8 | (place < count ? UInt32(bytes[start + place]) : 0) }
            for place in 0..<4 {
                let number = Int(group >> UInt32(18 - 6 * place)) & 63
                result.append(place <= count ? Self.alphabet[number] : Self.padding)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

import RemindavICalendar

/// A UUID that is computed from a name: the same name always has the same UUID (version 5, RFC 9562 §5.5).
package enum NameUUID {
    private static let namespace: [UInt8] = [
        0x6b, 0x1f, 0x2e, 0x90, 0x4a, 0x77, 0x4c, 0x0b, 0x9d, 0x53, 0x8e, 0x21, 0xc4, 0x5a, 0x77, 0x10,
    ]

    package static func make(_ name: some StringProtocol) -> String { self.make(Array(name.utf8)) }
    package static func make(_ name: [UInt8]) -> String { self.spell(SHA1.hash(self.namespace + name), version: 5) }

    /// A UUID from 16 random bytes (version 4, RFC 9562 §5.4).
    package static func random(_ random: [UInt8]) -> String {
        self.spell(random + [UInt8](repeating: 0, count: max(0, 16 - random.count)), version: 4)
    }

    private static func spell(_ source: [UInt8], version: UInt8) -> String {
        var bytes = Array(source.prefix(16))
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(bytes.hexadecimal)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}

/// SHA-1 (FIPS 180-4 §6.1), which UUIDs of version 5 use; it is not safe for secrets.
enum SHA1 {
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(message.count) &* 8
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        for block in stride(from: 0, to: padded.count, by: 64) {
            self.mix(&state, padded[block..<block + 64])
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func mix(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
        var words = (0..<16).map { index in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + index * 4 + $1]) }
        }
        for index in 16..<80 {
            words.append(self.rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (function, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5a82_7999)
                case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let next = self.rotate(a, 5) &+ function &+ e &+ constant &+ words[index]
            (e, d, c, b, a) = (d, c, self.rotate(b, 30), a, next)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] = state[index] &+ word }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
